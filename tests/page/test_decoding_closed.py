"""Unclosed elements that would swallow the rest of a page, and incomplete documents."""

import pytest

from dehusk.page import Page


def texts(html: bytes | str) -> list[str]:
    return [text for text in Page(html).tree.text if text]


@pytest.mark.parametrize("tag", ["iframe", "textarea", "title", "noframes", "noembed", "xmp", "IFRAME"])
@pytest.mark.parametrize("inside", ["", ' src="https://a.example/x"', " class='x' "])
def test_an_empty_element_as_xml_writes_it_does_not_swallow_the_page(tag: str, inside: str) -> None:
    html = f"<html><body><p>Soup at noon.</p><{tag}{inside}/><ul><li>Bread</li><li>Salt</li></ul></body></html>"
    assert texts(html) == texts(html.encode()) == ["Soup at noon.", "Bread", "Salt"]


@pytest.mark.parametrize("tag", ["iframe", "title", "textarea"])
def test_an_element_that_is_never_closed_does_not_swallow_the_page(tag: str) -> None:
    html = f"<{tag}>a</{tag}><p>Soup</p><{tag} id=x><ul><li>Bread</li><li>Salt</li></ul></body>"
    assert texts(html) == ["Soup", "Bread", "Salt"]


@pytest.mark.parametrize(
    "html",
    [
        "<textarea><p>a</p><p>b</p><p>c</p></textarea><p>x</p>",
        "<iframe src=http://a.example/><p>a</p><p>b</p><p>c</p></iframe><p>x</p>",
        "<html><body><iframe src=http://a.example/><p>a</p><p>b</p><p>c</p></iframe><p>x</p>",
    ],
)
def test_markup_for_old_browsers_or_to_copy_is_not_changed(html: str) -> None:
    assert texts(html) == ["x"]


@pytest.mark.parametrize(
    "part", ["<noscript> ", "<svg><title> ", "<iframe ", '<iframe "/', "<title>", "<textarea/></", "<html><iframe/>"]
)
def test_100_000_unclosed_elements_are_read(part: str) -> None:
    assert Page(part * 100_000).tree


def test_a_document_without_a_body_has_a_tree() -> None:
    assert len(Page("<frameset><frame src=a></frameset>").tree) >= 1
