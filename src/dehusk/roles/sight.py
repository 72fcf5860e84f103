"""The blocks of a page, and what a person sees of them at a glance."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from dehusk import metadata
from dehusk.base.tags import BLOCKS, CELLS, FITTED_LISTS, HEADINGS
from dehusk.base.tree import TEXT, Tree, letters
from dehusk.metadata import Metadata
from dehusk.page import Page
from dehusk.roles._role import Role
from dehusk.roles._vocabulary import LONGEST_PHRASE, READ, plain, roles_named, roles_said

_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Texts beside each other in one element, `node`: what they say, how many of their letters are links, and to where.

    `number` is its place among the blocks of the page.
    """

    number: int
    node: int
    texts: tuple[int, ...]
    text: str
    size: int
    linked: int
    anchors: tuple[int, ...]

    @property
    def links(self) -> int:
        """How many links there are."""
        return len(self.anchors)

    @property
    def share_linked(self) -> float:
        """How much of it is links, from 0 to 1."""
        return self.linked / self.size if self.size else 0.0


def size_of(text: str) -> int:
    """How much a text says: its letters, where a Chinese character counts as three."""
    return letters(text) if text.isascii() else letters(text) + 2 * len(_DENSE.findall(text))


def blocks_of(tree: Tree) -> list[TextBlock]:
    """The blocks of a page. Each text with something to say is in one of them."""
    holder, link = _holders(tree)
    runs: list[tuple[int, list[int]]] = []
    for node, text in enumerate(tree.text):
        if text:
            if not runs or runs[-1][0] != holder[node]:
                runs.append((holder[node], []))
            runs[-1][1].append(node)
    return [_block(tree, number, node, texts, link) for number, (node, texts) in enumerate(runs)]


def _block(tree: Tree, number: int, node: int, texts: list[int], link: list[int]) -> TextBlock:
    sizes = [size_of(tree.text[text]) for text in texts]
    linked = sum(size for size, text in zip(sizes, texts, strict=True) if link[text])
    anchors = tuple(dict.fromkeys(link[text] for text in texts if link[text]))
    said = " ".join(tree.text[text] for text in texts)
    return TextBlock(number, node, tuple(texts), said, sum(sizes), linked, anchors)


def _holders(tree: Tree) -> tuple[list[int], list[int]]:
    """The innermost block and the link that each node is in; 0 where it is in no link."""
    holder, link = [0] * len(tree), [0] * len(tree)
    for node in range(1, len(tree)):
        tag, parent = tree.tag[node], tree.parent[node]
        holder[node] = node if tag != TEXT and tag in BLOCKS else holder[parent]
        link[node] = node if tag == "a" else link[parent]
    return holder, link


FARTHER = 0.9
"""What a name or tag says counts less for what is farther inside, by this factor a step."""

FARTHER_BY_ROLE: Mapping[str, float] = {
    **dict.fromkeys((Role.COMMENT, Role.CONTENTS, Role.BREADCRUMBS, Role.FORM, Role.ADVERTISEMENT), 0.95),
    **dict.fromkeys((Role.TITLE, Role.DATE, Role.BYLINE, Role.LEAD, Role.MASTHEAD, Role.TAGS), 0.75),
    Role.NOTICE: 0.98,
}
"""The factors of roles that differ: all that is in a form is the form, but not all that is below a logo is the logo."""

MOST_OF_PAGE = 0.45
"""What holds this share of a page says little about what is in it."""

OPENING = 7
"""Blocks that content may begin with before its text: section, title, byline, date, summary."""

LARGEST_PART = 0.4
"""What holds more than this share of a page is not what is around a block."""

CLOSING = 3
"""Blocks that may end it after its text: date, writer, source."""

TELLING = frozenset(
    {"nav", "footer", "aside", "form", "label", "button", "fieldset", "pre", "figcaption", "caption", "figure", "time"}
    | {"address", "blockquote", "p", "menu", "cite", "option"}
)
"""Tags that say something about what is in them."""

TELLING_INSIDE = frozenset({"time", "code", "button", "label", "b", "strong"})
"""Tags inside a block that say something about it."""

_FRAME_WORDS = re.compile(r"\s+[|–—»·:-]+\s+|\s*[|»:]\s*")
_SMALLEST_TITLE = 3
_LONG_START = 8
_LONG_CELL = 300


