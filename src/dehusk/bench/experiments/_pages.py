"""Quality by the number of pages to learn from (Vieira et al. 2006, section 6.1 and Figure 7)."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from statistics import fmean
from typing import Any

from dehusk.base.errors import SourceError
from dehusk.bench._results import Cell, ExperimentResult, Plot, Table, used_of
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup, GoldPage
from dehusk.bench.evaluation.measures import SCORED, field_recall, is_scorable, set_score, shingle_score, words
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import BenchSettings, Cache, gold_key, group_key, learning, measuring_version, pages_of
from dehusk.methods import DEFAULT, METHODS
from dehusk.page import Page
from dehusk.page.elements import plain_text
from dehusk.templates.template import Template

RELEARNED_SITES = 10
"""Maximum number of sites of a set without --all."""
DRAWS = 3
"""Number of random samples of each size, drawn with the seed; all pages of a site are one sample."""
COMMON = 0.5
"""A term belongs to the template of a site if it is template on at least this share of the scored pages."""
LEAST = 4
"""Minimum number of pages of a site."""
SAMPLE_SIZES = (1, 2, 3, 5, 10, 25, 50, 100)

TERMS, CONTENT, FIELDS_KEPT = "F of template terms", "F1 of content", "fields kept"
By = dict[str, dict[str, dict[str, float]]]
"""Scores by method, number of pages and measure."""


def run(bench: Bench) -> ExperimentResult:
    """Learns each site from increasing numbers of pages."""
    entries = bench.draw(RELEARNED_SITES, lambda entry: not entry.single)
    measured = partial(measure, bench.settings, bench.seed)
    every = list(bench.map("pages", measured, entries))
    sites = [(entry, by) for entry, by in every if by]
    few = Counter(entry.dataset for entry, by in every if not by)
    if not sites:
        raise SourceError(f"pages: no site of {bench.data.root} has {LEAST} pages or more and gold for them")
    tables, plots = [], []
    for measure_name in (TERMS, CONTENT, FIELDS_KEPT):
        for dataset in dict.fromkeys(entry.dataset for entry, _ in sites):
            own = [by for entry, by in sites if entry.dataset == dataset]
            lines = means(own, measure_name)
            if lines:
                title = f"{dataset}: {measure_name} by pages learned from"
                tables.append(_table(title, lines, from_all(own, measure_name)))
                plots.append(Plot(title, "lines", "pages", measure_name, lines, log=True))
    tables += _by_site(sites)
    return ExperimentResult(
        [_said(sites)],
        tables,
        plots,
        [
            "The paper has F above 0.95 with fewer than 25 pages on nine of ten sites, and above 0.85 on the tenth.",
            f"Means over {DRAWS} random samples of each size. The same pages are scored at all sizes.",
            "F compares one set of terms for each site: what is template on half of its scored pages.",
            "A line ends where no site has enough pages. Larger sizes may have fewer sites.",
            "The column 'all' is over all sites, each learned from all its pages (at most 100).",
            *([f"Left out, with fewer than {LEAST} pages or no gold for them: {_counts(few)}."] if few else []),
        ],
        used=used_of((entry, max(map(int, by[DEFAULT]))) for entry, by in sites),
        figures={"sites": {f"{entry.dataset} {entry.name}": by for entry, by in sites}},
    )


def measure(settings: BenchSettings, seed: int, group: GoldGroup) -> By:
    """The mean of each measure over the scored pages of a site, by method and number of pages."""
    scored = [page for page in group.golden if page.text is None or is_scorable(page.text)][:SCORED]
    if len(group.pages) < LEAST or not scored:
        return {}
    by_method: By = {}
    for method in (*METHODS, *settings.methods):
        key = ("pages", measuring_version(), seed, *group_key(settings, group, method), gold_key(scored))
        by_method[method] = Cache(settings.cache).of(partial(_learned, settings, seed, group, scored, method), *key)
    return by_method


def _learned(
    settings: BenchSettings, seed: int, group: GoldGroup, scored: Sequence[GoldPage], method: str
) -> dict[str, dict[str, float]]:
    by_size = {}
    for size, samples in _samples(pages_of(group.pages), f"{seed} {group.entry.name}").items():
        how = learning(settings, group, method, sample=size if size > 1 else None)
        figures = [_figures(how.learn(sample), scored) for sample in samples]
        names = dict.fromkeys(name for scores in figures for name in scores)
        by_size[str(size)] = {name: fmean(scores[name] for scores in figures if name in scores) for name in names}
    return by_size


def _samples(pages: Sequence[Page], seed: str) -> dict[int, list[list[Page]]]:
    """Random samples of each size, the same for all methods."""
    draw = random.Random(seed)  # noqa: S311  # not for secrets
    known = sorted(pages, key=lambda page: page.digest)
    return {
        size: [draw.sample(known, size) for _ in range(DRAWS if size < len(known) else 1)] for size in sizes(len(known))
    }


def sizes(pages: int) -> list[int]:
    """The numbers of pages to learn from, up to all pages of a site."""
    return [*(size for size in SAMPLE_SIZES if size < pages), min(pages, SAMPLE_SIZES[-1])]


def _figures(template: Template, scored: Sequence[GoldPage]) -> dict[str, float]:
    """The means over pages of content and fields, and F of the set of the site's template terms (Figure 7)."""
    scores: dict[str, list[float]] = defaultdict(list)
    found, wanted = Counter[str](), Counter[str]()
    for gold in scored:
        page = Page(gold.html, url=gold.url, name=gold.name)
        text = template.clean(page).text
        if gold.text is None:
            values = [value for record in gold.fields.values() for value in record]
            kept = field_recall(text, plain_text(page.whole), values)
            scores[FIELDS_KEPT] += [] if kept is None else [kept]
            continue
        scores[CONTENT].append(shingle_score(text, gold.text).f1)
        nodes = gold.template()
        if nodes is not None:
            wanted.update(terms(page, nodes))
            found.update(terms(page, (n for n, flag in enumerate(template.mark(page).flags) if flag)))
    if wanted:
        scores[TERMS] = [set_score(*(common_terms(each, len(scored)) for each in (found, wanted))).f1]
    return {name: fmean(values) for name, values in scores.items() if values}


