"""Trains the forest that predicts the quality of a result, and prints how good its predictions are.

    python training/quality.py DATA --weights FOLDER [--cache FOLDER] [-o WEIGHTS]

FOLDER has the weights and figures of each fold, as training/accuracy.py writes them: so every site and page has an F1
that was measured with weights which were not trained on it. The quality of each fold is predicted by a forest that was
trained on the other folds. -o adds a forest that was trained on all folds to a weights file. Sets with fields alone are
left out, and brands that may not be trained on are only predicted.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np  # type: ignore[import-not-found,unused-ignore]
from accuracy import figures_file
from boosting import RECORDS, Recipe, exported
from rows import Examples, Matrix, all_examples
from train import written

from dehusk.base.files import written_whole
from dehusk.bench.evaluation.datasets import FOLDS, fold_of_brand
from dehusk.bench.evaluation.measures import SCORED, weights_file
from dehusk.methods.evidence.judging import settled
from dehusk.methods.evidence.model import SEAL, model_of
from dehusk.methods.evidence.quality import OF_QUALITY

FOREST = Recipe(trees=100, leaves=8, rate=0.06, features=0.3, bagged=0.7, least_rows=20, bins=63)

GOOD = 0.7
"""Pages below this F1 should be found among those with the lowest quality."""

TENTHS = 10


@dataclass(frozen=True, slots=True)
class Measured:
    """A site or page: its set, fold, columns and F1; the number of scored pages; whether it may be trained on."""

    dataset: str
    fold: int
    columns: Sequence[float]
    f1: float
    weight: int
    may_train: bool


def all_measured(examples: Iterable[Examples], folder: Path) -> Iterator[Measured]:
    """The sites and pages that were scored, with the columns that their quality is predicted from."""
    by_fold: dict[int, list[Examples]] = {fold: [] for fold in range(FOLDS)}
    for one in examples:
        if one.whole and len(one.numbers) and one.source.dataset not in RECORDS:
            by_fold[fold_of_brand(one.source.owner, 0)].append(one)
    for fold, shown in by_fold.items():
        weights = weights_file(folder, 0, fold)
        model = model_of(json.loads(weights.read_text("utf-8")))
        figures = json.loads(figures_file(weights).read_text("utf-8"))
        for one in shown:
            dataset = one.source.dataset
            scored = figures.get("pages" if dataset.startswith("pages-") else dataset, {}).get(one.source.name)
            if scored:
                row = settled(model, one.regions, one.figures).columns
                weight = min(SCORED, one.regions.count) if dataset in figures else 1
                yield Measured(dataset, fold, row, scored[2], weight, one.may_train)


def fitted(shown: Sequence[Measured]) -> Any:
    """Trains the forest."""
    import lightgbm  # type: ignore[import-not-found,import-untyped,unused-ignore]

    rows, label = np.array([one.columns for one in shown]), [one.f1 for one in shown]
    data = lightgbm.Dataset(rows, label, weight=[one.weight for one in shown])
    return lightgbm.train(FOREST.parameters([0] * len(OF_QUALITY)) | {"objective": "regression"}, data, FOREST.trees)


def predicted(measured: Sequence[Measured]) -> Matrix:
    """The quality of each site or page, by a forest that was trained on the other folds."""
    found = np.zeros(len(measured))
    for fold in range(FOLDS):
        model = fitted([one for one in measured if one.fold != fold and one.may_train])
        own = [number for number, one in enumerate(measured) if one.fold == fold]
        found[own] = np.clip(model.predict(np.array([measured[number].columns for number in own])), 0, 1)
    return found


def show(name: str, quality: Matrix, f1: Matrix) -> None:
    """Prints how far expected and measured F1 are apart in each tenth, and how many bad pages are found."""
    order = np.argsort(quality, kind="stable")
    parts = [part for part in np.array_split(order, TENTHS) if len(part)]
    apart = [abs(quality[part].mean() - f1[part].mean()) for part in parts]
    most = max(1, len(order) // TENTHS)
    bad = int((f1 < GOOD).sum())
    hit = int((f1[order[:most]] < GOOD).sum())
    wanted = min(bad, most)
    print(
        f"{name:16s} {len(order):5d} pages, {bad} below {GOOD}; apart at most {max(apart):.3f}; "
        f"of the {most} with the lowest quality {hit} are below: {hit / wanted if wanted else 1:.2f} of {wanted}",
        flush=True,
    )


def show_tenths(quality: Matrix, f1: Matrix) -> None:
    """Prints the expected and the measured F1 of each tenth."""
    parts = np.array_split(np.argsort(quality, kind="stable"), TENTHS)
    for name, numbers in (("expected", quality), ("measured", f1)):
        print(f"| {name} |", " | ".join(f"{fmean(numbers[part]):.3f}" for part in parts), "|", flush=True)


def repeated(measured: Sequence[Measured], of: Callable[[int], float]) -> Matrix:
    """A number of each page: a site counts as often as it has scored pages."""
    return np.array([of(number) for number, one in enumerate(measured) for _ in range(one.weight)])


def main() -> None:
    """Prints the tables, and adds the forest to the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--weights", type=Path, required=True, help="the folder of training/accuracy.py")
    parser.add_argument("--cache", type=Path, help="a folder to keep rows in")
    parser.add_argument("-o", "--output", type=Path, help="the weights file to add the forest to")
    options = parser.parse_args()
    measured = list(all_measured(all_examples(options.data, options.cache), options.weights))
    found = predicted(measured)
    quality, f1 = repeated(measured, found.__getitem__), repeated(measured, lambda number: measured[number].f1)
    sets = np.array([one.dataset for one in measured for _ in range(one.weight)])
    show_tenths(quality, f1)
    show("all", quality, f1)
    for name in sorted(set(sets)):
        show(name, quality[sets == name], f1[sets == name])
    if options.output:
        weights = json.loads(options.output.read_text("utf-8"))
        weights["quality"] = exported(fitted([one for one in measured if one.may_train]), OF_QUALITY)
        weights.pop(SEAL, None)
        with written_whole(options.output) as file:
            file.write(written(weights))


if __name__ == "__main__":
    main()
