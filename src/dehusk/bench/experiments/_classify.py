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
    LEAST_PAGES,
    TEMPLATE_ALONE,
    VERTICALS,
    Corpus,
    corpora,
    gain,
    named_cleaners,
    outlined,
)
from dehusk.bench._results import CLASSIFICATION, Cell, ExperimentResult, Plot, Table
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import ORIGINAL, Cache, measuring_version
from dehusk.methods import DEFAULT

CONFIGURATIONS = (1, 2, 3)
SHOWN_CLEANERS = (ORIGINAL, "style-tree", "rtdm", DEFAULT)


class PairOfCategories(NamedTuple):
    """Training and test pages of two categories."""

    first: str
    second: str
    training: list[int]
    test: list[int]


Scores = dict[str, list[float]]
"""F and accuracy of each task, by pair of categories."""


def run(bench: Bench) -> ExperimentResult:
    """Trains and tests on all pairs of categories and sites, after each cleaner."""
    parts = corpora(bench, "classify")
    scores = {name: _measured(bench, pages) for name, pages in parts.items()}
    cases = [(name, number) for name, by in scores.items() for number in CONFIGURATIONS if by[ORIGINAL][str(number)]]
    if not cases:
        raise SourceError(
            f"classify: {bench.data.root} has too few sites of a category to train on some and test on others"
        )
    several = sorted(site for site, _ in _of_several(parts[VERTICALS]))
    return ExperimentResult(
        [
            *(_summed_up(by, name) for name, by in scores.items() if any(name == case for case, _ in cases)),
            *(_said(scores[name], name, number) for name, number in cases),
        ],
        [table(scores[name], name, number) for table in (_overall, _pairs) for name, number in cases],
        [_plot(by, name) for name, by in scores.items()],
        [
            f"Features are counts of words that are on {LEAST_PAGES} training pages or more.",
            "F is the mean F of both categories, over all pairs of sites.",
            f"By vertical, most sites have one category; those with several are {', '.join(several) or 'none'}.",
            f"So the template alone tells the category, as the row '{TEMPLATE_ALONE}' shows.",
            FIELDS_NOTE,
            "With a field value as category, each site has pages of several categories, as in the papers.",
            "Yi et al. print 0.918 as F of original pages in configuration 1; the mean of the rows above it is 0.925.",
            "Vieira et al. print gains in Table 6. In configuration 3, those of accuracy look swapped.",
        ],
        used=parts[VERTICALS].used,
        figures={"scores": scores},
    )


def _measured(bench: Bench, pages: Corpus) -> dict[str, dict[str, Scores]]:
    by_cleaner = {}
    cleaners = [*pages.texts, TEMPLATE_ALONE, FIELDS_ALONE]
    for done, cleaner in enumerate(cleaners):
        bench.progress("naive Bayes", done, len(cleaners))
        own = {TEMPLATE_ALONE: ["rtdm"], FIELDS_ALONE: []}.get(cleaner, [cleaner])
        texts = [pages.texts[name] for name in (ORIGINAL, *own)]
        key = (measuring_version(), cleaner, pages.category, pages.site, pages.fields, texts)
        by_cleaner[cleaner] = Cache(bench.settings.cache).of(partial(classified, pages, cleaner), "classify", *key)
    return by_cleaner


def tasks(pages: Corpus, configuration: int) -> Iterator[PairOfCategories]:
    """All training and test sets of a configuration of sites (2003, section 4.2.2)."""
    of: dict[tuple[str, str], list[int]] = defaultdict(list)
    for page, key in enumerate(zip(pages.category, pages.site, strict=True)):
        of[key].append(page)
    sites = list(dict.fromkeys(pages.site))
    for first, second in combinations(pages.categories, 2):
        for site, mate in product(sites, sites):
            if (site == mate) != (configuration == 1) or not of[first, site] or not of[second, mate]:
                continue
            training, both = [*of[first, site], *of[second, mate]], {first, second}
            out = set(training) if configuration == 3 else {p for c in both for s in (site, mate) for p in of[c, s]}
            test = [page for page, category in enumerate(pages.category) if category in both and page not in out]
            if {pages.category[page] for page in test} == both:
                yield PairOfCategories(first, second, training, test)


def classified(pages: Corpus, cleaner: str) -> dict[str, Scores]:
    """F and accuracy of each task, by configuration and pair of categories."""
    counts = pages.counts(cleaner, least=1)
    least = 1 if cleaner == FIELDS_ALONE else LEAST_PAGES
    by_configuration: dict[str, Scores] = {}
    for configuration in CONFIGURATIONS:
        scores: dict[str, list[Any]] = defaultdict(list)
        for task in tasks(pages, configuration):
            said = predicted(counts, [pages.category[page] for page in task.training], task, least)
            right = [pages.category[page] for page in task.test]
            scores[f"{task.first} {task.second}"].append(f_and_accuracy(right, said))
        by_configuration[str(configuration)] = dict(scores)
    return by_configuration


