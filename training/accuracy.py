"""How good the default method is on sites that it was not trained on, through the command line.

    python training/accuracy.py DATA --score SCORE [--weights FOLDER] [--json FILE]

For each assignment of sites to five folds it trains without each fold and has the scorer run `dehusk clean --weights`
on that fold's sites. Folds leave out whole sites, those of one brand together. SCORE is a script that takes DATA,
--cmd, --list and --json, and prints what the README calls the score.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean

from train import Examples, one_thread, shown_sites, train, written

from dehusk.evaluation.datasets import FOLDS, Site, fold, sites

ASSIGNMENTS = 5
AT_ONCE = 2
Process = get_context("fork").Process  # the examples are large, and are not sent but shared

Scores = dict[str, dict[str, list[float]]]  # of each set, of each site: precision, recall, F1; or fields and text kept


def listed(site: Site) -> str:
    """A site as the scorer's list names it."""
    return f"{site.kind.partition('-')[0]}/{site.name}"


def scored(options: argparse.Namespace, weights: Path, left_out: Sequence[str]) -> None:
    """Has the scorer write its figures for some sites, cleaned with some weights, beside these."""
    names, found = weights.with_suffix(".list"), weights.with_suffix(".scores")
    names.write_text("\n".join(left_out), "utf-8")
    dehusk = Path(sys.executable).with_name("dehusk")
    clean = f"{dehusk} clean {{src}} -o {{out}} --format text --quiet --jobs 1 --weights {weights}"
    job = [sys.executable, options.score, options.data, "--list", names, "--cmd", clean, "--json", found]
    subprocess.run(list(map(str, job)), check=True, stdout=subprocess.DEVNULL)


def work(
    options: argparse.Namespace, all_sites: Sequence[Site], shown: Sequence[Examples], folder: Path, part: int
) -> None:
    """Trains and scores every second fold of all assignments."""
    for number, left_out in list(product(range(options.assignments), range(FOLDS)))[part::AT_ONCE]:
        file = folder / f"{number}-{left_out}.json"
        weights = train([one for one in shown if fold(one.name, number) != left_out])
        file.write_text(written(weights), "utf-8")
        names = [listed(site) for site in all_sites if fold(site.name, number) == left_out]
        scored(options, file, names)
        cut = weights["cut"]
        text = f"assignment {number}, fold {left_out}: {len(names)} sites, cuts {cut['others']} to {cut['articles']}"
        print(text, flush=True)


def assignment(number: int, folder: Path) -> Scores:
    """The figures of every site, each from weights that never saw it."""
    found: Scores = defaultdict(dict)
    for left_out in range(FOLDS):
        for kind, by_site in json.loads((folder / f"{number}-{left_out}.scores").read_text("utf-8")).items():
            found[kind] |= by_site
    return found


def show(title: str, means: dict[str, list[float]]) -> None:
    """A line a set."""
    for kind, numbers in sorted(means.items()):
        if kind == "products":
            print(f"{title:14s} {kind:14s} fields {numbers[0]:.4f}  text {numbers[1]:.4f}", flush=True)
        else:
            print(f"{title:14s} {kind:14s} P {numbers[0]:.4f}  R {numbers[1]:.4f}  F {numbers[2]:.4f}", flush=True)


def main() -> None:
    """Prints the means of each assignment, the worst sites, and the means over assignments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--score", type=Path, required=True, help="the scorer")
    parser.add_argument("--assignments", type=int, default=ASSIGNMENTS, help="default: %(default)s")
    parser.add_argument("--weights", type=Path, help="a folder to keep the weights of each fold in")
    parser.add_argument("--json", type=Path, help="where to write the figures of each site, assignment by assignment")
    options = parser.parse_args()
    one_thread()
    all_sites = list(sites(options.data))
    shown = shown_sites(options.data)
    rounds: list[Scores] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.weights or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        jobs = [Process(target=work, args=(options, all_sites, shown, folder, part)) for part in range(AT_ONCE)]
        for job in jobs:
            job.start()
        for job in jobs:
            job.join()
        if any(job.exitcode for job in jobs):
            sys.exit("a fold failed; see above")
        for number in range(options.assignments):
            found = assignment(number, folder)
            rounds.append(found)
            show(f"assignment {number}", {kind: columns(list(by.values())) for kind, by in found.items()})
            for kind, by_site in sorted(found.items()):
                by = 0 if kind == "products" else 2
                worst = sorted((numbers[by], name) for name, numbers in by_site.items())[:5]
                print(f"  worst of {kind}:", ", ".join(f"{name} {number:.3f}" for number, name in worst), flush=True)
    show("mean", {kind: columns([columns(list(one[kind].values())) for one in rounds]) for kind in rounds[0]})
    if options.json:
        options.json.write_text(json.dumps(rounds), "utf-8")


def columns(rows: Sequence[Sequence[float]]) -> list[float]:
    """The mean of each column."""
    return [fmean(column) for column in zip(*rows, strict=True)]


if __name__ == "__main__":
    main()
