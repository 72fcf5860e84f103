"""What is kept although the model calls it template, because the pages are unlike those that the model was trained on.

A model is sure of what it learned, and is also sure where it knows nothing: without recipes in training, it calls lists
of ingredients navigation. Three signs need no knowledge of any kind of page. The text that only one page has, outside
links, is mostly content: if much of it would go, the model is wrong. Short texts that vary from page to page beside a
label that does not are the fields of a record. And text without links amid what is surely content belongs to it.

Measured by regions, with predictions for sites and kinds that were left out of training (`training/left_out.py` prints
the figures of whole outputs): with all records left out, 0.50 of the product fields are kept without these rules, 0.68
with the first, 0.77 with the second too. With recipes left out, 0.79 of them is kept without the third rule, and 0.87
with it. Where all kinds are known, no set moves by more than 0.002.

Tried and rejected: the first rule up to 0.9 of the own text keeps 0.88 of the fields and costs Big9 0.04; the third on
sites of many pages costs Big9 0.002 and documentation 0.002; the first on one or two pages costs single Dragnet pages
0.01 and more; a distance to the nearest known site (of ranks of the
site's features) tells unknown manuals, but neither records nor recipes.
"""

from array import array
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dehusk.kernels.columns import with_below
from dehusk.methods.evidence.features import Figures
from dehusk.methods.evidence.regions import Regions

COMPARED = 3
"""With so many pages, texts show whether they vary: the first two rules. With fewer, the third rule is used."""

SURE = 0.5
"""From this probability on, text counts as kept."""

FAMILIAR = 0.7
"""On sites of known kinds, at least this share of the pages' own text is kept; usually more than 0.9."""

VARIES, IN_LINKS = 0.5, 0.5
"""Text that fewer of the other pages have in the same place varies; less of it in links is no list of links."""

RECORD_FAMILIAR, RECORD_FIELDS = 0.9, 6
"""Below this share, so many labelled fields make a record. Articles have a date and an author, rarely more."""

FIELD_SUPPORT, FIELD_SPREAD, FIELD_ENTROPY, FIELD_SIZE, FIELD_PLACES = 0.7, 0.3, 0.4, 80.0, 8.0
"""Bounds for a field: share of pages, share with the same value, entropy of values, letters, places on a page."""

LABEL_SUPPORT, LABEL_SPREAD, LABEL_SIZE = 0.5, 0.6, 40.0
"""Bounds for a label: share of pages, share with the same text, letters."""

SURELY, MOST = 0.6, 0.8
"""The innermost region with MOST of the text that is content with at least the probability SURELY is its container."""

AMID, AMID_LINKS, AMID_LINKS_AROUND, AMID_AGAIN = 0.3, 0.2, 0.3, 0.5
"""Inside it, text is kept from this share of the cut on, with less than these shares of links, directly and in the
block around it, and of text that recurs."""

_SLOT = ("slot_spread", "link", "support", "entropy", "text_size", "places_a_page")


class Overlooked(NamedTuple):
    """The regions to keep, and whether the site is unlike what was learned as a whole."""

    regions: set[int]
    unfamiliar: bool


def overlooked(regions: Regions, figures: Figures, likely: Mapping[int, float], cut: float) -> Overlooked:
    """Returns the regions to keep although the model calls them template."""
    if regions.count < COMPARED:
        return Overlooked(set(_amid_content(regions, figures, likely, cut)), unfamiliar=False)
    share = _own_share(regions, likely)
    if share >= RECORD_FAMILIAR:
        return Overlooked(set(), unfamiliar=False)
    slots = {
        region: slot
        for region, *slot in zip(figures.regions, *(figures.column(f"direct.{name}") for name in _SLOT), strict=True)
        if not regions.in_comments[region]
    }
    found = _fields(regions, slots)
    if share < FAMILIAR:
        found |= {region for region, (spread, link, *_) in slots.items() if spread < VARIES and link < IN_LINKS}
    return Overlooked(found, share < FAMILIAR)


def _own_share(regions: Regions, likely: Mapping[int, float]) -> float:
    """Returns the share of the pages' own text that is kept."""
    own = regions.direct.own
    every = sum(map(own.__getitem__, likely))
    return sum(own[region] for region, p in likely.items() if p >= SURE) / every if every else 1.0


def _fields(regions: Regions, slots: Mapping[int, list[float]]) -> set[int]:
    """Returns the fields of a record with labels beside them; none if there are too few."""
    labels = [
        region
        for region, (spread, link, support, _, size, _) in slots.items()
        if spread >= LABEL_SPREAD and link < IN_LINKS and support >= LABEL_SUPPORT and size <= LABEL_SIZE
    ]
    homes = {home for region in labels for home in (region, *_above(regions, region))}
    fields = {
        region: link
        for region, (spread, link, support, entropy, size, places) in slots.items()
        if (spread <= FIELD_SPREAD and support >= FIELD_SUPPORT and entropy >= FIELD_ENTROPY)
        and (size <= FIELD_SIZE and places <= FIELD_PLACES)
        and not homes.isdisjoint(_above(regions, region))
    }
    return set(fields) if sum(link < IN_LINKS for link in fields.values()) >= RECORD_FIELDS else set()


def _above(regions: Regions, region: int) -> list[int]:
    """Returns the parent of a region and the parent's parent, as far as there are."""
    parent = regions.parent[region]
    return [above for above in (parent, regions.parent[parent] if parent >= 0 else -1) if above >= 0]


def _amid_content(regions: Regions, figures: Figures, likely: Mapping[int, float], cut: float) -> Iterator[int]:
    """Yields the regions inside the container of what is surely content that need not be template."""
    inside = _inside(regions, likely)
    columns = (figures.column(name) for name in ("direct.link", "up1.link", "direct.again"))
    for region, link, around, again in zip(figures.regions, *columns, strict=True):
        if inside[region] and AMID * cut <= likely[region] < cut and not regions.in_comments[region]:
            # An unknown share (NaN) is no reason to remove text.
            linked = link >= AMID_LINKS or around >= AMID_LINKS_AROUND
            if not linked and not again >= AMID_AGAIN:
                yield region


def _inside(regions: Regions, likely: Mapping[int, float]) -> bytearray:
    """Flags the regions inside the innermost one that has most of what is surely content."""
    surely = array("d", bytes(8 * len(regions.parent)))
    for region, p in likely.items():
        if p >= SURELY:
            surely[region] = p * regions.direct.size[region]
    surely = with_below(surely, regions.parent)
    container = 0
    for region, parent in enumerate(regions.parent):
        if parent == container and surely[region] >= MOST * surely[0] > 0:
            container = region
    inside = bytearray(len(regions.parent))
    for region, parent in enumerate(regions.parent):
        inside[region] = region == container or (parent >= 0 and inside[parent])
    return inside
