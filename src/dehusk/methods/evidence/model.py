"""The model: decision trees trained by `make train`, stored as JSON with named features, and evaluated here."""

import json
import re
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import resources
from math import exp
from typing import Any, NamedTuple, Self

from dehusk.base import fields
from dehusk.base.errors import DehuskError, UsageError
from dehusk.base.options import Values
from dehusk.kernels.columns import likelihoods, sums
from dehusk.methods.evidence.features import FEATURES, NAMES, Figures
from dehusk.methods.evidence.quality import OF_QUALITY
from dehusk.methods.evidence.regions import Regions
from dehusk.methods.evidence.second_look import AROUND_COLUMNS, OF_KINDS, PAGE_KINDS, SHARED, around, seen

WEIGHTS_FORMAT = 3
"""The version of the weights file."""

SECOND = 0.7
"""The weight of the second pass in the mean of both."""

OF_SECOND = (*SHARED, *(feature.name for feature in FEATURES), *AROUND_COLUMNS)
"""The columns of the second pass."""


@dataclass(frozen=True, slots=True)
class Forest:
    """A sum of small decision trees over the features of a region. The kernel `columns.sums` describes the arrays."""

    base: float
    first: "array[int]"
    feature: "array[int]"
    threshold: "array[float]"
    low: "array[int]"
    high: "array[int]"
    unknown: "array[int]"

    def probabilities(self, figures: Figures) -> "array[float]":
        """Returns the probability of each region to be content."""
        return likelihoods(self.totals(figures))

    def totals(self, figures: Figures) -> "array[float]":
        """Returns the sum of the trees for each region."""
        trees = self.base, self.first, self.feature, self.threshold, self.low, self.high, self.unknown
        return sums(*trees, figures.site, figures.rows, len(figures.regions))

    def total(self, row: "array[float]") -> float:
        """Returns the sum of the trees for a single row."""
        return self.totals(Figures(array("d"), array("i", [0]), row))[0]

    @classmethod
    def from_json(cls, data: Mapping[str, Any], names: Sequence[str]) -> Self:
        """Reads the trees of a weights file. Features are numbered by their position in `names`.

        A tree is a list of nodes. A leaf has a value. Other nodes have a feature, a threshold, and three child nodes:
        for values up to the threshold, above it, and unknown. Raises ValueError if the nodes do not form a tree.
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
                    raise ValueError(f"node {number} has a child that is not after it")
                low, high, unknown = ways
                forest.feature.append(places[int(feature)] if feature >= 0 else -1)
                forest.threshold.append(float(threshold))
                for column, way in ((forest.low, low), (forest.high, high), (forest.unknown, unknown)):
                    column.append(start + int(way))
        return forest


class Prediction(NamedTuple):
    """How likely each region with text is content, how likely each kind of page is, and the columns of PAGE."""

    likely: dict[int, float]
    kinds: dict[str, float]
    page: "array[float]"


@dataclass(frozen=True, slots=True)
class Model:
    """Predicts how likely regions are content, in two passes, the kind of page, and the quality of the result."""

    first: Forest
    second: Forest
    kinds: Mapping[str, Forest]
    """A forest for each kind of page. The kind with the largest sum is the most likely."""
    quality: Forest | None
    """Predicts the F1 that can be expected, from the columns of OF_QUALITY; None if it was not trained."""
    digest: str
    """A hash of the weights, stored in templates to identify the model."""

    def predict(self, regions: Regions, figures: Figures) -> Prediction:
        """Returns how likely each region with text is content, and how likely each kind of page is.

        The mean of both passes is steadier than the second pass alone.
        """
        first = self.first.probabilities(figures)
        page = seen(regions, figures, first)
        kinds = self.kinds_of(figures.site, page)
        second = self.second.probabilities(around(regions, figures, first, page, kinds.values()))
        mean = (SECOND * after + (1 - SECOND) * before for before, after in zip(first, second, strict=True))
        return Prediction(dict(zip(figures.regions, mean, strict=True)), kinds, page)

    def kinds_of(self, site: Sequence[float], page: Sequence[float]) -> dict[str, float]:
        """Returns the probability of each kind of page, from features of the site and results of the first pass."""
        row = array("d", (*site, *page))
        totals = {kind: forest.total(row) for kind, forest in self.kinds.items()}
        most = max(totals.values())
        shares = {kind: exp(total - most) for kind, total in totals.items()}
        whole = sum(shares.values())
        return {kind: share / whole for kind, share in shares.items()}

    def quality_of(self, row: "array[float]") -> float | None:
        """Returns the F1 that can be expected, from 0 to 1."""
        return round(min(1.0, max(0.0, self.quality.total(row))), 4) if self.quality else None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads a weights file. Its feature numbers refer to the lists of names in it."""
        if data["format"] != WEIGHTS_FORMAT:
            raise ValueError(f"unknown weights format {data['format']!r}")
        return cls(
            Forest.from_json(data["first"], NAMES),
            Forest.from_json(data["second"], OF_SECOND),
            {kind: Forest.from_json(data["kinds"][kind], OF_KINDS) for kind in PAGE_KINDS},
            Forest.from_json(data["quality"], OF_QUALITY) if "quality" in data else None,
            blake2b(json.dumps(_without_seal(data), sort_keys=True).encode(), digest_size=8).hexdigest(),
        )


def model_of(weights: Mapping[str, Any] | Model | None) -> Model:
    """Returns the model with these weights, by default those of the package. Raises UsageError if they do not fit."""
    if weights is None:
        return _shipped()
    if isinstance(weights, Model):
        return weights
    if not isinstance(weights, Mapping):
        raise UsageError("weights must be the JSON object that make train wrote, not the name of its file")
    try:
        return Model.from_json(weights)
    except (LookupError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise UsageError("the weights do not fit this version of dehusk; train new ones with make train") from error


SEAL = "digest"
"""The first field of a weights file: a hash of all bytes after its line."""

_SEALED = re.compile(rb'\{"digest": "([0-9a-f]{32})",\n')


def sealed(text: str) -> str:
    """Returns the text of a weights file, a JSON object, with the hash of its content in its first line."""
    content = text.removeprefix("{").lstrip("\n")
    return f'{{"{SEAL}": "{_hash(content.encode())}",\n{content}'


def _hash(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


def _without_seal(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name != SEAL}


def _read(data: bytes, *, may_lack_seal: bool = True) -> Mapping[str, Any]:
    """Reads a weights file. Raises ValueError if it was changed after it was sealed, or lacks its seal."""
    seal = _SEALED.match(data)
    if not seal and not may_lack_seal:
        raise ValueError("not sealed")
    if seal and seal[1].decode() != _hash(data[seal.end() :]):
        raise ValueError("damaged: it was changed after training")
    weights = fields.parsed(data)
    if not isinstance(weights, Mapping):
        raise TypeError("not an object")
    return weights


@cache  # reading the file takes as long as learning from a few pages, and an archive has many sites
def _shipped() -> Model:
    data = resources.files("dehusk.methods.evidence").joinpath("weights.json").read_bytes()
    try:
        return Model.from_json(_read(data, may_lack_seal=False))
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise DehuskError(f"the weights of the method evidence are damaged ({error}); install dehusk again") from error


WEIGHTS = Values("weights of the method evidence, written by make train", _read, model_of, file=True)
