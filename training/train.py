"""Trains the default method.

    python training/train.py DATA -o src/dehusk/methods/evidence/weights.json [--cache FOLDER]

DATA has the layout of bench.evaluation.datasets, which also names the brands that are never used for training. The same
data and versions give the same weights. The steps: sites and single pages become rows (rows.py); a first pass of trees
tells content from template; other trees predict the kind of page from the results of the first pass; a second pass also
uses the kind, and the first pass's results for the regions around (dehusk's second_look.py). The kinds and the second
pass are trained on results of first passes for brands that these were not trained on, to learn how reliable a first
pass is. `training/accuracy.py` measures how good the weights are on sites that were left out.

--cache keeps rows and trees, and reuses those made from the same data by the same code.
"""

import argparse
import json
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import kinds
import numpy as np  # type: ignore[import-not-found,unused-ignore]
from boosting import WAYS, Recipe, boosted, exported, probabilities
from rows import Examples, Matrix, all_examples, code, datasets, digest, remembered, state

from dehusk.base.files import written_whole
from dehusk.bench.evaluation.datasets import FOLDS, fold_of_brand
from dehusk.methods.evidence.features import FEATURES, NAMES
from dehusk.methods.evidence.model import OF_SECOND, sealed
from dehusk.methods.evidence.second_look import AROUND_COLUMNS, SHARED, around, seen

FORMAT = 3
PASSES = ("first", "second", "quality")

FIRST, SECOND = Recipe(trees=300), Recipe(trees=120)


@dataclass(frozen=True)
class Training:
    """Trainings on the same examples, each without some folds of brands.

    Passes are shared between trainings: the first pass without fold 0 is part of the weights that fold 0 is scored
    with, and also gives the results for fold 0 that the second pass of the shipped weights is trained on. `folds` are
    those that give such results; two instead of all five save half of the time.
    """

    examples: Sequence[Examples]
    assignment: int = 0
    folds: Sequence[int] = range(FOLDS)
    first: Recipe = FIRST
    second: Recipe = SECOND
    cache: Path | None = None
    key: str = ""
    memory: dict[object, Any] = field(default_factory=dict)

    @cached_property
    def shown(self) -> list[Examples]:
        """The examples that may be used for training."""
        return [one for one in self.examples if one.may_train and len(one.numbers)]

    def fold(self, one: Examples) -> int:
        """The fold of some examples."""
        return fold_of_brand(one.source.owner, self.assignment)

    def weights(self, left_out: frozenset[int] = frozenset()) -> dict[str, Any]:
        """The weights of a training without some folds, in the form of the weights file."""
        return {
            "format": FORMAT,
            "first": exported(self.first_pass(left_out), NAMES),
            "second": exported(self.second_pass(left_out), OF_SECOND),
            "kinds": kinds.exported(self.kinds(left_out)),
        }

    def first_pass(self, left_out: frozenset[int]) -> Any:
        """The trees of the first pass."""
        shown = [one for one in self.shown if self.fold(one) not in left_out]
        return self._kept(
            "first", left_out, self.first, lambda: boosted(shown, (one.rows for one in shown), WAYS, self.first)
        )

    def kinds(self, left_out: frozenset[int], but: frozenset[int] = frozenset()) -> Any:
        """The trees for the kind of page, trained on results of first passes for folds they were not trained on.

        The folds in `but` are not used either, but first passes may have been trained on them.
        """
        return self._kept("kinds", left_out, (self.first, but), lambda: self._kinds(left_out, but))

    def _kinds(self, left_out: frozenset[int], but: frozenset[int]) -> Any:
        unseen = [one for fold, one in self._unseen(left_out).items() if fold not in but]
        return kinds.fitted(
            [one for part in unseen for one in part.shown], [page for part in unseen for page in part.pages]
        )

    def second_pass(self, left_out: frozenset[int]) -> Any:
        """The trees of the second pass, trained on results of first passes for folds they were not trained on."""
        return self._kept("second", left_out, (self.first, self.second), lambda: self._second_pass(left_out))

    def _second_pass(self, left_out: frozenset[int]) -> Any:
        shown: list[Examples] = []
        tables: list[Matrix] = []
        for fold, part in self._unseen(left_out).items():
            shown += part.shown
            tables += part.rows(self.kinds(left_out, frozenset({fold})))
        ways = (*(0 for _ in SHARED), *(feature.way for feature in FEATURES), *(0 for _ in AROUND_COLUMNS))
        return boosted(shown, tables, ways, self.second)

    def _unseen(self, left_out: frozenset[int]) -> dict[int, "Unseen"]:
        """For each fold that is not left out, the results of a first pass trained without it."""
        return self._once(("unseen", left_out), lambda: self._see(left_out))  # type: ignore[no-any-return]

    def _see(self, left_out: frozenset[int]) -> dict[int, "Unseen"]:
        folds = {fold: [one for one in self.shown if self.fold(one) == fold] for fold in self.folds}
        return {
            fold: Unseen.by(self.first_pass(left_out | {fold}), shown)
            for fold, shown in folds.items()
            if shown and fold not in left_out
        }

    def _kept(self, name: str, left_out: frozenset[int], recipe: object, make: Callable[[], Any]) -> Any:
        """Trees trained without these folds, from the cache or trained now."""
        import lightgbm  # type: ignore[import-not-found,import-untyped,unused-ignore]

        folds = str(self.assignment), str(list(self.folds)), str(sorted(left_out))
        parts = (self.key, lightgbm.__version__, *folds, repr(recipe))

        def read() -> Any:
            text = remembered(self.cache, name, digest(parts), lambda: make().model_to_string())
            return lightgbm.Booster(model_str=text)

        return self._once((name, left_out, recipe), read)

    def _once(self, name: object, make: Callable[[], Any]) -> Any:
        """A result computed once in this run."""
        key = self.assignment, name
        if key not in self.memory:
            self.memory[key] = make()
        return self.memory[key]


