"""Search before and after cleaning, and the share of template in pages (Ma et al. 2003)."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from statistics import fmean
from typing import Any, NamedTuple

from dehusk.base.errors import SourceError
from dehusk.bench._results import DISCOVERY, SEARCH, TEMPLATE_RATIO, Cell, ExperimentResult, Plot, Table, used_of
from dehusk.bench.evaluation.layouts._gold import GoldGroup, GoldPage
from dehusk.bench.evaluation.measures import SCORED, template_shares, words
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import (
    ORIGINAL,
    BenchSettings,
    Cache,
    gold_key,
    group_key,
    learned,
    measuring_version,
    methods,
    pages_of,
    texts,
)
from dehusk.methods import DEFAULT
from dehusk.methods.chunks import BLOCKS, chunks, discovery
from dehusk.page import Page

SEARCHED_SITES = 40
QUERIES = 400
"""Number of queries of each kind, sampled with the seed."""
TOP = (1, 5, 10)
TITLE_WORDS = 10
"""Maximum number of words of a title in a query."""
TEMPLATE_SHARE = 0.5
"""A word on at least this share of a site's pages is a term of its template."""
TITLES = ("title", "model", "name")
"""Fields with the name of a record."""
JUDGED = (DEFAULT, "chunks")


OKAPI = "Okapi BM25"
RANKINGS = {OKAPI: "robertson", "Lucene's BM25": "lucene"}
"""Ranking functions by their names in bm25s: that of the paper, and the one that most engines use."""
K1, B = 1.2, 0.75
"""The usual constants of both; the paper gives none."""


class Query(NamedTuple):
    """The words of a query, and its relevant pages."""

    words: tuple[str, ...]
    relevant: frozenset[int]


class Collection(NamedTuple):
    """Pages of many sites: title, template terms of the site, and text by cleaner."""

    title: list[tuple[str, ...]]
    template: list[frozenset[str]]
    texts: dict[str, list[str]]


def run(bench: Bench) -> ExperimentResult:
    """Searches pages by title, and by words that are both in a title and in the template."""
    entries = bench.draw(SEARCHED_SITES, lambda entry: not entry.single)
    cleaners = (ORIGINAL, *methods(bench.settings))
    groups = list(bench.map("search", partial(measure, bench.settings, cleaners), entries))
    if not groups:
        raise SourceError(f"search: {bench.data.root} has no sites")
    pages = _collection([made for _, made in groups], cleaners)
    queries_of = {"titles": by_title(pages), "template terms": by_template(pages)}
    draw = random.Random(bench.seed)  # noqa: S311  # not for secrets
    most = bench.limit(QUERIES) or QUERIES
    asked = {origin: draw.sample(every, min(most, len(every))) for origin, every in queries_of.items()}
    scores: dict[tuple[str, str], dict[str, list[list[int]]]] = {
        (origin, ranking): {} for origin, queries in asked.items() if queries for ranking in RANKINGS
    }
    for done, cleaner in enumerate(cleaners):
        bench.progress("BM25", done, len(cleaners))
        documents = [words(text) or [""] for text in pages.texts[cleaner]]
        for ranking in RANKINGS:
            index = _index(documents, ranking)
            for origin, queries in asked.items():
                if queries:
                    scores[origin, ranking][cleaner] = [hits(index, query) for query in queries]
    tables = [_table(*case, by, asked[case[0]]) for case, by in scores.items()]
    figures = [(entry.dataset, entry.name, made["judged"]) for entry, made in groups]
    return ExperimentResult(
        [_said(origin, by) for (origin, ranking), by in scores.items() if ranking == OKAPI],
        [*tables, _shares(figures), *_discoveries(figures)],
        [_plot(origin, by, asked[origin]) for (origin, ranking), by in scores.items() if ranking == OKAPI],
        [
            f"One collection of {len(pages.title)} pages, {pages.title.count(())} of them without a title.",
            f"A title is the first {TITLE_WORDS} words of the record's name, or of the first line of gold.",
            "For a query from a title, all pages with exactly that title are relevant.",
            "A query from template terms has the words of a title that are on at least half of the pages of its site.",
            "Pages whose title has all of these words are relevant. In the paper, people judged relevance.",
            f"Okapi BM25 and Lucene's variant have k1 = {K1} and b = {B}. They weigh frequent terms differently.",
            "With Okapi, a term on more than half of the pages weighs 0 (it would be negative); with Lucene more.",
            "A switching system takes for each query the better of two engines, with and without templates.",
        ],
        used=used_of((entry, len(made["titles"])) for entry, made in groups),
    )


