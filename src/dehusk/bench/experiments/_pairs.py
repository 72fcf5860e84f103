"""The methods that compare two pages, against RTDM-TD, which is optimal (Huang 2011, chapter 5)."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from statistics import correlation, fmean
from typing import Any

from dehusk import kernels
from dehusk.base.errors import SourceError
from dehusk.base.tree import Classes, Numbered
from dehusk.bench._results import THESIS, Cell, ExperimentResult, Plot, Table, used_of
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup
from dehusk.bench.evaluation.measures import Score
from dehusk.bench.evaluation.tools import timed
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import BenchSettings, Cache, group_key, measuring_version, pages_of
from dehusk.kernels.matching import match
from dehusk.methods import bottom_up, consolidated_prufer, prufer, rtdm
from dehusk.methods import tree_sequences as sequences
from dehusk.methods.common_subtree import prune

PAIRED_SITES = 20
PAIRS = 500
"""Maximum number of pairs of a site, drawn with the seed: as many as in the thesis."""
ROUNDS = 2

REFERENCE = "rtdm"
METHODS: dict[str, Callable[[Numbered, Numbered], Sequence[int]]] = {
    "bottom-up": bottom_up.extract_subtree,
    "prufer": prufer.extract_subtree,
    "consolidated-prufer": consolidated_prufer.extract_subtree,
}
MOST_POINTS = 300
"""Maximum number of pairs in a plot of a set."""
TREE_SIZES = ("tree size", "leaf size", "total changes", "leaf changes", "total-change ratio", "leaf-change ratio")
_NOTHING = Score(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of pages: sizes that may explain the time, and by method the seconds, two scores, and `common`.

    `common` tells whether the nodes that the method found are a common subtree of both pages.
    """

    sizes: tuple[float, ...]
    dominant: tuple[int, int]
    seconds: dict[str, float]
    nodes: dict[str, Score]
    paths: dict[str, Score]
    common: dict[str, bool]


def run(bench: Bench) -> ExperimentResult:
    """Compares pairs of pages of each site."""
    entries = bench.draw(PAIRED_SITES, lambda entry: not entry.single)
    measured = partial(measure, bench.settings, bench.seed, bench.limit(PAIRS) or PAIRS)
    compared = [(entry, made) for entry, made in bench.map("pairs", measured, entries) if made["pairs"]]
    sites = [(entry, list(map(_pair, made["pairs"]))) for entry, made in compared]
    if not sites:
        raise SourceError(f"pairs: no site of {bench.data.root} has two pages")
    sets = list(dict.fromkeys(entry.dataset for entry, _ in sites))
    by_set = {dataset: [pairs for entry, pairs in sites if entry.dataset == dataset] for dataset in sets}
    every = [pair for _, pairs in sites for pair in pairs]
    return ExperimentResult(
        [_said(every)],
        [
            _scores("F by node, without penalty (Figure 5.1)", by_set, lambda pair, name: pair.nodes[name], THESIS[0]),
            _scores(
                "F by node, with penalty: 0 if it is not a common subtree (Figure 5.2)", by_set, _penalised, THESIS[1]
            ),
            _scores(
                "F by multisets of path labels, which does not penalize ties",
                by_set,
                lambda pair, name: pair.paths[name],
            ),
            _times(by_set),
            *(_correlations(dataset, _flat(own)) for dataset, own in by_set.items()),
            _growth(every),
            _by_site(sites),
        ],
        [_plot_of_f(by_set), *(_plot(dataset, _flat(own)) for dataset, own in by_set.items()), *_time_and_f(by_set)],
        [
            f"Up to {PAIRS} pairs of a site, drawn at random; few pages have fewer. Means over pairs, then sites.",
            "Times are processor time of the comparison alone, the best of two; numbering the trees is not included.",
            _like_with_like(),
        ],
        used=used_of((entry, made["pages"]) for entry, made in compared),
    )


def _flat(sites: Iterable[Iterable[Pair]]) -> list[Pair]:
    return [pair for pairs in sites for pair in pairs]


def _like_with_like() -> str:
    if kernels.compiled():
        return "All four methods run as compiled kernels, so their times can be compared."
    return "All four methods run as plain Python, because no compiler was there: only ratios of times can be compared."


def measure(settings: BenchSettings, seed: int, most: int, group: GoldGroup) -> dict[str, Any]:
    """Compares the pairs of a site; also counts the pages that they are of."""
    if len(group.pages) < 2:
        return {"pairs": [], "pages": 0}
    key = ("pairs", measuring_version(), seed, most, *group_key(settings, group, REFERENCE))
    made: dict[str, Any] = Cache(settings.cache).of(lambda: _compared(group, seed, most), *key)
    return made


def _compared(group: GoldGroup, seed: int, most: int) -> dict[str, Any]:
    pages = sorted(pages_of(group.pages), key=lambda page: page.digest)
    chosen = drawn_pairs(len(pages), most, f"{seed} {group.entry.name}")
    classes = Classes()
    trees = {number: classes.number(pages[number].tree) for number in sorted({n for pair in chosen for n in pair})}
    return {"pairs": [compare(trees[a], trees[b]) for a, b in chosen], "pages": len(trees)}


