"""Clustering before and after cleaning (Yi et al. 2003, section 4.2.1; Vieira et al. 2006, section 6.2.1)."""

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from statistics import fmean
from typing import Any

from dehusk.bench.cache import Cache
from dehusk.bench.cleaning import ORIGINAL, code_version
from dehusk.bench.mining import Corpus, corpus, gain
from dehusk.bench.papers import CLUSTERING
from dehusk.bench.results import Cell, Plot, Result, Table
from dehusk.bench.work import Bench
from dehusk.methods import DEFAULT

BINS = 10
SHOWN = (ORIGINAL, "pagelets", "style-tree", "rtdm", DEFAULT)
"""What the histogram shows: all would hide each other."""


def run(bench: Bench) -> Result:
    """Clusters all pages many times, as each cleaner leaves them."""
    pages = corpus(bench, "cluster")
    runs = bench.limit(bench.runs) or bench.runs
    found: dict[str, list[float]] = {}
    for done, cleaner in enumerate(pages.texts):
        bench.progress("k-means", done, len(pages.texts))
        make = partial(clustered, pages, cleaner, runs, bench.seed)
        key = (code_version(frozenset({"cli", "viewer"})), runs, bench.seed, pages.category, pages.texts[cleaner])
        found[cleaner] = Cache(bench.settings.cache).of(make, "cluster", *key)
    before = fmean(found[ORIGINAL])
    rows = [_row(cleaner, scores, before) for cleaner, scores in found.items()]
    bars = {one: [(k, share) for k, share in enumerate(_histogram(found[one]))] for one in SHOWN}
    ticks = [f"{k / BINS:.1f}" for k in range(BINS)]
    better = [str(row[0]) for row in rows if float(row[1] or 0) > before]
    higher = ", ".join(better) or "no method"
    return Result(
        [
            f"{len(pages.category)} pages of {len(set(pages.site))} sites in {len(pages.categories)} categories.",
            f"The mean F of {runs} runs is {before:.3f} before cleaning. It is higher after cleaning by {higher}.",
        ],
        [Table("k-means (2003, Table 2; 2006, Table 2)", _COLUMNS, rows, _NOTE, CLUSTERING)],
        [Plot("Runs by F (2003, Figure 9; 2006, Figure 8)", "bars", "F", "share of runs", bars, ticks=ticks)],
        used=pages.used,
        figures={"F of each run": found},
    )


_COLUMNS = ["cleaner", "mean F", "gain", "F < 0.5", "F ≥ 0.7", "F ≥ 0.8", "F ≥ 0.9"]
_NOTE = (
    "F is the mean over categories with the best assignment of clusters to categories. Pages are vectors of words, "
    "weighed by TF-IDF and of length 1. The first centres are random pages. "
    "The papers' pages are of five categories that five shops all sell. Where most sites have one category, as here, "
    "a site's template helps to tell categories apart."
)


def clustered(pages: Corpus, cleaner: str, runs: int, seed: int) -> list[float]:
    """The F of each run."""
    sklearn = import_module("sklearn.cluster")
    weighed = import_module("sklearn.feature_extraction.text").TfidfTransformer().fit_transform(pages.counts(cleaner))
    scores = []
    for number in range(runs):
        means = sklearn.KMeans(len(pages.categories), init="random", n_init=1, random_state=1000 * seed + number)
        scores.append(best_f(pages.category, means.fit_predict(weighed)))
    return scores


def best_f(categories: Sequence[str], clusters: Sequence[Any]) -> float:
    """The mean F over categories, each with a cluster of its own, for the assignment where it is highest."""
    names, numbers = sorted(set(categories)), sorted(set(clusters))
    score = [[_f(categories, clusters, name, number) for number in numbers] for name in names]
    chosen = import_module("scipy.optimize").linear_sum_assignment(score, maximize=True)
    return float(sum(score[row][column] for row, column in zip(*chosen, strict=True)) / len(names))


def _f(categories: Sequence[str], clusters: Sequence[Any], name: str, number: Any) -> float:
    both = sum(one == name and bool(other == number) for one, other in zip(categories, clusters, strict=True))
    return 2 * both / (list(categories).count(name) + list(clusters).count(number))


def _row(cleaner: str, scores: Sequence[float], before: float) -> list[Cell]:
    shares = [sum(f >= least for f in scores) / len(scores) for least in (0.7, 0.8, 0.9)]
    mean = fmean(scores)
    return [cleaner, mean, gain(before, mean), sum(f < 0.5 for f in scores) / len(scores), *shares]


def _histogram(scores: Sequence[float]) -> list[float]:
    places = [min(int(f * BINS), BINS - 1) for f in scores]
    return [places.count(k) / len(places) for k in range(BINS)]
