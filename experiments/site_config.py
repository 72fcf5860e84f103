"""Applies a site config of Full-Text RSS to a page with lxml, as programs that read such configs do."""

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from dehusk.page import Page


def extracted(config: str, page: Page) -> dict[str, str]:
    """The title, author, date and body that a site config finds; "" if it finds none.

    Elements used as title, author or date are removed from the body, and so are those to be stripped. For each field,
    the first line that finds something counts.
    """
    root = _parsed(page)
    lines = [line.split(": ", 1) for line in config.splitlines() if ": " in line and not line.startswith("#")]
    found = {
        name: _field(root, [path for key, path in lines if key == name], alone=name != "author")
        for name in ("title", "author", "date")
    }
    _take_out(node for key, path in lines if key == "strip" for node in root.xpath(path))
    _take_out(root.xpath("//script | //style | //noscript | //iframe | //svg | //select | //textarea | //comment()"))
    bodies = (root.xpath(path) for key, path in lines if key == "body")
    found["body"] = _text(next(filter(None, bodies), []))
    return found


def _parsed(page: Page) -> Any:
    """Parses the page with lxml, since XPaths must work with the parsers of other programs."""
    html = import_module("lxml.html")
    text = page.html if isinstance(page.html, str) else page.html.decode(page.charset or "utf-8", "replace")
    return html.document_fromstring(text.encode(errors="replace"), parser=html.HTMLParser(encoding="utf-8"))


def _field(root: Any, paths: Iterable[str], *, alone: bool) -> str:
    for path in paths:
        if nodes := root.xpath(path)[: 1 if alone else None]:
            value = " ".join(node if isinstance(node, str) else node.text_content() for node in nodes)
            _take_out(node for node in nodes if not isinstance(node, str))
            return " ".join(value.split())
    return ""


def _take_out(nodes: Iterable[Any]) -> None:
    for node in list(nodes):
        if node.getparent() is not None:
            node.drop_tree()


def _text(nodes: list[Any]) -> str:
    """The text of elements; that of nested elements only once."""
    inside = {id(below) for node in nodes for below in node.iterdescendants()}
    return " ".join(text for node in nodes if id(node) not in inside for text in node.itertext())
