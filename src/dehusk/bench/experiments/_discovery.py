"""How much of the template chunks find, by the number of pages, with the time (Ma et al. 2003, sections 4.2 and 4.4).

Also the size of a sample that estimates the ratio, and pages grouped by template with min-max distances.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import ceil
from statistics import NormalDist, fmean, pstdev
from typing import Any

from dehusk.base.errors import SourceError
from dehusk.bench._results import DISCOVERY_PAGES, GROUPING, Cell, ExperimentResult, Plot, Table, used_of
from dehusk.bench.evaluation.layouts._gold import GoldGroup
from dehusk.bench.evaluation.measures import SCORED
from dehusk.bench.evaluation.tools import timed
from dehusk.bench.experiments._search import discovered
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import BenchSettings, Cache, gold_key, group_key, learning, measuring_version, pages_of
from dehusk.methods import DEFAULT
from dehusk.page import Page

DISCOVERED_SITES = 20
PAGE_NUMBERS = (2, 3, 5, 7, 9, 11, 13, 20, 41)
"""Numbers of pages to learn from. The paper took 9 of 13 and 9 of 41, among others."""
DISCOVERY_DRAWS = 3
"""Number of random samples of each size."""
FIXED = "chunks:threshold=4"
"""The threshold of the paper, for any number of pages."""
DISCOVERERS = ("chunks", FIXED, DEFAULT)
DIFFERENCE, CONFIDENCE = 0.058, 0.90
"""The paper's example: 90% confidence and a sample error of 5.8%."""

MIXED_SITES, MIXED_PAGES, MIXTURES = 4, 12, 20
"""How many sites are mixed, with how many pages of each, and how often."""
FAR = 0.5
"""A page is a new centre if its distance to all centres is above this share of the mean distance between centres."""


def run(bench: Bench) -> ExperimentResult:
    """Learns sites from random samples of several sizes, and groups mixed pages by template."""
    entries = bench.draw(DISCOVERED_SITES, lambda entry: not entry.single)
    measured = list(bench.map("discovery", partial(measure, bench.settings, bench.seed), entries))
    sites = [(entry, made["by"]) for entry, made in measured if made["by"]]
    if not sites:
        raise SourceError(f"discovery: no site of {bench.data.root} has gold for nodes")
    lines = {method: _line([by[method] for _, by in sites]) for method in DISCOVERERS}
    shapes = {entry.name: made["shapes"] for entry, made in measured if len(made["shapes"]) >= MIXED_PAGES}
    grouped = list(mixtures(shapes, bench.seed))
    return ExperimentResult(
        [
            _said(lines),
            *([f"Of pages of {MIXED_SITES} mixed sites, {fmean(grouped):.1%} are grouped right."] if grouped else []),
        ],
        [*_tables(lines), _sample_sizes([by for _, by in sites]), *_grouped(grouped)],
        [
            Plot(
                "Recall of template chunks by pages learned from (Figure 3)",
                "lines",
                "pages",
                "recall",
                _picked(lines, 1),
                paper=_PAPER_POINTS,
            ),
            Plot("Time as a share of that for all pages", "lines", "pages", "share of the time", _picked(lines, 2)),
        ],
        [
            f"Means over {DISCOVERY_DRAWS} random samples, {SCORED} scored pages of a site, then sites.",
            "The ratio counts chunks found by those there are, so errors cancel; recall is beside it.",
            "With a threshold fixed at 4, as in the paper, a text must be on five pages: fewer pages find nothing.",
            "Min-max: the page farthest from all centres is a new centre, if far enough. Pages are sets of paths.",
            "A page is right if it is in the largest group of which most pages are of its site.",
        ],
        used=used_of((entry, max(map(int, by[DISCOVERERS[0]]), default=0)) for entry, by in sites),
        figures={"by number of pages": lines},
    )


