"""Classification by the number of pages that templates were learned from (Vieira et al. 2006, Figure 9)."""

import random
from collections.abc import Mapping
from functools import partial
from typing import Any

from dehusk.base.errors import SourceError
from dehusk.bench._mining import MINED_SITES, VERTICALS, Corpus, by_fields
from dehusk.bench._results import AFTER_RTDM, Cell, ExperimentResult, Plot, Table, used_of
from dehusk.bench.evaluation.layouts._gold import GoldGroup
from dehusk.bench.experiments._classify import CONFIGURATIONS, Scores, classified, means_of
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import BenchSettings, Cache, group_key, learning, measuring_version, pages_of
from dehusk.methods import DEFAULT

TRAINED_WITH = (10, 20, 30, 40, 50, 100)
"""The numbers of pages in the paper. Sizes that no site reaches are left out."""
TRAINED_METHODS = ("rtdm", DEFAULT)
"""The paper's method and the default."""

BySize = Mapping[str, Mapping[str, list[str]]]
"""The texts of a site's pages by method and number of pages learned from."""


def run(bench: Bench) -> ExperimentResult:
    """Learns each site from random samples of several sizes, and classifies the cleaned pages."""
    entries = bench.draw(MINED_SITES, lambda entry: entry.category is not None)
    if len({entry.category for entry in entries}) < 2:
        raise SourceError(f"training: {bench.data.root} has no pages of several categories, as SWDE has")
    groups = [
        (entry, made) for entry, made in bench.map("training", partial(measure, bench.settings, bench.seed), entries)
    ]
    most = max(len(made["fields"]) for _, made in groups)
    sizes = [size for size in TRAINED_WITH if size <= most] or [most]
    cleaners = [f"{method} {size}" for method in TRAINED_METHODS for size in sizes]
    pages = Corpus(
        tuple(str(entry.category) for entry, made in groups for _ in made["fields"]),
        tuple(entry.site or entry.name for entry, made in groups for _ in made["fields"]),
        tuple({name: tuple(values) for name, values in own.items()} for _, made in groups for own in made["fields"]),
        {name: tuple(text for _, made in groups for text in _text(made["texts"], name)) for name in cleaners},
        used_of((entry, len(made["fields"])) for entry, made in groups),
    )
    scores = {name: _classified(bench, part, cleaners) for name, part in {**by_fields(pages), VERTICALS: pages}.items()}
    cases = [(name, number) for name, by in scores.items() for number in CONFIGURATIONS if by[cleaners[0]][str(number)]]
    if not cases:
        raise SourceError(f"training: {bench.data.root} has too few sites of a category to train on some")
    printed = ", ".join(f"{f:.3f}" for f in AFTER_RTDM.values())
    return ExperimentResult(
        [_said(scores[name], name, number, sizes) for name, number in cases],
        [_table(scores[name], name, number, sizes) for name, number in cases],
        [_plot(scores[name], name, sizes) for name in scores if any(name == case for case, _ in cases)],
        [
            f"The largest site has {most} pages, so larger sizes are left out. A smaller site is learned whole.",
            f"The paper has the same F for all numbers from 10 to 100: {printed} by configuration.",
        ],
        used=pages.used,
        figures={"scores": scores},
    )


def measure(settings: BenchSettings, seed: int, group: GoldGroup) -> dict[str, Any]:
    """The fields of a site's pages, and their texts by method and number of pages."""
    key = ("training", measuring_version(), seed, *(group_key(settings, group, name) for name in TRAINED_METHODS))
    texts = Cache(settings.cache).of(partial(_cleaned, settings, seed, group), *key)
    return {"fields": [dict(page.fields) for page in group.golden], "texts": texts}


def _cleaned(settings: BenchSettings, seed: int, group: GoldGroup) -> dict[str, dict[str, list[str]]]:
    pages, golden = pages_of(group.pages), pages_of(group.golden)
    draw = random.Random(f"{seed} {group.entry.name}")  # noqa: S311  # not for secrets
    samples = {size: draw.sample(pages, size) for size in TRAINED_WITH if size < len(pages)}
    samples[len(pages)] = pages
    made: dict[str, dict[str, list[str]]] = {method: {} for method in TRAINED_METHODS}
    for method in TRAINED_METHODS:
        for size, sample in samples.items():
            template = learning(settings, group, method, sample=None).learn(sample)
            made[method][str(size)] = [template.clean(page).text for page in golden]
    return made


def _text(by: BySize, cleaner: str) -> list[str]:
    """The texts of a site for a size: learned from that many pages, or from all if it has fewer."""
    method, _, size = cleaner.rpartition(" ")
    return by[method].get(size) or by[method][max(by[method], key=int)]


def _classified(bench: Bench, pages: Corpus, cleaners: list[str]) -> dict[str, dict[str, Scores]]:
    by: dict[str, dict[str, Scores]] = {}
    for done, cleaner in enumerate(cleaners):
        bench.progress("naive Bayes", done, len(cleaners))
        key = ("trained", measuring_version(), pages.category, pages.site, pages.texts[cleaner])
        by[cleaner] = Cache(bench.settings.cache).of(partial(classified, pages, cleaner), *key)
    return by


def _f(by: dict[str, dict[str, Scores]], method: str, size: int, number: int) -> float:
    return means_of(by[f"{method} {size}"][str(number)])[0]


def _table(by: dict[str, dict[str, Scores]], name: str, number: int, sizes: list[int]) -> Table:
    rows: list[list[Cell]] = [[method, *(_f(by, method, size, number) for size in sizes)] for method in TRAINED_METHODS]
    title = f"{name}: F in configuration {number} by pages learned from (Figure 9)"
    return Table(title, ["method", *(str(size) for size in sizes)], rows)


def _said(by: dict[str, dict[str, Scores]], name: str, number: int, sizes: list[int]) -> str:
    """F for every size, so that a reader sees whether the number of pages matters."""
    every = {method: ", ".join(f"{_f(by, method, size, number):.3f}" for size in sizes) for method in TRAINED_METHODS}
    figures = "; ".join(f"{figures} after {method}" for method, figures in every.items())
    pages = ", ".join(map(str, sizes))
    return f"{name}, configuration {number}: learned from {pages} pages, F is {figures}."


def _plot(by: dict[str, dict[str, Scores]], name: str, sizes: list[int]) -> Plot:
    lines = {
        f"{method}, configuration {number}": [(float(size), _f(by, method, size, number)) for size in sizes]
        for method in TRAINED_METHODS
        for number in CONFIGURATIONS
        if by[f"{method} {sizes[0]}"][str(number)]
    }
    paper = {
        f"rtdm, configuration {number}: Vieira et al. 2006, configuration {number}": [
            (float(size), f) for size in sizes
        ]
        for number, f in AFTER_RTDM.items()
        if f"rtdm, configuration {number}" in lines
    }
    return Plot(f"F by pages learned from, {name} (Figure 9)", "lines", "pages", "F", lines, paper=paper)
