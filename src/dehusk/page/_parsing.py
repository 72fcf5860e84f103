"""A page as the parser's document, with the elements closed that would swallow the rest of it; its body as arrays."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from turbohtml import Document, Element, Node, Text

from dehusk.base.tags import NOT_CONTENT, SWALLOWING
from dehusk.base.tree import Tree
from dehusk.kernels import walking
from dehusk.page._decoding import decoded

# A tool that writes XML leaves no end tag where an element is empty: the rest of the page would be its text.
_SWALLOWING = tuple(sorted(SWALLOWING))
_NOTED = NOT_CONTENT.union(_SWALLOWING)
_EMPTY = re.compile(rb"(?i)<(%b)((?:\s[^<>]*[\s\"'])?)/>" % "|".join(_SWALLOWING).encode())
_MENTIONED = re.compile(rb"(?i)<(/?)(%b)" % "|".join(_SWALLOWING).encode())
# An embedded player or a line for old browsers has fewer end tags inside than a page, or a part of one.
_SWALLOWED = 3


def parse(html: bytes | str, encoding: str | None = None) -> Document:
    """The document, decoded by what the bytes are, and with the elements closed that would swallow the rest of it."""
    return parsed(html, encoding).document


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document, and the elements of its body that are no content or may swallow some: looked for once."""

    document: Document
    noted: list[Element]


def parsed(html: bytes | str, encoding: str | None) -> Parsed:
    """The document, with what was noted of it."""
    document = decoded(html, encoding)
    noted = _noted(document)
    head = document.find("head")
    if _swallows(noted) or (head is not None and _swallows(head.iter_elements(_SWALLOWING))):
        closed = _closed(html)
        if closed != html:
            document = decoded(closed, encoding)
            noted = _noted(document)
    return Parsed(document, noted)


def _noted(document: Document) -> list[Element]:
    return list(body(document).iter_elements(_NOTED))


def _swallows(elements: Iterable[Element]) -> bool:
    """Whether one of these elements has a good part of the page as its text."""
    for element in elements:
        if element.tag in _SWALLOWING and len(element) == 1:
            inside = element.children[0]
            if type(inside) is Text and inside.data.count("</") >= _SWALLOWED:
                return True
    return False


def _closed(html: bytes | str) -> bytes | str:
    """The page with an end tag for each element that was written as XML, or that no end tag follows at all."""
    if isinstance(html, str):
        data = _closed(html.encode("utf-8", "surrogatepass"))
        return data.decode("utf-8", "surrogatepass") if isinstance(data, bytes) else data
    if _is_closed(html):
        return html
    html = _EMPTY.sub(rb"<\1\2></\1>", html)
    for tag in map(str.encode, _SWALLOWING):
        end = max((found.end() for found in re.finditer(rb"(?i)</%b" % tag, html)), default=0)
        html = html[:end] + re.sub(rb"(?i)(<%b(?:\s[^<>]*)?>)" % tag, rb"\1</%b>" % tag, html[end:])
    return html


def _is_closed(html: bytes) -> bool:
    """Whether all these elements are closed for sure: one look at a page, which saves a dozen."""
    left_open: set[bytes] = set()
    for found in _MENTIONED.finditer(html):
        tag = found[2].lower()
        if found[1]:
            left_open.discard(tag)
        elif html[found.end() : html.find(b">", found.end())].endswith(b"/"):
            return False
        else:
            left_open.add(tag)
    return not left_open


def body(document: Document) -> Element:
    """The element whose inside is the page: the body, or the root of a document without one."""
    found = document.find("body") or document.root
    if found is None:  # the parser always builds a root; an empty one stands for nothing
        return Element("body")
    return found


_NO_ATTRIBUTES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Walked:
    """A body as arrays, and the parser's node for each node of them."""

    tree: Tree
    nodes: list[Node]


def walk(document: Document, silent: frozenset[str]) -> Walked:
    """The body of a document, without the silent elements, as arrays."""
    nodes, parent, size, tags, texts, links = walking.walk(body(document), silent)
    return Walked(Tree(parent, size, tags, texts, links, _Attributes(nodes)), nodes)


class _Attributes(Sequence[Mapping[str, str]]):
    """The attributes of each node, read from the parser's element when asked for: most never are."""

    def __init__(self, nodes: list[Node]) -> None:
        self._nodes = nodes

    def __len__(self) -> int:
        return len(self._nodes)

    @overload
    def __getitem__(self, index: int) -> Mapping[str, str]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, str]]: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, str] | Sequence[Mapping[str, str]]:
        if isinstance(index, slice):
            return _Attributes(self._nodes[index])
        node = self._nodes[index]
        if not isinstance(node, Element):
            return _NO_ATTRIBUTES
        return {
            name: " ".join(value) if isinstance(value, list) else value or ""
            for name, value in node.attrs.copy().items()
        }