@dataclass(frozen=True)
class Unseen:
    """Results of a first pass for examples it was not trained on: probabilities of regions, and figures of pages."""

    shown: Sequence[Examples]
    first: Sequence["array[float]"]
    pages: Sequence["array[float]"]

    @classmethod
    def by(cls, first: Any, shown: Sequence[Examples]) -> "Unseen":
        """Applies the trees of a first pass."""
        every = probabilities(first, np.concatenate([one.rows for one in shown]))
        parts = np.split(every, np.cumsum([len(one.rows) for one in shown])[:-1])
        found = [array("d", part) for part in parts]
        pages = [seen(one.regions, one.figures, own) for one, own in zip(shown, found, strict=True)]
        return cls(shown, found, pages)

    def rows(self, of_kinds: Any) -> Iterator[Matrix]:
        """The rows of the second pass; `of_kinds` are the trees for the kind of page."""
        likely = kinds.likely(of_kinds, self.shown, self.pages)
        for one, first, page, kind in zip(self.shown, self.first, self.pages, likely, strict=True):
            found = around(one.regions, one.figures, first, page, kind)
            own = np.array(found.rows, np.float32).reshape(len(first), -1)
            yield np.hstack([np.tile(np.array(found.site, np.float32), (len(own), 1)), own])


def training(data: Path, cache: Path | None, assignment: int = 0) -> Training:
    """A `Training` on all data."""
    here = Path(__file__).parent
    key = [*code(), *(state(file) for _, files, _ in datasets(data) for file in files)]
    key += [(here / name).read_text("utf-8") for name in ("train.py", "boosting.py", "kinds.py")]
    return Training(all_examples(data, cache), assignment, cache=cache, key=digest(key))


def written(weights: Mapping[str, Any]) -> str:
    """The weights as JSON with a line for each tree, sealed: a change is noticed when they are loaded."""
    lines = []
    for name, value in weights.items():
        if name in PASSES:
            trees = ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in value["trees"])
            head = json.dumps({key: one for key, one in value.items() if key != "trees"})
            lines.append(f'"{name}": {head[:-1]}, "trees": [\n{trees}\n]}}')
        elif name == "kinds":
            forests = ",\n".join(
                f"{json.dumps(kind)}: {json.dumps(own, separators=(',', ':'))}" for kind, own in value.items()
            )
            lines.append(f'"{name}": {{\n{forests}\n}}')
        else:
            lines.append(f'"{name}": {json.dumps(value)}')
    return sealed("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    """Trains on all examples that may be used, and writes the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, help="the file for the weights")
    parser.add_argument("--cache", type=Path, help="a folder to keep rows and trees in")
    options = parser.parse_args()
    text = written(training(options.data, options.cache).weights())
    with written_whole(options.output) as file:
        file.write(text)
    print(f"{options.output}: {len(text):,} bytes")


if __name__ == "__main__":
    main()
