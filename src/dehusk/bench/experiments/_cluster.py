"""Clustering before and after cleaning (Yi et al. 2003, section 4.2.1; Vieira et al. 2006, section 6.2.1)."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from statistics import fmean
from typing import Any

from dehusk.bench._mining import (
    ALONE,
    FIELDS_ALONE,
    FIELDS_NOTE,
    VERTICALS,
    Corpus,
    corpora,
    gain,
    named_cleaners,
    outlined,
)
from dehusk.bench._results import CLUSTERING, Cell, ExperimentResult, Plot, Table
from dehusk.bench.evaluation.measures import BETTER, TIE, bootstrap, verdict
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import ORIGINAL, Cache, measuring_version
from dehusk.methods import DEFAULT

BINS = 10
SHOWN_CLEANERS = (ORIGINAL, "pagelets", "style-tree", "rtdm", DEFAULT)
"""Cleaners in the histogram: more would be unreadable."""


Runs = Sequence[tuple[float, float]]
"""F of each run, and how much its clusters follow the sites."""


def run(bench: Bench) -> ExperimentResult:
    """Clusters the pages many times, after each cleaner."""
    runs = bench.limit(bench.runs) or bench.runs
    parts = corpora(bench, "cluster")
    by_corpus = {name: _measured(bench, pages, runs) for name, pages in parts.items()}
    ticks = [f"{k / BINS:.1f}" for k in range(BINS)]
    tables, plots = [], []
    for name, scores in by_corpus.items():
        before = [f for f, _ in scores[ORIGINAL]]
        rows = [_row(cleaner, own, before) for cleaner, own in scores.items()]
        tables.append(Table(f"k-means, {name} (2003, Table 2; 2006, Table 2)", _FIGURES, rows, paper=CLUSTERING))
        bars = {cleaner: list(enumerate(_histogram(scores[cleaner]))) for cleaner in SHOWN_CLEANERS}
        plots.append(_means(name, scores))
        plots.append(Plot(f"Runs by F, {name} (2003, Figure 9)", "bars", "F", "share of runs", bars, ticks=ticks))
    return ExperimentResult(
        [_said(name, parts[name], scores, runs) for name, scores in by_corpus.items()],
        tables,
        plots,
        _NOTES,
        used=parts[VERTICALS].used,
        figures={"F of each run, and how its clusters follow sites": by_corpus},
    )


def _means(name: str, scores: dict[str, Runs]) -> Plot:
    """The mean F of each cleaner, with the interval of the mean over the runs, and those of the papers."""
    series = {cleaner: [(0.0, fmean(f for f, _ in runs))] for cleaner, runs in scores.items()}
    intervals = {cleaner: [bootstrap([f for f, _ in runs])[1:]] for cleaner, runs in scores.items()}
    title = f"Mean F of the runs with 95% intervals, {name} (2003 and 2006, Table 2)"
    paper = {mark: [point] for mark, point in outlined(0.0, CLUSTERING)}
    return Plot(title, "bars", "", "F", series, ticks=[name], paper=paper, intervals=intervals)


def _measured(bench: Bench, pages: Corpus, runs: int) -> dict[str, Runs]:
    by_cleaner: dict[str, Runs] = {}
    cleaners = [*pages.texts, FIELDS_ALONE]
    for done, cleaner in enumerate(cleaners):
        bench.progress("k-means", done, len(cleaners))
        make = partial(clustered, pages, cleaner, runs, bench.seed)
        own = pages.fields if cleaner == FIELDS_ALONE else pages.texts[cleaner]
        key = (measuring_version(), runs, bench.seed, pages.category, pages.site, own)
        by_cleaner[cleaner] = Cache(bench.settings.cache).of(make, "cluster", *key)
    return by_cleaner


def _said(name: str, pages: Corpus, scores: dict[str, Runs], runs: int) -> str:
    before = [f for f, _ in scores[ORIGINAL]]
    cleaners = [cleaner for cleaner in scores if cleaner not in {ORIGINAL, *ALONE}]
    changes = {cleaner: [f - old for (f, _), old in zip(scores[cleaner], before, strict=True)] for cleaner in cleaners}
    verdicts = {cleaner: verdict(bootstrap(change)) for cleaner, change in changes.items()}
    better = [cleaner for cleaner in cleaners if verdicts[cleaner] == BETTER]
    tied = [cleaner for cleaner in cleaners if verdicts[cleaner] == TIE]
    sizes = ", ".join(f"{count} {category}" for category, count in Counter(pages.category).most_common())
    size = f"{len(pages.category)} pages of {len(set(pages.site))} sites ({sizes})"
    mean = f"the mean F of {runs} runs is {fmean(before):.3f} before cleaning"
    ties = f"; a tie after cleaning by {named_cleaners(tied, cleaners)}" if tied else ""
    return f"{name}: {size}; {mean}, and higher after cleaning by {named_cleaners(better, cleaners)}{ties}."


_FIGURES = ["cleaner", "mean F", "gain", "F < 0.5", "F ≥ 0.7", "F ≥ 0.8", "F ≥ 0.9", "above all before", "sites"]
_NOTES = [
    "A tie is a difference to the runs before cleaning whose 95% interval includes 0; runs of a number begin alike.",
    "F is the mean over categories with the best assignment of clusters to categories.",
    "'above all before' is the share of runs with a higher F than any run before cleaning (2006, section 6.2.1).",
    FIELDS_NOTE,
    "'sites' is the normalized mutual information of clusters and sites: how much clusters follow sites.",
    "Pages are TF-IDF vectors of words, normalized to length 1. The initial centres are random pages.",
    "In the papers, five shops all have pages of the same five categories. By vertical, most sites have just one.",
]


def clustered(pages: Corpus, cleaner: str, runs: int, seed: int) -> list[tuple[float, float]]:
    """F of each run, and how much the clusters follow the sites, from 0 to 1."""
    sklearn, metrics = import_module("sklearn.cluster"), import_module("sklearn.metrics")
    weighed = import_module("sklearn.feature_extraction.text").TfidfTransformer().fit_transform(pages.counts(cleaner))
    scores = []
    for number in range(runs):
        means = sklearn.KMeans(len(pages.categories), init="random", n_init=1, random_state=1000 * seed + number)
        clusters = means.fit_predict(weighed)
        by_site = metrics.normalized_mutual_info_score(pages.site, clusters)
        scores.append((best_f(pages.category, clusters), float(by_site)))
    return scores


def best_f(categories: Sequence[str], clusters: Sequence[Any]) -> float:
    """The mean F over categories, for the best one-to-one assignment of clusters to categories."""
    names, numbers = sorted(set(categories)), sorted(set(clusters))
    score = [[_f(categories, clusters, name, number) for number in numbers] for name in names]
    chosen = import_module("scipy.optimize").linear_sum_assignment(score, maximize=True)
    return float(sum(score[row][column] for row, column in zip(*chosen, strict=True)) / len(names))


def _f(categories: Sequence[str], clusters: Sequence[Any], name: str, number: Any) -> float:
    both = list(zip(categories, clusters, strict=True)).count((name, number))
    return 2 * both / (list(categories).count(name) + list(clusters).count(number))


def _row(cleaner: str, runs: Runs, before: Sequence[float]) -> list[Cell]:
    scores = [f for f, _ in runs]
    mean = fmean(scores)
    return [
        cleaner,
        mean,
        gain(fmean(before), mean),
        fmean(f < 0.5 for f in scores),
        *(fmean(f >= least for f in scores) for least in (0.7, 0.8, 0.9)),
        fmean(f > max(before) for f in scores),
        fmean(s for _, s in runs),
    ]


def _histogram(runs: Runs) -> list[float]:
    places = [min(int(f * BINS), BINS - 1) for f, _ in runs]
    return [places.count(k) / len(places) for k in range(BINS)]
