"""What an experiment gives: tables, plots, notes and the pages that came out worst. All of it is JSON, too."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dehusk.bench.evaluation.layouts._gold import Entry

Cell = str | float | int | None
"""None is a figure that does not exist. A float is shown with three digits."""


@dataclass(frozen=True, slots=True)
class Table:
    """Figures in rows; `paper` are rows with a paper's own figures for the same columns."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    paper: Sequence[Sequence[Cell]] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """Points in series by name: as lines, as points, or as bars that stand beside each other."""

    title: str
    kind: str
    x: str
    y: str
    series: Mapping[str, Sequence[tuple[float, float]]]
    log: bool = False
    log_y: bool = False
    ticks: Sequence[str] = ()
    """Names of the places 0, 1, 2 and so on of the first axis."""


@dataclass(frozen=True, slots=True)
class Worst:
    """A page that came out badly: its set, group and name, its score, and the file with the view of it."""

    dataset: str
    group: str
    page: str
    score: float
    view: str = ""


@dataclass(frozen=True, slots=True)
class ExperimentResult:
    """The outcome of an experiment: what it says in short, and the figures."""

    summary: Sequence[str]
    tables: Sequence[Table] = ()
    plots: Sequence[Plot] = ()
    notes: Sequence[str] = ()
    worst: Sequence[Worst] = ()
    used: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """How many groups and pages of each set were used."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """More of what was measured, for results.json alone."""


def used_of(groups: Iterable[tuple[Entry, int]]) -> dict[str, tuple[int, int]]:
    """How many groups and pages of each set there are, of groups with their numbers of pages."""
    used: dict[str, tuple[int, int]] = {}
    for entry, pages in groups:
        before = used.get(entry.dataset, (0, 0))
        used[entry.dataset] = (before[0] + 1, before[1] + pages)
    return used
