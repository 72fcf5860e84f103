"""Plots as SVG that can be read on light and on dark paper: lines and letters have the colour of the text around."""

import io
import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

from dehusk.bench._results import Plot

INK = "#010203"
"""Stands for the colour of text, and is replaced by it."""

COLOURS = (
    *("#2a9d8f", "#d9694f", "#7b8fd4", "#c79a2b", "#a463b0", "#5d9a3c", "#c45f8b", "#4aa3c7", "#9a7b5a"),
    *("#8a8f98", "#b5532a", "#3f7f5f", "#6f6fc0", "#b0a33a", "#94566f", "#5f8f9f", "#a08f4f", "#7f7f7f"),
)
"""Of middle lightness, so that they stand out from white and from black."""

MOST_LETTERS = 60
"""Names below an axis that are longer in all are turned, so that they do not run into each other."""

_STANDALONE = "<style>svg{color:#22261f}@media(prefers-color-scheme:dark){svg{color:#e8ebe2}}</style>"
_SETTINGS = {"svg.hashsalt": "dehusk", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"}
_POINTS = "os^Dv<>Pp*"


def svg(plot: Plot, *, standalone: bool = False) -> str:
    """A plot as an SVG element; one that stands by itself brings its colour of text."""
    mpl: Any = import_module("matplotlib")
    figures: Any = import_module("matplotlib.figure")
    inks = dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK)
    with mpl.rc_context({**_SETTINGS, **inks, "axes.prop_cycle": mpl.cycler(color=COLOURS)}):
        figure = figures.Figure(figsize=(7.6, 3.6), layout="constrained")
        axis = figure.subplots()
        _DRAWN_AS[plot.kind](axis, plot)
        axis.set_xlabel(plot.x)
        axis.set_ylabel(plot.y)
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(axis="y", color=INK, alpha=0.15)
        axis.set_axisbelow(True)
        figure.legend(loc="outside right center", frameon=False, fontsize=8)
        written = io.StringIO()
        figure.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _adapted(written.getvalue(), plot.title, standalone=standalone)


def _lines(axis: Any, plot: Plot) -> None:
    for number, (name, points) in enumerate(plot.series.items()):
        style = "-" if number < len(COLOURS) // 2 else "--"
        axis.plot(*zip(*points, strict=True), style, marker=_POINTS[number % len(_POINTS)], markersize=4, label=name)
    if plot.log:
        axis.set_xscale("log")
        places = sorted({x for points in plot.series.values() for x, _ in points})
        axis.set_xticks(places, [f"{place:g}" for place in places])
        axis.minorticks_off()


def _points(axis: Any, plot: Plot) -> None:
    for number, (name, points) in enumerate(plot.series.items()):
        axis.scatter(
            *zip(*points, strict=True),
            s=9 if len(points) > 1 else 40,
            alpha=0.7,
            marker=_POINTS[number % len(_POINTS)],
            label=name,
        )
    if plot.log:
        axis.set_xscale("log")
    if plot.log_y:
        axis.set_yscale("log")


def _bars(axis: Any, plot: Plot) -> None:
    width = 0.8 / len(plot.series)
    for number, (name, points) in enumerate(plot.series.items()):
        places = [x - 0.4 + width * (number + 0.5) for x, _ in points]
        axis.bar(places, [y for _, y in points], width, label=name)
    if plot.ticks:
        turned = {"rotation": 30, "ha": "right"} if sum(map(len, plot.ticks)) > MOST_LETTERS else {}
        axis.set_xticks(range(len(plot.ticks)), plot.ticks, **turned)


_DRAWN_AS: dict[str, Callable[[Any, Plot], None]] = {"lines": _lines, "points": _points, "bars": _bars}


def _adapted(drawn: str, title: str, *, standalone: bool) -> str:
    """Without what only a file needs, with the ink of the text, and with a name for those who cannot see it."""
    picture = drawn[drawn.index("<svg") :].replace(INK, "currentColor")
    picture = re.sub(r"<metadata>.*?</metadata>\s*", "", picture, flags=re.DOTALL)
    name = title.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    head, rest = picture.split(">", 1)
    return f'{head} role="img" aria-label="{name}">{_STANDALONE if standalone else ""}{rest}'
