"""Nodes that are taken out of a document for a while."""

from collections.abc import Sequence

from turbohtml import DocumentFragment, Element, Node, Text

from dehusk.base import nodes as opaque


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
