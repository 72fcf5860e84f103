"""The options object of writing."""

import pickle
from dataclasses import fields

import pytest

import dehusk
from dehusk import Page, Role, UsageError, Writing
from dehusk.render.writing import OPTIONS

HTML = "<main><h1>Tides</h1><p>The water <a href='r.html'>rises</a> and falls twice a day, all the year.</p></main>"


def test_roles_are_checked_once_and_have_one_order() -> None:
    writing = Writing(keep=["legal", "comment", "legal"])
    assert writing.keep == (Role.COMMENT, Role.LEGAL)
    assert writing == Writing(keep=["comment", "legal"])
    assert repr(writing) == repr(Writing(keep=["comment", "legal"]))
    assert pickle.loads(pickle.dumps(writing)) == writing  # our own style sheet


def test_roles_given_with_a_writing_are_added_to_it() -> None:
    writing = Writing(keep=["comment"], base_url="https://e.example/")
    assert writing.also(["legal"], ["date"]) == Writing(["comment", "legal"], ["date"], "https://e.example/")
    assert writing.also((), ()) is writing
    with pytest.raises(UsageError, match="comment is in both"):
        writing.also((), ["comment"])


def test_every_field_is_an_option() -> None:
    assert [option.name for option in OPTIONS] == [field.name for field in fields(Writing)]
    assert all(option.help for option in OPTIONS)


@pytest.mark.parametrize(
    ("page", "address"),
    [
        (Page(HTML), "https://e.example/docs/r.html"),
        (Page(HTML, name="sea/tides.html"), "https://e.example/docs/sea/r.html"),
        (Page(HTML, url="https://own.example/a"), "https://own.example/r.html"),
        (Page(f"<base href='https://base.example/'>{HTML}"), "https://base.example/r.html"),
    ],
)
def test_a_base_url_is_used_for_pages_without_a_url(page: Page, address: str) -> None:
    cleaned = dehusk.clean(page, writing=Writing(base_url="https://e.example/docs/"))
    assert f"[rises]({address})" in cleaned.markdown
    assert any(f"[rises]({address})" in part.markdown for part in cleaned.parts)
    assert f'<base href="{address.removesuffix("r.html")}' in cleaned.html
    assert "The water rises" in cleaned.text


@pytest.mark.parametrize("wrong", ["/docs/", "http://[", "https://"])
def test_a_base_url_must_be_on_the_web(wrong: str) -> None:
    with pytest.raises(UsageError, match="not an http or https URL"):
        Writing(base_url=wrong)


def test_a_file_name_that_is_not_unicode_has_a_url_too() -> None:
    page = Page(HTML, name="sea/t\udce9des.html")
    assert Writing(base_url="https://e.example/").base_of(page).startswith("https://e.example/sea/t%")


def test_the_body_of_an_article_is_short_for_dropping_four_roles() -> None:
    body = Writing(article_body=True)
    assert body.drop == (Role.TITLE, Role.BYLINE, Role.DATE, Role.CAPTION)
    assert Writing(drop=["lead", "title"], article_body=True).drop == (*body.drop[:3], Role.LEAD, Role.CAPTION)
    assert body.also(["comment"], ()).drop == body.drop
    assert pickle.loads(pickle.dumps(body)) == body  # our own style sheet
    with pytest.raises(UsageError, match="title is in both"):
        Writing(keep=["title"], article_body=True)
    cleaned = dehusk.clean(HTML, writing=body)
    assert "Tides" not in cleaned.text + cleaned.markdown
    assert "The water rises" in cleaned.text


def test_without_links_only_their_text_is_written() -> None:
    html = f"<figure><img src=/boat.png alt='A *boat*'></figure><img src=/b.png width=90 height=90>{HTML}"
    page = Page(html, url="https://e.example/sea/")
    cleaned = dehusk.clean(page, writing=Writing(links=False))
    for written in (cleaned.markdown, cleaned.html.partition("</title>")[2]):
        assert "The water rises and falls" in written
        assert "A " in written
        for address in ("e.example", "r.html", "b.png", "href", "]("):
            assert address not in written
    assert "](" not in "".join(part.markdown for part in cleaned.parts)


def test_pictures_that_are_to_be_kept_stay_without_links() -> None:
    page = Page(f"<img src=/boat.png alt=Boat>{HTML}", url="https://e.example/sea/")
    cleaned = dehusk.clean(page, writing=Writing(links=False, images="keep"))
    assert "![Boat](https://e.example/boat.png)" in cleaned.markdown
    assert '<base href="https://e.example/sea/">' in cleaned.html
    assert "r.html" not in cleaned.markdown + cleaned.html


@pytest.mark.parametrize("content", ["text", "html", "tei"])
def test_front_matter_is_refused_where_it_would_do_nothing(content: str) -> None:
    with pytest.raises(UsageError, match="choose markdown"):
        Writing(front_matter=True).check(content)
    Writing(front_matter=True).check("markdown")
    Writing().check(content)
