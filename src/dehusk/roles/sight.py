"""The blocks of a page with their signs, and the page's own titles and authors."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from dehusk import metadata
from dehusk.kernels.sight import Sight, TextBlock
from dehusk.kernels.signs import Signs, Statement
from dehusk.page import Page
from dehusk.roles._role import Role
from dehusk.roles._vocabulary import LONGEST_KNOWN, READ, known_shape, plain, roles_named, shape_of, target_named
from dehusk.roles.observing import FAMILIES, KINDS, SIGNS
from dehusk.roles.weighing import ways, weights

# For titles with single spaces: runs of spaces would be read again from each of them.
_FRAME_WORDS = re.compile(r"\s[|–—»·:-]+\s|\s?[|»:]\s?")
_SMALLEST_TITLE = 3


class PageSight:
    """The blocks of a page and their signs."""

    def __init__(self, page: Page, gone: Sequence[int], kind: str | None) -> None:
        """`gone` has a flag for each template node; `kind` is the type of page."""
        self.tree = tree = page.tree
        arrays = tree.parent, tree.size, tree.tag, tree.text, tree.link
        named = [_signs_named(label) if label else None for label in page.labels(*READ)]
        self._sight = Sight(ways(), arrays, gone, named, FAMILIES["in"])
        self._sight.read(known_shape, shape_of, LONGEST_KNOWN, _COMMENT)
        self.blocks: list[TextBlock] = self._sight.blocks
        number = KINDS.index(kind) if kind in KINDS else len(KINDS) - 1
        statement = _statement(page, kind)
        self._signs = Signs(self._sight, weights(), statement, kind or "", number, plain, target_named)

    def signs(self, block: TextBlock) -> dict[str, float]:
        """Returns the signs of a block with their strengths, from 0 to 1."""
        return {SIGNS[sign]: strength for sign, strength in self._signs.of(block).items()}

    def around(self, block: TextBlock) -> tuple[slice, float]:
        """Returns the range of blocks around this one, and the weight of their points."""
        first, last, weight = self._sight.around(block)
        return slice(first, last), weight

    def judged(self) -> list[tuple[int, float]]:
        """Returns the number of the role of each block, and the confidence."""
        return self._signs.judge()


_COMMENT = list(Role).index(Role.COMMENT)


@lru_cache(20_000)
def _signs_named(label: str) -> tuple[int, ...]:
    """Returns the signs for the names of an element."""
    return tuple(FAMILIES["named"] + number for number in roles_named(label))


def _statement(page: Page, kind: str | None) -> Statement:
    """Returns the titles of the page, the parts of its titles, and its authors."""
    said = metadata.read(page, kind=kind, only=("title", "authors"))
    titles = [" ".join(title.split()) for title in page.titles]
    parts = (part for title in titles for part in _FRAME_WORDS.split(title))
    return Statement(_plain([*titles, said.title or ""]), _plain(parts), frozenset(map(plain, said.authors)))


def _plain(titles: Iterable[str]) -> frozenset[str]:
    return frozenset(text for title in titles if len(text := plain(title)) >= _SMALLEST_TITLE)
