"""The parsed document of a page, for page and render alone: whole or with nodes missing, as arrays, in excerpts.

Whoever asks has opaque nodes, as everywhere; those who know the parser make its own of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Any, cast, overload

from turbohtml import Document, DocumentFragment, Element, Node, Text

from dehusk.base import tree as opaque
from dehusk.base.tags import CELLS, LISTS, NOT_CONTENT, SWALLOWING, TABLE_PARTS, VOID
from dehusk.base.tree import Tree
from dehusk.kernels import walking
from dehusk.page._decoding import closed, decoded

if TYPE_CHECKING:
    from dehusk.page._page import Page

NOSCRIPT = 200
"""A page is read as a browser without scripts shows it if `noscript` holds this many letters and most of its text."""

_SILENT: Sequence[opaque.Node] = ()
"""Stands for the elements of `Lent.silent`, where it is said what is missing from a document."""

_NOTED = NOT_CONTENT | SWALLOWING
# An embedded player or a line for old browsers has fewer end tags inside than a page, or a part of one.
_SWALLOWED = 3


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A document, and the elements of its body that are no content or may swallow some: looked for once."""

    document: Document
    noted: list[Element]


def _parsed(html: bytes | str, encoding: str | None) -> _Parsed:
    """The document, decoded by what the bytes are, and with the elements closed that would swallow the rest of it."""
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
    """Whether one of these elements has a good part of the page as its text."""
    for element in elements:
        if element.tag in SWALLOWING and len(element) == 1:
            inside = element.children[0]
            if type(inside) is Text and inside.data.count("</") >= _SWALLOWED:
                return True
    return False


def _body(document: Document) -> Element:
    body = document.find("body") or document.root
    if body is None:  # the parser always builds a root; an empty one stands for nothing
        return Element("body")
    return body


def body(document: opaque.Node) -> opaque.Node:
    """The element whose inside is the page: the body, or the root of a document without one."""
    return cast("opaque.Node", _body(cast("Document", document)))


class Lent:
    """A document, parsed when first needed, and only once.

    `document` is always whole. `without` lends it with some nodes taken out: they are put back when it is next asked
    for whole, or without other nodes. A lent document is good until something else is asked for.
    """

    def __init__(self, html: bytes | str, encoding: str | None) -> None:
        self._html, self._encoding = html, encoding
        self._missing = _Missing()

    @cached_property
    def _parsed(self) -> _Parsed:
        return _parsed(self._html, self._encoding)

    @property
    def document(self) -> opaque.Node:
        """The parsed document, whole. Whoever changes it undoes the change; for lasting changes there is `parse`."""
        return cast("opaque.Node", self._whole)

    @property
    def _whole(self) -> Document:
        self._missing.put_back()
        return self._parsed.document

    def parse(self) -> opaque.Node:
        """A new document, which belongs to the caller."""
        return cast("opaque.Node", _parsed(self._html, self._encoding).document)

    @property
    def charset(self) -> str | None:
        """The charset that the page was decoded by; None where it was given as text."""
        return self._parsed.document.encoding

    def attribute(self, name: str) -> str | None:
        """An attribute of the root."""
        root = self._whole.root
        return root.attr(name) if root is not None else None

    def base_url(self, address: str) -> str:
        """What links of a document at this address are relative to."""
        return self._whole.base_url(address)

    @cached_property
    def silent(self) -> frozenset[str]:
        """The elements whose inside is not something this page says."""
        noted = self._parsed.noted
        said = sum(map(_letters, _outer_texts([node for node in noted if node.tag == "noscript"])))
        if said < NOSCRIPT:
            return NOT_CONTENT
        document = self._whole
        self._missing.take_out([node for node in noted if node.tag in NOT_CONTENT], _SILENT)
        shown = _letters(_body(document).text)
        self._missing.put_back()
        # To build trees takes as long as several parses.
        return NOT_CONTENT if said < shown else _silent(document)

    def bare(self) -> opaque.Node:
        """The body without the elements whose inside is not something the page says."""
        parsed = self._parsed
        if self._missing.what is not _SILENT:
            silent = self.silent
            self._missing.put_back()
            self._missing.take_out([node for node in parsed.noted if node.tag in silent], _SILENT)
        return cast("opaque.Node", _body(parsed.document))

    def without(self, nodes: Sequence[opaque.Node]) -> opaque.Node:
        """The bare body without these nodes as well: for writers, which leave it as they found it."""
        missing, parsers = self._missing, cast("Sequence[Node]", nodes)
        if missing.what is not nodes:
            before = missing.what
            if before and nodes[: len(before)] == before:  # some more are to go
                missing.take_out(parsers[len(before) :], nodes, spaced=True)
            else:
                self.bare()
                missing.take_out(parsers, nodes, spaced=True)
        return cast("opaque.Node", _body(self._parsed.document))

    @property
    def gaps(self) -> frozenset[opaque.Node]:
        """The elements that the lent document misses something of, besides what no page says."""
        return cast("frozenset[opaque.Node]", self._missing.gaps)


