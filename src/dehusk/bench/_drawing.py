"""Draws plots of results as SVG."""

import io
import re
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import pairwise
from math import log10
from typing import Any

from dehusk.bench._results import Plot, shown
from dehusk.methods import DEFAULT

INK = "#010203"
"""Placeholder that is replaced by the text colour."""

COLOURS = (
    *("#2a9d8f", "#d9694f", "#7b8fd4", "#c79a2b", "#a463b0", "#5d9a3c", "#c45f8b", "#4aa3c7", "#9a7b5a"),
    *("#8a8f98", "#b5532a", "#3f7f5f", "#6f6fc0", "#b0a33a", "#94566f", "#5f8f9f", "#a08f4f", "#7f7f7f"),
    "#5fb0c9",
)
"""Of medium lightness, to be visible on white and on black."""

_NAMED = (
    *(DEFAULT, "original", "rtdm", "style-tree", "chunks", "pagelets", "etdm", "bottom-up", "prufer"),
    *("consolidated-prufer", "trafilatura", "readability-lxml", "resiliparse", "newspaper4k", "jusText", "boilerpy3"),
    *("mdream's rule", "turbohtml", "rs-trafilatura"),
)
_COLOUR_OF = dict(zip(_NAMED, COLOURS, strict=True))
"""Each method and tool has the same colour in all plots."""

_OTHERS = ("#6b8fb0", "#c2a36b", "#8a7a9e", "#a3b06a", "#c98b8b", "#7d9183", "#b08060", "#9aa5b5")
"""For series that are no method or tool: no colour of these."""


def colour_of(name: str, number: int) -> str:
    """The colour of a series: that of its method or tool, else one that none has, by its number."""
    base = re.split(r"[,:]", name)[0].strip()
    return _COLOUR_OF.get(base, _OTHERS[number % len(_OTHERS)])


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
        _NAMED_BY[plot.kind](axis, plot)
        axis.set_xlabel(plot.x)
        axis.set_ylabel(plot.y)
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(axis="y", color=INK, alpha=0.15)
        axis.set_axisbelow(True)
        if axis.get_legend_handles_labels()[1]:
            figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8)
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


def _named_ends(axis: Any, plot: Plot) -> None:
    """Writes the names of lines and of clouds of points at their right ends, moved apart."""
    ends = {name: max(points) for name, points in plot.series.items() if plot.kind == "lines" or len(points) > 1}
    if not ends:
        return
    low, high = axis.get_ylim()
    heights = [log10(max(y, 1e-9)) if plot.log_y else y for _, y in ends.values()]  # 0 has no logarithm
    whole = log10(high) - log10(low) if plot.log_y else high - low
    right = max(x for x, _ in ends.values())
    numbers = {name: number for number, name in enumerate(plot.series)}
    for name, place in zip(ends, spread(heights, whole * LABEL_HEIGHT), strict=True):
        at = {"xytext": (6, 0), "textcoords": "offset points", "va": "center", "fontsize": 7.5}
        point = (right, 10**place if plot.log_y else place)
        axis.annotate(shown(name), point, color=colour_of(name, numbers[name]), annotation_clip=False, **at)


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
    """Points. A single point has its name beside it, a cloud at its right end."""
    for number, (name, points) in enumerate(plot.series.items()):
        single = len(points) == 1
        size, marker = 40 if single else 9, _POINTS[number % len(_POINTS)]
        style = {"s": size, "alpha": 0.8, "marker": marker, "color": colour_of(name, number)}
        axis.scatter(*zip(*points, strict=True), **style)
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
        axis.bar(places, [y for _, y in points], width, linewidth=0, **look)
        for place, (low, high) in zip(places, plot.intervals.get(name, ()), strict=False):
            axis.plot([place, place], [low, high], color=INK, linewidth=0.9)
    if plot.ticks:
        turned = {"rotation": 30, "ha": "right"} if sum(map(len, plot.ticks)) > MOST_LETTERS else {}
        axis.set_xticks(range(len(plot.ticks)), plot.ticks, **turned)


LETTER = 0.6
"""The mean width of a letter, as a share of the size of the font."""

