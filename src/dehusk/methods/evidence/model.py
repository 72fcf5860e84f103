"""The model as plain data: trained elsewhere, kept as JSON with named features, evaluated here."""

import json
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import exp, isnan
from operator import mul
from typing import Any, Self

from dehusk.kernels.forest import sums
from dehusk.methods.evidence.around import AROUND, around
from dehusk.methods.evidence.features import NAMES, SITE_FEATURES, Figures
from dehusk.methods.evidence.regions import Regions

FORMAT = 2
"""The version of the weights file."""


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

    def probabilities(self, figures: Figures) -> "array[float]":
        """How likely it is that each region is content."""
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
            len(figures.regions),
        )
        return array("d", map(_logistic, totals))

    @classmethod
    def from_json(cls, data: Mapping[str, Any], names: Sequence[str]) -> Self:
        """The trees of a weights file, with its features by their places among `names`.

        A tree is a list of nodes. A leaf has a value; other nodes have a feature, a threshold, the nodes to go on with
        when the number is at most that and when it is more, and which of the two is taken when it is unknown. Raises
        ValueError where nodes form no tree.
        """
        numbers = {name: number for number, name in enumerate(names)}
        places = [numbers[name] for name in data["features"]]
        forest = cls(float(data["base"]), array("i"), array("i"), array("d"), array("i"), array("i"), array("i"))
        for tree in data["trees"]:
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
class Kinds:
    """Which kind of page a family is of, by a weight for each of the site's features and each kind."""

    places: tuple[int, ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weights: Mapping[str, tuple[float, ...]]

    def of(self, site: Sequence[float]) -> dict[str, float]:
        """How likely each kind is."""
        known = [
            0.0 if isnan(site[place]) else (site[place] - mean) / scale
            for place, mean, scale in zip(self.places, self.mean, self.scale, strict=True)
        ]
        totals = {kind: bias + sum(map(mul, own, known)) for kind, (bias, *own) in self.weights.items()}
        most = max(totals.values(), default=0.0)
        shares = {kind: exp(total - most) for kind, total in totals.items()}
        whole = sum(shares.values())
        return {kind: share / whole for kind, share in shares.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The kinds of a weights file."""
        numbers = {feature.name: number for number, feature in enumerate(SITE_FEATURES)}
        places = tuple(numbers[name] for name in data["features"])
        weights = {str(kind): tuple(map(float, own)) for kind, own in data["weights"].items()}
        mean, scale = tuple(map(float, data["mean"])), tuple(map(float, data["scale"]))
        if {len(places), len(mean), len(scale), *(len(own) - 1 for own in weights.values())} != {len(places)}:
            raise ValueError("kinds with too few or too many weights")
        return cls(places, mean, scale, weights)


@dataclass(frozen=True, slots=True)
class Model:
    """How likely regions are content, by themselves and by what is around them; and kinds of pages."""

    first: Forest
    second: Forest
    kinds: Kinds
    digest: str
    """A hash of the weights, by which a template says what made it."""

    def likely(self, regions: Regions, figures: Figures) -> dict[int, float]:
        """How likely each region that holds text is content."""
        first = self.first.probabilities(figures)
        return dict(zip(figures.regions, self.second.probabilities(around(regions, figures, first)), strict=True))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads what a training wrote: feature numbers there refer to its own lists of names."""
        if data["format"] != FORMAT:
            raise ValueError(f"weights of format {data['format']!r}")
        return cls(
            Forest.from_json(data["first"], NAMES),
            Forest.from_json(data["second"], (*NAMES, *AROUND)),
            Kinds.from_json(data["kinds"]),
            blake2b(json.dumps(data, sort_keys=True).encode(), digest_size=8).hexdigest(),
        )


def _logistic(total: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))
