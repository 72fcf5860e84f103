"""The outline of a page: its block elements, and the lines of text and pictures in them.

Inline elements are left out, so that text that becomes bold or a link is unchanged. So are attributes and scripts.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from dehusk.base.tags import BLOCKS, CELLS, HEADINGS, PICTURES
from dehusk.base.tree import TEXT, Tree, sizes
from dehusk.base.urls import path_of

LINE = TEXT
"""The tag of a line: adjacent texts and pictures in one block."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The nodes of an outline in page order. A line has words, and the nodes of the page's tree that contain them."""

    parent: "array[int]"
    size: "array[int]"
    tag: Sequence[str]
    words: Sequence[Sequence[str]]
    nodes: Sequence[Sequence[int]]

    def __len__(self) -> int:
        return len(self.size)

    def below(self, node: int) -> range:
        """A node and its descendants."""
        return range(node, node + self.size[node])

    def lines(self, node: int) -> list[int]:
        """The lines at and below a node."""
        return [line for line in self.below(node) if self.tag[line] == LINE]

    def text(self, node: int) -> str:
        """The text at and below a node, one line for each line of the outline."""
        return "\n".join(" ".join(self.words[line]) for line in self.lines(node))

    def headings(self) -> list[int]:
        """For each node the last heading that began before it; 0 for none."""
        last, headings = 0, []
        for node, tag in enumerate(self.tag):
            headings.append(last)
            last = node if tag in HEADINGS else last
        return headings

    def heading(self, node: int, headings: Sequence[int]) -> str:
        """The text of the heading above a node. A line of a heading is not below this heading."""
        above = headings[self.parent[node] if self.tag[max(0, self.parent[node])] in HEADINGS else node]
        return " › ".join(filter(None, [self.text(above) if above else "", self._row(node)]))

    def _row(self, node: int) -> str:
        """The first cell of the row of a table around a node, if the node is in another cell."""
        cell = node
        while cell > 0 and self.tag[self.parent[cell]] != "tr":
            cell = self.parent[cell]
            if self.tag[cell] not in CELLS:
                return ""
        row = self.parent[cell]
        return self.text(row + 1) if cell > 0 and cell != row + 1 else ""


def outline(tree: Tree) -> Outline:
    """The outline of a page, without elements that show nothing (except for the root)."""
    holder, shows = _held(tree)
    parent, tag = [-1], [tree.tag[0]]
    words: list[list[str]] = [[]]
    nodes: list[list[int]] = [[0]]
    number, last = {0: 0}, -1
    for node in range(1, len(tree)):
        if not shows[node]:
            continue
        block = holder[node] == node
        above = number[holder[tree.parent[node]]]
        if not block and last == len(parent) - 1 and parent[last] == above:  # continue the line
            words[last] += _words(tree, node)
            nodes[last].append(node)
            continue
        if block:
            number[node] = len(parent)
        else:
            last = len(parent)
        parent.append(above)
        tag.append(tree.tag[node] if block else LINE)
        words.append([] if block else _words(tree, node))
        nodes.append([node])
    up = array("i", parent)
    return Outline(up, sizes(up), tag, words, nodes)


def _held(tree: Tree) -> tuple[list[int], bytearray]:
    """For each node its innermost block (or itself, if a block), and whether it is a visible text, picture or block."""
    holder = [0] * len(tree)
    for node in range(1, len(tree)):
        holder[node] = node if tree.tag[node] in BLOCKS else holder[tree.parent[node]]
    shows = bytearray(len(tree))
    for node in range(len(tree) - 1, 0, -1):
        if tree.tag[node] == TEXT or tree.tag[node] in PICTURES:
            shows[node] = shows[holder[node]] = 1
        elif shows[node]:  # a block
            shows[holder[tree.parent[node]]] = 1
    return holder, shows


def _words(tree: Tree, node: int) -> list[str]:
    """The words of a text, or the file name of a picture in brackets.

    The query of a picture's URL is ignored, as it is often a version. A data: URL has no name.
    """
    if tree.tag[node] == TEXT:
        return tree.text[node].split()
    address = tree.link[node]
    if address.startswith("data:"):
        return ["[picture]"]
    name = path_of(address).rstrip("/").rpartition("/")[2]
    return [f"[{'_'.join(name.split()) or 'picture'}]"]