_ON_BARS = "#10130e"
"""Of letters on bars, which are of medium lightness in light and dark mode."""

_LONGEST_NAME = 0.35
"""The longest name above a bar, as a share of the height of the picture; letters of a longer one are smaller."""


def _named_bars(axis: Any, plot: Plot) -> None:
    """Writes the name of each series once, upright: on its first bar, or above it if the bar is too short."""
    width = 0.8 / len(plot.series)
    left, right = axis.get_xlim()
    high = axis.get_ylim()[1]
    wide, tall = (72 * inches * _AXIS_SHARE for inches in axis.figure.get_size_inches())
    size = min(8.0, max(5.5, wide * width / (right - left)))
    longest = max(len(shown(name)) for name in plot.series)
    size = min(size, max(4.5, _LONGEST_NAME * tall / (longest * LETTER)))
    length = {name: min(len(shown(name)) * LETTER * size / tall, _LONGEST_NAME) for name in plot.series}
    named = {name: _named_bar(points) for name, points in plot.series.items()}
    tops = {name: max([named[name][1], *(end for _, end in plot.intervals.get(name, ())[:1])]) for name in named}
    for _ in named:  # a name above its bar must end inside the picture; in a taller picture, fewer fit on their bars
        above = [name for name, (_, y) in named.items() if y < length[name] * high]
        high = max([high, *(tops[name] / (1 - length[name]) for name in above)])
    axis.set_ylim(0, high)
    for number, (name, (x, y)) in enumerate(named.items()):
        at = {"xytext": (0, 3), "textcoords": "offset points", "ha": "center", "va": "bottom", "rotation": 90}
        middle = x - 0.4 + width * (number + 0.5)
        if y >= length[name] * high:
            behind = {"facecolor": colour_of(name, number), "edgecolor": "none", "pad": 0.6}
            axis.annotate(shown(name), (middle, 0), fontsize=size, color=_ON_BARS, bbox=behind, zorder=2.5, **at)
        else:
            axis.annotate(shown(name), (middle, tops[name]), fontsize=size, color=INK, zorder=2.5, **at)


def _named_bar(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The bar that has the name: the first; where a histogram begins, bars have no height, so its tallest."""
    return points[0] if points[0][1] > 0 else max(points, key=lambda point: point[1])


_AXIS_SHARE = 0.8
"""The share of the picture that the axes have, about."""


def _outlined(axis: Any, plot: Plot) -> None:
    """The values of papers as outlined marks: over the bars of the same name, or at their place."""
    names = list(plot.series)
    width = 0.8 / len(names) if names else 0.0
    markers: dict[str, str] = {}
    for name, points in plot.paper.items():
        base = name.partition(":")[0]
        known = names.index(base) if base in names else None
        moved = -0.4 + width * (known + 0.5) if plot.kind == "bars" and known is not None else 0.0
        xs, ys = [x + moved for x, _ in points], [y for _, y in points]
        label = shown(name.partition(": ")[2] or name)
        first = label not in markers
        marker = markers.setdefault(label, "oD^vsP"[len(markers) % 6])
        style = {"s": 34, "marker": marker, "facecolors": "none", "edgecolors": INK, "zorder": 3}
        axis.scatter(xs, ys, label=label if first else None, linewidths=1.3, **style)


_NAMED_BY: dict[str, Callable[[Any, Plot], None]] = {
    "lines": _named_ends,
    "points": _named_ends,
    "bars": _named_bars,
}
_DRAWN_AS: dict[str, Callable[[Any, Plot], None]] = {"lines": _lines, "points": _points, "bars": _bars}


def _adapted(drawn: str, title: str, *, standalone: bool) -> str:
    """Removes the XML prologue and metadata, uses the current text colour, and adds a label for screen readers."""
    picture = drawn[drawn.index("<svg") :].replace(INK, "currentColor")
    picture = re.sub(r"<metadata>.*?</metadata>\s*", "", picture, flags=re.DOTALL)
    name = title.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    head, rest = picture.split(">", 1)
    return f'{head} role="img" aria-label="{name}">{_STANDALONE if standalone else ""}{rest}'