def measure(settings: BenchSettings, cleaners: Sequence[str], group: GoldGroup) -> dict[str, Any]:
    """The texts of a site's pages by cleaner, their titles, the template terms, and the shares of template."""
    pages = group.golden
    made = {cleaner: [text or "" for text in texts(settings, group, cleaner, pages).texts] for cleaner in cleaners}
    often = Counter(word for text in made[ORIGINAL] for word in set(words(text)))
    key = ("judged", measuring_version(), *(group_key(settings, group, method) for method in JUDGED), gold_key(pages))
    return {
        "titles": [title(page) for page in pages],
        "template": frozenset(
            word for word, count in often.items() if count >= TEMPLATE_SHARE * len(pages) and len(pages) > 1
        ),
        "texts": made,
        "judged": Cache(settings.cache).of(partial(judged, settings, group), *key),
    }


def title(page: GoldPage) -> tuple[str, ...]:
    """The words of the gold title of a page."""
    named = next((page.fields[name][0] for name in TITLES if page.fields.get(name)), None)
    first = (page.text or "").strip().partition("\n")[0]
    return tuple(words(named or page.title or first))[:TITLE_WORDS]


def judged(settings: BenchSettings, group: GoldGroup) -> dict[str, list[Any]]:
    """By method, for the first pages: shares of template, and the discovery ratio and recall if gold has nodes."""
    golden = group.golden[:SCORED]
    by_method: dict[str, list[Any]] = {}
    for method in JUDGED:
        template = learned(settings, group, method)
        by_method[method] = []
        for gold, page in zip(golden, pages_of(golden), strict=True):
            marking = template.mark(page)
            wanted = gold.template()
            seen = discovered(page, marking.flags, wanted) if wanted is not None else None
            by_method[method].append([*template_shares(marking), seen])
    return by_method


def discovered(page: Page, flags: Sequence[int], wanted: frozenset[int]) -> tuple[float, float] | None:
    """Template table discovery ratio and recall of a page, by chunks between blocks; None if it has no template."""
    tree = page.tree
    every = list(chunks(tree, BLOCKS))
    texts_of = {chunk: [node for node in range(chunk.first, chunk.end) if tree.text[node]] for chunk in every}
    actual = {chunk for chunk in every if all(node in wanted for node in texts_of[chunk])}
    removed = {chunk for chunk in every if all(flags[node] for node in texts_of[chunk])}
    return tuple(discovery(removed, actual)) if actual else None  # type: ignore[return-value]


def _collection(made: Sequence[dict[str, Any]], cleaners: Sequence[str]) -> Collection:
    return Collection(
        [named for group in made for named in group["titles"]],
        [group["template"] for group in made for _ in group["titles"]],
        {cleaner: [page for group in made for page in group["texts"][cleaner]] for cleaner in cleaners},
    )


def by_title(pages: Collection) -> list[Query]:
    """A query for each title; all pages with that title are relevant."""
    of: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for page, named in enumerate(pages.title):
        if named:
            of[named].add(page)
    return [Query(named, frozenset(having)) for named, having in sorted(of.items())]


def by_template(pages: Collection) -> list[Query]:
    """Queries of words that are in a title and in the template; pages with all of them in the title are relevant."""
    asked = {
        tuple(word for word in dict.fromkeys(named) if word in known)
        for named, known in zip(pages.title, pages.template, strict=True)
    }
    has: dict[str, set[int]] = defaultdict(set)
    for page, named in enumerate(pages.title):
        for word in named:
            has[word].add(page)
    return [
        Query(terms, frozenset(set.intersection(*(has[word] for word in terms)))) for terms in sorted(asked) if terms
    ]


def _index(documents: list[list[str]], ranking: str) -> Any:
    index = import_module("bm25s").BM25(method=RANKINGS[ranking], k1=K1, b=B)
    index.index(documents, show_progress=False)
    return index


