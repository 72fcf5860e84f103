"""The parsed document of a page, used only by page and render: whole, without some nodes, as arrays, in excerpts.

Functions take and return opaque nodes; modules that know the parser cast them to its types.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Any, cast, overload

from turbohtml import Document, DocumentFragment, Element, Node, Text

from dehusk.base import tree as opaque
from dehusk.base.shared import Shared
from dehusk.base.tags import CELLS, LISTS, NOT_CONTENT, SWALLOWING, TABLE_PARTS, VOID
from dehusk.base.tree import Tree
from dehusk.base.urls import split
from dehusk.kernels import walking
from dehusk.page._decoding import closed, decoded

if TYPE_CHECKING:
    from dehusk.page._page import Page

NOSCRIPT = 200
"""If `noscript` elements have at least this many letters, and most of the text, they are read as content."""

_SILENT: Sequence[opaque.Node] = ()
"""A value of `_Missing.what`: only the elements of `Lent.silent` are removed."""

_NOTED = NOT_CONTENT | SWALLOWING
_GLANCE_TIMES = 4
# Minimum number of end tags in swallowed text. An embedded player or a line for old browsers has fewer.
_SWALLOWED = 3


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A document, and the elements of its body that are not content, or that may swallow content."""

    document: Document
    noted: list[Element]


def _parsed(html: bytes | str, encoding: str | None) -> _Parsed:
    """Parses a page, and parses it again with end tags added if an element swallowed the rest of it."""
    document = decoded(html, encoding)
    noted = _noted(document)
    head = document.find("head")
    if _swallows(noted) or (head is not None and _swallows(head.iter_elements(SWALLOWING))):
        whole = closed(html)
        if whole != html:
            document = decoded(whole, encoding)
            noted = _noted(document)
    return _Parsed(document, noted)


def _noted(document: Document) -> list[Element]:
    return list(_body(document).iter_elements(_NOTED))


def _swallows(elements: Iterable[Element]) -> bool:
    """Returns whether one of these elements has a large part of the page as its text."""
    for element in elements:
        if element.tag in SWALLOWING and len(element) == 1:
            inside = element.children[0]
            if type(inside) is Text and inside.data.count("</") >= _SWALLOWED:
                return True
    return False


def _body(document: Document) -> Element:
    body = document.find("body") or document.root
    if body is None:  # cannot happen: the parser always builds a root
        return Element("body")
    return body


def body(document: opaque.Node) -> opaque.Node:
    """Returns the body of a document, or its root if it has no body."""
    return cast("opaque.Node", _body(cast("Document", document)))


