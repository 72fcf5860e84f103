"""Trees as arrays, and an opaque type for the parser's nodes."""

from array import array
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from dehusk.base.tags import PICTURES


@final
class Node:
    """A node of the parser. It can be passed on, compared and hashed; `dehusk.page` has the functions that read it.

    For type hints only: at run time it is the parser's own object, never an instance of this class.
    """

    __slots__ = ()


TEXT = "#text"
"""The tag of a text node; not a valid element name."""


def letters(text: str) -> int:
    """The length of a text without white space. Counts without copying: much of a page is indentation."""
    return len(text) - text.count(" ") - text.count("\n") - text.count("\t") - text.count("\xa0")


@dataclass(frozen=True, slots=True)
class Tree:
    """The nodes of a page in document order. Text nodes have `text`; images and links have `link` (src or href)."""

    parent: "array[int]"
    size: "array[int]"
    tag: Sequence[str]
    text: Sequence[str]
    link: Sequence[str]
    attributes: Sequence[Mapping[str, str]]

    def __len__(self) -> int:
        return len(self.size)

    def children(self, node: int) -> Iterator[int]:
        """The children of a node from left to right."""
        return children(self.size, node)

    def ancestors(self, node: int) -> Iterator[int]:
        """The ancestors of a node, from its parent up to the root."""
        while (node := self.parent[node]) >= 0:
            yield node

    def labels(self) -> list[str]:
        """A label for each node as in the tree-mapping papers: its tag, the text of a text node, the src of an image.

        Labels of text nodes begin with a quotation mark, which no tag can contain.
        """
        return [
            '"' + text if tag == TEXT else f"{tag} {link}" if tag == "img" and link else tag
            for tag, text, link in zip(self.tag, self.text, self.link, strict=True)
        ]


def children(size: Sequence[int], node: int) -> Iterator[int]:
    """The children of a node from left to right, from the sizes of subtrees in pre-order."""
    child, end = node + 1, node + size[node]
    while child < end:
        yield child
        child += size[child]


def sizes(parent: Sequence[int]) -> "array[int]":
    """The size of every subtree, from the parents of nodes in pre-order."""
    size = array("i", [1]) * len(parent)
    for node in range(len(parent) - 1, 0, -1):
        size[parent[node]] += size[node]
    return size


def parents(size: Sequence[int]) -> "array[int]":
    """The parent of every node, from the sizes of subtrees in pre-order; -1 for the root."""
    parent = array("i", [-1]) * len(size)
    open_nodes: list[int] = []
    for node in range(len(size)):
        while open_nodes and node >= open_nodes[-1] + size[open_nodes[-1]]:
            open_nodes.pop()
        if open_nodes:
            parent[node] = open_nodes[-1]
        open_nodes.append(node)
    return parent


def covered(tree: Tree, flags: bytearray) -> bytearray:
    """Extends flags of texts, pictures and subtrees to the elements whose visible content is all flagged.

    An element without visible content gets the flag of its parent.
    """
    shows = bytearray(tag == TEXT or tag in PICTURES for tag in tree.tag)
    keeps = bytearray(shown and not flag for shown, flag in zip(shows, flags, strict=True))
    for node in range(len(tree) - 1, 0, -1):
        shows[tree.parent[node]] |= shows[node]
        keeps[tree.parent[node]] |= keeps[node]
    spread = bytearray(flags)
    for node in range(len(tree)):
        if shows[node]:
            spread[node] |= not keeps[node]
        elif node:
            spread[node] |= spread[tree.parent[node]]
    return spread


@dataclass(frozen=True, slots=True)
class Numbered:
    """A tree numbered by `Classes`: equal numbers mean equal labels, subtrees or paths of labels from the root."""

    parent: "array[int]"
    size: "array[int]"
    label: "array[int]"
    subtree: "array[int]"
    path: "array[int]"

    def __len__(self) -> int:
        return len(self.size)


class Classes:
    """Gives equal labels, subtrees and paths equal numbers across trees, in linear time. Use one for each learning."""

    def __init__(self) -> None:
        self._labels: dict[Hashable, int] = {}
        self._subtrees: dict[tuple[int, ...], int] = {}
        self._paths: dict[tuple[int, int], int] = {}

    def number(self, tree: Tree) -> Numbered:
        """Numbers the tree of a page, using `Tree.labels`."""
        return self.number_labels(tree.labels(), tree.parent, tree.size)

    def number_labels(self, labels: Sequence[Hashable], parent: "array[int]", size: "array[int]") -> Numbered:
        """Numbers a tree with any labels."""
        table = self._labels
        label = array("i", [table.setdefault(name, len(table)) for name in labels])
        return Numbered(parent, size, label, self._number_subtrees(label, parent), self._number_paths(label, parent))

    def subtrees(self, labels: Sequence[Hashable], parent: "array[int]") -> "array[int]":
        """Only the numbers of the subtrees of a tree with any labels."""
        table = self._labels
        return self._number_subtrees(array("i", [table.setdefault(name, len(table)) for name in labels]), parent)

    def _number_subtrees(self, label: "array[int]", parent: "array[int]") -> "array[int]":
        # Nodes come after their parents, so a loop from the end meets all children, last first, before their parent.
        table = self._subtrees
        subtree = array("i", bytes(4 * len(label)))
        below: list[list[int]] = [[] for _ in label]
        for node in range(len(label) - 1, -1, -1):
            key = (label[node], *below[node])
            subtree[node] = number = table.setdefault(key, len(table))
            if node:
                below[parent[node]].append(number)
        return subtree

    def _number_paths(self, label: "array[int]", parent: "array[int]") -> "array[int]":
        table = self._paths
        path = array("i", bytes(4 * len(label)))
        for node in range(len(label)):
            above = path[parent[node]] if node else -1
            path[node] = table.setdefault((above, label[node]), len(table))
        return path