def measure(settings: BenchSettings, seed: int, group: GoldGroup) -> dict[str, Any]:
    """By method and number of pages: ratio, recall and seconds, if gold has nodes. Also the shapes of some pages."""
    golden = [page for page in group.golden if page.selector][:SCORED]
    key = ("discovery", measuring_version(), seed, *(group_key(settings, group, name) for name in DISCOVERERS))
    made: dict[str, Any] = Cache(settings.cache).of(partial(_measured, settings, seed, group), *key, gold_key(golden))
    return made


def _measured(settings: BenchSettings, seed: int, group: GoldGroup) -> dict[str, Any]:
    golden = [page for page in group.golden if page.selector][:SCORED]
    draw = random.Random(f"{seed} {group.entry.name}")  # noqa: S311  # not for secrets
    pages = pages_of(group.pages)
    shapes = [sorted(shape(page)) for page in pages[:MIXED_PAGES]]
    if not golden or len(pages) < PAGE_NUMBERS[0]:
        return {"by": {}, "shapes": shapes}
    numbers = [number for number in PAGE_NUMBERS if number < len(pages)]
    samples = [(number, draw.sample(pages, number)) for number in numbers for _ in range(DISCOVERY_DRAWS)]
    samples.append((len(pages), pages))
    by: dict[str, dict[str, list[list[float]]]] = {}
    for method in DISCOVERERS:
        scores: dict[str, list[list[float]]] = defaultdict(list)
        for number, sample in samples:
            template, seconds = timed(partial(learning(settings, group, method, sample=None).learn, sample))
            for gold, page in zip(golden, pages_of(golden), strict=True):
                seen = discovered(page, template.mark(page).flags, gold.template() or frozenset())
                if seen:
                    scores[str(number)].append([*seen, seconds])
        by[method] = dict(scores)
    return {"by": by, "shapes": shapes}


_PAPER_POINTS = {f"chunks: {name} (ratio)": [(float(pages), ratio)] for name, (pages, ratio) in DISCOVERY_PAGES.items()}

BySize = Mapping[str, Sequence[Sequence[float]]]


def _line(sites: Sequence[BySize]) -> list[tuple[float, ...]]:
    """For each number of pages: ratio, recall, and time as a share of that for all pages; means over sites."""
    points = []
    for number in map(str, PAGE_NUMBERS):
        rows = [
            (fmean(row[0] for row in by[number]), fmean(row[1] for row in by[number]), _share_of_time(by, number))
            for by in sites
            if by.get(number)
        ]
        if rows:
            points.append((float(number), *(fmean(column) for column in zip(*rows, strict=True))))
    return points


def _share_of_time(by: BySize, number: str) -> float:
    whole = max(by, key=int)
    return fmean(row[2] for row in by[number]) / (fmean(row[2] for row in by[whole]) or 1.0)


def sample_size(deviation: float, difference: float = DIFFERENCE, confidence: float = CONFIDENCE) -> int:
    """The paper's formula: Z squared times S squared by D squared, rounded up."""
    z = NormalDist().inv_cdf(1 - (1 - confidence) / 2)
    return max(1, ceil((z * deviation / difference) ** 2))


def shape(page: Page) -> frozenset[str]:
    """The paths of tags of a page."""
    tree = page.tree
    paths: list[str] = []
    for node, tag in enumerate(tree.tag):
        paths.append(tag if node == 0 else f"{paths[tree.parent[node]]}/{tag}")
    return frozenset(path for path, text in zip(paths, tree.text, strict=True) if not text)


def min_max_groups(shapes: Sequence[frozenset[str]]) -> list[int]:
    """The number of each page's group: centres are pages far from all earlier ones, and a page joins the nearest."""
    if not shapes:
        return []
    distances = [[_distance(one, shapes[0]) for one in shapes]]
    centres = [0]
    while True:
        nearest = [min(column) for column in zip(*distances, strict=True)]
        farthest = max(range(len(shapes)), key=nearest.__getitem__)
        between = [distances[k][centre] for k in range(len(centres)) for centre in centres[k + 1 :]]
        if nearest[farthest] <= FAR * (fmean(between) if between else 1.0):
            return [min(range(len(centres)), key=lambda k: distances[k][page]) for page in range(len(shapes))]
        centres.append(farthest)
        distances.append([_distance(one, shapes[farthest]) for one in shapes])


