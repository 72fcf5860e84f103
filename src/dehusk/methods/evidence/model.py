"""The model as plain data: trained elsewhere, kept as JSON with named features, evaluated here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, isnan
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Forest:
    """A sum of small decision trees over a row of numbers, as a probability.

    A tree is a list of nodes: a leaf has a value; an inner node a feature, a threshold, the nodes to go on with when
    the number is at most that and when it is more, and which of the two is taken when it is unknown.
    """

    base: float
    trees: tuple[tuple[tuple[float, ...], ...], ...]

    def probability(self, row: Sequence[float]) -> float:
        """How likely it is that a region with these features is content."""
        total = self.base
        for tree in self.trees:
            node = tree[0]
            while len(node) > 1:
                feature, threshold, low, high, unknown = node
                value = row[int(feature)]
                node = tree[int(unknown if isnan(value) else low if value <= threshold else high)]
            total += node[0]
        return _logistic(total)


@dataclass(frozen=True, slots=True)
class Cut:
    """From which probability on a region is content: one for sites of articles, another for sites of anything else.

    Articles have teasers and comments around them that look like content, manuals and records have parts that do not.
    `weights` tell how much a site is one of articles: of each feature the mean over sites, and its weight; the first
    is the feature's place in a row. A site is seldom purely one thing, and gets a cut in between.
    """

    others: float
    articles: float
    base: float
    weights: tuple[tuple[int, float, float], ...]

    def of(self, row: Sequence[float]) -> float:
        """The cut for a site, by the row of any of its regions."""
        total = self.base
        for feature, mean, weight in self.weights:
            if not isnan(row[feature]):
                total += weight * (row[feature] - mean)
        return self.others + (self.articles - self.others) * _logistic(total)


@dataclass(frozen=True, slots=True)
class Model:
    """How likely regions are content, and how likely is enough."""

    forest: Forest
    cut: Cut

    @classmethod
    def from_json(cls, data: Mapping[str, Any], features: Sequence[str]) -> Self:
        """Reads what a training wrote: feature numbers there refer to its own list of names."""
        numbers = {name: number for number, name in enumerate(features)}
        places = [numbers[name] for name in data["features"]]
        forest = Forest(float(data["base"]), tuple(_tree(tree, places) for tree in data["trees"]))
        cut = data["cut"]
        weights = tuple((numbers[name], float(mean), float(weight)) for name, (mean, weight) in cut["weights"].items())
        return cls(forest, Cut(float(cut["others"]), float(cut["articles"]), float(cut["base"]), weights))


def _logistic(total: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def _tree(tree: Sequence[Sequence[float]], places: Sequence[int]) -> tuple[tuple[float, ...], ...]:
    """The nodes of a tree, with features by their place in our rows. Raises ValueError where nodes form no tree."""
    found: list[tuple[float, ...]] = []
    for number, node in enumerate(tree):
        if len(node) == 1:
            found.append((float(node[0]),))
            continue
        feature, threshold, low, high, unknown = node
        if not all(number < below < len(tree) for below in (low, high, unknown)):
            raise ValueError(f"node {number} goes on with one that is not below it")
        found.append((places[int(feature)], float(threshold), int(low), int(high), int(unknown)))
    if not found:
        raise ValueError("a tree without nodes")
    return tuple(found)
