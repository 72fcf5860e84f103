"""A page's body as arrays, in one pass over the parser's nodes in document order."""

from array import array
from collections.abc import Sequence

from turbohtml import Element, Node, Text

from dehusk.base import tree as opaque
from dehusk.base.tree import TEXT

_LINKS = {"a": "href", "img": "src", "area": "href"}

Walked = tuple[list[Node], "array[int]", "array[int]", list[str], list[str], list[str]]


def walk(root: Element, not_content: frozenset[str]) -> Walked:
    """The nodes of a tree, their parents, the sizes of what is at and below them, their tags, texts and links.

    Texts are on one line; empty ones are no nodes, and nothing of the elements `not_content` is. A stack of our own
    holds, for each open element, how many children are to come and its place in the tree.
    """
    nodes: list[Node] = [root]
    parents = [-1]
    tags, texts, links = [root.tag], [""], [""]
    to_come, places = [len(root)], [0]
    top = 0
    for node in root.descendants:
        while to_come[top] == 0:
            to_come.pop()
            places.pop()
            top -= 1
        to_come[top] = to_come[top] - 1
        above = places[top]
        if type(node) is Text:
            if above >= 0:
                text = node.data
                if not text.isspace():  # most texts only indent what follows
                    text = _on_one_line(text)
                    if text:
                        nodes.append(node)
                        parents.append(above)
                        tags.append(TEXT)
                        texts.append(text)
                        links.append("")
            continue
        here = -1  # unless it is content: all below it is dropped with it
        if above >= 0 and type(node) is Element:
            tag = node.tag
            if tag not in not_content:
                here = len(nodes)
                nodes.append(node)
                parents.append(above)
                tags.append(tag)
                texts.append("")
                links.append((node.attr(_LINKS[tag]) or "") if tag in _LINKS else "")
        children = len(node)
        if children:
            to_come.append(children)
            places.append(here)
            top += 1
    parent = array("i", parents)
    return nodes, parent, sizes(parent), tags, texts, links


def _on_one_line(text: str) -> str:
    """A text with single spaces; most have no others, and are left as they are."""
    spaced = True
    for k in range(len(text)):
        char = text[k]
        if char.isspace():
            if spaced or char != " ":
                return " ".join(text.split())
            spaced = True
        else:
            spaced = False
    return text[: len(text) - 1] if spaced and text else text


def sizes(parent: "array[int]") -> "array[int]":
    """The size of every subtree, from the parents of nodes in pre-order."""
    found = array("i", [1]) * len(parent)
    size = found
    for node in range(len(parent) - 1, 0, -1):
        size[parent[node]] = size[parent[node]] + size[node]
    return found


def flagged(nodes: Sequence[opaque.Node], size: "array[int]", chosen: Sequence[opaque.Node], flags: bytearray) -> int:
    """Flags nodes and all below them, as long as they are in the order of the page; gives how many of them were."""
    at = 0
    last = len(chosen)
    out = flags
    node = 0
    while node < len(nodes) and at < last:
        if nodes[node] is chosen[at]:
            at += 1
            for below in range(node, node + size[node]):
                out[below] = 1
            node += size[node]
        else:
            node += 1
    return at


def labels(nodes: Sequence[opaque.Node], having: Sequence[opaque.Node], names: Sequence[str], out: list[str]) -> None:
    """Adds what nodes are called by these attributes to `out`, which has a text for each of them.

    `having` are the elements that have some of them, as the parser finds them at once: to ask each takes much longer.
    """
    at = 0
    last = len(having)
    for node in range(len(nodes)):
        if at == last:
            break
        if nodes[node] is having[at]:
            at += 1
            read = nodes[node].attr  # type: ignore[attr-defined]  # only elements have attributes
            label = out[node]
            for name in names:
                value = read(name)
                if value:
                    label = label + " " + value if label else value
            out[node] = label


Name = tuple[str, str | None, str | None, str | None]


def names(nodes: Sequence[opaque.Node], tags: Sequence[str], index: dict[Name, int]) -> "array[int]":
    """What each element is called, as a number; -1 for a text.

    `index` has the number of each tag, id, class and role that elements have together. New ones are added to it.
    """
    found = array("i", bytes(4 * len(tags)))
    out = found
    plain: dict[str, int] = {}  # the numbers of tags alone, which are most elements
    for node in range(len(tags)):
        tag = tags[node]
        if tag == TEXT:
            out[node] = -1
            continue
        read = nodes[node].attr  # type: ignore[attr-defined]  # all others are elements
        identity = read("id")
        classes = read("class")
        role = read("role")
        alone = identity is None and classes is None and role is None
        number = plain.get(tag) if alone else None
        if number is None:
            name = (tag, identity, classes, role)
            number = index.get(name)
            if number is None:
                number = index[name] = len(index)
            if alone:
                plain[tag] = number
        out[node] = number
    return found