def _distance(one: frozenset[str], other: frozenset[str]) -> float:
    return 1 - len(one & other) / len(one | other)


def right_share(groups: Sequence[int], sites: Sequence[str]) -> float:
    """The share of pages in the largest group that is mostly of their site."""
    both, sizes = Counter(zip(groups, sites, strict=True)), Counter(groups)
    own = {key: count for key, count in both.items() if 2 * count > sizes[key[0]]}
    right = (max((count for (_, of), count in own.items() if of == site), default=0) for site in set(sites))
    return sum(right) / len(sites)


def mixtures(shapes: Mapping[str, Sequence[Sequence[str]]], seed: int) -> Iterator[float]:
    """The share of pages grouped right in each mixture of sites."""
    if len(shapes) < MIXED_SITES:
        return
    draw = random.Random(seed)  # noqa: S311  # not for secrets
    for _ in range(MIXTURES):
        chosen = draw.sample(sorted(shapes), MIXED_SITES)
        pages = [(site, frozenset(own)) for site in chosen for own in shapes[site]]
        yield right_share(min_max_groups([own for _, own in pages]), [site for site, _ in pages])


def _picked(lines: dict[str, list[tuple[float, ...]]], which: int) -> dict[str, list[tuple[float, float]]]:
    return {method: [(point[0], point[1 + which]) for point in points] for method, points in lines.items() if points}


def _tables(lines: dict[str, list[tuple[float, ...]]]) -> Iterator[Table]:
    numbers = sorted({point[0] for points in lines.values() for point in points})
    for which, title in enumerate(("Discovery ratio", "Recall", "Time as a share of that for all pages")):
        rows: list[list[Cell]] = []
        for method, points in lines.items():
            by = {point[0]: point[1 + which] for point in points}
            rows.append([method, *(by.get(number) for number in numbers)])
        yield Table(
            f"{title} by pages learned from",
            ["method", *(f"{number:g}" for number in numbers)],
            rows,
            paper=[] if which else [_paper(name, numbers, *ratio) for name, ratio in DISCOVERY_PAGES.items()],
        )


def _paper(name: str, numbers: Sequence[float], pages: int, ratio: float) -> list[Cell]:
    return [name, *(ratio if number == pages else None for number in numbers)]


def _sample_sizes(sites: Sequence[Mapping[str, BySize]]) -> Table:
    """How many pages to check for an estimate of the ratio, from its deviation on the scored pages."""
    rows: list[list[Cell]] = []
    for method in DISCOVERERS:
        ratios = [row[0] for by in sites for row in by[method][max(by[method], key=int)] if by[method]]
        deviation = pstdev(ratios)
        rows.append([method, len(ratios), deviation, sample_size(deviation)])
    title = f"Pages to check for a sample error of {DIFFERENCE:.1%} with {CONFIDENCE:.0%} confidence (section 4.4)"
    paper: list[list[Cell]] = [["Ma et al. 2003: chunks", None, None, 200]]
    return Table(title, ["method", "pages", "deviation S", "Z² S² / D²"], rows, paper=paper)


def _grouped(shares: Sequence[float]) -> Iterator[Table]:
    if shares:
        rows: list[list[Cell]] = [["min-max", len(shares), fmean(shares), min(shares)]]
        columns = ["grouping", "mixtures", "grouped right, mean", "worst"]
        yield Table(
            f"Pages of {MIXED_SITES} sites, {MIXED_PAGES} of each, grouped by template", columns, rows, paper=GROUPING
        )


def _said(lines: dict[str, list[tuple[float, ...]]]) -> str:
    points = lines[DISCOVERERS[0]]
    if not points:
        return "No site has enough pages."
    few = next((point for point in points if point[0] >= 9), points[-1])
    share = f"{few[2]:.0%} of the template chunks in {few[3]:.0%} of the time for all pages"
    return f"From {few[0]:g} pages, chunks find {share}."
