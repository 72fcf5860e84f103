"""A few hundred definitions of equal nodes (Alarte et al. 2015, section 4.1, where half a million were tried)."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import combinations
from statistics import fmean

from dehusk.base.errors import SourceError
from dehusk.bench._results import Cell, ExperimentResult, Plot, Table, used_of
from dehusk.bench.evaluation.layouts._gold import GoldGroup
from dehusk.bench.evaluation.measures import TIED, Score, set_score
from dehusk.bench.experiments._votes import USUAL, VOTING_SITES, addressed, is_whole
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import BenchSettings, Cache, gold_key, group_key, measuring_version
from dehusk.marking.marking import Marking
from dehusk.methods import etdm, method
from dehusk.methods.rules import Marks
from dehusk.page import Page
from dehusk.templates.links import among, complete_subdigraph

ATTRIBUTES = ("id", "class", "href", "style", "title", "role", "name", "type")
"""Attributes whose subsets are tried: 255 definitions, and the tag alone."""
EQUAL_KEYS = 2
"""Number of key pages of a site."""
BEST = 10
USUAL_ATTRIBUTES: Sequence[str] = method("etdm").options["attributes"].default
TAG = "tag alone"

Scores = dict[str, list[tuple[float, float, float]]]
"""Precision, recall and F1 of each key page, by definition."""


def definitions() -> Iterator[tuple[str, ...]]:
    """The sets of attributes that must agree, the smallest first."""
    for size in range(len(ATTRIBUTES) + 1):
        yield from combinations(ATTRIBUTES, size)


def run(bench: Bench) -> ExperimentResult:
    """Finds the template of key pages with each definition."""
    entries = bench.draw(VOTING_SITES, lambda entry: not entry.single)
    measured = partial(measure, bench.settings, bench.limit(EQUAL_KEYS) or EQUAL_KEYS)
    sites = [(entry, scores) for entry, scores in bench.map("equalities", measured, entries) if scores]
    if not sites:
        raise SourceError(
            f"equalities: no site of {bench.data.root} has gold for nodes and pages that link to each other"
        )
    figures = {
        name: [fmean(column) for column in zip(*(_mean(scores[name]) for _, scores in sites), strict=True)]
        for name in map(_name, definitions())
    }
    ranked = sorted(figures, key=lambda name: -figures[name][2])
    usual = _name(USUAL_ATTRIBUTES)
    rows: list[list[Cell]] = [
        [name, *figures[name]] for name in dict.fromkeys([*ranked[:BEST], usual, TAG, ranked[-1]])
    ]
    return ExperimentResult(
        [_said(figures, ranked)],
        [
            Table(
                f"The best {BEST}, ours, the tag alone, and the worst",
                ["must agree", "precision", "recall", "F1"],
                rows,
            ),
            _effects(figures),
        ],
        [_plot(figures)],
        ["Size 3 and 2 votes, as in the paper's Table 1. Means over key pages, then sites."],
        used=used_of((entry, len(scores[TAG])) for entry, scores in sites),
        figures={"definitions": figures},
    )


def measure(settings: BenchSettings, keys: int, group: GoldGroup) -> Scores:
    """The scores of a site's key pages by definition; {} if most of its links fail or it has no gold."""
    golden = [page for page in group.golden if page.selector]
    if not golden or len(group.pages) < 2:
        return {}
    key = ("equalities", measuring_version(), keys, *group_key(settings, group, "etdm"), gold_key(golden))
    made: Scores = Cache(settings.cache).of(partial(_measured, group, keys), *key)
    return made


def _measured(group: GoldGroup, keys: int) -> Scores:
    load = among(map(addressed, group.pages))
    golden = [page for page in group.golden if page.selector]
    chosen = sorted(golden, key=lambda page: Page(page.html).digest)[:keys]
    found = [(page, complete_subdigraph(addressed(page), load, size=USUAL)) for page in chosen]
    if not is_whole(subdigraph for _, subdigraph in found):
        return {}
    scores: Scores = defaultdict(list)
    for gold, subdigraph in found:
        page, wanted = addressed(gold), gold.template() or frozenset()
        has = {name for one in (page, *subdigraph.pages) for own in one.tree.attributes for name in own}
        score = cache(partial(_score, page, subdigraph.pages, wanted))
        for compared in definitions():
            # Attributes that none of the pages has make no difference.
            scores[_name(compared)].append(score(tuple(name for name in compared if name in has)))
    return dict(scores)


def _score(page: Page, others: Sequence[Page], wanted: frozenset[int], compared: tuple[str, ...]) -> Score:
    flags = bytearray(len(page.tree))
    for node in etdm.template_nodes(page, others, votes=etdm.VOTES, attributes=compared):
        flags[node] = 1
    gone = Marking(page, Marks(flags, lambda _: "")).flags
    return set_score(frozenset(node for node, flag in enumerate(gone) if flag), wanted)


def _name(compared: Sequence[str]) -> str:
    return ", ".join(compared) or TAG


def _mean(scores: Sequence[tuple[float, float, float]]) -> list[float]:
    return [fmean(column) for column in zip(*scores, strict=True)]


def _said(figures: dict[str, list[float]], ranked: Sequence[str]) -> str:
    usual = _name(USUAL_ATTRIBUTES)
    if ranked[0] == usual:
        return f"{len(figures)} definitions. The best is ours, {usual}, with F1 {figures[usual][2]:.3f}."
    best = f"{len(figures)} definitions. The best, {ranked[0]}, has F1 {figures[ranked[0]][2]:.3f}"
    better = sum(f1 > figures[usual][2] + TIED for _, _, f1 in figures.values())
    place = f"and {better} are better" if better else "a tie"
    return f"{best}; ours, {usual}, has {figures[usual][2]:.3f}, {place}."


def _effects(figures: dict[str, list[float]]) -> Table:
    """The effect of each attribute: means with and without it over all definitions."""
    rows: list[list[Cell]] = []
    for attribute in ATTRIBUTES:
        having = [attribute in name.split(", ") for name in figures]
        split = [
            [f for f, has in zip(figures.values(), having, strict=True) if has is wanted] for wanted in (True, False)
        ]
        present, absent = ([fmean(column) for column in zip(*part, strict=True)] for part in split)
        rows.append([attribute, *(a - b for a, b in zip(present, absent, strict=True))])
    return Table(
        "What an attribute changes, mean over all definitions", ["attribute", "precision", "recall", "F1"], rows
    )


def _plot(figures: dict[str, list[float]]) -> Plot:
    usual = _name(USUAL_ATTRIBUTES)
    others = Counter((recall, precision) for name, (precision, recall, _) in figures.items() if name != usual)
    own = [(figures[usual][1], figures[usual][0])]
    return Plot(
        "Precision and recall of each definition",
        "points",
        "recall",
        "precision",
        {"others": list(others), f"ours: {usual}": own},
    )
