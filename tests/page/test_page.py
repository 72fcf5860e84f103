"""Properties of a page."""

import pytest

from dehusk.page import Page
from dehusk.page.elements import first


def texts(html: bytes | str) -> list[str]:
    return [text for text in Page(html).tree.text if text]


def test_a_page_with_text_only_in_noscript_is_read_there() -> None:
    story = "The ferry brings the morning bread, and the harbour wakes to its bell. " * 5
    page = Page(f"<body><div id=app>Loading</div><noscript><h1>Bread</h1><p>{story}</p></noscript></body>")
    assert [text for text in page.tree.text if text] == ["Loading", "Bread", story.strip()]
    assert first(page.root(), "noscript") is not None


def test_noscript_is_ignored_if_the_page_has_more_text_elsewhere() -> None:
    story = "The ferry brings the morning bread, and the harbour wakes to its bell. " * 5
    assert texts(f"<p>{story}And more.</p><noscript><p>{story}</p></noscript>") == [f"{story}And more."]
    assert texts("<p>Hi</p><noscript>Please switch scripts on.</noscript>") == ["Hi"]


@pytest.mark.parametrize(
    ("head", "url"),
    [
        ("<link rel=canonical href=' /dock '>", "/dock"),
        ("<meta property=og:url content=https://hafen.example/dock>", "https://hafen.example/dock"),
        ("<link rel=canonical href=/a><meta property=og:url content=/b>", "/a"),
        ("<link rel=canonical href=''>", None),
        ("", None),
    ],
)
def test_a_page_may_declare_its_canonical_url(head: str, url: str | None) -> None:
    assert Page(f"<head>{head}</head><p>x").canonical_url == url


def test_equal_content_has_an_equal_digest() -> None:
    assert Page("a").digest == Page(b"a", name="other").digest != Page("b").digest


def test_a_base_that_is_far_too_long_is_ignored() -> None:
    page = "<head><base href='https://e.example/{}/'></head><a href=x>x</a>"
    assert Page(page.format("a" * 1_000)).base_url == f"https://e.example/{'a' * 1_000}/"
    assert Page(page.format("a" * 3_000), url="https://e.example/").base_url == ""
