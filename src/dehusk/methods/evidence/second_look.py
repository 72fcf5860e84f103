"""The second pass: judges each region again, with the probabilities of the regions around it and the kind of page.

A heading of an article looks like the heading of a list of links, until one looks at what follows. Comments below an
article look like the posts of a thread, until one looks for an article.
"""

from array import array
from collections.abc import Iterable
from math import nan
from operator import mul

from dehusk.kernels.columns import beside, chosen, means, over, picked
from dehusk.kernels.surroundings import best_f1, overview, surroundings
from dehusk.methods.evidence._hints import HINTS
from dehusk.methods.evidence.features import FEATURES, SITE_FEATURES, Figures
from dehusk.methods.evidence.regions import Regions

PROSE = 40
"""A region whose texts have this many letters on average is prose."""

PAGE_KINDS = ("article", "collection", "documentation", "forum", "listing", "product", "recipe", "service")
"""The kinds of page."""

WHOLE = (
    *("page.likely", "page.sure", "page.letters", "page.best"),
    *("page.likely_outside_comments", "page.outside_comments", "page.in_comments", "page.likely_in_comments"),
)
"""Results of the first pass for the whole page: letters of content, and prose inside and outside comments."""

PAGE = (*WHOLE, *(f"page.{share}_{name}" for name in HINTS for share in ("likely", "text")))
"""WHOLE, and the shares of the content and of the text that have each kind of name."""

OF_KINDS = (*(feature.name for feature in SITE_FEATURES), *PAGE)
"""The columns that predict the kind of page."""

SHARED = (*(feature.name for feature in SITE_FEATURES), *WHOLE, *(f"kind.{kind}" for kind in PAGE_KINDS))
"""The columns of the second pass that all regions of a page share."""

_SIDES = ("before", "after")

AROUND_COLUMNS = (
    "around.own",
    *(f"around.{side}{k}" for side in _SIDES for k in (1, 2, 3)),
    *(f"around.{letters}_{side}" for letters in (300, 1500) for side in _SIDES),
    *("around.parent", "around.beside", "around.grandparent", "around.far_above", "around.most", "around.same_tag"),
    *("around.from_start", "around.to_end", "around.inside", "around.mass", "around.doubt", "around.rank"),
    *("around.best", "around.content_before", "around.content_after", "around.in_comments"),
)
"""Columns of the second pass: how likely the regions before, after and above are content, and where content is."""


def seen(regions: Regions, figures: Figures, first: "array[float]") -> "array[float]":
    """Returns the columns of PAGE. `first` has the probabilities of the first pass."""
    rows = figures.regions
    sizes = _letters(regions, figures)
    texts = means(regions.direct.texts, rows, regions.count)
    bits = picked(regions.hints, rows)
    inside = bytearray(map(regions.in_comments.__getitem__, rows))
    return overview(sizes, texts, first, bits, inside, PROSE, len(HINTS), expected_f1(sizes, first))


def around(
    regions: Regions, figures: Figures, first: "array[float]", page: "array[float]", kinds: Iterable[float]
) -> Figures:
    """Returns the features of the second pass: those of the first, and more columns for regions and for the site.

    `first` has the probabilities of the first pass, `page` the columns of PAGE, `kinds` those of PAGE_KINDS.
    """
    rows = figures.regions
    sizes = _letters(regions, figures)
    places = chosen(over(regions.direct.place, regions.direct.size), rows, nan)
    order = array("i", sorted(range(len(rows)), key=places.__getitem__))
    ranks = array("i", sorted(range(len(rows)), key=[-p for p in first].__getitem__))
    tags = picked(regions.tag_numbers, rows)
    added = surroundings(regions.parent, rows, sizes, first, tags, order, ranks, page[PAGE.index("page.best")])
    inside = array("d", map(regions.in_comments.__getitem__, rows))
    own = beside(added, len(AROUND_COLUMNS) - 1, inside, 1)
    shared = array("d", (*figures.site, *page[: len(WHOLE)], *kinds))
    return Figures(shared, rows, beside(figures.rows, len(FEATURES), own, len(AROUND_COLUMNS)))


def _letters(regions: Regions, figures: Figures) -> "array[float]":
    """Returns the mean number of letters of each region on a page."""
    return means(regions.direct.size, figures.regions, regions.count)


def expected_f1(sizes: "array[float]", likely: "array[float]") -> float:
    """Returns the largest expected F1 of keeping the regions from some probability on."""
    return best_f1(sorted(zip(likely, sizes, strict=True), reverse=True), sum(map(mul, sizes, likely)))
