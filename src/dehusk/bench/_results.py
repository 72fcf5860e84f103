"""Results of experiments: tables, plots, and the numbers printed in the papers."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dehusk.bench.evaluation.layouts._gold import Entry
from dehusk.methods import DEFAULT

Cell = str | float | int | None
"""A table cell; None if there is no value. Floats are shown with three digits."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; `paper` are rows with the numbers of a paper for the same columns."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    paper: Sequence[Sequence[Cell]] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """Series of points by name, drawn as lines, points or grouped bars."""

    title: str
    kind: str
    x: str
    y: str
    series: Mapping[str, Sequence[tuple[float, float]]]
    log: bool = False
    log_y: bool = False
    ticks: Sequence[str] = ()
    """Labels for 0, 1, 2 and so on of the x axis."""
    paper: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    """Values printed in papers, drawn as outlined marks. The part of a name before a colon is that of a series."""
    intervals: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    """For bars: the low and high end of the 95% interval of each bar of a series."""


@dataclass(frozen=True, slots=True)
class Worst:
    """A page with a low score: its set, group and name, its score, the best other tool, and the file of its view."""

    dataset: str
    group: str
    page: str
    score: float
    tool: str = ""
    """The other tool that is best on this page, if there is one ..."""
    tool_score: float = 0.0
    """... and its score."""
    view: str = ""