def drawn_pairs(pages: int, most: int, seed: str) -> list[tuple[int, int]]:
    """Different pairs of pages, at most so many, drawn at random."""
    every = list(combinations(range(pages), 2))
    draw = random.Random(seed)  # noqa: S311  # not for secrets
    return every if len(every) <= most else sorted(draw.sample(every, most))


def compare(first: Numbered, second: Numbered) -> dict[str, Any]:
    """Runs all methods on a pair, with RTDM-TD as the reference."""
    wanted, seconds = _found(rtdm.extract_subtree, first, second)
    path = first.path
    made: dict[str, Any] = {"seconds": {REFERENCE: seconds}, "nodes": {}, "paths": {}, "common": {}}
    for name, method in METHODS.items():
        nodes, made["seconds"][name] = _found(method, first, second)
        made["nodes"][name] = _score(Counter(nodes), Counter(wanted))
        made["paths"][name] = _score(Counter(path[node] for node in nodes), Counter(path[node] for node in wanted))
        made["common"][name] = is_common(first, second, nodes)
    forms = (sequences.EXTENDED, sequences.CONSOLIDATED)
    made["dominant"] = [sequences.count_dominant(first, second, form) for form in forms]
    return made | {"sizes": changes(first, wanted)}


def changes(tree: Numbered, template: Sequence[int]) -> list[float]:
    """The quantities that the thesis correlates with time (see TREE_SIZES)."""
    known = set(template)
    leaves = [node for node in range(len(tree)) if tree.size[node] == 1]
    changed = [node for node in range(len(tree)) if node not in known]
    at_leaves = sum(node not in known and tree.parent[node] in known for node in leaves)
    total = len(changed)
    return [len(tree), len(leaves), total, at_leaves, total / len(tree), at_leaves / total if total else 0.0]


def is_common(first: Numbered, second: Numbered, nodes: Sequence[int]) -> bool:
    """Whether these nodes of the first tree are also a subtree of the second."""
    if not nodes:
        return True
    label = first.label[:0]
    label.extend(first.label[node] for node in nodes)
    return bool(match(label, prune(first.parent, list(nodes))[1], second.label, second.size))


def _found(
    method: Callable[[Numbered, Numbered], Sequence[int]], first: Numbered, second: Numbered
) -> tuple[list[int], float]:
    flags, seconds = timed(partial(method, first, second), rounds=ROUNDS)
    return [node for node, flag in enumerate(flags) if flag], seconds


def _score(predicted: Counter[int], wanted: Counter[int]) -> Score:
    return Score.of((predicted & wanted).total(), predicted.total(), wanted.total())


def _pair(made: dict[str, Any]) -> Pair:
    nodes, paths = ({name: Score(*score) for name, score in made[key].items()} for key in ("nodes", "paths"))
    extended, consolidated = made["dominant"]
    return Pair(tuple(made["sizes"]), (extended, consolidated), made["seconds"], nodes, paths, made["common"])


def _penalised(pair: Pair, name: str) -> Score:
    return pair.nodes[name] if pair.common[name] else _NOTHING


def _scores(
    title: str,
    by_set: dict[str, list[list[Pair]]],
    pick: Callable[[Pair, str], Score],
    paper: Sequence[Sequence[Cell]] = (),
) -> Table:
    rows: list[list[Cell]] = []
    for dataset, sites in by_set.items():
        for name in METHODS:
            means = [[fmean(c) for c in zip(*(pick(pair, name) for pair in pairs), strict=True)] for pairs in sites]
            precision, recall, f1 = (fmean(column) for column in zip(*means, strict=True))
            rows.append([dataset, name, f1, precision, recall])
    return Table(title, ["set", "method", "F", "precision", "recall"], rows, paper=paper)


def _times(by_set: dict[str, list[list[Pair]]]) -> Table:
    rows: list[list[Cell]] = []
    for dataset, sites in by_set.items():
        pairs = [pair for site in sites for pair in site]
        whole = sum(pair.seconds[REFERENCE] for pair in pairs)
        shares = [sum(pair.seconds[name] for pair in pairs) / whole for name in METHODS]
        rows.append([dataset, 1000 * whole / len(pairs), *shares])
    paper: list[list[Cell]] = [["Huang 2011, text", None, None, 0.25, 0.10]]
    return Table("Time as a share of RTDM-TD's (section 5.3)", ["set", "RTDM-TD, ms", *METHODS], rows, paper=paper)