class Lent(Shared):
    """A document that is parsed once, on first use.

    `document` is always whole. `without` removes nodes temporarily: they are put back when the document is next used
    whole, or without other nodes. So its result is valid only until the next use.
    """

    def __init__(self, html: bytes | str, encoding: str | None) -> None:
        self._html, self._encoding = html, encoding
        self._missing = _Missing()

    @cached_property
    def _parsed(self) -> _Parsed:
        return _parsed(self._html, self._encoding)

    @property
    def document(self) -> opaque.Node:
        """The whole document. Callers must undo changes; for lasting changes use `parse`."""
        return cast("opaque.Node", self._whole)

    @property
    def _whole(self) -> Document:
        self._missing.put_back()
        return self._parsed.document

    def parse(self) -> opaque.Node:
        """Returns a new document, which the caller may change."""
        return cast("opaque.Node", _parsed(self._html, self._encoding).document)

    @property
    def charset(self) -> str | None:
        """The charset that the page was decoded with; None if it was given as str."""
        return self._parsed.document.encoding

    def attribute(self, name: str) -> str | None:
        """Returns an attribute of the root."""
        root = self._whole.root
        return root.attr(name) if root is not None else None

    @property
    def title(self) -> opaque.Node | None:
        """The first `<title>`. One in the head is found without putting nodes of the body back."""
        head = self._parsed.document.find("head")
        title = head.find("title") if head is not None else None
        return cast("opaque.Node | None", title if title is not None else self._whole.find("title"))

    def base_url(self, address: str) -> str:
        """Returns the base URL of the document, if its own URL is `address`; "" if that is not a URL."""
        try:
            return self._whole.base_url(address)
        except ValueError:  # a host that no URL has, in one of the two
            return "" if split(address) is None else address

    @cached_property
    def silent(self) -> frozenset[str]:
        """The elements whose content is not text of the page, such as scripts."""
        noted = self._parsed.noted
        said = sum(map(_letters, _outer_texts([node for node in noted if node.tag == "noscript"])))
        if said < NOSCRIPT:
            return NOT_CONTENT
        self._missing.put_back()
        self._missing.take_out([node for node in noted if node.tag in NOT_CONTENT], _SILENT)
        # A quick check first: building trees takes as long as several parses.
        shows = _has_letters(_body(self._parsed.document).text, said + 1)
        return NOT_CONTENT if shows else _silent(self._whole)

    def bare(self) -> opaque.Node:
        """Returns the body without silent elements."""
        parsed, silent = self._parsed, self.silent
        if self._missing.what is not _SILENT:
            self._missing.put_back()
            self._missing.take_out([node for node in parsed.noted if node.tag in silent], _SILENT)
        return cast("opaque.Node", _body(parsed.document))

    def without(self, nodes: Sequence[opaque.Node]) -> opaque.Node:
        """Returns the bare body without these nodes, for writers, which must not change it."""
        missing, parsers = self._missing, cast("Sequence[Node]", nodes)
        if missing.what is not nodes:
            before = missing.what
            if before and nodes[: len(before)] == before:  # only some more nodes to remove
                missing.take_out(parsers[len(before) :], nodes, spaced=True)
            else:
                self.bare()
                missing.take_out(parsers, nodes, spaced=True)
        return cast("opaque.Node", _body(self._parsed.document))

    @property
    def gaps(self) -> frozenset[opaque.Node]:
        """The elements from which nodes are removed, apart from silent ones."""
        return cast("frozenset[opaque.Node]", self._missing.gaps)


def _silent(document: Document) -> frozenset[str]:
    fewer, opened = NOT_CONTENT - {"noscript"}, cast("opaque.Node", document)
    without, with_it = (sum(map(_letters, walk(opened, silent).tree.text)) for silent in (NOT_CONTENT, fewer))
    return fewer if with_it - without >= max(NOSCRIPT, without) else NOT_CONTENT


def _outer_texts(unscripted: Sequence[Element]) -> Iterator[str]:
    """Yields the text of each outermost `noscript`."""
    within = 0
    for node in unscripted:
        if within:
            within -= 1
        else:
            within = len(node.find_all("noscript"))
            yield node.text


def _letters(text: str) -> int:
    return sum(map(len, text.split()))


def _has_letters(text: str, count: int) -> bool:
    """Returns whether a text has at least so many letters. Mostly its start decides."""
    return _letters(text[: _GLANCE_TIMES * count]) >= count or _letters(text) >= count


class _Missing:
    """The nodes that are removed from a document at the moment, and their places."""

    def __init__(self) -> None:
        self.what: Sequence[opaque.Node] | None = None
        """The nodes that were last removed; None for a whole document."""
        # A node, its parent (in a `<template>` a fragment), and its next sibling. A space that was added has neither.
        self._undo: list[tuple[Node, Element | DocumentFragment | None, Node | None]] = []
        self._spaced = 0

    def take_out(self, nodes: Sequence[Node], what: Sequence[opaque.Node], *, spaced: bool = False) -> None:
        """Removes nodes. With `spaced`, leaves a space where two words would be joined."""
        undo = self._undo
        for node in nodes:
            after = node.next_sibling
            if spaced and _is_between_words(node.previous_sibling, after):
                # The separator between two words may be template.
                space = Text(" ")
                node.insert_before(space)
                undo.append((space, None, None))
            parent = node.parent
            undo.append((node, parent if isinstance(parent, Element | DocumentFragment) else None, after))
            node.extract()
        if not spaced:
            self._spaced = len(undo)
        self.what = what

    @property
    def gaps(self) -> frozenset[Node]:
        """The elements from which nodes were removed with `spaced`."""
        return frozenset(parent for _, parent, _ in self._undo[self._spaced :] if parent is not None)

    def put_back(self) -> None:
        """Puts all nodes back, last first, so that each finds its sibling in place."""
        undo = self._undo
        while undo:
            node, parent, after = undo.pop()
            if after is not None:
                after.insert_before(node)
            elif parent is not None:
                parent.append(node)
            else:  # a space that was added
                node.extract()
        self.what = None
        self._spaced = 0


