"""Prints the accuracy of the default method on kinds of pages, and generators of manuals, that it has never seen.

    python training/left_out.py DATA --score SCORE [--cache FOLDER] [--weights FOLDER] [NAME ...]

A kind is left out of training as a whole: its sites, and the single pages of that kind. The weights are then scored on
all of it. It is the measure for pages of a kind that nobody thought of. The options are those of training/accuracy.py.
"""

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from accuracy import Figures, Scored, all_scored, figures_file, means, run_scorer
from boosting import RECORDS
from rows import Examples
from train import Training, training, written

from dehusk.base.files import written_whole
from dehusk.bench.evaluation.datasets import SELECTED, site_folders

FOLDS = (0, 1)
"""The folds that the second pass is trained on: fewer than for the shipped weights, to save time."""

GENERATORS = ("DocBook", "Doxygen", "Javadoc", "Sphinx")
"""The generators of manuals that several sites use."""

IsOf = Callable[[str, str, str | None], bool]
"""Whether something is of a kind, by its set, its name and its kind of page."""

KINDS: Mapping[str, IsOf] = {
    "manuals": lambda dataset, _, kind: dataset in SELECTED or kind == "documentation",
    "forums": lambda dataset, _, kind: dataset == "news-forum" or kind == "forum",
    "recipes": lambda dataset, *_: dataset == "pages-recipes",
    "records": lambda dataset, _, kind: dataset in RECORDS or kind == "product",
    "Chinese": lambda dataset, name, _: dataset == "news-daniel" and name.endswith("-ch"),
}


def left_out(data: Path) -> Iterator[tuple[str, IsOf]]:
    """Everything that is left out in turn, with its name."""
    yield from KINDS.items()
    sites: dict[str, set[str]] = defaultdict(set)
    for dataset, name, folder in site_folders(data):
        if dataset in SELECTED:
            generator = json.loads((folder / "site.json").read_text("utf-8"))["generator"].split()[0]
            sites[generator].add(name)
    for generator in GENERATORS:
        own = sites[generator]
        yield generator, lambda dataset, name, _, own=own: dataset in SELECTED and name.rpartition("/")[2] in own  # type: ignore[misc]


def trained_without(trained: Training, name: str, is_of: IsOf) -> Training:
    """The training without a kind."""

    def is_left_out(one: Examples) -> bool:
        return is_of(one.source.dataset, one.source.name, one.kind)

    kept = [one for one in trained.examples if not is_left_out(one)]
    return replace(trained, examples=kept, folds=FOLDS, key=f"{trained.key} without {name}", memory={})


def lines(name: str, figures: Figures, scored: Iterable[Scored]) -> Iterator[str]:
    """A line for each set: how many sites or pages, and the means."""
    of_page = {one.name: one.dataset for one in scored if one.is_page}
    found: Figures = defaultdict(dict)
    for dataset, by_name in figures.items():
        for own, numbers in by_name.items():
            found[of_page[own] if dataset == "pages" else dataset][own] = numbers
    for dataset, by_name in sorted(found.items()):
        mean = means(by_name.values())
        figure = f"fields {mean[0]:.3f} of {mean[1]:.2f}" if dataset in RECORDS else f"F1 {mean[2]:.3f}"
        yield f"without {name:10s} {dataset:16s} {len(by_name):4d}  {figure}"


def main() -> None:
    """Trains without each kind, and prints the figures of what was left out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*", help="what to leave out; default: everything in turn")
    parser.add_argument("--score", type=Path, required=True, help="the scorer")
    parser.add_argument("--cache", type=Path, help="a folder to keep rows and trees in")
    parser.add_argument("--weights", type=Path, help="a folder to keep weights and figures in")
    options = parser.parse_args()
    scored = list(all_scored(options.data))
    trained = training(options.data, options.cache)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.weights or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, is_of in left_out(options.data):
            if options.names and name not in options.names:
                continue
            file = folder / f"without-{name}.json"
            if not file.exists():
                with written_whole(file) as out:
                    out.write(written(trained_without(trained, name, is_of).weights()))
            if not figures_file(file).exists():
                run_scorer(options, file, [one for one in scored if is_of(one.dataset, one.name, one.kind)], body=False)
            for line in lines(name, json.loads(figures_file(file).read_text("utf-8")), scored):
                print(line, flush=True)


if __name__ == "__main__":
    main()
