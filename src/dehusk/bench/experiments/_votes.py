"""Quality by the size of the complete subdigraph and the number of votes (Alarte et al. 2015, Table 2)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from statistics import fmean
from typing import NamedTuple

from dehusk.base.errors import SourceError
from dehusk.base.urls import quoted
from dehusk.bench._results import TEMEX_SITES, TEMEX_SIZES, Cell, ExperimentResult, Plot, Table, used_of
from dehusk.bench.evaluation.layouts._gold import GoldGroup, GoldPage
from dehusk.bench.evaluation.measures import TIED, set_score
from dehusk.bench.evaluation.tools import timed
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import BenchSettings, Cache, gold_key, group_key, measuring_version
from dehusk.marking.marking import Marking
from dehusk.methods import etdm
from dehusk.methods.rules import Marks
from dehusk.page import Page
from dehusk.templates.links import FOLDER, Load, Subdigraph, among, complete_subdigraph

VOTING_SITES = 20
KEYS = 8
"""Number of key pages of a site: those with the smallest content hashes."""
VOTE_SIZES = range(1, 9)
USUAL = 3
"""The size chosen in the paper."""


class Case(NamedTuple):
    """A key page with a size and a number of votes: its nodes, loads, failed links, pages found, and score.

    `nodes`, `template` and `retrieved` are numbers of nodes: of the page, by gold, and found. `ms` is processor time.
    """

    site: str
    size: int
    votes: int
    nodes: float
    template: float
    retrieved: float
    ms: float
    loads: float
    failed: float
    pages: float
    precision: float
    recall: float
    f1: float


def run(bench: Bench) -> ExperimentResult:
    """Finds the template of key pages through their links."""
    entries = bench.draw(VOTING_SITES, lambda entry: not entry.single)
    measured = partial(measure, bench.settings, bench.limit(KEYS) or KEYS)
    linked = [(entry, cases_of) for entry, cases_of in bench.map("votes", measured, entries) if cases_of is not None]
    whole_sites = [(entry, cases_of) for entry, cases_of in linked if cases_of]
    cases = [case for _, cases_of in whole_sites for case in cases_of]
    if not cases:
        raise SourceError(f"votes: no site of {bench.data.root} has gold for nodes and pages that link to each other")
    table = {key: means([case for case in cases if (case.size, case.votes) == key]) for key in _keys(cases)}
    best = {size: max(_keys(cases, size), key=lambda key: table[key][-1]) for size in VOTE_SIZES}
    top = max(table, key=lambda key: table[key][-1])
    whole = sorted(entry.name for entry, _ in whole_sites)
    parts = sorted(entry.name for entry, cases_of in linked if not cases_of)
    return ExperimentResult(
        [_said(table, top)],
        [
            Table(
                "The best number of votes for each size",
                _VOTE_COLUMNS,
                [_row(key, table[key]) for key in best.values()],
                paper=TEMEX_SIZES,
            ),
            Table("Every number of votes", _VOTE_COLUMNS, [_row(key, row) for key, row in table.items()]),
            Table(
                "Size 3, 2 votes by site (Table 1)",
                _SITE_COLUMNS,
                [_of_site(cases, site) for site in whole],
                "Means over the key pages of a site. Time is processor time, without loading.",
                paper=TEMEX_SITES,
            ),
        ],
        [_plot(table)],
        [
            "By gold, a node is template if it is neither in nor around the content. Means over key pages, then sites.",
            f"Left out, since most of their links lead to pages outside of the data: {', '.join(parts) or 'none'}.",
        ],
        used=used_of((entry, [(case.size, case.votes) for case in own].count((1, 1))) for entry, own in whole_sites),
    )


_VOTE_COLUMNS = ["size", "votes", "recall", "precision", "F1", "loads", "failed links", "pages found"]
_SITE_COLUMNS = ["site", "nodes", "template nodes", "retrieved", *_VOTE_COLUMNS[2:6], "ms"]


def measure(settings: BenchSettings, keys: int, group: GoldGroup) -> list[Case] | None:
    """All sizes and votes for the key pages of a site; [] if most of its links fail, None without gold."""
    golden = [page for page in group.golden if page.selector]
    if not golden or len(group.pages) < 2:
        return None
    key = ("votes", measuring_version(), keys, *group_key(settings, group, "etdm"), gold_key(golden))
    made = Cache(settings.cache).of(lambda: _measured(group, golden, keys), *key)
    return [Case(*case) for case in made]


def _measured(group: GoldGroup, golden: Sequence[GoldPage], keys: int) -> list[Case]:
    load = among(map(addressed, group.pages))
    chosen = sorted(golden, key=lambda page: Page(page.html).digest)[:keys]
    if not is_whole(complete_subdigraph(addressed(page), load, size=USUAL) for page in chosen):
        return []
    return [case for page in chosen for case in _cases(group.entry.name, page, load)]


def _cases(site: str, gold: GoldPage, load: Load) -> Iterator[Case]:
    wanted = gold.template() or frozenset()
    key = addressed(gold)
    mates: dict[Page, list[int]] = {}  # for each page, the nodes of the key page that it shares; the same for all sizes
    spent: dict[Page, float] = {}
    for size in VOTE_SIZES:
        subdigraph, searching = timed(partial(complete_subdigraph, key, load, size=size))
        if not subdigraph.pages:
            return
        for page in subdigraph.pages:
            if page not in mates:
                mates[page], spent[page] = timed(partial(etdm.template_nodes, key, [page], votes=1))
        ms = 1000 * (searching + sum(spent[page] for page in subdigraph.pages))
        agreed = Counter(node for page in subdigraph.pages for node in mates[page])
        for votes in range(1, size + 1):
            flags = bytearray(agreed[node] >= min(votes, len(subdigraph.pages)) for node in range(len(key.tree)))
            gone = Marking(key, Marks(flags, lambda _: "")).flags
            score = set_score(frozenset(node for node, flag in enumerate(gone) if flag), wanted)
            figures = len(key.tree), len(wanted), sum(gone), ms
            yield Case(site, size, votes, *figures, subdigraph.loaded, subdigraph.failed, len(subdigraph.pages), *score)


def addressed(page: GoldPage) -> Page:
    """The page with a URL: its own, or one made of its file name."""
    return Page(page.html, url=page.url or FOLDER + "/".join(map(quoted, page.name.split("/"))), name=page.name)


def is_whole(subdigraphs: Iterable[Subdigraph]) -> bool:
    """Whether most links lead to pages in the data; else the data has only a part of the site."""
    every = list(subdigraphs)
    return sum(subdigraph.failed for subdigraph in every) < sum(subdigraph.loaded - 1 for subdigraph in every)


def means(cases: Iterable[Case]) -> tuple[float, ...]:
    """Means over key pages, then over sites, of the figures of a case in their order."""
    sites = defaultdict(list)
    for case in cases:
        sites[case.site].append(case[3:])
    by_site = [[fmean(column) for column in zip(*rows, strict=True)] for rows in sites.values()]
    return tuple(fmean(column) for column in zip(*by_site, strict=True))


def _keys(cases: Iterable[Case], size: int | None = None) -> list[tuple[int, int]]:
    return sorted({(case.size, case.votes) for case in cases if size in (None, case.size)})


def _row(key: tuple[int, int], row: Sequence[float]) -> list[Cell]:
    return [*key, *_figures(row)]


def _figures(row: Sequence[float]) -> list[float]:
    loads, failed, pages, precision, recall, f1 = row[4:]
    return [recall, precision, f1, loads, failed, pages]


def _of_site(cases: Sequence[Case], site: str) -> list[Cell]:
    row = means([case for case in cases if (case.site, case.size, case.votes) == (site, USUAL, 2)])
    return [site, *map(round, row[:3]), *_figures(row)[:4], row[3]]


def _said(table: dict[tuple[int, int], tuple[float, ...]], top: tuple[int, int]) -> str:
    tied = sum(table[top][-1] - row[-1] <= TIED for row in table.values()) - 1
    best = f"F1 is best at size {top[0]} and votes {top[1]}: {table[top][-1]:.3f}"
    chosen = table.get((USUAL, 2))
    paper = f", where F1 is {chosen[-1]:.3f}" if chosen else ""
    return f"{best}{f' (a tie with {tied} others)' if tied else ''}. The paper chose 3 and 2{paper}."


def _plot(table: dict[tuple[int, int], tuple[float, ...]]) -> Plot:
    lines = {
        f"{votes} vote{'s' * (votes > 1)}": [(size, row[-1]) for (size, v), row in table.items() if v == votes]
        for votes in VOTE_SIZES
    }
    printed = [(float(size), row[4]) for size, row in enumerate(TEMEX_SIZES, 1) if isinstance(row[4], float)]
    paper = {"best votes: Alarte et al. 2015, best votes": printed}
    return Plot("F1 in nodes by size of the subdigraph", "lines", "pages of the subdigraph", "F1", lines, paper=paper)