def _is_between_words(before: Node | None, after: Node | None) -> bool:
    """Returns whether removing what is between two nodes may join words."""
    if before is None:
        return after is not None
    return bool(before) and not (type(before) is Text and before.data[-1:].isspace())


_HOLDERS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(CELLS, ("table", "tr")),
    **dict.fromkeys(TABLE_PARTS - CELLS, ("table",)),
    **dict.fromkeys(("dt", "dd"), ("dl",)),
}


@contextmanager
def excerpt(page: "Page", nodes: Sequence[opaque.Node]) -> Iterator[opaque.Node]:
    """Moves these nodes of a page into a new body, in order, and puts them back at exit.

    Items and cells are wrapped in a list or table.
    """
    body = cast("Element", page.body)  # puts back nodes that were removed before
    inside = Element("body")
    (body.parent or body).append(inside)  # type: ignore[union-attr]  # in the same document: moving between two is slow
    undo: list[tuple[Node, Any, Node | None]] = []
    try:
        for parent, group in groupby(cast("Sequence[Node]", nodes), key=lambda node: node.parent):
            holder = inside
            together = list(group)
            for tag in _holders(together[0], parent):
                element = Element(tag)
                holder.append(element)
                holder = element
            moving: list[Node] = []
            for node, following in zip_longest(together, together[1:]):
                moving += [node, *_between(node, following)]
            for node in moving:
                undo.append((node, parent, node.next_sibling))
                holder.append(node)
        yield cast("opaque.Node", inside)
    finally:
        for node, parent, after in reversed(undo):
            if after is not None:
                after.insert_before(node)
            else:
                parent.append(node)
        inside.extract()


def _between(node: Node, following: Node | None) -> Iterator[Node]:
    """Yields the texts and void elements (spaces, breaks, pictures) between a node and the following one."""
    sibling = node.next_sibling
    while following is not None and sibling is not None and sibling != following:
        if isinstance(sibling, Text) or (isinstance(sibling, Element) and sibling.tag in VOID):
            yield sibling
        sibling = sibling.next_sibling


def _holders(node: Node, parent: Node | None) -> tuple[str, ...]:
    """Returns the tags of the wrappers that a node needs, outermost first. Consecutive texts get a paragraph."""
    if not isinstance(node, Element):
        return ("p",)
    if node.tag == "li":
        return (parent.tag,) if isinstance(parent, Element) and parent.tag in LISTS else ("ul",)
    return _HOLDERS.get(node.tag, ("div",))


def dom(page: "Page") -> Lent:
    """Returns the parsed document of a page."""
    return page._lent  # noqa: SLF001


@dataclass(frozen=True, slots=True)
class Walked:
    """A body as arrays, and the parser's node for each node of them."""

    tree: Tree
    nodes: list[opaque.Node]


def walk(document: opaque.Node, silent: frozenset[str]) -> Walked:
    """Returns the body of a document as arrays, without the silent elements."""
    nodes, parent, size, tags, texts, links = walking.walk(_body(cast("Document", document)), silent)
    return Walked(Tree(parent, size, tags, texts, links, _Attributes(nodes)), cast("list[opaque.Node]", nodes))


_NO_ATTRIBUTES: Mapping[str, str] = {}


class _Attributes(Sequence[Mapping[str, str]]):
    """The attributes of each node, read from the parser's element on access: most are never needed."""

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
