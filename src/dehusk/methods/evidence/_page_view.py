"""What features are computed from: the regions of a site, and what several features need to know of them."""

from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import nan

from dehusk.base.tags import MODEL_BLOCKS
from dehusk.kernels.columns import (
    chosen,
    further,
    innermost,
    most_above,
    outermost,
    over,
    picked,
    repeated,
    variations,
    with_parts,
)
from dehusk.methods.evidence.regions import HELD, MOST_OWN_TEXT, Regions, Sums

Column = array

LEVELS = (0, 1, 2, 3, 5)
"""Features of what a region is in are taken this many block elements up: itself, near by, and far."""

ONE_PLACE = 1.5
"""A region with no more places on a page than this, on average, is one place of it."""

ELEMENTS = ("nav", "aside", "footer", "header", "main", "article", "form", "section", "table", "ul", "ol", "dl", "p")
"""The elements that count as what a region is in."""


@dataclass(frozen=True, slots=True)
class Common:
    """A feature that is taken of the texts directly in a region, and of all text in each level around it."""

    name: str
    says: str
    of: Callable[["View", Sums], "Column[float]"]
    way: int = 0
    compared: bool = False


class View:
    """What features are computed from: the regions of a site, and what several features need to know of them."""

    def __init__(self, regions: Regions) -> None:
        self.regions = regions
        self.direct, self.below = regions.direct, regions.below
        self.pages, self.parent = regions.pages, regions.parent

    @cached_property
    def site_pages(self) -> "Column[float]":
        """How many pages the site has, as a column."""
        return array("d", [self.regions.count]) * len(self.pages)

    @cached_property
    def with_text(self) -> "array[int]":
        """The regions that directly hold text: those that are judged."""
        return array("i", [region for region, texts in enumerate(self.direct.texts) if texts])

    @cached_property
    def content(self) -> int:
        """The innermost region that has most of the pages' own text and is one place on a page: no paragraph is."""
        regions, own = self.regions, self.below.own_share
        best = 0
        for region in range(1, len(own)):
            most = regions.parent[region] == best and own[region] >= MOST_OWN_TEXT * own[0]
            if most and regions.places[region] <= ONE_PLACE * regions.pages[region]:
                best = region
        return best

    @cached_property
    def in_content(self) -> "Column[float]":
        """Whether a region is in that one."""
        here = array("d", bytes(8 * len(self.parent)))
        here[self.content] = 1.0
        return most_above(here, self.parent, here[0])

    @cached_property
    def units(self) -> "array[int]":
        """The outermost thing around each region that stands on a page several times and has parts; -1 if none does.

        Such are teasers, comments, the rows of a list of results. A paragraph has no parts that are blocks.
        """
        parts = with_parts(self.is_block, self.direct.texts, self.below.texts, self.parent)
        return outermost(repeated(parts, self.regions.places, self.pages), self.parent)

    @cached_property
    def inner(self) -> "array[int]":
        """The innermost block around each region that stands twice or more in each place of what it is in; else -1."""
        places = self.regions.places
        return innermost(repeated(self.is_block, places, self.places_above), self.parent)

    @cached_property
    def top(self) -> int:
        """The repeated thing with most text; -1 if there is none."""
        return max(sorted({unit for unit in self.units if unit >= 0}), key=self.below.size.__getitem__, default=-1)

    @cached_property
    def is_top(self) -> "Column[float]":
        """Whether a region is that one."""
        here = array("d", bytes(8 * len(self.parent)))
        if self.top >= 0:
            here[self.top] = 1.0
        return here

    @cached_property
    def is_block(self) -> bytearray:
        """Flags of the block elements."""
        return bytearray(map(MODEL_BLOCKS.__contains__, self.regions.tag))

    @cached_property
    def blocks(self) -> "array[int]":
        """The block element around each region, or the region itself."""
        flags = bytearray(self.is_block)
        flags[0] = 1
        return innermost(flags, self.parent)

    @cached_property
    def chain(self) -> "list[array[int]]":
        """For each step up, the block element that many blocks above each region."""
        levels = [self.blocks]
        for _ in range(LEVELS[-1]):
            levels.append(further(levels[-1], self.blocks, self.parent))
        return levels

    @cached_property
    def title(self) -> int:
        """The region where most pages have their title; -1 where none was found."""
        titles = self.regions.titles
        return max(sorted(titles), key=titles.__getitem__, default=-1)

    @cached_property
    def with_title(self) -> "array[int]":
        """The innermost region around each one that holds the title, too."""
        flags = bytearray(len(self.parent))
        region = self.title
        while region >= 0:
            flags[region] = 1
            region = self.parent[region]
        flags[0] = 1
        return innermost(flags, self.parent)

    @cached_property
    def holding(self) -> Mapping[str, "Column[float]"]:
        """The share of a region's places that hold each thing; their mean size, and how much that varies."""
        held, on = self.regions.held, self.regions.places
        shares = {name: over(held[name], on) for name in HELD[:-2]}
        shares["size"] = mean = over(held["size"], on)
        return shares | {"varies": variations(over(held["square"], on), mean)}

    @cached_property
    def looks(self) -> "Mapping[str, array[int]]":
        """Where each region that directly holds text may look: what is there, by its number; -1 for nothing.

        At itself, at the block element some levels up, at the innermost and the outermost thing around it that is
        repeated, at what holds the title, too. Its tag is looked up among the tags.
        """
        texts = self.with_text
        around = {
            **{f"up{level}": self.chain[level] for level in LEVELS},
            "inner": self.inner,
            "unit": self.units,
            "title": self.with_title,
            "tag": self.tag_numbers,
        }
        return {"itself": texts} | {name: picked(places, texts) for name, places in around.items()}

    @cached_property
    def unknown(self) -> "Column[float]":
        """What nobody knows, of every region."""
        return array("d", [nan]) * len(self.parent)

    @cached_property
    def under(self) -> "Column[float]":
        """The places of a region for each place of the one it is in."""
        return over(self.regions.places, self.places_above)

    @cached_property
    def places_above(self) -> "Column[float]":
        """The places of the region that each one is in; its own for the root."""
        places = self.regions.places
        return chosen(places, self.parent, places[0])

    @cached_property
    def tags(self) -> list[str]:
        """The different tags of the regions."""
        return list(dict.fromkeys(self.regions.tag))

    @cached_property
    def tag_numbers(self) -> "array[int]":
        """The tag of each region, by its number among the tags."""
        numbers = {tag: number for number, tag in enumerate(self.tags)}
        return array("i", map(numbers.__getitem__, self.regions.tag))

    @cached_property
    def elements(self) -> "array[int]":
        """Which of the elements that count each region is, as bits."""
        bits = {tag: 1 << bit for bit, tag in enumerate(ELEMENTS)}
        return picked(array("i", [bits.get(tag, 0) for tag in self.tags]), self.tag_numbers)
