"""The features of a region: what is known of it, of what it is in, and of the site, as one row of named numbers."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import nan, sqrt

from dehusk.methods.evidence.regions import BLOCKS, HINTS, MOST, Regions, Sums

LEVELS = (0, 1, 2, 3, 5)
"""How many block elements up the figures of what a region is in are taken: itself, near by, and far."""

ONE_PLACE = 1.5
"""A region with no more places on a page than this, on average, is one place of it."""

FAR = 30.0
"""How far away a hint is said to be that is nowhere above."""

_HEADINGS = {f"h{level}": float(level) for level in range(1, 7)}
_KINDS = {
    "is_link": frozenset({"a"}),
    "is_paragraph": frozenset({"p"}),
    "is_item": frozenset({"li", "dd"}),
    "is_cell": frozenset({"td"}),
    "is_name": frozenset({"b", "strong", "dt", "th", "label", "legend"}),
    "is_code": frozenset({"pre", "code", "tt", "kbd", "samp"}),
    "is_control": frozenset({"button", "form", "fieldset", "input"}),
}
_ELEMENTS = ("nav", "aside", "footer", "header", "main", "article", "form", "section", "table", "ul", "ol", "dl", "p")

SITE = (
    "pages",
    "page_size",
    "own",
    "own_long",
    "link",
    "again",
    "content_share",
    "content_long",
    "content_again",
    "prose",
)
COMMON = (
    "size", "text_size", "texts_a_page", "link", "link_again", "stops", "long", "again", "spread", "slot_spread", "own",
    "share", "own_share", "place", "support", "places_a_parent",
)  # fmt: skip
DIRECT = (*COMMON, "same_page", "places_a_page", "distinct", "entropy")
LEVEL = (*COMMON, "presentation", "depth")
ABOVE = ("most_again", "most_link", "least_support", "in_content", "after_content", "content_above", "depth")
UNIT = ("above", "places_a_page", "varies", "size", "texts", "own", "link", "long", "share", "own_share")
FEATURES = (
    *(f"site.{name}" for name in SITE),
    *(f"direct.{name}" for name in DIRECT),
    *(f"up{level}.{name}" for level in LEVELS for name in LEVEL),
    *(f"above.{name}" for name in ABOVE),
    *(f"unit.{name}" for name in UNIT),
    "heading",
    *_KINDS,
    *(f"in_{name}" for name in _ELEMENTS),
    *(f"hint_{name}" for name in HINTS),
)
"""The names of a row's numbers, in order."""

FIELD_PAGES, FIELD_PLACES, FIELD_SIZE = 0.8, 8.0, 60.0
FIELD_AGAIN, FIELD_ENTROPY, FIELD_SPREAD = 0.5, 0.4, 0.3
"""What makes a field: pages that have it, places and letters, how much of it recurs, varies, and is the same."""

_FIELD = tuple(
    FEATURES.index(name)
    for name in (
        *(f"direct.{name}" for name in ("again", "slot_spread", "entropy", "support", "places_a_page", "text_size")),
        "heading",
    )
)

# Of one page nobody can tell what recurs: these are unknown then, not zero.
_OF_A_SITE = frozenset({"again", "spread", "slot_spread", "support", "link_again", "most_again", "least_support"})


def rows(regions: Regions) -> dict[int, list[float]]:
    """A row for each region that directly holds text."""
    if not regions.label:
        return {}
    alone = regions.count == 1
    content = _content_region(regions)
    site = _site(regions, content)
    inside = _inside(regions, content)
    blocks: list[int] = []  # the block element around each region, or itself
    levels: list[tuple[float, ...]] = []
    above: list[tuple[float, ...]] = []
    hints: list[tuple[float, ...]] = []
    units = _units(regions)
    found = {}
    for region, parent in enumerate(regions.parent):
        tag = regions.tag[region]
        blocks.append(region if tag in BLOCKS or parent < 0 else blocks[parent])
        levels.append(_level(regions, region))
        above.append(_above(regions, region, above[parent] if parent >= 0 else None))
        hints.append(_hints(regions.label[region], tag, hints[parent] if parent >= 0 else None))
        if not regions.direct[region].texts:
            continue
        chain = [blocks[region]]
        while len(chain) <= LEVELS[-1]:
            up = regions.parent[chain[-1]]
            chain.append(blocks[up] if up >= 0 else chain[-1])
        row = [*site, *_direct(regions, region)]
        for level in LEVELS:
            row += levels[chain[level]]
        row += above[region]
        row += (float(inside[region]), _after(regions, region, content), float(regions.depth[content]))
        row.append(float(regions.depth[region]))
        row += _unit(regions, region, units[region])
        row.append(_HEADINGS.get(tag, _HEADINGS.get(regions.tag[chain[0]], 0.0)))
        row += [float(tag in kind) for kind in _KINDS.values()]
        row += hints[region]
        found[region] = row
    if alone:
        unknown = [k for k, name in enumerate(FEATURES) if name.rpartition(".")[2] in _OF_A_SITE]
        for row, k in product(found.values(), unknown):
            row[k] = nan
    return found


def fields(figures: Mapping[int, Sequence[float]]) -> set[int]:
    """The regions that are fields of a record: on most pages, with few and short values that differ but also recur.

    "Canon", "Full-time" and "PG-13" are on many pages, and yet what a page has to say. So is its first heading.
    """
    found = set()
    for region, row in figures.items():
        again, spread, entropy, support, places, size, heading = (row[place] for place in _FIELD)
        slot = support >= FIELD_PAGES and entropy >= FIELD_ENTROPY and spread <= FIELD_SPREAD and places <= FIELD_PLACES
        if slot and (heading == 1 or (again >= FIELD_AGAIN and size <= FIELD_SIZE)):
            found.add(region)
    return found


