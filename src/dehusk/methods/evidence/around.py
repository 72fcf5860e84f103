"""The second pass: each region is judged again by how likely those around it are content.

A heading over an article looks like one over a list of links; what follows it tells them apart.
"""

from array import array

from dehusk.kernels.columns import over
from dehusk.kernels.surroundings import surroundings
from dehusk.methods.evidence.features import FEATURES, Figures
from dehusk.methods.evidence.regions import Regions

_SIDES = ("before", "after")

AROUND = (
    "around.own",
    *(f"around.{side}{k}" for side in _SIDES for k in (1, 2, 3)),
    *(f"around.{letters}_{side}" for letters in (300, 1500) for side in _SIDES),
    "around.parent",
    "around.beside",
    "around.grandparent",
    "around.far_above",
    "around.most",
    "around.same_tag",
    "around.from_start",
    "around.to_end",
    "around.inside",
    "around.mass",
    "around.doubt",
    "around.rank",
    "around.best",
    "around.content_before",
    "around.content_after",
)
"""The columns of the second pass: how likely regions before, after and above are content, and where content lies."""


def around(regions: Regions, figures: Figures, first: "array[float]") -> Figures:
    """The figures with the columns of the second pass added to each row; `first` are the first pass's likelihoods."""
    rows, width = figures.regions, len(FEATURES)
    count = len(rows)
    sizes = array("d", [regions.direct.size[region] / regions.count for region in rows])
    middles = over(regions.direct.place, regions.direct.size)
    order = array("i", sorted(range(count), key=lambda k: (middles[rows[k]], k)))
    ranks = array("i", sorted(range(count), key=lambda k: (-first[k], k)))
    numbers: dict[str, int] = {}
    tags = array("i", [numbers.setdefault(regions.tag[region], len(numbers)) for region in rows])
    best = expected_f1(sizes, first)
    added = surroundings(regions.parent, rows, sizes, first, tags, order, ranks, best)
    wide = array("d")
    for k in range(count):
        wide += figures.rows[k * width : (k + 1) * width]
        wide += added[k * len(AROUND) : (k + 1) * len(AROUND)]
    return Figures(figures.site, rows, wide)


def expected_f1(sizes: "array[float]", likely: "array[float]") -> float:
    """The largest F1 that can be expected of keeping the regions from some likelihood on."""
    gold = sum(size * p for size, p in zip(sizes, likely, strict=True))
    kept = right = best = 0.0
    for p, size in sorted(zip(likely, sizes, strict=True), reverse=True):
        kept += size
        right += size * p
        best = max(best, 2 * right / (kept + gold)) if kept + gold else best
    return best
