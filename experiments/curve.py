"""Prints and draws how accuracy grows with the pages to learn from.

    python experiments/curve.py DATA --weights FOLDER [-o docs/curve.svg]

DATA has the layout of dehusk.evaluation.datasets. FOLDER holds the weights that `training/accuracy.py --weights
FOLDER` kept: each site is cleaned with those of the first assignment that never saw it. It is learned from the pages
with the smallest content hashes, all where it has fewer than asked for, and the same pages are scored at each size,
learned from or not. With -o the table is drawn as well, which needs matplotlib (`pip install --group bench`).
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import dehusk
from dehusk.evaluation.datasets import FOLDS, Site, fold, sites
from dehusk.evaluation.measures import Score
from dehusk.evaluation.scoring import score, weights_file, weights_without
from dehusk.learning import pick
from dehusk.page import Page

SIZES = (2, 3, 5, 10, 20, 40)
ASSIGNMENT = 0
AT_ONCE = 2
MOVING = 3  # sites of each kind to tell of

Scores = dict[str, float]  # by column of the table


class Curve(NamedTuple):
    """A site, how many different pages it has, and its scores by the pages learned from."""

    kind: str
    name: str
    pages: int
    scores: dict[int, Scores]

    @property
    def line(self) -> list[float]:
        """F, or the share of the fields, at each size."""
        return [next(iter(scores.values())) for scores in self.scores.values()]


def measured(site: Site, folder: Path) -> Curve:
    """Learns a site from more and more pages, and scores it each time."""
    weights = weights_without(folder, fold(site.name, ASSIGNMENT), ASSIGNMENT)
    pages = pick((Page(file.read_bytes(), name=str(file)) for file in site.gold), None)
    found: dict[int, Scores] = {}
    for size in SIZES:
        template = dehusk.learn(pages[:size], method="evidence", sample=size, weights=weights)
        found[size] = columns_of(site, template)
        if size >= len(pages):  # more would be the same
            found = {one: found[min(one, size)] for one in SIZES}
            break
    return Curve(site.kind, site.name, len(pages), found)


def columns_of(site: Site, template: dehusk.Template) -> Scores:
    """The score of a site, by column of the table; none if none of its pages is scored."""
    found = score(site, lambda html: template.clean(html).text)
    if isinstance(found, Score):
        return {f"{site.kind} F": found.f1}
    return {"product fields": found.fields, "product text": found.text} if found else {}


def means(scores: Sequence[Scores]) -> Scores:
    """The mean of each column, over those that have it."""
    columns: dict[str, list[float]] = defaultdict(list)
    for one in scores:
        for name, value in one.items():
            columns[name].append(value)
    return {name: fmean(values) for name, values in columns.items()}


def show(found: Sequence[Curve], table: Mapping[int, Scores]) -> None:
    """Prints the means, how many sites have the pages at all, and the sites that move most."""
    names = list(table[SIZES[0]])
    print(" ".join([f"{'pages':>5s}", *(f"{name:>15s}" for name in names)]))
    for size, row in table.items():
        print(" ".join([f"{size:5d}", *(f"{row[name]:15.4f}" for name in names)]))
    kinds = list(dict.fromkeys(site.kind for site in found))
    print("\nsites that have as many pages")
    print(" ".join([f"{'pages':>5s}", *(f"{kind:>15s}" for kind in kinds)]))
    for size in SIZES:
        enough = Counter(site.kind for site in found if site.pages >= size)
        print(" ".join([f"{size:5d}", *(f"{enough[kind]:15d}" for kind in kinds)]))
    print("\nsites that move most: F, or the share of the fields")
    for kind in kinds:
        moving = sorted((site for site in found if site.kind == kind), key=lambda site: min(site.line) - max(site.line))
        for site in moving[:MOVING]:
            print(f"{site.kind:12s} {site.name:30s}", *(f"{value:.3f}" for value in site.line))


def draw(place: Path, table: Mapping[int, Scores], reached: Mapping[str, int]) -> None:
    """Lines for articles and manuals, and for products, each as far as some site has the pages."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams.update({"svg.hashsalt": "dehusk", "svg.fonttype": "none", "font.size": 9})
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    panels = (("F of documentation and news", False), ("share kept of product pages", True))
    for axis, (title, products) in zip(figure.subplots(1, 2), panels, strict=True):
        for name in table[SIZES[0]]:
            if name.startswith("product") == products:
                sizes = [size for size in SIZES if size <= reached[name]]
                axis.plot(sizes, [table[size][name] for size in sizes], marker="o", label=name)
        axis.set(title=title, xlabel="pages learned from", xscale="log")
        axis.set_xticks(SIZES, map(str, SIZES))
        axis.minorticks_off()
        axis.grid(alpha=0.3)
        axis.legend()
    figure.savefig(place, format="svg", metadata={"Date": None})


def main() -> None:
    """Measures, prints and draws."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--weights", type=Path, required=True, help="the folder that accuracy.py kept its weights in")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th site (%(default)s)")
    parser.add_argument("-o", "--output", type=Path, metavar="SVG", help="draw the table into this file")
    options = parser.parse_args()
    for left_out in range(FOLDS):
        if not (file := weights_file(options.weights, ASSIGNMENT, left_out)).is_file():
            sys.exit(f"no {file}; run training/accuracy.py --weights first")
    chosen = islice(sites(options.data), None, None, options.every)
    with get_context("fork").Pool(AT_ONCE) as pool:
        found = list(pool.imap(partial(measured, folder=options.weights), chosen))
    table = {size: means([site.scores[size] for site in found]) for size in SIZES}
    show(found, table)
    if options.output:
        columns = [(name, site.pages) for site in found for name in site.scores[SIZES[0]]]
        reached = {name: max(pages for one, pages in columns if one == name) for name, _ in columns}
        draw(options.output, table, reached)


if __name__ == "__main__":
    main()