def _correlations(dataset: str, pairs: Sequence[Pair]) -> Table:
    rows: list[list[Cell]] = []
    for name in (REFERENCE, *METHODS):
        seconds = [pair.seconds[name] for pair in pairs]
        columns = list(zip(*(pair.sizes for pair in pairs), strict=True))
        rows.append([name, *(pearson(column, seconds) for column in columns)])
    title = f"{dataset}: Pearson's correlation of time with sizes and changes (Figures 5.12 to 5.15)"
    return Table(title, ["method", *TREE_SIZES], rows)


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Pearson's correlation; None if one of them is constant."""
    return correlation(xs, ys) if len(set(xs)) > 1 and len(set(ys)) > 1 else None


def _growth(pairs: Sequence[Pair]) -> Table:
    steps = defaultdict(list)
    for pair in pairs:
        steps[int(pair.sizes[0]).bit_length()].append(pair)
    rows: list[list[Cell]] = []
    for step, group in sorted(steps.items()):
        times = [1000 * fmean(pair.seconds[name] for pair in group) for name in (REFERENCE, *METHODS)]
        dominant = [fmean(column) for column in zip(*(pair.dominant for pair in group), strict=True)]
        rows.append([f"up to {2**step}", len(group), *times, *dominant])
    timed_methods = [f"{name}, ms" for name in (REFERENCE, *METHODS)]
    columns = ["nodes", "pairs", *timed_methods, "dominant PS", "dominant CPS"]
    return Table("Time by size of the tree", columns, rows)


def _plot_of_f(by_set: dict[str, list[list[Pair]]]) -> Plot:
    """F by set without and with penalty, and the thesis's means beside them."""
    picks = {"": THESIS[0], ", with penalty": THESIS[1]}
    series: dict[str, list[tuple[float, float]]] = {}
    paper: dict[str, list[tuple[float, float]]] = {}
    for name in METHODS:
        for penalty, rows in picks.items():
            pick = (lambda pair, name: pair.nodes[name]) if not penalty else _penalised
            f = [fmean(fmean(pick(pair, name).f1 for pair in pairs) for pairs in sites) for sites in by_set.values()]
            series[name + penalty] = [(float(k), value) for k, value in enumerate(f)]
            printed = [row[2] for row in rows if row[1] == name and isinstance(row[2], float)]
            paper[f"{name}{penalty}: Huang 2011"] = [(float(len(by_set)), value) for value in printed]
    title = "F by node against RTDM-TD, without and with penalty (Figures 5.1 and 5.2)"
    return Plot(title, "bars", "", "F", series, ticks=[*by_set, "Huang 2011"], paper=paper)


def _plot(dataset: str, pairs: Sequence[Pair]) -> Plot:
    few = pairs[:: max(1, len(pairs) // MOST_POINTS)]
    series = {name: [(pair.sizes[0], 1000 * pair.seconds[name]) for pair in few] for name in (REFERENCE, *METHODS)}
    title = f"{dataset}: time against the size of the tree (Figures 5.5 to 5.9)"
    return Plot(title, "points", "nodes", "milliseconds", series, log=True, log_y=True)


def _time_and_f(by_set: dict[str, list[list[Pair]]]) -> Iterator[Plot]:
    """Mean time against mean F of each set, without and with penalty."""
    picks: dict[str, Callable[[Pair, str], Score]] = {
        "without penalty (Figure 5.10)": lambda pair, name: pair.nodes[name],
        "with penalty (Figure 5.11)": _penalised,
    }
    for title, pick in picks.items():
        series = {}
        for name in METHODS:
            series[name] = [
                (
                    1000 * fmean(pair.seconds[name] for pair in _flat(own)),
                    fmean(pick(pair, name).f1 for pair in _flat(own)),
                )
                for own in by_set.values()
            ]
        series[REFERENCE] = [
            (1000 * fmean(pair.seconds[REFERENCE] for pair in _flat(own)), 1.0) for own in by_set.values()
        ]
        yield Plot(f"Time against F, a point for each set, {title}", "points", "milliseconds", "F", series, log=True)


def _by_site(sites: Sequence[tuple[Entry, Sequence[Pair]]]) -> Table:
    rows: list[list[Cell]] = []
    for entry, pairs in sites:
        f = [fmean(pair.nodes[name].f1 for pair in pairs) for name in METHODS]
        times = [1000 * fmean(pair.seconds[name] for pair in pairs) for name in (REFERENCE, *METHODS)]
        rows.append([f"{entry.dataset} {entry.name}", len(pairs), *f, *times])
    columns = ["site", "pairs", *(f"F, {name}" for name in METHODS), *(f"{name}, ms" for name in (REFERENCE, *METHODS))]
    return Table("Each site: F by node without penalty, and time", columns, rows)


def _said(pairs: Sequence[Pair]) -> str:
    broken = {name: fmean(not pair.common[name] for pair in pairs) for name in METHODS}
    shares = ", ".join(f"{share:.0%} by {name}" for name, share in broken.items())
    f = ", ".join(f"{name} {fmean(pair.nodes[name].f1 for pair in pairs):.3f}" for name in METHODS)
    return f"{len(pairs):,} pairs. F against RTDM-TD: {f}. The result is not a common subtree: {shares}."