def predicted(counts: Any, categories: Sequence[str], task: PairOfCategories, least: int) -> list[str]:
    """Naive Bayes. Words count if they are on `least` training pages or more; test pages add none."""
    numpy, bayes = import_module("numpy"), import_module("sklearn.naive_bayes")
    training = counts[task.training]
    on_pages = numpy.asarray((training > 0).sum(axis=0)).ravel()
    columns = (on_pages >= min(least, on_pages.max())).nonzero()[0]
    model = bayes.MultinomialNB().fit(training[:, columns], categories)
    # Other words weigh nothing. This is the same as to cut them from the test pages, and faster.
    weights = numpy.zeros((counts.shape[1], len(model.classes_)))
    weights[columns] = model.feature_log_prob_.T
    likelihood = counts[task.test] @ weights + model.class_log_prior_
    return [str(model.classes_[k]) for k in likelihood.argmax(axis=1)]


def f_and_accuracy(right: Sequence[str], said: Sequence[str]) -> tuple[float, float]:
    """The mean F over the categories, and the accuracy."""
    both = list(zip(right, said, strict=True))
    scores = []
    for name in sorted(set(right)):
        common = sum(category == predicted == name for category, predicted in both)
        scores.append(2 * common / (list(right).count(name) + list(said).count(name)))
    return fmean(scores), fmean(category == predicted for category, predicted in both)


def _of_several(pages: Corpus) -> Iterator[tuple[str, set[str]]]:
    of = defaultdict(set)
    for category, site in zip(pages.category, pages.site, strict=True):
        of[site].add(category)
    return ((site, categories) for site, categories in of.items() if len(categories) > 1)


def means_of(scores: Scores) -> tuple[float, float]:
    """Mean F and accuracy over pairs of sites, then over pairs of categories."""
    pairs = [[fmean(column) for column in zip(*pair, strict=True)] for pair in scores.values()]
    f, accuracy = (fmean(column) for column in zip(*pairs, strict=True))
    return f, accuracy


def _overall(by_cleaner: dict[str, dict[str, Scores]], name: str, number: int) -> Table:
    before = means_of(by_cleaner[ORIGINAL][str(number)])
    rows: list[list[Cell]] = []
    for cleaner, scores in by_cleaner.items():
        f, accuracy = means_of(scores[str(number)])
        rows.append([cleaner, f, gain(before[0], f), accuracy, gain(before[1], accuracy)])
    count = sum(map(len, by_cleaner[ORIGINAL][str(number)].values()))
    columns = ["cleaner", "F", "gain of F", "accuracy", "gain of accuracy"]
    title = f"{name}: configuration {number}, {count} trainings (2003, Tables 3 and 4; 2006, Tables 4 to 6)"
    return Table(title, columns, rows, paper=CLASSIFICATION[number])


def _pairs(by_cleaner: dict[str, dict[str, Scores]], name: str, number: int) -> Table:
    cleaners = [cleaner for cleaner in SHOWN_CLEANERS if cleaner in by_cleaner]
    rows: list[list[Cell]] = []
    for pair in by_cleaner[ORIGINAL][str(number)]:
        tasks_of = [by_cleaner[cleaner][str(number)][pair] for cleaner in cleaners]
        means = [[fmean(column) for column in zip(*scores, strict=True)] for scores in tasks_of]
        rows.append([pair, *(f for f, _ in means), *(accuracy for _, accuracy in means)])
    columns = ["categories", *(f"{figure}, {cleaner}" for figure in ("F", "accuracy") for cleaner in cleaners)]
    return Table(f"{name}: configuration {number} by pair of categories", columns, rows)


def _summed_up(by_cleaner: dict[str, dict[str, Scores]], name: str) -> str:
    """F by configuration before cleaning and after it by the papers' methods and the default."""
    used = [number for number in CONFIGURATIONS if by_cleaner[ORIGINAL][str(number)]]
    figures = []
    for cleaner in SHOWN_CLEANERS:
        scores = ", ".join(f"{means_of(by_cleaner[cleaner][str(number)])[0]:.3f}" for number in used)
        figures.append(f"{scores} {'before cleaning' if cleaner == ORIGINAL else f'after {cleaner}'}")
    numbers = f"configuration{'s' * (len(used) > 1)} {', '.join(map(str, used))}"
    return f"{name}: F in {numbers} is {'; '.join(figures)}."


def _said(by_cleaner: dict[str, dict[str, Scores]], name: str, number: int) -> str:
    f, accuracy = means_of(by_cleaner[ORIGINAL][str(number)])
    cleaners = [cleaner for cleaner in by_cleaner if cleaner not in {ORIGINAL, *ALONE}]
    after = {cleaner: means_of(by_cleaner[cleaner][str(number)]) for cleaner in cleaners}
    better = [cleaner for cleaner, (f_after, a_after) in after.items() if f_after > f and a_after > accuracy]
    before = f"{name}, configuration {number}: F {f:.3f} and accuracy {accuracy:.3f} before cleaning."
    return f"{before} Both are higher after cleaning by {named_cleaners(better, cleaners)}."


def _plot(by_cleaner: dict[str, dict[str, Scores]], name: str) -> Plot:
    used = [number for number in CONFIGURATIONS if by_cleaner[ORIGINAL][str(number)]]
    bars = {
        cleaner: [(k, means_of(scores[str(number)])[0]) for k, number in enumerate(used)]
        for cleaner, scores in by_cleaner.items()
        if cleaner != FIELDS_ALONE  # it would hide the differences of the others
    }
    ticks = [f"configuration {number}" for number in used]
    paper: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for k, number in enumerate(used):
        for mark, point in outlined(float(k), CLASSIFICATION[number]):
            paper[mark].append(point)
    return Plot(f"F by configuration, {name}", "bars", "", "F", bars, ticks=ticks, paper=dict(paper))