def _silent(document: Document) -> frozenset[str]:
    fewer, opened = NOT_CONTENT - {"noscript"}, cast("opaque.Node", document)
    without, with_it = (sum(map(_letters, walk(opened, silent).tree.text)) for silent in (NOT_CONTENT, fewer))
    return fewer if with_it - without >= max(NOSCRIPT, without) else NOT_CONTENT


def _outer_texts(unscripted: Sequence[Element]) -> Iterator[str]:
    """The text of each `noscript`; of one in another only that of the outer one."""
    within = 0
    for node in unscripted:
        if within:
            within -= 1
        else:
            within = len(node.find_all("noscript"))
            yield node.text


def _letters(text: str) -> int:
    return sum(map(len, text.split()))


class _Missing:
    """What is missing from a document at the moment, and where it was."""

    def __init__(self) -> None:
        self.what: Sequence[opaque.Node] | None = None
        """The nodes that were last taken out; None for a whole document."""
        # A node, what it was in (a `<template>` holds a fragment), and what followed it there; a node of ours that was
        # added has neither.
        self._undo: list[tuple[Node, Element | DocumentFragment | None, Node | None]] = []
        self._spaced = 0

    def take_out(self, nodes: Sequence[Node], what: Sequence[opaque.Node], *, spaced: bool = False) -> None:
        """Takes nodes out; `spaced` leaves a space where two words would become one."""
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
        """The elements that nodes were taken out of with spaces."""
        return frozenset(parent for _, parent, _ in self._undo[self._spaced :] if parent is not None)

    def put_back(self) -> None:
        """Makes the document whole, last things first: each node then finds its neighbour in place."""
        undo = self._undo
        while undo:
            node, parent, after = undo.pop()
            if after is not None:
                after.insert_before(node)
            elif parent is not None:
                parent.append(node)
            else:  # a space of ours
                node.extract()
        self.what = None
        self._spaced = 0


def _is_between_words(before: Node | None, after: Node | None) -> bool:
    """Whether words may become one if what is between them goes; the first may be one of the element before."""
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
    """A body with nothing but these nodes of a page, in order, which are then put back in their places.

    Items and cells are in a list or table of their own.
    """
    body = cast("Element", page.body)  # each node is in its place, whatever was written before
    inside = Element("body")
    (body.parent or body).append(inside)  # type: ignore[union-attr]  # the same document: to move between two is slow
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
    """What sets a node apart from one that follows it, besides elements that say nothing: spaces, breaks, pictures."""
    sibling = node.next_sibling
    while following is not None and sibling is not None and sibling != following:
        if isinstance(sibling, Text) or (isinstance(sibling, Element) and sibling.tag in VOID):
            yield sibling
        sibling = sibling.next_sibling


def _holders(node: Node, parent: Node | None) -> tuple[str, ...]:
    """What a node has to be in to be what it is; texts beside each other are a paragraph."""
    if not isinstance(node, Element):
        return ("p",)
    if node.tag == "li":
        return (parent.tag,) if isinstance(parent, Element) and parent.tag in LISTS else ("ul",)
    return _HOLDERS.get(node.tag, ("div",))


def dom(page: "Page") -> Lent:
    """The parsed document of a page."""
    return page._lent  # noqa: SLF001


@dataclass(frozen=True, slots=True)
class Walked:
    """A body as arrays, and the parser's node for each node of them."""

    tree: Tree
    nodes: list[opaque.Node]


def walk(document: opaque.Node, silent: frozenset[str]) -> Walked:
    """The body of a document, without the silent elements, as arrays."""
    nodes, parent, size, tags, texts, links = walking.walk(_body(cast("Document", document)), silent)
    return Walked(Tree(parent, size, tags, texts, links, _Attributes(nodes)), cast("list[opaque.Node]", nodes))


_NO_ATTRIBUTES: Mapping[str, str] = {}


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
