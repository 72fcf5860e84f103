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


@pytest.mark.parametrize(
    ("url", "base"), [("http://e\x1d{.example/", "http://e\x1d{.example/"), ("http://[", ""), ("http://a\x1d[", "")]
)
def test_a_url_with_a_host_that_no_url_has_raises_nothing(url: str, base: str) -> None:
    assert Page('<base href="">Text', url=url).base_url == base


def test_nodes_are_flagged_with_all_below_them_in_any_order() -> None:
    page = Page("<div><p>One</p></div><p>Two</p><script>x</script>")
    div, two = page.nodes[1], page.nodes[4]
    assert list(page.flagged([div])) == [0, 1, 1, 1, 0, 0]
    assert list(page.flagged([two, div])) == [0, 1, 1, 1, 1, 1]
    assert list(page.flagged([page.select("script")[0], two])) == [0, 0, 0, 0, 1, 1]


def test_elements_are_labelled_by_the_attributes_that_they_have() -> None:
    page = Page("<body id=b><div class='a b' id=d role=main><p>One</p></div><template><i id=t>x</i></template>")
    assert page.labels(("id", "class"), ("role",)) == ["b", "d a b main", "", ""]


def test_the_texts_of_a_page_without_some_nodes_are_read_once() -> None:
    page = Page("<body><p>One</p><p>Two</p></body>")
    gone = page.select("p")[:1]
    said = page.all_strings_without(gone)
    assert said == ["Two"]
    assert page.all_strings_without(gone) is said
    assert page.all_strings_without([]) == ["One", "Two"]


def test_titles_are_those_of_the_head_and_of_social_media_wherever_they_are() -> None:
    page = Page(
        "<head><title>One</title><meta name=twitter:title content=Two><meta name=title content=No></head>"
        "<body><svg><title>No</title></svg><meta property=og:title content=Three><meta property=og:title></body>"
    )
    assert page.titles == ["One", "Two", "Three", ""]
