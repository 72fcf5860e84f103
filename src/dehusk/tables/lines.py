"""The texts of a page as lines of pieces, each with its place.

A piece is a text node, a line the pieces that stand side by side in one block. A place is a path of steps from the body
down, each a tag with those names that last from page to page.
"""

import re
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Self

from dehusk.base.shared import Shared
from dehusk.base.tags import BLOCKS
from dehusk.base.tree import TEXT
from dehusk.base.urls import joined
from dehusk.page import Page
from dehusk.page.sharing import own_property

STATES = frozenset(
    {"active", "alt", "alternate", "clearfix", "current", "even", "first", "last", "odd", "open", "selected"}
)
"""Classes that tell where an item stands in its list, or its state, not what it is."""

MOST_CLASSES = 2
"""How many classes a step has: more are rarely about what the element holds."""

DEEPEST = 100
"""Maximum number of steps of a place. Elements below have the place of their ancestor there."""

ROOM = 30_000_000
"""Maximum letters of all exact places of a page together. Without room, elements have the place of their ancestor."""

NESTED = 20
"""How many inline elements around a text are looked at."""

LONGEST_NAME = 60
LINK = " > "
HEAD = ":head"
"""The end of the first step in a part of a unit that stands before its element."""

_BREAKS = frozenset({"br", "hr"})
_DIGIT = re.compile(r"\d")


@dataclass(slots=True)
class Line:
    """The pieces that stand side by side in a block."""

    block: int
    pieces: list[int]
    number: int = 1
    """Its number among the lines of its block."""

    @property
    def first(self) -> int:
        """The first text of the line."""
        return self.pieces[0]


