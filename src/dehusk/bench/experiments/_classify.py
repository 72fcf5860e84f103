"""Classification before and after cleaning (Yi et al. 2003, section 4.2.2; Vieira et al. 2006, section 6.2.2)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import combinations, product
from statistics import fmean
from typing import Any, NamedTuple

from dehusk.base.errors import SourceError
from dehusk.bench._mining import (
    ALONE,
    FIELDS_ALONE,
    FIELDS_NOTE,
    TEMPLATE_ALONE,
    VERTICALS,
    Corpus,
    corpora,
    gain,
    told,
)
from dehusk.bench._results import CLASSIFICATION, Cell, ExperimentResult, Plot, Table
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import ORIGINAL, Cache, measuring_version
from dehusk.methods import DEFAULT

CONFIGURATIONS = (1, 2, 3)
SHOWN_CLEANERS = (ORIGINAL, "style-tree", "rtdm", DEFAULT)


class PairOfCategories(NamedTuple):
    """Pages to train on and to test on, of two categories."""

    first: str
    second: str
    training: list[int]
    test: list[int]


Scores = dict[str, list[float]]
"""F and accuracy of each task, by configuration and pair of categories."""


def run(bench: Bench) -> ExperimentResult:
    """Trains and tests on all pairs of categories and sites, as each cleaner leaves the pages."""
    parts = corpora(bench, "classify")
    found = {name: _measured(bench, pages) for name, pages in parts.items()}
    cases = [(name, number) for name, by in found.items() for number in CONFIGURATIONS if by[ORIGINAL][str(number)]]
    if not cases:
        raise SourceError(
            f"classify: {bench.data.root} has too few sites of a category to train on some and test on others"
        )
    several = sorted(site for site, _ in _of_several(parts[VERTICALS]))
    return ExperimentResult(
        [_said(found[name], name, number) for name, number in cases],
        [table(found[name], name, number) for table in (_overall, _pairs) for name, number in cases],
        [_plot(by, name) for name, by in found.items()],
        [
            "Words are counted, and F is the mean of the F of both categories, over all pairs of sites.",
            f"By vertical, most sites have one category alone; those with several are {', '.join(several) or 'none'}.",
            f"So a template tells the category: the row '{TEMPLATE_ALONE}' is trained and tested on nothing else.",
            FIELDS_NOTE,
            "By a field of a vertical, each site has pages of several categories in one template, as in the papers.",
            "Yi et al. print 0.918 as F of original pages in configuration 1; the mean of the rows above it is 0.925.",
        ],
        used=parts[VERTICALS].used,
        figures={"scores": found},
    )


def _measured(bench: Bench, pages: Corpus) -> dict[str, dict[str, Scores]]:
    found = {}
    cleaners = [*pages.texts, TEMPLATE_ALONE, FIELDS_ALONE]
    for done, cleaner in enumerate(cleaners):
        bench.progress("naive Bayes", done, len(cleaners))
        own = {TEMPLATE_ALONE: ["rtdm"], FIELDS_ALONE: []}.get(cleaner, [cleaner])
        texts = [pages.texts[one] for one in (ORIGINAL, *own)]
        key = (measuring_version(), cleaner, pages.category, pages.site, pages.fields, texts)
        found[cleaner] = Cache(bench.settings.cache).of(partial(classified, pages, cleaner), "classify", *key)
    return found


def tasks(pages: Corpus, configuration: int) -> Iterator[PairOfCategories]:
    """All that is trained and tested, by the configuration of sites (2003, section 4.2.2)."""
    of: dict[tuple[str, str], list[int]] = defaultdict(list)
    for page, key in enumerate(zip(pages.category, pages.site, strict=True)):
        of[key].append(page)
    sites = list(dict.fromkeys(pages.site))
    for first, second in combinations(pages.categories, 2):
        for one, other in product(sites, sites):
            if (one == other) != (configuration == 1) or not of[first, one] or not of[second, other]:
                continue
            training = [*of[first, one], *of[second, other]]
            out = (
                set(training)
                if configuration == 3
                else {p for c in (first, second) for s in (one, other) for p in of[c, s]}
            )
            test = [
                page for page, category in enumerate(pages.category) if category in (first, second) and page not in out
            ]
            if {pages.category[page] for page in test} == {first, second}:
                yield PairOfCategories(first, second, training, test)


def classified(pages: Corpus, cleaner: str) -> dict[str, Scores]:
    """By configuration, F and accuracy of each task, by the pair of categories."""
    counts, bayes = pages.counts(cleaner), import_module("sklearn.naive_bayes")
    found: dict[str, Scores] = {}
    for configuration in CONFIGURATIONS:
        scores: dict[str, list[Any]] = defaultdict(list)
        for task in tasks(pages, configuration):
            model = bayes.MultinomialNB().fit(counts[task.training], [pages.category[page] for page in task.training])
            said = model.predict(counts[task.test]).tolist()
            scores[f"{task.first} {task.second}"].append(
                f_and_accuracy([pages.category[page] for page in task.test], said)
            )
        found[str(configuration)] = dict(scores)
    return found


def f_and_accuracy(right: Sequence[str], said: Sequence[str]) -> tuple[float, float]:
    """The mean F over the categories, and the share that is right."""
    both = list(zip(right, said, strict=True))
    scores = []
    for name in sorted(set(right)):
        common = sum(one == other == name for one, other in both)
        scores.append(2 * common / (list(right).count(name) + list(said).count(name)))
    return fmean(scores), fmean(one == other for one, other in both)


def _of_several(pages: Corpus) -> Iterator[tuple[str, set[str]]]:
    of = defaultdict(set)
    for category, site in zip(pages.category, pages.site, strict=True):
        of[site].add(category)
    return ((site, categories) for site, categories in of.items() if len(categories) > 1)


def _means(scores: Scores) -> tuple[float, float]:
    """F and accuracy, means over pairs of categories, each the mean over pairs of sites."""
    pairs = [[fmean(column) for column in zip(*some, strict=True)] for some in scores.values()]
    f, accuracy = (fmean(column) for column in zip(*pairs, strict=True))
    return f, accuracy


def _overall(found: dict[str, dict[str, Scores]], name: str, number: int) -> Table:
    before = _means(found[ORIGINAL][str(number)])
    rows: list[list[Cell]] = []
    for cleaner, scores in found.items():
        f, accuracy = _means(scores[str(number)])
        rows.append([cleaner, f, gain(before[0], f), accuracy, gain(before[1], accuracy)])
    count = sum(map(len, found[ORIGINAL][str(number)].values()))
    columns = ["cleaner", "F", "gain of F", "accuracy", "gain of accuracy"]
    title = f"{name}: configuration {number}, {count} trainings (2003, Tables 3 and 4; 2006, Tables 4 to 6)"
    return Table(title, columns, rows, paper=CLASSIFICATION[number])


def _pairs(found: dict[str, dict[str, Scores]], name: str, number: int) -> Table:
    cleaners = [one for one in SHOWN_CLEANERS if one in found]
    rows: list[list[Cell]] = []
    for pair in found[ORIGINAL][str(number)]:
        means = [[fmean(column) for column in zip(*found[one][str(number)][pair], strict=True)] for one in cleaners]
        rows.append([pair, *(f for f, _ in means), *(accuracy for _, accuracy in means)])
    columns = ["categories", *(f"F, {one}" for one in cleaners), *(f"accuracy, {one}" for one in cleaners)]
    return Table(f"{name}: configuration {number} by pair of categories", columns, rows)


def _said(found: dict[str, dict[str, Scores]], name: str, number: int) -> str:
    f, accuracy = _means(found[ORIGINAL][str(number)])
    after = {one: _means(scores[str(number)]) for one, scores in found.items() if one not in {ORIGINAL, *ALONE}}
    better = [one for one, (f_after, a_after) in after.items() if f_after > f and a_after > accuracy]
    before = f"{name}, configuration {number}: F {f:.3f} and accuracy {accuracy:.3f} before cleaning."
    return f"{before} Both are higher after cleaning by {told(better, list(after))}."


def _plot(found: dict[str, dict[str, Scores]], name: str) -> Plot:
    used = [number for number in CONFIGURATIONS if found[ORIGINAL][str(number)]]
    shown = {one: scores for one, scores in found.items() if one != FIELDS_ALONE}  # it would make the others look alike
    bars = {one: [(k, _means(scores[str(n)])[0]) for k, n in enumerate(used)] for one, scores in shown.items()}
    return Plot(f"F by configuration, {name}", "bars", "", "F", bars, ticks=[f"configuration {one}" for one in used])
