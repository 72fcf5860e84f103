"""The model as plain data: trained elsewhere, kept as JSON with named features, evaluated here."""

import json
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import resources
from math import exp
from typing import Any, Self

from dehusk.base.errors import UsageError
from dehusk.base.options import Values
from dehusk.kernels.columns import sums
from dehusk.methods.evidence.features import FEATURES, NAMES, Figures
from dehusk.methods.evidence.regions import Regions
from dehusk.methods.evidence.second_look import AROUND_COLUMNS, OF_KINDS, PAGE_KINDS, SHARED, around, seen

WEIGHTS_FORMAT = 3
"""The version of the weights file."""

SECOND = 0.7
"""How much the second pass counts; the first pass counts for the rest."""

OF_SECOND = (*SHARED, *(feature.name for feature in FEATURES), *AROUND_COLUMNS)
"""The columns of the second pass."""


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
        logits = (max(-30.0, min(30.0, total)) for total in self.totals(figures))
        return array("d", [1 / (1 + exp(-logit)) for logit in logits])

    def totals(self, figures: Figures) -> "array[float]":
        """What the trees add up to for each region."""
        trees = self.base, self.first, self.feature, self.threshold, self.low, self.high, self.unknown
        return sums(*trees, figures.site, figures.rows, len(figures.regions))

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
class Model:
    """How likely regions are content, by themselves and by what is around them; and kinds of pages."""

    first: Forest
    second: Forest
    kinds: Mapping[str, Forest]
    """The trees of each kind of page, whose sums are compared."""
    digest: str
    """A hash of the weights, by which a template says what made it."""

    def likely(self, regions: Regions, figures: Figures) -> tuple[dict[int, float], dict[str, float]]:
        """How likely each region that holds text is content, and how likely each kind of page is.

        The mean of both passes is steadier than the second pass alone.
        """
        first = self.first.probabilities(figures)
        page = seen(regions, figures, first)
        kinds = self.kinds_of(figures.site, page)
        second = self.second.probabilities(around(regions, figures, first, page, kinds.values()))
        mean = (SECOND * after + (1 - SECOND) * before for before, after in zip(first, second, strict=True))
        return dict(zip(figures.regions, mean, strict=True)), kinds

    def kinds_of(self, site: Sequence[float], page: Sequence[float]) -> dict[str, float]:
        """How likely each kind of page is, by the features of the site and what the first pass says of the page."""
        row = Figures(array("d"), array("i", [0]), array("d", (*site, *page)))
        totals = {kind: forest.totals(row)[0] for kind, forest in self.kinds.items()}
        most = max(totals.values())
        shares = {kind: exp(total - most) for kind, total in totals.items()}
        whole = sum(shares.values())
        return {kind: share / whole for kind, share in shares.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads what a training wrote: feature numbers there refer to its own lists of names."""
        if data["format"] != WEIGHTS_FORMAT:
            raise ValueError(f"weights of format {data['format']!r}")
        return cls(
            Forest.from_json(data["first"], NAMES),
            Forest.from_json(data["second"], OF_SECOND),
            {kind: Forest.from_json(data["kinds"][kind], OF_KINDS) for kind in PAGE_KINDS},
            blake2b(json.dumps(data, sort_keys=True).encode(), digest_size=8).hexdigest(),
        )


def model_of(weights: Mapping[str, Any] | Model | None) -> Model:
    """The model with these weights, or with those that came with the package."""
    if weights is None:
        return _shipped()
    if isinstance(weights, Model):
        return weights
    if not isinstance(weights, Mapping):
        raise UsageError("weights are what is in a file that make train wrote, not its name; read it first")
    try:
        return Model.from_json(weights)
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise UsageError("the weights do not fit this version of dehusk; make some with make train") from error


@cache  # reading it takes as long as learning from a few pages, and an archive has many sites
def _shipped() -> Model:
    text = resources.files("dehusk.methods.evidence").joinpath("weights.json").read_text("utf-8")
    return Model.from_json(json.loads(text))


def _read(data: bytes) -> Mapping[str, Any]:
    try:
        weights = json.loads(data)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(weights, Mapping):
        raise TypeError("not an object")
    return weights


WEIGHTS = Values("weights of the method evidence; make some with make train", _read, model_of, file=True)