def common_terms(pages: Counter[str], scored: int) -> frozenset[str]:
    """The terms that are on at least half of the pages."""
    return frozenset(term for term, count in pages.items() if count >= COMMON * scored)


def terms(page: Page, nodes: Any) -> frozenset[str]:
    """The words of some nodes of a page."""
    return frozenset(word for node in nodes for word in words(page.tree.text[node]))


def means(sites: Sequence[By], measure_name: str) -> dict[str, list[tuple[float, float]]]:
    """For each method, points of size and mean score over the sites with at least that many pages."""
    lines = {}
    for method in dict.fromkeys(method for by in sites for method in by):
        points = []
        for size in SAMPLE_SIZES:
            steps = [by[method].get(str(size), {}) for by in sites]
            values = [step[measure_name] for step in steps if measure_name in step]
            if values:
                points.append((float(size), fmean(values)))
        if points:
            lines[method] = points
    return lines


def from_all(sites: Sequence[By], measure_name: str) -> dict[str, float]:
    """For each method, the mean score over the sites, each learned from all its pages."""
    every: dict[str, list[float]] = defaultdict(list)
    for by in sites:
        for method, steps in by.items():
            most = steps[max(steps, key=int)]
            every[method] += [most[measure_name]] if measure_name in most else []
    return {method: fmean(values) for method, values in every.items() if values}


def _table(title: str, lines: dict[str, list[tuple[float, float]]], whole: dict[str, float]) -> Table:
    places = sorted({size for points in lines.values() for size, _ in points})
    rows: list[list[Cell]] = [
        [method, *(dict(points).get(size) for size in places), whole.get(method)] for method, points in lines.items()
    ]
    return Table(title, ["method", *(f"{size:g}" for size in places), "all"], rows)


def _by_site(sites: Sequence[tuple[Entry, By]]) -> Iterator[Table]:
    """F of the template terms of each site, as in Figure 7, by the paper's method and the default."""
    for method in ("rtdm", DEFAULT):
        own = {entry.name: by[method] for entry, by in sites if any(TERMS in step for step in by[method].values())}
        if own:
            rows: list[list[Cell]] = [
                [name, *(steps.get(str(size), {}).get(TERMS) for size in SAMPLE_SIZES)] for name, steps in own.items()
            ]
            yield Table(f"{TERMS} of each site by {method} (Figure 7)", ["site", *map(str, SAMPLE_SIZES)], rows)


def _counts(sites: Counter[str]) -> str:
    return ", ".join(f"{count} of {dataset}" for dataset, count in sites.items())


def _said(groups: Sequence[tuple[Entry, By]]) -> str:
    sites = [by for _, by in groups]
    name = next((name for name in (TERMS, CONTENT) if DEFAULT in means(sites, name)), None)
    if name is None:
        return f"{len(groups)} sites."
    lines, whole = means(sites, name), from_all(sites, name)
    firsts = [(method, lines[method][0][1]) for method in (DEFAULT, "rtdm")]
    figures = [f"{method} {first:.3f} from one page, {whole[method]:.3f} from all" for method, first in firsts]
    return f"{len(groups)} sites. {name}: {'; '.join(figures)}."