class Sight:
    """What is known of a page before anything is said about its parts."""

    def __init__(self, page: Page, gone: Sequence[int], kind: str | None) -> None:
        """`gone` has a flag for each node that is template; `kind` is the kind of page."""
        self.page, self.tree, self.gone, self.kind = page, page.tree, gone, kind
        self.blocks: list[TextBlock] = blocks_of(self.tree)
        self.starts = [block.texts[0] for block in self.blocks]
        self.size = self._sizes()
        self.total = max(1, self.size[0])
        self._said_by: dict[int, list[Role]] = {}
        self.named = self._named()
        self.tagged = self._tagged()

    def share(self, node: int) -> float:
        """How much of the page's text is in a node, from 0 to 1."""
        return self.size[node] / self.total

    def kept(self, block: TextBlock) -> bool:
        """Whether the block is content."""
        return not self.gone[block.texts[0]]

    def is_heading(self, block: TextBlock) -> bool:
        """Whether its element says that it is one."""
        return self.tree.tag[block.node] in HEADINGS

    def is_clear(self, block: TextBlock) -> bool:
        """Whether a name of its own element, or what it says, speaks of a role."""
        return any(loud == 1.0 for loud in self.named[block.node].values()) or bool(self.said(block))

    def said(self, block: TextBlock) -> list[Role]:
        """The roles that a short text speaks of."""
        roles = self._said_by.get(block.number)
        if roles is None:
            roles = self._said_by[block.number] = roles_said(block.text) if block.size <= LONGEST_PHRASE else []
        return roles

    def inside(self, block: TextBlock) -> set[str]:
        """The tags of elements in a block that hold all of its text, where they say something."""
        tags, parents = self.tree.tag, self.tree.parent
        shared: set[str] | None = None
        for text in block.texts:
            here, node = set(), parents[text]
            while node > block.node:
                here.add(tags[node])
                node = parents[node]
            shared = here & TELLING_INSIDE if shared is None else shared & here
            if not shared:
                break
        return shared or set()

    def place(self, block: TextBlock) -> str:
        """Where a block stands from what stays."""
        first, last = self._ends
        if block.number < first:
            return "just before content" if block.number > first - OPENING else "before content"
        if block.number > last:
            return "just after content" if block.number < last + CLOSING else "after content"
        return "in content"

    @cached_property
    def before(self) -> list[int]:
        """The letters before each block."""
        return [0, *accumulate(block.size for block in self.blocks)]

    @cached_property
    def under(self) -> list[list[Role]]:
        """The roles that the heading over each block speaks of: the last one before it in a part of the page."""
        roles: list[list[Role]] = [[] for _ in self.blocks]
        for block in self.blocks:
            said = self.said(block)
            if said or self.is_heading(block):
                comments = Role.COMMENT in said and self.is_heading(block)
                end = self._end_of_part(block, comments=comments)
                roles[block.number + 1 : end] = [said] * max(0, end - block.number - 1)
        return roles

    def _end_of_part(self, block: TextBlock, *, comments: bool) -> int:
        """The number of the first block that is not in the innermost element that has some after this one."""
        for node in self.tree.ancestors(block.node):
            if self.share(node) > LARGEST_PART and not comments:
                break
            end = bisect_left(self.starts, node + self.tree.size[node])
            if end > block.number + 1:
                return end
        return block.number + 1

    @cached_property
    def _ends(self) -> tuple[int, int]:
        kept = self.kept_blocks
        return (kept[0], kept[-1]) if kept else (len(self.blocks), -1)

    @cached_property
    def kept_blocks(self) -> list[int]:
        """The numbers of the blocks that are content."""
        return [number for number, block in enumerate(self.blocks) if self.kept(block)]

    @cached_property
    def opening(self) -> frozenset[int]:
        """The numbers of the first blocks of the content."""
        return frozenset(self.kept_blocks[:OPENING])

    @cached_property
    def first_heading(self) -> int | None:
        """The number of the first heading that is content, if it opens it."""
        return next((number for number in self.kept_blocks[:OPENING] if self.is_heading(self.blocks[number])), None)

    @cached_property
    def titles(self) -> frozenset[str]:
        """What the page calls itself, whole."""
        stated = [*self.page.titles, self._said.title or ""]
        return frozenset(text for title in stated if len(text := plain(title)) >= _SMALLEST_TITLE)

    @cached_property
    def title_parts(self) -> frozenset[str]:
        """What its titles are put together from: the page's own name, and mostly that of its site."""
        parts = (part for title in self.page.titles for part in _FRAME_WORDS.split(title))
        return frozenset(text for title in parts if len(text := plain(title)) >= _SMALLEST_TITLE)

    def begins_title(self, text: str) -> bool:
        """Whether a title begins so, or is put together from this."""
        return text in self.title_parts or (
            len(text) > _LONG_START and any(title.startswith(text) for title in self.titles)
        )

    @cached_property
    def authors(self) -> frozenset[str]:
        """Who wrote it, as the page says."""
        return frozenset(map(plain, self._said.authors))

    @cached_property
    def _said(self) -> Metadata:
        return metadata.read(self.page, kind=self.kind)

    @cached_property
    def lists(self) -> list[tuple[int, int]]:
        """How many lists each node is in, and the items of the outermost of them."""
        tree = self.tree
        around = [(0, 0)] * len(tree)
        for node in range(1, len(tree)):
            depth, items = around[tree.parent[node]]
            if tree.tag[node] in FITTED_LISTS:
                items = items or sum(tag in ("li", "dd") for tag in tree.tag[node : node + tree.size[node]])
                depth += 1
            around[node] = depth, items
        return around

    @cached_property
    def table_of(self) -> list[int]:
        """The innermost table that each node is in; 0 where there is none."""
        tree = self.tree
        tables = [0] * len(tree)
        for node in range(1, len(tree)):
            tables[node] = node if tree.tag[node] == "table" else tables[tree.parent[node]]
        return tables

    @cached_property
    def data_tables(self) -> frozenset[int]:
        """The tables that hold data and do not lay out the page."""
        tree = self.tree
        layout: set[int] = set()
        long: set[int] = set()
        headed: set[int] = set()
        cells: dict[int, int] = {}
        for node in range(1, len(tree)):
            tag, above = tree.tag[node], self.table_of[tree.parent[node]]
            if above and (tag in ("table", "form", "nav", "article") or tag in HEADINGS):
                layout.add(above)
            if above and tag in CELLS:
                cells[above] = cells.get(above, 0) + 1
                if self.size[node] > _LONG_CELL:
                    long.add(above)
            if above and tag == "th":
                headed.add(above)
        layout |= long - headed
        return frozenset(table for table, number in cells.items() if number >= 4 and table not in layout)

    def _sizes(self) -> list[int]:
        size = [size_of(text) if text else 0 for text in self.tree.text]
        for node in range(len(size) - 1, 0, -1):
            size[self.tree.parent[node]] += size[node]
        return size

    def _named(self) -> list[dict[str, float]]:
        """The roles that each node's names and those around it speak of, and how loud, from 0 to 1."""
        tree = self.tree
        named: list[dict[str, float]] = [{}]
        alike: dict[tuple[int, tuple[str, ...], bool], dict[str, float]] = {}  # siblings mostly have the same names
        for node in range(1, len(tree)):
            above = named[tree.parent[node]]
            if tree.tag[node] == TEXT:
                named.append(above)
                continue
            attributes = tree.attributes[node]
            names = " ".join(attributes[name] or "" for name in READ if name in attributes) if attributes else ""
            key = id(above), roles_named(names) if names else (), self.share(node) < MOST_OF_PAGE
            if key not in alike:
                alike[key] = _with_names(above, key[1], 1.0 if key[2] else 0.25)
            named.append(alike[key])
        return named

    def _tagged(self) -> list[dict[str, float]]:
        """The tags around each node that say something, and how near they are, from 0 to 1."""
        tree = self.tree
        tagged: list[dict[str, float]] = [{}]
        for node in range(1, len(tree)):
            above, tag = tagged[tree.parent[node]], tree.tag[node]
            if tag in TELLING and (self.share(node) < MOST_OF_PAGE or tag == "pre"):
                tagged.append({**{outer: FARTHER * near for outer, near in above.items()}, tag: 1.0})
            else:
                tagged.append(above)
        return tagged


def _with_names(above: dict[str, float], own: Iterable[str], loud: float) -> dict[str, float]:
    here = {name: FARTHER_BY_ROLE.get(name, FARTHER) * loudness for name, loudness in above.items()}
    here.update((name, loud) for name in own)
    return here
