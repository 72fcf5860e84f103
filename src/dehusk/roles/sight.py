"""A page as the evidence looks at it: its blocks, what is around them, what is gone, and what it says of itself."""

import re
from collections.abc import Sequence
from functools import cached_property

from dehusk import metadata
from dehusk.metadata import Metadata
from dehusk.page import Page
from dehusk.roles.blocks import Block, blocks_of, size_of
from dehusk.roles.names import READ, roles_named
from dehusk.roles.phrases import LONGEST, roles_said
from dehusk.roles.role import Role
from dehusk.roles.shapes import plain
from dehusk.tree import TEXT

FARTHER = 0.9
"""What a name or tag says counts less for what is farther inside, by this factor a step."""

FARTHER_BY_ROLE = {
    **dict.fromkeys((Role.COMMENT, Role.CONTENTS, Role.BREADCRUMBS, Role.FORM, Role.ADVERTISEMENT), 0.95),
    **dict.fromkeys((Role.TITLE, Role.DATE, Role.BYLINE, Role.LEAD, Role.MASTHEAD, Role.TAGS, Role.CAPTION), 0.75),
    Role.NOTICE: 0.98,
}
"""The same where it differs: all that is in a form is the form, but not all that is below a logo is the logo."""

MOST = 0.45
"""What holds this share of a page says little about what is in it."""

OPENING = 7
"""Blocks that content may begin with before its text: section, title, byline, date, summary."""

CLOSING = 3
"""Blocks that may end it after its text: date, writer, source."""

TELLING = frozenset(
    {"nav", "footer", "aside", "form", "label", "button", "fieldset", "pre", "figcaption", "caption", "figure", "time"}
    | {"address", "blockquote", "p", "menu", "cite", "option"}
)
"""Tags that say something about what is in them."""

_FRAME_WORDS = re.compile(r"\s+[|–—»·:-]+\s+|\s*[|»:]\s*")
_SMALLEST_TITLE = 3
_LONG_CELL = 300
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


class Sight:
    """What is known of a page before anything is said about its parts."""

    def __init__(self, page: Page, gone: Sequence[int], kind: str | None) -> None:
        """`gone` has a flag for each node that is template; `kind` is the kind of page."""
        self.page, self.tree, self.gone, self.kind = page, page.tree, gone, kind
        self.blocks: list[Block] = blocks_of(self.tree)
        self.size = self._sizes()
        self.total = max(1, self.size[0])
        self._said_by: dict[int, list[Role]] = {}
        self.named = self._named()
        self.tagged = self._tagged()

    def share(self, node: int) -> float:
        """How much of the page's text is in a node, from 0 to 1."""
        return self.size[node] / self.total

    def kept(self, block: Block) -> bool:
        """Whether the block is content."""
        return not self.gone[block.texts[0]]

    def is_heading(self, block: Block) -> bool:
        """Whether its element says that it is one."""
        return self.tree.tag[block.node] in _HEADINGS

    def is_clear(self, block: Block) -> bool:
        """Whether a name of its own element, or what it says, speaks of a role."""
        return any(loud == 1.0 for loud in self.named[block.node].values()) or bool(self.said(block))

    def said(self, block: Block) -> list[Role]:
        """The roles that a short text speaks of."""
        found = self._said_by.get(block.number)
        if found is None:
            found = self._said_by[block.number] = roles_said(block.text) if block.size <= LONGEST else []
        return found

    def among(self, block: Block) -> bool:
        """Whether a block stands in the content or next to it."""
        first, last = self._ends
        return first - (3 * OPENING if self.kind == "forum" else OPENING) < block.number < last + CLOSING

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
        return next((one for one in self.kept_blocks[:OPENING] if self.is_heading(self.blocks[one])), None)

    @cached_property
    def titles(self) -> frozenset[str]:
        """What the page calls itself, whole."""
        stated = [*self.page.titles, self._said.title or ""]
        return frozenset(text for one in stated if len(text := plain(one)) >= _SMALLEST_TITLE)

    @cached_property
    def title_parts(self) -> frozenset[str]:
        """What its titles are put together from: the page's own name, and mostly that of its site."""
        parts = (part for one in self.page.titles for part in _FRAME_WORDS.split(one))
        return frozenset(text for one in parts if len(text := plain(one)) >= _SMALLEST_TITLE)

    @cached_property
    def authors(self) -> frozenset[str]:
        """Who wrote it, as the page says."""
        return frozenset(map(plain, self._said.authors))

    @cached_property
    def _said(self) -> Metadata:
        return metadata.read(self.page, kind=self.kind)

    @cached_property
    def data_tables(self) -> frozenset[int]:
        """The tables that hold data and do not lay out the page."""
        tree = self.tree
        layout: set[int] = set()
        cells: dict[int, int] = {}
        inside: list[int] = [0] * len(tree)
        for node in range(1, len(tree)):
            tag, above = tree.tag[node], inside[tree.parent[node]]
            inside[node] = node if tag == "table" else above
            if above and (tag in ("table", "form", "nav", "article") or tag in _HEADINGS):
                layout.add(above)
            if above and tag in ("td", "th"):
                cells[above] = cells.get(above, 0) + 1
                if self.size[node] > _LONG_CELL:
                    layout.add(above)
        return frozenset(table for table, number in cells.items() if number >= 4 and table not in layout)

    def _sizes(self) -> list[int]:
        size = [size_of(text) if text else 0 for text in self.tree.text]
        for node in range(len(size) - 1, 0, -1):
            size[self.tree.parent[node]] += size[node]
        return size

    def _named(self) -> list[dict[Role, float]]:
        """The roles that each node's names and those around it speak of, and how loud, from 0 to 1."""
        tree = self.tree
        found: list[dict[Role, float]] = [{}]
        for node in range(1, len(tree)):
            above = found[tree.parent[node]]
            if tree.tag[node] == TEXT:
                found.append(above)
                continue
            attributes = tree.attributes[node]
            own = (
                roles_named(" ".join(attributes[one] or "" for one in READ if one in attributes)) if attributes else ()
            )
            if above or own:
                here = {role: FARTHER_BY_ROLE.get(role, FARTHER) * loud for role, loud in above.items()}
                loudness = 1.0 if self.share(node) < MOST else 0.25
                here.update((role, loudness) for role in own)
                found.append(here)
            else:
                found.append(above)
        return found

    def _tagged(self) -> list[dict[str, float]]:
        """The tags around each node that say something, and how near they are, from 0 to 1."""
        tree = self.tree
        found: list[dict[str, float]] = [{}]
        for node in range(1, len(tree)):
            above, tag = found[tree.parent[node]], tree.tag[node]
            if tag in TELLING and (self.share(node) < MOST or tag == "pre"):
                found.append({**{one: FARTHER * near for one, near in above.items()}, tag: 1.0})
            else:
                found.append(above)
        return found
