"""Parts of a page as a document of their own."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import groupby, zip_longest
from typing import cast

import turbohtml
from turbohtml import Element, Node, Text

from dehusk.base import nodes as opaque
from dehusk.base.tags import CELLS, LISTS, TABLE_PARTS, VOID
from dehusk.page._parsing import body

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
