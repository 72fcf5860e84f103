"""The regions of a site, prepared for computing features."""

from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import nan

from dehusk.kernels.columns import (
    chosen,
    further,
    innermost,
    most_above,
    narrowed,
    nonzero,
    outermost,
    over,
    picked,
    repeated,
    steps_up,
    variations,
    with_parts,
)
from dehusk.methods.evidence._hints import HINTS
from dehusk.methods.evidence.regions import FRAME_HINTS, HELD, MOST_OWN_TEXT, Regions, Sums

Column = array

Share = tuple["Column[float]", "Column[float]"]
"""A column and what it is divided by (by 1 where that is 0). Divided where it is read: most regions have no text."""

LEVELS = (0, 1, 2, 3, 5)
"""Features of the surroundings of a region are taken from the block elements this many levels up."""

FAR = 30.0
"""The distance to an element or hint that no ancestor has."""

ONE_PLACE = 1.5
"""A region with at most this many places on a page, on average, counts as a single place."""

ELEMENTS = ("nav", "aside", "footer", "header", "main", "article", "form", "section", "table", "ul", "ol", "dl", "p")
"""The ancestor elements that features look for."""


@dataclass(frozen=True, slots=True)
class Common:
    """A feature computed both for the texts directly in a region and for all text in each level around it."""

    name: str
    says: str
    of: Callable[["View", Sums], "Column[float] | Share"]
    way: int = 0
    compared: bool = False


class View:
    """The regions of a site, and values that several features need.

    A column has a number for each region. References to regions are arrays of their numbers, with -1 for none.
    """

    def __init__(self, regions: Regions) -> None:
        self.regions = regions
        self.direct, self.below = regions.direct, regions.below
        self.pages, self.parent, places = regions.pages, regions.parent, regions.places
        self.site_pages = array("d", [regions.count]) * len(self.parent)
        self.unknown = array("d", [nan]) * len(self.parent)
        self.with_text = nonzero(self.direct.texts)
        """The regions that directly hold text. Only these are judged."""
        self.tags, self.tag_numbers = regions.tag_names, regions.tag_numbers
        bits = {tag: 1 << bit for bit, tag in enumerate(ELEMENTS)}
        self.elements = picked(array("i", [bits.get(tag, 0) for tag in self.tags]), self.tag_numbers)
        """For each region, which of ELEMENTS it is, as bits."""
        is_block = regions.blocks
        self.blocks = innermost(bytearray(b"\1") + is_block[1:], self.parent)
        """The innermost block element that is or contains each region."""

        self.content = self._content()
        self.in_content = most_above(self._flagged(self.content), self.parent, float(self.content == 0))
        self.title = regions.title
        self.with_title = self._around(self.title)
        self.hints = regions.hints[:]
        """The kinds of names of each region. Around the main text, names that speak of the frame are of its layout."""
        for region in regions.around(self.title, self.content):
            self.hints[region] &= ~FRAME_HINTS

        parts = with_parts(is_block, self.direct.texts, self.below.texts, self.parent)
        self.units = outermost(repeated(parts, places, self.pages), self.parent)
        """The outermost region around each region that is on a page several times and has parts.

        Examples are teasers, comments and search results. A paragraph is none: it has no parts that are blocks.
        """
        self.top = max(sorted(set(self.units) - {-1}), key=self.below.size.__getitem__, default=-1)
        """The unit with most text."""
        self.is_top = self._flagged(self.top)
        above = chosen(places, self.parent, places[0])
        self.under = over(places, above)
        """The number of places of a region for each place of its parent; 1 for the root."""
        self.inner = innermost(repeated(is_block, places, above), self.parent)
        """The innermost block around each region that occurs at least twice in each place of its parent."""

        self.steps = {
            "elements": steps_up(self.elements, len(ELEMENTS), self.parent, FAR),
            "hints": steps_up(self.hints, len(HINTS), self.parent, FAR),
        }
        """For each of ELEMENTS and HINTS, the steps from each region up to it."""

        held = {name: over(regions.held[name], places) for name in HELD}
        self.holding = held | {"varies": variations(held["square"], held["size"])}
        """The share of a region's places that hold each of HELD; their mean size, and how much it varies."""
        self.looks = self._looks()

    def _flagged(self, region: int) -> "Column[float]":
        """Returns a column that is 1 for a region and 0 for all others."""
        column = array("d", bytes(8 * len(self.parent)))
        if region >= 0:
            column[region] = 1.0
        return column

    def _content(self) -> int:
        """Returns the innermost region with most of the pages' own text that is a single place on a page."""
        single = (self.regions.places, self.pages, ONE_PLACE)
        return narrowed(self.parent, self.below.own_share, MOST_OWN_TEXT, *single)

    def _around(self, inside: int) -> "array[int]":
        """Returns for each region the innermost region that contains it and the given one."""
        flags = bytearray(len(self.parent))
        flags[0] = 1
        while inside >= 0:
            flags[inside] = 1
            inside = self.parent[inside]
        return innermost(flags, self.parent)

    def _looks(self) -> "Mapping[str, array[int]]":
        """Returns the regions whose columns a region may use as its own features, by the name in `Feature.at`.

        For each region that directly holds text: itself, the block elements some levels up, the innermost and the
        outermost repeated region around it, the innermost that also holds the title; -1 for none. `tag` has numbers of
        tags.
        """
        chain = [self.blocks]  # for each step up, the block element that many blocks above each region
        for _ in range(LEVELS[-1]):
            chain.append(further(chain[-1], self.blocks, self.parent))
        around = {
            **{f"up{level}": chain[level] for level in LEVELS},
            "inner": self.inner,
            "unit": self.units,
            "title": self.with_title,
            "tag": self.tag_numbers,
        }
        return {"itself": self.with_text} | {name: picked(places, self.with_text) for name, places in around.items()}
