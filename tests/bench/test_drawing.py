"""Charts of the bench: colours, names where things are drawn, intervals, and the values of papers."""

from dataclasses import replace

import pytest

pytest.importorskip("matplotlib", reason="needs matplotlib: make test-bench brings it")

from matplotlib.figure import Figure

from dehusk.bench import _drawing
from dehusk.bench._drawing import COLOURS, colour_of, spread, svg
from dehusk.bench._results import Plot, shown
from dehusk.bench.evaluation.tools import EXTRACTORS, SITE_TOOLS
from dehusk.methods import METHODS


def test_plots_have_the_colour_of_the_text_and_are_the_same_each_time() -> None:
    plot = Plot("A & B", "lines", "x", "y", {"one": [(1, 2), (2, 3)]}, log=True)
    drawn = svg(plot)
    assert drawn == svg(plot)
    assert "currentColor" in drawn
    assert 'aria-label="A &amp; B"' in drawn
    assert "prefers-color-scheme" not in drawn
    assert "prefers-color-scheme" in svg(plot, standalone=True)


def test_a_method_has_the_same_colour_in_all_plots() -> None:
    assert colour_of("rtdm", 0) == colour_of("rtdm, configuration 3", 5) != colour_of("chunks", 0)
    assert colour_of("another", 0) != colour_of("another", 1)


def test_lines_have_their_names_at_their_ends_and_papers_are_outlined() -> None:
    lines = {"rtdm": [(1, 0.5), (2, 0.6)], "evidence": [(1, 0.5), (2, 0.6)]}
    drawn = svg(Plot("F", "lines", "x", "y", lines, paper={"rtdm: Paper 2006": [(1, 0.4)]}))
    assert ">the default<" in drawn
    assert ">Paper 2006<" in drawn
    assert "fill: none" in drawn
    bars = Plot("F", "bars", "x", "y", {"rtdm": [(0, 0.5)]}, intervals={"rtdm": [(0.25, 0.75)]}, ticks=["a"])
    assert svg(bars) != svg(replace(bars, intervals={}))


def test_labels_are_moved_apart_in_order() -> None:
    assert spread([1.0, 1.0, 5.0], 1.0) == pytest.approx([1 - 1 / 3, 2 - 1 / 3, 5 - 1 / 3])
    assert spread([2.0, 0.0], 1.0) == [2.0, 0.0]
    assert spread([], 1.0) == []


def test_the_default_has_one_name_for_readers() -> None:
    assert shown("F, evidence and evidence:grain=nodes") == "F, the default and the default (grain=nodes)"
    assert shown("evidence:grain=nodes, rtdm") == "the default (grain=nodes), rtdm"
    assert shown("evidence:grain=nodes,links=no; rtdm") == "the default (grain=nodes,links=no); rtdm"
    assert shown("rtdm") == "rtdm"


def test_no_two_methods_and_tools_share_a_colour_and_nothing_else_has_one_of_theirs() -> None:
    names = [*METHODS, *EXTRACTORS, *SITE_TOOLS, "original"]
    own = {colour_of(name, 3) for name in names}
    assert len(own) == len(names) == len(COLOURS)
    assert not own & {colour_of(f"{votes} votes", votes) for votes in range(20)}


def test_bars_have_their_names_on_or_above_them_and_no_legend() -> None:
    bars = {"rtdm": [(0.0, 0.9), (1.0, 0.8)], "etdm, a long name of a short bar": [(0.0, 0.01), (1.0, 0.02)]}
    drawn = svg(Plot("F", "bars", "", "F", bars, ticks=["a", "b"]))
    assert drawn.count(">rtdm<") == drawn.count(">etdm, a long name of a short bar<") == 1
    assert "legend" not in drawn
    short = drawn[: drawn.index(">etdm, a long")].rpartition("<text")[2]
    assert "currentColor" in short  # it is above its bar, so it has the colour of the text


@pytest.mark.parametrize("lengths", [(37,), (5, 37), (20, 20, 20)])
@pytest.mark.parametrize("height", [0.05, 0.3, 0.6, 0.95])
def test_a_long_name_makes_no_bar_small(lengths: tuple[int, ...], height: float) -> None:
    bars = {chr(97 + k) * length: [(0.0, height), (1.0, 0.5)] for k, length in enumerate(lengths)}
    axis = Figure(figsize=(6, 3)).subplots()
    _drawing._bars(axis, Plot("F", "bars", "", "F", bars, ticks=["a", "b"]))
    _drawing._named_bars(axis, Plot("F", "bars", "", "F", bars, ticks=["a", "b"]))
    assert axis.get_ylim()[1] <= 1.6 * max(height, 0.5)


def test_a_histogram_names_a_series_at_its_tallest_bar() -> None:
    plot = Plot("F", "bars", "", "F", {"rtdm": [(0.0, 0.0), (1.0, 0.9)], "etdm": [(0.0, 0.8), (1.0, 0.1)]})
    drawn = svg(plot)
    places = [drawn.index(f">{name}<") for name in ("rtdm", "etdm")]
    across = [float(drawn[:at].rpartition("translate(")[2].split()[0]) for at in places]
    assert across[0] > across[1]


def test_a_cloud_of_points_is_named_once_at_its_right_end() -> None:
    points = {"rtdm": [(9.0, 1.0), (1.0, 2.0)], "etdm": [(2.0, 1.0), (3.0, 2.0)], "chunks": [(4.0, 1.5)]}
    drawn = svg(Plot("Time", "points", "x", "y", points))
    assert [drawn.count(f">{name}<") for name in points] == [1, 1, 1]
    assert "legend" not in drawn


def test_marks_of_one_paper_are_alike_and_in_the_legend_once() -> None:
    bars = {"rtdm": [(0.0, 0.9)], "etdm": [(0.0, 0.8)]}
    drawn = svg(Plot("F", "bars", "", "F", bars, paper={f"{name}: A paper": [(0.0, 0.5)] for name in bars}))
    assert drawn.count(">A paper<") == 1
