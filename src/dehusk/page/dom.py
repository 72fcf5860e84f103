"""The parsed document of a page, for page and render alone: lent with nodes missing, and excerpts of it."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, cast

import turbohtml
from turbohtml import Document, DocumentFragment, Element, Node, Text

from dehusk.base import tree as opaque
from dehusk.base.tags import CELLS, LISTS, NOT_CONTENT, TABLE_PARTS, VOID
from dehusk.page._parsing import Parsed, body, parse, parsed, walk

if TYPE_CHECKING:
    from dehusk.page._page import Page

NOSCRIPT = 200
"""A page is read as a browser without scripts shows it if `noscript` holds this many letters and most of its text."""

_SILENT: Sequence[opaque.Node] = ()
"""Stands for the elements of `Lent.silent`, where it is said what is missing from a document."""


class Lent:
    """A document, parsed when first needed, and only once.

    `document` is always whole. `without` lends it with some nodes taken out: they are put back when it is next asked
    for whole, or without other nodes. A lent document is good until something else is asked for.
    """

    def __init__(self, html: bytes | str, encoding: str | None) -> None:
        self._html, self._encoding = html, encoding
        self._missing = Missing()

    @cached_property
    def _parsed(self) -> Parsed:
        return parsed(self._html, self._encoding)

    @property
    def document(self) -> Document:
        """The parsed document, whole. Whoever changes it undoes the change; for lasting changes there is `parse`."""
        self._missing.put_back()
        return self._parsed.document

    def parse(self) -> Document:
        """A new document, which belongs to the caller."""
        return parse(self._html, self._encoding)

    @cached_property
    def silent(self) -> frozenset[str]:
        """The elements whose inside is not something this page says."""
        noted = self._parsed.noted
        said = sum(map(_letters, _outer_texts([node for node in noted if node.tag == "noscript"])))
        if said < NOSCRIPT:
            return NOT_CONTENT
        document = self.document
        self._missing.take_out([node for node in noted if node.tag in NOT_CONTENT], _SILENT)
        shown = _letters(body(document).text)
        self._missing.put_back()
        # To build trees takes as long as several parses.
        return NOT_CONTENT if said < shown else _silent(document)

    def bare(self) -> Document:
        """The document without the elements whose inside is not something the page says."""
        parsed = self._parsed
        if self._missing.what is not _SILENT:
            silent = self.silent
            self._missing.put_back()
            self._missing.take_out([node for node in parsed.noted if node.tag in silent], _SILENT)
        return parsed.document

    def without(self, nodes: Sequence[opaque.Node]) -> Document:
        """The bare document without these nodes as well: for writers, which leave it as they found it."""
        missing, parsers = self._missing, cast("Sequence[Node]", nodes)
        if missing.what is not nodes:
            before = missing.what
            if before and nodes[: len(before)] == before:  # some more are to go
                missing.take_out(parsers[len(before) :], nodes, spaced=True)
            else:
                self.bare()
                missing.take_out(parsers, nodes, spaced=True)
        return self._parsed.document

    @property
    def gaps(self) -> frozenset[Node]:
        """The elements that the lent document misses something of, besides what no page says."""
        return self._missing.gaps


def _silent(document: Document) -> frozenset[str]:
    fewer = NOT_CONTENT - {"noscript"}
    without, with_it = (sum(map(_letters, walk(document, silent).tree.text)) for silent in (NOT_CONTENT, fewer))
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


class Missing:
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


def excerpt(nodes: Sequence[opaque.Node]) -> opaque.Node:
    """A document of its own with copies of these nodes, in order; items and cells in a list or table of their own."""
    document = turbohtml.parse("<body>", positions=False)
    inside = body(document)
    for parent, group in groupby(cast("Sequence[Node]", nodes), key=lambda node: node.parent):
        holder = inside
        together = list(group)
        for tag in _holders(together[0], parent):
            element = Element(tag)
            holder.append(element)
            holder = element
        for node, following in zip_longest(together, together[1:]):
            holder.append(deepcopy(node))
            for between in _between(node, following):
                holder.append(deepcopy(between))
    return cast("opaque.Node", document)


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


__all__ = ["Lent", "body", "dom", "excerpt", "parse", "walk"]


def dom(page: "Page") -> Lent:
    """The parsed document of a page."""
    return page._lent  # noqa: SLF001
