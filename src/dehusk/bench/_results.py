"""Results of experiments: tables, plots as SVG, and the numbers printed in the papers."""

import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import pairwise
from math import log10
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


INK = "#010203"
"""Placeholder that is replaced by the text colour."""

COLOURS = (
    *("#2a9d8f", "#d9694f", "#7b8fd4", "#c79a2b", "#a463b0", "#5d9a3c", "#c45f8b", "#4aa3c7", "#9a7b5a"),
    *("#8a8f98", "#b5532a", "#3f7f5f", "#6f6fc0", "#b0a33a", "#94566f", "#5f8f9f", "#a08f4f", "#7f7f7f"),
)
"""Of medium lightness, to be visible on white and on black."""

_NAMED = (
    *(DEFAULT, "original", "rtdm", "style-tree", "chunks", "pagelets", "etdm", "bottom-up", "prufer"),
    *("consolidated-prufer", "trafilatura", "readability-lxml", "resiliparse", "newspaper4k", "jusText", "boilerpy3"),
    *("mdream's rule", "turbohtml"),
)
_COLOUR_OF = dict(zip(_NAMED, COLOURS, strict=True))
"""Each method and tool has the same colour in all plots."""


def colour_of(name: str, number: int) -> str:
    """The colour of a series: that of its method or tool, else by its number."""
    base = re.split(r"[,:]", name)[0].strip()
    return _COLOUR_OF.get(base, COLOURS[number % len(COLOURS)])


def shown(text: str) -> str:
    """A text for readers: the default method has a name of its own only in commands."""
    return re.sub(rf"\b{DEFAULT}:([\w=,.-]+)", r"the default (\1)", re.sub(rf"\b{DEFAULT}\b(?!:)", "the default", text))


MOST_LETTERS = 60
"""If the labels of an axis are longer than this together, they are rotated to avoid overlaps."""

_STANDALONE = "<style>svg{color:#22261f}@media(prefers-color-scheme:dark){svg{color:#e8ebe2}}</style>"
_SETTINGS = {"svg.hashsalt": "dehusk", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"}
_POINTS = "os^Dv<>Pp*"


def svg(plot: Plot, *, standalone: bool = False) -> str:
    """A plot as an SVG element; if `standalone`, with its own text colour."""
    mpl: Any = import_module("matplotlib")
    figures: Any = import_module("matplotlib.figure")
    inks = dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK)
    with mpl.rc_context({**_SETTINGS, **inks}):
        figure = figures.Figure(figsize=(7.6, 3.6), layout="constrained")
        axis = figure.subplots()
        _DRAWN_AS[plot.kind](axis, plot)
        _outlined(axis, plot)
        if plot.kind == "lines":
            _named_lines(axis, plot)
        axis.set_xlabel(plot.x)
        axis.set_ylabel(plot.y)
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(axis="y", color=INK, alpha=0.15)
        axis.set_axisbelow(True)
        if axis.get_legend_handles_labels()[1]:
            figure.legend(loc="outside right center", frameon=False, fontsize=8)
        written = io.StringIO()
        figure.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _adapted(written.getvalue(), plot.title, standalone=standalone)


def _lines(axis: Any, plot: Plot) -> None:
    """Lines; those of one method or tool differ in their dashes."""
    met: Counter[str] = Counter()
    for number, (name, points) in enumerate(plot.series.items()):
        colour = colour_of(name, number)
        style = ("-", "--", ":", "-.")[met[colour] % 4]
        met[colour] += 1
        marker = _POINTS[number % len(_POINTS)]
        axis.plot(*zip(*points, strict=True), style, color=colour, marker=marker, markersize=4)
    if plot.log:
        axis.set_xscale("log")
    ticks = sorted({x for points in plot.series.values() for x, _ in points})
    axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.minorticks_off()
    if plot.log_y:
        axis.set_yscale("log")


def _named_lines(axis: Any, plot: Plot) -> None:
    """Writes the names of lines at their right ends, moved apart."""
    ends = {name: points[-1] for name, points in plot.series.items()}
    low, high = axis.get_ylim()
    heights = [log10(max(y, 1e-9)) if plot.log_y else y for _, y in ends.values()]  # 0 has no logarithm
    whole = log10(high) - log10(low) if plot.log_y else high - low
    right = max(x for x, _ in ends.values())
    for number, (name, place) in enumerate(zip(ends, spread(heights, whole * LABEL_HEIGHT), strict=True)):
        at = {"xytext": (6, 0), "textcoords": "offset points", "va": "center", "fontsize": 7.5}
        point = (right, 10**place if plot.log_y else place)
        axis.annotate(shown(name), point, color=colour_of(name, number), annotation_clip=False, **at)