def hits(index: Any, query: Query) -> list[int]:
    """The number of relevant pages in the first 1, 5 and 10, and the rank of the first relevant one (0 for none)."""
    scores = [float(score) for score in index.get_scores(list(query.words))]
    ranked = sorted(range(len(scores)), key=lambda page: (-scores[page], page))
    first = [page in query.relevant and scores[page] > 0 for page in ranked[: TOP[-1]]]
    return [*(sum(first[:top]) for top in TOP), first.index(True) + 1 if any(first) else 0]


def switched(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> list[list[int]]:
    """The hits of a system that takes the better of two engines for each query."""
    return [list(new if new[2] > old[2] else old) for old, new in zip(before, after, strict=True)]


def _table(origin: str, ranking: str, scores: dict[str, list[list[int]]], queries: Sequence[Query]) -> Table:
    rows: list[list[Cell]] = []
    both = {f"switching to {cleaner}": switched(scores[ORIGINAL], scores[cleaner]) for cleaner in JUDGED}
    for cleaner, ranks in {**scores, **both}.items():
        reciprocal = fmean(1 / rank[-1] if rank[-1] else 0.0 for rank in ranks)
        rows.append([cleaner, *_precision(ranks, queries), reciprocal, *_changed(scores[ORIGINAL], ranks)])
    columns = ["cleaner", *(f"at {top}" for top in TOP), "reciprocal rank", "better", "worse", "same"]
    note = (
        "Precision at k is the number of relevant pages among the first k, divided by k or by the number of all "
        "relevant pages if that is lower. Better (worse) queries have more (fewer) relevant pages in the first ten."
    )
    return Table(
        f"Queries from {origin}, {ranking}: {len(queries)}", columns, rows, note, SEARCH if origin != "titles" else ()
    )


def _precision(ranks: Sequence[Sequence[int]], queries: Sequence[Query]) -> list[float]:
    """The mean precision at 1, 5 and 10, relative to the best possible."""
    return [
        fmean(rank[k] / min(top, len(query.relevant)) for rank, query in zip(ranks, queries, strict=True))
        for k, top in enumerate(TOP)
    ]


def _changed(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> list[int]:
    """The numbers of queries that got better, got worse, or stayed the same, by hits in the first ten."""
    changes = [new[2] - old[2] for old, new in zip(before, after, strict=True)]
    return [sum(change > 0 for change in changes), sum(change < 0 for change in changes), changes.count(0)]


def _shares(figures: Sequence[tuple[str, str, dict[str, list[Any]]]]) -> Table:
    rows: list[list[Cell]] = []
    for dataset in dict.fromkeys(name for name, _, _ in figures):
        for method in JUDGED:
            pages = [page[:3] for name, _, judged in figures if name == dataset for page in judged[method]]
            rows.append([dataset, method, *(fmean(column) for column in zip(*pages, strict=True))])
    columns = ["set", "method", "of text", "of nodes", "of bytes"]
    return Table("Share of template in pages (Table 1)", columns, rows, paper=TEMPLATE_RATIO)


def _discoveries(figures: Sequence[tuple[str, str, dict[str, list[Any]]]]) -> Iterator[Table]:
    rows: list[list[Cell]] = []
    for _, name, judged in figures:
        means: list[Cell] = []
        for method in JUDGED:
            seen = [page[3] for page in judged[method] if page[3]]
            means += [fmean(column) for column in zip(*seen, strict=True)] if seen else []
        if len(means) == 2 * len(JUDGED):
            rows.append([name, *means])
    if rows:
        columns = ["site", *(f"{measured}, {method}" for method in JUDGED for measured in ("ttdr", "recall"))]
        yield Table("Template table discovery ratio and recall (Table 2)", columns, rows, paper=DISCOVERY)


def _said(origin: str, scores: dict[str, list[list[int]]]) -> str:
    better, worse, same = _changed(scores[ORIGINAL], scores[DEFAULT])
    return f"Queries from {origin}: after cleaning by the default {better} got better, {worse} worse, {same} the same."


def _plot(origin: str, scores: dict[str, list[list[int]]], queries: Sequence[Query]) -> Plot:
    bars = {cleaner: list(enumerate(_precision(ranks, queries))) for cleaner, ranks in scores.items()}
    ticks = [f"at {top}" for top in TOP]
    return Plot(f"Precision, queries from {origin}", "bars", "", "precision", bars, ticks=ticks)
