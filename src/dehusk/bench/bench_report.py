"""The report of a bench as one HTML page that needs nothing else, and its figures as JSON."""

import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from importlib.resources import files
from itertools import chain
from string import Template as Text
from typing import Any

from dehusk.base.errors import Skipped
from dehusk.bench._plots import svg
from dehusk.bench._results import Cell, ExperimentResult, Table, Worst
from dehusk.bench.texts import installed_version
from dehusk.methods import DEFAULT

MOST_NAMED = 100
"""Pages left out that the report names; results.json names all."""

PACKAGES = (
    *("dehusk", "turbohtml", "numpy", "scipy", "scikit-learn", "bm25s", "rouge-score-rs", "matplotlib"),
    *("trafilatura", "resiliparse", "readability-lxml", "justext", "boilerpy3", "newspaper4k", "rs-trafilatura"),
)


@dataclass(frozen=True, slots=True)
class Ran:
    """An experiment that was run: its name, what it is about, the outcome, and how long that took."""

    name: str
    about: str
    result: ExperimentResult
    seconds: float


@dataclass(frozen=True, slots=True)
class BenchReport:
    """All that a report tells."""

    command: str
    data: str
    layout: str
    ran: Sequence[Ran]
    left_out: Sequence[Skipped]
    not_drawn: Mapping[str, int]
    notes: Sequence[str]

    def html(self) -> str:
        """The page."""
        page = Text(files("dehusk.bench").joinpath("report.html").read_text("utf-8"))
        title = f"dehusk bench: {', '.join(one.name for one in self.ran)}"
        return page.substitute(title=escape(title), body="\n".join(chain(self._head(title), *map(_part, self.ran))))

    def json(self) -> str:
        """The figures, to the last digit."""
        said: dict[str, Any] = {
            "command": self.command,
            "data": self.data,
            "layout": self.layout,
            "versions": versions(),
            "notes": list(self.notes),
            "left_out": [asdict(one) for one in self.left_out],
            "not_drawn": dict(self.not_drawn),
            "experiments": {one.name: {"seconds": round(one.seconds, 1), **asdict(one.result)} for one in self.ran},
        }
        return json.dumps(said, ensure_ascii=False, indent=1, default=list) + "\n"

    def pictures(self) -> dict[str, str]:
        """The plots as SVG files that stand by themselves, by name."""
        return {
            f"{one.name}-{number}.svg": svg(plot, standalone=True)
            for one in self.ran
            for number, plot in enumerate(one.result.plots, 1)
        }

    def _head(self, title: str) -> Iterator[str]:
        yield f"<h1>{escape(title)}</h1>"
        yield f"<p>Made by <code>{escape(self.command)}</code> on {escape(self.data)} (layout {self.layout}).</p>"
        links = [f'<a href="#{one.name}">{one.name}</a>' for one in self.ran]
        yield f"<nav>{''.join(links)}</nav>" if len(links) > 1 else ""
        yield from (f"<p>{escape(note)}</p>" for note in self.notes)
        yield "<h3>Data that was used</h3>"
        yield _table(self._used())
        yield from self._left_out()
        packages = ", ".join(f"{name} {version}" for name, version in versions().items())
        yield f"<details><summary>Versions</summary><p class=note>{escape(packages)}</p></details>"

    def _used(self) -> Table:
        sets = list(dict.fromkeys(chain(*(one.result.used for one in self.ran))))
        rows = []
        for name in sets:
            used = [one.result.used.get(name) for one in self.ran]
            cells: list[Cell] = [f"{some[0]}, {some[1]} pages" if some else "" for some in used]
            rows.append([name, *cells, self.not_drawn.get(name, 0)])
        return Table("", ["set", *(f"{one.name}: groups" for one in self.ran), "groups not in the sample"], rows)

    def _left_out(self) -> Iterator[str]:
        if not self.left_out:
            yield "<p class=note>Every page that was asked for could be read and had gold.</p>"
            return
        named = "".join(f"<li>{escape(one.name)}: {escape(one.reason)}" for one in self.left_out[:MOST_NAMED])
        count = len(self.left_out)
        more = f"<p class=note>results.json names all {count}.</p>" if count > MOST_NAMED else ""
        yield f"<details><summary>{count} left out, and why</summary><ul>{named}</ul>{more}</details>"


def versions() -> dict[str, str]:
    """What it was made with."""
    return {"Python": platform.python_version(), **{name: installed_version(name) for name in PACKAGES}}


def _part(ran: Ran) -> Iterator[str]:
    result = ran.result
    yield f'<h2 id="{ran.name}">{ran.name}</h2>'
    yield f"<p class=note>{escape(ran.about)} Took {ran.seconds:.0f} s.</p>"
    yield from (f"<p>{escape(one)}</p>" for one in result.summary)
    for plot in result.plots:
        yield f"<figure><h3>{escape(plot.title)}</h3>{svg(plot)}</figure>"
    for table in result.tables:
        yield f"<h3>{escape(table.title)}</h3>{_table(table)}"
        yield f"<p class=note>{escape(table.note)}</p>" if table.note else ""
    yield from (f"<p class=note>{escape(one)}</p>" for one in result.notes)
    if result.worst:
        yield "<h3>Pages that came out worst with the default</h3><ul>" + "".join(map(_worst, result.worst)) + "</ul>"


def _worst(one: Worst) -> str:
    name = escape(f"{one.dataset} {one.group} {one.page}")
    return f'<li>{one.score:.3f} <a href="{escape(one.view)}">{name}</a>' if one.view else f"<li>{one.score:.3f} {name}"


def _table(table: Table) -> str:
    heads = "".join(f"<th><button>{escape(name)}</button></th>" for name in table.columns)
    rows = [_row(row, "ours" if str(row[0]).startswith(DEFAULT) else "") for row in table.rows]
    rows += [_row(row, "paper") for row in table.paper]
    return f"<div class=wide><table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"


def _row(row: Sequence[Cell], name: str) -> str:
    return f'<tr class="{name}">' + "".join(map(_cell, row)) + "</tr>"


def _cell(cell: Cell) -> str:
    if isinstance(cell, float):
        return f'<td data-value="{cell}">{cell:.3f}</td>'
    return f"<td>{'' if cell is None else escape(str(cell))}</td>"
