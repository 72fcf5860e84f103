"""Learning from a place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dehusk
from dehusk.base.errors import SourceError, UsageError
from dehusk.sources.web.fetching import Fetching
from journals import ENGLISH
from loopback import answer, serving


def test_a_place_with_pages_of_several_sites_is_refused_with_what_to_use(tmp_path: Path) -> None:
    rows = [
        {"url": f"http://{host}.example/{number}", "html": html}
        for number, html in enumerate(ENGLISH.pages())
        for host in "ab"
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = r"in.jsonl has pages of several sites, such as a.example and b.example; .*dehusk.Job\(.*dehusk learn"
    with pytest.raises(UsageError, match=said):
        dehusk.learn(tmp_path / "in.jsonl")


def test_a_place_with_one_site_is_learned_even_if_some_pages_have_no_address(tmp_path: Path) -> None:
    rows = [
        {"url": "" if number == 0 else f"http://a.example/{number}", "html": html}
        for number, html in enumerate(ENGLISH.pages())
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert dehusk.learn(tmp_path / "in.jsonl").pages == len(rows)


@pytest.mark.parametrize("given", [str, str.encode, dehusk.Page], ids=["str", "bytes", "Page"])
def test_one_page_is_cleaned_by_itself_in_any_form(given: Callable[[str], Any]) -> None:
    html, story = ENGLISH.pages()[0], ENGLISH.stories[0]
    cleaned = dehusk.clean(given(html))
    assert all(piece in cleaned.text for piece in story.said)
    assert ENGLISH.imprint not in cleaned.text
    assert cleaned.text == dehusk.learn([html]).clean(html).text
    assert dehusk.PageWarning.ONE_PAGE in cleaned.warnings


def test_one_page_is_cleaned_as_the_options_say() -> None:
    html = ENGLISH.pages()[0]
    assert dehusk.clean(html, method="rtdm").share_removed == 0
    assert len(dehusk.clean(html, favor="recall").text) >= len(dehusk.clean(html).text)
    with pytest.raises(UsageError, match="no option 'speed'"):
        dehusk.clean(html, speed=2)


@pytest.mark.parametrize("page", ["<p>", "<p>Hello", "<script>x</script>", b"", b"Hello"])
def test_a_page_with_little_or_no_text_is_cleaned(page: bytes | str) -> None:
    assert dehusk.clean(page).text.strip() in ("", "Hello")


def test_two_pages_are_learned_together_even_if_they_share_nothing() -> None:
    assert dehusk.learn(["<p>Soup and bread", "<div><b>Nets</b> and <i>boats</i></div>"]).pages == 2


def test_pages_that_would_take_too_much_memory_are_left_out_and_named() -> None:
    small = [dehusk.Page(f"<p>Tide {number} came.", name=f"{number}") for number in range(4)]
    template = dehusk.learn([*small, dehusk.Page("<p>a" * 200_000, name="large")])
    assert (template.pages, template.left_out) == (4, ("large",))
    assert dehusk.Template.from_json(template.to_json()).left_out == ("large",)


def test_a_str_is_html_and_a_path_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>Soup and bread")
    assert dehusk.clean(tmp_path / "a.html").text == dehusk.clean("<p>Soup and bread").text == "Soup and bread\n"
    assert dehusk.clean("Soup and bread").text == "Soup and bread\n"
    for place in (str(tmp_path / "a.html"), "crawl/", "https://sea.example/"):
        for use in (dehusk.clean, dehusk.learn):
            with pytest.raises(UsageError, match=r"is not HTML; give Path\(\.\.\.\) to read files"):
                use(place)
    with pytest.raises(SourceError, match=r"b.html: no such file"):
        dehusk.clean(tmp_path / "b.html")


def test_a_url_is_the_address_of_the_page_or_fetched() -> None:
    html = "<h1>Soup</h1><p>Bread and <a href='more'>more</a> of it"
    given = dehusk.clean(html, url="https://sea.example/food/")
    assert (given.url, "(https://sea.example/food/more)" in given.markdown) == ("https://sea.example/food/", True)
    with serving() as server:
        server.routes["/food"] = answer(html)
        fetched = dehusk.clean(url=server.url("/food"), fetching=Fetching(allow_private=True, delay=0))
        assert (fetched.url, fetched.text) == (server.url("/food"), given.text)
        with pytest.raises(dehusk.FetchError, match="private"):
            dehusk.clean(url=server.url("/food"))


@pytest.mark.parametrize("pages", [[], iter(()), None, 5])
def test_senseless_calls_of_learn_are_refused(pages: Any) -> None:
    with pytest.raises(UsageError, match="learn from"):
        dehusk.learn(pages)


def test_cleaning_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="no page to clean"):
        dehusk.clean()


def test_completion_offers_the_public_names_only() -> None:
    dehusk.learn  # noqa: B018  # loads modules
    assert dir(dehusk) == sorted(dehusk.__all__)
    errors = [name for name in dir(dehusk) if name.endswith("Error")]
    names = "DehuskError FetchError OutputError SlowError SourceError TemplateError UsageError"
    assert errors == names.split()


def test_public_objects_say_what_they_are(tmp_path: Path) -> None:
    pages = ENGLISH.pages()
    template = dehusk.learn(pages)
    with dehusk.Store(tmp_path / "s.store") as store:
        compared = dehusk.diff(pages[0], pages[1], template)
        things = [template, template.clean(pages[0]), template.mark(pages[0]), store, compared]
        assert not [thing for thing in things if " object at " in repr(thing)]


def test_a_page_of_frames_has_no_text_and_no_kind() -> None:
    html = "<title>Manual</title><frameset><frame src=a.html><noframes><p>Get frames.</p></noframes></frameset>"
    cleaned = dehusk.clean(html)
    assert (cleaned.text, cleaned.kind, cleaned.quality) == ("", None, None)
    assert dehusk.PageWarning.NO_TEXT in cleaned.warnings
