"""The second pass: each region is judged again by how likely those around it are content.

A heading over an article looks like one over a list of links; what follows it tells them apart.
"""

from array import array
from operator import mul

from dehusk.kernels.columns import beside, over
from dehusk.kernels.surroundings import best_f1, surroundings
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
    rows = figures.regions
    sizes = array("d", [regions.direct.size[region] / regions.count for region in rows])
    middles = over(regions.direct.place, regions.direct.size)
    places = [middles[region] for region in rows]
    order = array("i", sorted(range(len(rows)), key=places.__getitem__))
    ranks = array("i", sorted(range(len(rows)), key=[-p for p in first].__getitem__))
    numbers: dict[str, int] = {}
    tags = array("i", [numbers.setdefault(regions.tag[region], len(numbers)) for region in rows])
    best = expected_f1(sizes, first)
    added = surroundings(regions.parent, rows, sizes, first, tags, order, ranks, best)
    return Figures(figures.site, rows, beside(figures.rows, len(FEATURES), added, len(AROUND)))


def expected_f1(sizes: "array[float]", likely: "array[float]") -> float:
    """The largest F1 that can be expected of keeping the regions from some likelihood on."""
    return best_f1(sorted(zip(likely, sizes, strict=True), reverse=True), sum(map(mul, sizes, likely)))
