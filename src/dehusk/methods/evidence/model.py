"""The model as plain data: trained elsewhere, kept as JSON with named features, evaluated here."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, isnan
from typing import Any, Self

from dehusk.kernels.forest import sums
from dehusk.methods.evidence.features import NAMES, Figures


@dataclass(frozen=True, slots=True)
class Forest:
    """A sum of small decision trees over the features of a region, as a probability. See the kernel for the arrays."""

    base: float
    first: "array[int]"
    feature: "array[int]"
    threshold: "array[float]"
    low: "array[int]"
    high: "array[int]"
    unknown: "array[int]"

    def probabilities(self, figures: Figures) -> dict[int, float]:
        """How likely it is that each region is content."""
        regions = figures.regions
        totals = sums(
            self.base,
            self.first,
            self.feature,
            self.threshold,
            self.low,
            self.high,
            self.unknown,
            figures.site,
            figures.rows,
            len(regions),
        )
        return dict(zip(regions, map(_logistic, totals), strict=True))

    @classmethod
    def from_json(cls, base: float, trees: Sequence[Sequence[Sequence[float]]], places: Sequence[int]) -> Self:
        """The trees of a weights file; `places` are those of its features among ours.

        A tree is a list of nodes. A leaf has a value; other nodes have a feature, a threshold, the nodes to go on with
        when the number is at most that and when it is more, and which of the two is taken when it is unknown. Raises
        ValueError where nodes form no tree.
        """
        forest = cls(base, array("i"), array("i"), array("d"), array("i"), array("i"), array("i"))
        for tree in trees:
            if not tree:
                raise ValueError("a tree without nodes")
            start = len(forest.feature)
            forest.first.append(start)
            for number, node in enumerate(tree):
                feature, threshold, *ways = (-1.0, *node, 0, 0, 0) if len(node) == 1 else node
                if feature >= 0 and not all(number < way < len(tree) for way in ways):
                    raise ValueError(f"node {number} goes on with one that is not below it")
                low, high, unknown = ways
                forest.feature.append(places[int(feature)] if feature >= 0 else -1)
                forest.threshold.append(float(threshold))
                for column, way in ((forest.low, low), (forest.high, high), (forest.unknown, unknown)):
                    column.append(start + int(way))
        return forest


@dataclass(frozen=True, slots=True)
class Cut:
    """How likely is enough to be content: one cut for sites of articles, another for sites of anything else.

    Articles have teasers and comments around them that look like content, manuals and records have parts that do not.
    `weights` tell how much a site is one of articles: of each of the site's features the mean over sites, and its
    weight; the first is the feature's place. A site is seldom purely one thing, and gets a cut in between.
    """

    others: float
    articles: float
    base: float
    weights: tuple[tuple[int, float, float], ...]

    def of(self, site: Sequence[float]) -> float:
        """The cut for a site with these features."""
        total = self.base
        for feature, mean, weight in self.weights:
            if not isnan(site[feature]):
                total += weight * (site[feature] - mean)
        return self.others + (self.articles - self.others) * _logistic(total)


@dataclass(frozen=True, slots=True)
class Model:
    """How likely regions are content, and how likely is enough."""

    forest: Forest
    cut: Cut

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads what a training wrote: feature numbers there refer to its own list of names."""
        numbers = {name: number for number, name in enumerate(NAMES)}
        places = [numbers[name] for name in data["features"]]
        cut = data["cut"]
        weights = tuple((numbers[name], float(mean), float(weight)) for name, (mean, weight) in cut["weights"].items())
        return cls(
            Forest.from_json(float(data["base"]), data["trees"], places),
            Cut(float(cut["others"]), float(cut["articles"]), float(cut["base"]), weights),
        )


def _logistic(total: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))