def _site(regions: Regions, content: int) -> tuple[float, ...]:
    """What kind of site it is: articles have most of their own text in one place and in long texts, records do not."""
    sums, within = regions.below[0], regions.below[content]
    size, own, inside = sums.size or 1, sums.own or 1, within.size or 1
    return (
        float(regions.count),
        size / regions.count,
        sums.own / size,
        sums.own_long / own,
        sums.link / size,
        sums.again / size,
        within.share / regions.count,
        within.long / inside,
        within.again / inside,
        within.own_long / own,
    )


def _direct(regions: Regions, region: int) -> tuple[float, ...]:
    sums = regions.direct[region]
    return (
        *_common(regions, region, sums),
        sums.same_page / (sums.size or 1),
        regions.places[region] / regions.pages[region],
        len(regions.values[region]) / sums.texts,
        regions.variety(region),
    )


def _level(regions: Regions, region: int) -> tuple[float, ...]:
    common = _common(regions, region, regions.below[region])
    return *common, regions.presentation(region), float(regions.depth[region])


def _common(regions: Regions, region: int, sums: Sums) -> tuple[float, ...]:
    """What is known of a region by the texts directly in it, and by all those below it."""
    pages, places, parent = regions.pages[region], regions.places[region], regions.parent[region]
    size = sums.size or 1
    return (
        sums.size / pages,
        sums.size / (sums.texts or 1),
        sums.texts / pages,
        sums.link / size,
        sums.link_again / size,
        sums.stops / size,
        sums.long / size,
        sums.again / size,
        sums.spread / size,
        sums.slot_spread / size,
        sums.own / size,
        sums.share / pages,
        sums.own_share / pages,
        sums.place / size,
        pages / regions.count,
        places / regions.places[parent] if parent >= 0 else 1.0,
    )


def _units(regions: Regions) -> list[int]:
    """The outermost thing around each region that stands on a page several times and has parts; -1 where none does.

    Such are teasers, comments, the rows of a list of results: a paragraph has no parts that are blocks.
    """
    parts = [int(regions.direct[region].texts > 0) for region in range(len(regions.label))]
    for region, parent in enumerate(regions.parent):
        if parent >= 0 and regions.tag[region] in BLOCKS and regions.below[region].texts:
            parts[parent] += 1
    found: list[int] = []
    for region, parent in enumerate(regions.parent):
        unit = found[parent] if parent >= 0 else -1
        several = parent >= 0 and regions.places[region] >= 2 * regions.pages[region]
        if unit < 0 and several and regions.tag[region] in BLOCKS and parts[region] > 1:
            unit = region
        found.append(unit)
    return found


def _unit(regions: Regions, region: int, unit: int) -> tuple[float, ...]:
    if unit < 0:
        return -1.0, 1.0, *[nan] * (len(UNIT) - 2)
    sums, places = regions.below[unit], regions.places[unit]
    size, mean = sums.size or 1, places / regions.count
    return (
        float(regions.depth[region] - regions.depth[unit]),
        places / regions.pages[unit],
        sqrt(max(0.0, regions.squares[unit] / regions.count - mean * mean)) / mean,
        sums.size / places,
        sums.texts / places,
        sums.own / size,
        sums.link / size,
        sums.long / size,
        sums.share / regions.count,
        sums.own_share / regions.count,
    )


def _above(regions: Regions, region: int, parent: tuple[float, ...] | None) -> tuple[float, ...]:
    """The largest repeated share and link share, and the least support, from here up to the body's children."""
    if parent is None:
        return 0.0, 0.0, 1.0
    again, link = regions.share(region, "again"), regions.share(region, "link")
    return max(parent[0], again), max(parent[1], link), min(parent[2], regions.pages[region] / regions.count)


def _hints(label: str, tag: str, parent: tuple[float, ...] | None) -> tuple[float, ...]:
    """How many steps up the nearest element of each kind is, and the nearest name of each kind."""
    here = [name == tag for name in _ELEMENTS]
    # The root is the page itself: what it is called says nothing of its parts.
    names = label[len(tag) + 1 :].lower() if parent else ""
    here += [bool(names and pattern.search(names)) for pattern in HINTS.values()]
    far = parent or (FAR,) * len(here)
    return tuple([0.0 if seen else min(FAR, steps + 1) for seen, steps in zip(here, far, strict=True)])


def _content_region(regions: Regions) -> int:
    """The innermost region that has most of the pages' own text, and is one place on a page: no paragraph is."""
    best, whole = 0, regions.below[0].own_share
    for region in range(1, len(regions.label)):
        most = regions.parent[region] == best and regions.below[region].own_share >= MOST * whole
        if most and regions.places[region] <= ONE_PLACE * regions.pages[region]:
            best = region
    return best


def _inside(regions: Regions, top: int) -> bytearray:
    inside = bytearray(len(regions.label))
    for region, parent in enumerate(regions.parent):
        inside[region] = region == top or (parent >= 0 and inside[parent])
    return inside


def _after(regions: Regions, region: int, content: int) -> float:
    """How far after the middle of the content a region lies, as a share of the page."""
    return regions.direct[region].place / (regions.direct[region].size or 1) - regions.share(content, "place")