LABEL_HEIGHT = 0.055
"""The height of a label at the end of a line, as a share of the axis."""


def spread(values: Sequence[float], least: float) -> list[float]:
    """Values moved apart until neighbours differ by at least so much, in the same order and around their mean."""
    order = sorted(range(len(values)), key=values.__getitem__)
    places = list(values)
    for below, above in pairwise(order):
        places[above] = max(places[above], places[below] + least)
    shift = (sum(places) - sum(values)) / len(values) if values else 0.0
    return [place - shift for place in places]


def _points(axis: Any, plot: Plot) -> None:
    """Points. A single point has its name beside it; the names of clouds are in the legend."""
    for number, (name, points) in enumerate(plot.series.items()):
        single = len(points) == 1
        size, marker = 40 if single else 9, _POINTS[number % len(_POINTS)]
        style = {"s": size, "alpha": 0.8, "marker": marker, "color": colour_of(name, number)}
        axis.scatter(*zip(*points, strict=True), label=None if single else shown(name), **style)
        if single:
            axis.annotate(shown(name), points[0], xytext=(5, 3), textcoords="offset points", fontsize=7.5)
    if plot.log:
        axis.set_xscale("log")
    if plot.log_y:
        axis.set_yscale("log")


def _bars(axis: Any, plot: Plot) -> None:
    width = 0.8 / len(plot.series)
    met: Counter[str] = Counter()
    for number, (name, points) in enumerate(plot.series.items()):
        colour = colour_of(name, number)
        look = {
            "color": colour,
            "edgecolor": "white" if met[colour] else colour,
            "hatch": "//" if met[colour] else None,
        }
        met[colour] += 1
        places = [x - 0.4 + width * (number + 0.5) for x, _ in points]
        axis.bar(places, [y for _, y in points], width, label=shown(name), linewidth=0, **look)
        for place, (low, high) in zip(places, plot.intervals.get(name, ()), strict=False):
            axis.plot([place, place], [low, high], color=INK, linewidth=0.9)
    if plot.ticks:
        turned = {"rotation": 30, "ha": "right"} if sum(map(len, plot.ticks)) > MOST_LETTERS else {}
        axis.set_xticks(range(len(plot.ticks)), plot.ticks, **turned)


def _outlined(axis: Any, plot: Plot) -> None:
    """The values of papers as outlined marks: over the bars of the same name, or at their place."""
    names = list(plot.series)
    width = 0.8 / len(names) if names else 0.0
    for number, (name, points) in enumerate(plot.paper.items()):
        base = name.partition(":")[0]
        known = names.index(base) if base in names else None
        moved = -0.4 + width * (known + 0.5) if plot.kind == "bars" and known is not None else 0.0
        xs, ys = [x + moved for x, _ in points], [y for _, y in points]
        style = {"s": 34, "marker": "oD^vsP"[number % 6], "facecolors": "none", "edgecolors": INK, "zorder": 3}
        axis.scatter(xs, ys, label=shown(name.partition(": ")[2] or name), linewidths=1.3, **style)


_DRAWN_AS: dict[str, Callable[[Any, Plot], None]] = {"lines": _lines, "points": _points, "bars": _bars}


def _adapted(drawn: str, title: str, *, standalone: bool) -> str:
    """Removes the XML prologue and metadata, uses the current text colour, and adds a label for screen readers."""
    picture = drawn[drawn.index("<svg") :].replace(INK, "currentColor")
    picture = re.sub(r"<metadata>.*?</metadata>\s*", "", picture, flags=re.DOTALL)
    name = title.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    head, rest = picture.split(">", 1)
    return f'{head} role="img" aria-label="{name}">{_STANDALONE if standalone else ""}{rest}'


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


CLASSIFICATION = {
    1: _configuration((0.925, 0.932, 0.965, 0.969, 0.989, 0.991), (0.844, 0.857, 0.939, 0.943)) + _printed(1),
    2: _configuration((0.763, 0.792, 0.918, 0.934, 0.968, 0.974), (0.525, 0.585, 0.765, 0.778)) + _printed(2),
    3: _configuration((0.596, 0.625, 0.831, 0.855, 0.944, 0.954), (0.387, 0.431, 0.589, 0.608)) + _printed(3),
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