@dataclass(frozen=True, slots=True)
class ExperimentResult:
    """The result of an experiment."""

    summary: Sequence[str]
    tables: Sequence[Table] = ()
    plots: Sequence[Plot] = ()
    notes: Sequence[str] = ()
    worst: Sequence[Worst] = ()
    used: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Number of groups and pages used of each set."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """More data, for results.json only."""


def used_of(groups: Iterable[tuple[Entry, int]]) -> dict[str, tuple[int, int]]:
    """Counts groups and pages of each set, from groups with their numbers of pages."""
    used: dict[str, tuple[int, int]] = {}
    for entry, pages in groups:
        before = used.get(entry.dataset, (0, 0))
        used[entry.dataset] = (before[0] + 1, before[1] + pages)
    return used


def shown(text: str) -> str:
    """A text for readers: the default method has a name of its own only in commands."""
    return re.sub(
        rf"\b{DEFAULT}:([\w=.+-]+(?:,[\w=.+-]+)*)",
        r"the default (\1)",
        re.sub(rf"\b{DEFAULT}\b(?!:)", "the default", text),
    )


Rows = list[list[Cell]]

TEMEX_NODES: Rows = [["Alarte et al. 2015, on TECO", 40, 0.9635, 0.9544, 0.9561]]

_YI, _VIEIRA = "Yi et al. 2003", "Vieira et al. 2006"

CLUSTERING: Rows = [
    [f"{_YI}: original", 0.506, None, 0.4763, 0.0050, 0.0013, 0.0, None, None],
    [f"{_YI}: pagelets", 0.631, 0.631 / 0.506 - 1, 0.1063, 0.2325, 0.0775, 0.0, None, None],
    [f"{_YI}: style tree", 0.751, 0.751 / 0.506 - 1, 0.0325, 0.7813, 0.2475, 0.1175, None, None],
    [f"{_VIEIRA}: original", 0.306, None, None, None, None, None, None, None],
    [f"{_VIEIRA}: RTDM-TD", 0.482, 0.482 / 0.306 - 1, None, None, None, None, 0.40, None],
]


def _after(name: str, before: tuple[float, float], f: float, accuracy: float) -> list[Cell]:
    return [name, f, f / before[0] - 1, accuracy, accuracy / before[1] - 1]


def _configuration(yi: tuple[float, ...], vieira: tuple[float, ...]) -> Rows:
    """Rows for Yi et al. (F and accuracy: original, pagelets, style tree) and Vieira et al. (original, RTDM-TD)."""
    return [
        [f"{_YI}: original", yi[0], None, yi[1], None],
        _after(f"{_YI}: pagelets", (yi[0], yi[1]), yi[2], yi[3]),
        _after(f"{_YI}: style tree", (yi[0], yi[1]), yi[4], yi[5]),
        [f"{_VIEIRA}: original", vieira[0], None, vieira[1], None],
        _after(f"{_VIEIRA}: RTDM-TD", (vieira[0], vieira[1]), vieira[2], vieira[3]),
    ]


PRINTED_GAINS = {
    1: (0.1117, 0.1003, 0.0684, 0.0633),
    2: (0.4551, 0.3285, 0.2680, 0.2300),
    3: (0.5230, 0.5264, 0.5836, 0.4102),
}
"""Table 6 of Vieira et al. as printed: gains of F and accuracy by RTDM-TD, then by the style tree."""


def _printed(number: int) -> Rows:
    f, accuracy, f_tree, accuracy_tree = PRINTED_GAINS[number]
    name = f"{_VIEIRA}, Table 6 as printed"
    swapped = "; accuracy looks swapped with the other row" if number == 3 else ""
    return [
        [f"{name}: RTDM-TD{swapped}", None, f, None, accuracy],
        [f"{name}: style tree{swapped}", None, f_tree, None, accuracy_tree],
    ]


_BY_VIEIRA = {1: (0.844, 0.857, 0.939, 0.943), 2: (0.525, 0.585, 0.765, 0.778), 3: (0.387, 0.431, 0.589, 0.608)}

AFTER_RTDM = {number: f for number, (_, _, f, _) in _BY_VIEIRA.items()}
"""F after RTDM-TD by configuration; in Figure 9 it is the same for all numbers of pages to learn from."""

CLASSIFICATION = {
    1: _configuration((0.925, 0.932, 0.965, 0.969, 0.989, 0.991), _BY_VIEIRA[1]) + _printed(1),
    2: _configuration((0.763, 0.792, 0.918, 0.934, 0.968, 0.974), _BY_VIEIRA[2]) + _printed(2),
    3: _configuration((0.596, 0.625, 0.831, 0.855, 0.944, 0.954), _BY_VIEIRA[3]) + _printed(3),
}
"""By configuration. Table 3 prints 0.918 as mean F of original pages in the first; the mean of its rows is 0.925."""

TEMEX_SIZES: Rows = [
    ["2015: 1", 1, 0.8856, 0.9489, 0.8869, 2.0, None, None],
    ["2015: 2", 1, 0.9634, 0.9032, 0.9193, 5.6, None, None],
    ["2015: 3", 2, 0.9544, 0.9635, 0.9561, 10.13, None, None],
    ["2015: 4", 3, 0.9461, 0.9688, 0.9527, 16.52, None, None],
    ["2015: 5", 3, 0.9469, 0.9696, 0.9540, 18.68, None, None],
    ["2015: 6", 3, 0.9521, 0.9682, 0.9569, 23.68, None, None],
    ["2015: 7", 3, 0.9546, 0.9631, 0.9557, 30.0, None, None],
    ["2015: 8", 4, 0.9514, 0.9657, 0.9554, 32.08, None, None],
]

TEMEX_SITES: Rows = [
    ["Alarte et al. 2015, mean of 40 sites", 1444.3, 499.1, 492.2, 0.9544, 0.9635, 0.9561, 10.13, 14226.08]
]
"""The last line of Table 1; loads are from Table 2. The time is wall-clock time with loading over a network."""

_HUANG = "Huang 2011, ten sets of news"
_PRUFER: Rows = [[_HUANG, "prufer", 0.981, 0.988, 0.976], [_HUANG, "consolidated-prufer", 0.985, 0.991, 0.980]]

THESIS: tuple[Rows, Rows] = (
    [[_HUANG, "bottom-up", 0.943, 0.942, 0.946], *_PRUFER],
    [[_HUANG, "bottom-up", 0.003, 0.003, 0.003], *_PRUFER],
)
"""Means of the rows of Figures 5.1 (without penalty) and 5.2 (with penalty)."""

_MA = "Ma et al. 2003"

SEARCH: Rows = [[f"{_MA}: 280 queries, judged by people", None, None, None, None, 39, 5, 236]]

_RATIOS = (
    *(("cnnfn.com", 0.341), ("netflix.com", 0.178), ("nba.com", 0.181), ("amazon.com", 0.193), ("ebay.com", 0.225)),
    *(
        ("disneylandsource.com", 0.541),
        ("elle.com", 0.193),
        ("launch.yahoo.com", 0.293),
        ("mean of eight sites", 0.268),
    ),
)
TEMPLATE_RATIO: Rows = [[f"{_MA}: {site}", "chunks", ratio, None, None] for site, ratio in _RATIOS]

DISCOVERY_PAGES = {
    f"{_MA}: amazon.com, 9 of 13 pages": (9, 0.86),
    f"{_MA}: ebay.com, 9 of 41 pages, in 27% of the time": (9, 1.0),
}
"""The number of pages, and the ratio."""

GROUPING: Rows = [[f"{_MA}: min-max, 1,276 pages, checked by hand", None, 0.967, None]]

BUILDING: Rows = [[f"{_YI}, Pentium 4 with 1.6 GHz: 500, always below", 20.0, 2.0, 0.1]]

DISCOVERY: Rows = [
    [f"{_MA}: nba.com", None, None, 0.86, None],
    [f"{_MA}: seven other sites", None, None, 1.0, None],
    [f"{_MA}: cnnfn.com, 200 of 55,711 pages", None, None, 0.923, None],
]
