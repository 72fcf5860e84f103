"""Boosted trees as plain data: trained elsewhere, kept as JSON with named features, evaluated here."""

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
        """How likely a region with these features is content."""
        total = self.base
        for tree in self.trees:
            node = tree[0]
            while len(node) > 1:
                feature, threshold, low, high, unknown = node
                value = row[int(feature)]
                node = tree[int(unknown if isnan(value) else low if value <= threshold else high)]
            total += node[0]
        return 1 / (1 + exp(-max(-30.0, min(30.0, total))))

    @classmethod
    def from_json(cls, data: Mapping[str, Any], features: Sequence[str]) -> Self:
        """Reads what a training wrote: feature numbers there refer to its own list of names."""
        numbers = {name: number for number, name in enumerate(features)}
        places = [numbers[name] for name in data["features"]]
        return cls(float(data["base"]), tuple(_tree(tree, places) for tree in data["trees"]))


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
