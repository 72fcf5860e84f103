"""Pictures: links to click, pictures, or nothing; and what a browser would load."""

import re

import pytest

from dehusk.base.errors import UsageError
from dehusk.render.writing import Writing
from marked import as_html, as_markdown

HERE = "data:image/png;base64,iVBORw0KGgo="
SOURCES = (
    "<img src='https://t.example/a.png' alt='A boat'>",
    "<img src='data:image/gif;base64,AA' data-src='https://t.example/a.png' alt='A boat'>",
    "<img data-original='//t.example/a.png' alt='A boat'>",
    "<picture><source srcset='https://t.example/b.webp'><img src='https://t.example/a.png' alt='A boat'></picture>",
    "<figure><img src='https://t.example/a.png' srcset='https://t.example/c.png 2x'></figure>",
    "<a href='/boats'><img src='https://t.example/a.png' alt='A boat'></a>",
    "<ul><li>b<li><img src='https://t.example/a.png' alt='A boat'></ul>",
)


def inside(html: str) -> str:
    return html[html.index("<body>") + 7 : html.index("\n</body>")]


@pytest.mark.parametrize("source", SOURCES)
def test_html_loads_no_picture_unless_asked_to(source: str) -> None:
    written = as_html(f"<p>mine</p>{source}", url="https://e.example/")
    assert not re.search(r"src|srcset|<img|<source", inside(written))
    assert "img-src data:;" in written
    kept = as_html(f"<p>mine</p>{source}", url="https://e.example/", images="keep")
    assert re.search(r'<img [^>]*src="(https:)?//t.example/a.png"', kept)
    assert "img-src * data:;" in kept


def test_a_picture_is_a_link_with_its_words() -> None:
    written = inside(as_html("<p>mine</p><img src=https://t.example/a.png alt='A  boat' id=b width=90 height=90>"))
    assert written == '<p>mine</p> <a id="b" href="https://t.example/a.png">A boat</a>'


def test_a_picture_without_words_is_called_by_its_file() -> None:
    written = inside(as_html("<p>mine</p><img src='https://t.example/a%20b.png?c' width=90 height=90>"))
    assert written == '<p>mine</p> <a href="https://t.example/a%20b.png?c">a b.png</a>'


def test_the_words_of_a_picture_do_not_run_into_others() -> None:
    assert inside(as_html("<p>one<img src=a.png alt=two>three</p>")) == '<p>one <a href="a.png">two</a> three</p>'


def test_a_picture_in_a_link_is_its_words_because_links_cannot_be_nested() -> None:
    html = "<p>mine <a href='/boats'><img src=https://t.example/a.png alt='A boat'></a></p>"
    assert inside(as_html(html)) == '<p>mine <a href="/boats"><span>A boat</span></a></p>'
    assert as_markdown(html, images="link") == "mine [A boat](/boats)\n"


def test_a_picture_that_the_page_holds_is_shown() -> None:
    html = f"<p>mine</p><img src='{HERE}' alt=a>"
    for images in (None, "link", "keep"):
        assert f'<img src="{HERE}" alt="a">' in as_html(html, images=images)
    assert "<img" not in as_html(html, images="drop")


@pytest.mark.parametrize(
    "data", ["data:text/html,<b>x", " data:text/html,x", "da\tta:text/html,x", "DATA:image/svg+xml,<svg onload=x>"]
)
def test_data_is_allowed_for_pictures_alone(data: str) -> None:
    html = f"<p>mine</p><img src='{HERE}' alt=a><a href='{data}'>b</a><img src='data:text/html,x' alt=c>"
    written = inside(as_html(html))
    assert "href" not in written
    assert written.count("<img") == 1


def test_dropped_pictures_leave_nothing() -> None:
    html = f"<p>mine</p><img src=https://t.example/a.png alt='A boat'><img src='{HERE}' alt=b>"
    assert inside(as_html(html, images="drop")) == "<p>mine</p>"
    assert as_markdown(html, images="drop") == "mine\n"


def test_in_markdown_pictures_are_kept_unless_asked_otherwise() -> None:
    html = "<p>mine</p><p><img src=https://t.example/a.png alt='A [boat]!'></p>"
    assert as_markdown(html) == as_markdown(html, images="keep")
    assert as_markdown(html) == "mine\n\n![A \\[boat\\]!](https://t.example/a.png)\n"
    assert as_markdown(html, images="link") == "mine\n\n[A \\[boat\\]!](https://t.example/a.png)\n"


def test_an_unknown_way_to_write_pictures_is_refused() -> None:
    with pytest.raises(UsageError, match="images='show': choose one of link, keep, drop"):
        Writing(images="show")