class Read(Shared):
    """A page, or an item of a page, as lines, with the place of each node.

    `path` names places as all pages have them; `exact` also counts equal siblings, so that no two blocks share one.
    """

    def __init__(
        self,
        page: Page,
        gone: Sequence[int],
        first: int = 0,
        end: int | None = None,
        names: tuple[Sequence[str], Sequence[str]] | None = None,
        root: int | None = None,
    ) -> None:
        """`gone` has a flag for each node of the tree: 1 for template, which is left out.

        `names` has the classes and ids of all nodes, if they are known. `root` is the element of the unit, if elements
        before it belong to it, too.
        """
        self.page, self.tree, self._gone, self.lock = page, page.tree, gone, page.lock
        self.first, self.end = first, len(self.tree) if end is None else end
        self._classes, self._ids = names or (page.labels(("class",)), page.labels(("id",)))
        self._root = first if root is None else root
        size = self.end - self.first
        self._path, self._exact, self._block = [""] * size, [""] * size, [0] * size
        self.lines = list(self._read())

    def _read(self) -> Iterator[Line]:
        tree, first, gone = self.tree, self.first, self._gone
        tags, parent = tree.tag, tree.parent
        path, exact, block, depth = self._path, self._exact, self._block, [0] * len(self._path)
        counted: dict[tuple[int, str], int] = {}
        shared: dict[tuple[int, str], str] = {}  # one text for the place of all siblings that are alike
        room = ROOM
        numbers: dict[int, int] = {}
        line: Line | None = None
        broken = True
        for node in range(first, self.end):
            if gone[node] and node != first:
                continue
            tag, above, here = tags[node], parent[node] - first, node - first
            if tag == TEXT:
                around = block[above] if above >= 0 else first
                if line is None or broken or line.block != around:
                    if line is not None:
                        yield line
                    numbers[around] = numbers.get(around, 0) + 1
                    line = Line(around, [], numbers[around])
                    broken = False
                line.pieces.append(node)
                continue
            step = step_of(tag, self._ids[node], self._classes[node])
            if above < 0:
                path[here] = exact[here] = tag if node == self._root else f"{tag}{HEAD}"
                block[here] = node
                continue
            if tag in BLOCKS:  # inline elements around a block are often unclosed
                above = block[above] - first
                block[here] = node
            else:
                block[here] = block[above]
                broken = broken or tag in _BREAKS
            depth[here] = depth[above] + 1
            if depth[here] > DEEPEST or room < 0:
                path[here], exact[here] = path[above], exact[above]
                continue
            number = counted.get((above, step), 0) + 1
            counted[(above, step)] = number
            path[here] = shared.setdefault((above, step), f"{path[above]}{LINK}{step}")
            exact[here] = f"{exact[above]}{LINK}{step}" if number == 1 else f"{exact[above]}{LINK}{step}[{number}]"
            room -= len(exact[above]) + len(step)
        if line is not None:
            yield line

    @own_property
    def _base(self) -> str:
        return self.page.base_url

    @property
    def elements(self) -> Iterator[int]:
        """The elements that are kept, in page order."""
        tags, gone = self.tree.tag, self._gone
        return (node for node in range(self.first + 1, self.end) if tags[node] != TEXT and not gone[node])

    def keeps(self, node: int) -> bool:
        """Whether a node is content."""
        return not self._gone[node]

    def within_node(self, node: int, head: int | None = None) -> Self:
        """Returns an element of the page as a unit of its own; with the element `head` right before it, if given."""
        first, end = node if head is None else head, node + self.tree.size[node]
        return type(self)(self.page, self._gone, first, end, (self._classes, self._ids), node)

    def siblings_before(self, nodes: Sequence[int]) -> dict[int, int]:
        """Returns the sibling right before each of some elements, template or not, if it has the same tag."""
        tree = self.tree
        before = {
            other: one
            for parent in {tree.parent[node] for node in nodes}
            for one, other in pairwise(tree.children(parent))
            if tree.tag[one] == tree.tag[other]
        }
        return {node: before[node] for node in nodes if node in before}

    def whole(self) -> Self:
        """Returns the same unit with what the template has of it."""
        names = self._classes, self._ids
        return type(self)(self.page, _nothing(len(self.tree)), self.first, self.end, names, self._root)

    def leaving(self, lines: list[Line]) -> Self:
        """Returns the same unit with these lines only."""
        other = copy(self)
        other.lines = lines
        return other

    def path(self, node: int) -> str:
        """The place of an element, or of the element around a text."""
        here = self.tree.parent[node] if self.tree.tag[node] == TEXT else node
        return self._path[here - self.first] if here >= self.first else ""

    def exact(self, node: int) -> str:
        """The place of an element or of the one around a text, with numbers."""
        here = self.tree.parent[node] if self.tree.tag[node] == TEXT else node
        return self._exact[here - self.first] if here >= self.first else ""

    def classes(self, node: int) -> str:
        """The class attribute of an element."""
        return self._classes[node]

    def id(self, node: int) -> str:
        """The id of an element."""
        return self._ids[node]

    def within(self, node: int, tags: frozenset[str], block: int) -> bool:
        """Whether a text is in one of these elements, at or below a block."""
        parent, tag = self.tree.parent, self.tree.tag
        for _ in range(NESTED):
            if node <= block or node <= self.first:
                break
            node = parent[node]
            if tag[node] in tags:
                return True
        return False

    def is_linked(self, node: int, block: int) -> bool:
        """Whether a text is in a link inside its block."""
        return self.within(node, _A, block)

    def link(self, node: int) -> str:
        """The absolute address of the link that a text is in; "" if it is in none."""
        tree, above = self.tree, self.tree.parent[node] if node > 0 else 0
        for _ in range(NESTED):
            if above < max(1, self.first) or tree.tag[above] in BLOCKS:
                break
            if tree.tag[above] == "a":
                return joined(self._base, tree.link[above]) or ""
            above = tree.parent[above]
        return ""


_A = frozenset({"a"})


@lru_cache(4)
def _nothing(size: int) -> bytes:
    """Returns flags of which none is set. The items of a page share them: a page may have as many items as nodes."""
    return bytes(size)


@lru_cache(65536)
def step_of(tag: str, name: str, classes: str) -> str:
    """Returns an element as a step: its tag, and its id or its first classes that last."""
    if name and lasts(name):
        return f"{tag}#{name}"
    lasting = [one for one in classes.split() if lasts(one)] if classes else []
    return ".".join((tag, *lasting[:MOST_CLASSES]))


def lasts(name: str) -> bool:
    """Whether a name is likely to be the same on other pages."""
    return len(name) <= LONGEST_NAME and not _DIGIT.search(name) and name.casefold() not in STATES
