"""The report of a bench as an HTML page, and views of the worst pages as files beside it."""

import hashlib
import json
import platform
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from html import escape
from importlib.resources import files
from itertools import chain
from pathlib import Path
from string import Template as Text
from typing import Any

from dehusk.base.errors import Skipped
from dehusk.base.files import written_whole
from dehusk.bench._drawing import svg
from dehusk.bench._results import Cell, ExperimentResult, Plot, Table, Worst, shown
from dehusk.bench.evaluation.layouts._gold import GoldGroup
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import (
    BenchSettings,
    Cache,
    code_version,
    group_key,
    installed_version,
    learned,
    pages_of,
    texts,
)
from dehusk.marking.marking import Marking
from dehusk.methods import DEFAULT
from dehusk.render import numbered_html
from dehusk.render.views import REMOVED

MOST_NAMED = 100
"""Maximum number of skipped pages named in the report; results.json names all."""

MOST_TITLED = 3
"""Maximum number of experiments named in the title."""

PACKAGES = (
    *("dehusk", "turbohtml", "numpy", "scipy", "scikit-learn", "bm25s", "rouge-score-rs", "matplotlib"),
    *("trafilatura", "resiliparse", "readability-lxml", "justext", "boilerpy3", "newspaper4k", "rs-trafilatura"),
)


@dataclass(frozen=True, slots=True)
class Ran:
    """An experiment that was run: its name, description, how it differs from the paper, result and time."""

    name: str
    about: str
    differs: str
    result: ExperimentResult
    seconds: float


@dataclass(frozen=True, slots=True)
class BenchReport:
    """The content of a report."""

    command: str
    data: str
    layout: str
    ran: Sequence[Ran]
    left_out: Sequence[Skipped]
    not_drawn: Mapping[str, int]
    notes: Sequence[str]

    def html(self) -> str:
        """The report as an HTML page."""
        page = Text(files("dehusk.bench").joinpath("report.html").read_text("utf-8"))
        names = [run.name for run in self.ran]
        title = f"dehusk bench: {', '.join(names) if len(names) <= MOST_TITLED else f'{len(names)} experiments'}"
        parts = chain(self._results(title), *map(_details, self.ran), self._made())
        return page.substitute(title=escape(title), body="\n".join(parts))

    def json(self) -> str:
        """The report as JSON, with unrounded numbers."""
        said: dict[str, Any] = {
            "command": self.command,
            "data": self.data,
            "layout": self.layout,
            "versions": versions(),
            "notes": list(self.notes),
            "left_out": [asdict(skipped) for skipped in self.left_out],
            "not_drawn": dict(self.not_drawn),
            "experiments": {run.name: {"seconds": round(run.seconds, 1), **asdict(run.result)} for run in self.ran},
        }
        return json.dumps(said, ensure_ascii=False, indent=1, default=list) + "\n"

    def pictures(self) -> dict[str, str]:
        """The plots as standalone SVG files, by name."""
        plots = ((f"{run.name}-{k}.svg", plot) for run in self.ran for k, plot in enumerate(run.result.plots, 1))
        return {name: svg(plot, standalone=True) for name, plot in plots}

    def _results(self, title: str) -> Iterator[str]:
        """What was found: a sentence and a chart for each experiment, before all details."""
        yield f"<h1>{escape(title)}</h1>"
        links = "".join(
            f'<li><a href="#{run.name}">{run.name}</a><span>: {escape(run.about)}</span>' for run in self.ran
        )
        yield f'<nav aria-label="Contents"><ol>{links}<li><a href="#made">Data, command and versions</a></ol></nav>'
        yield from (f"<p>{escape(note)}</p>" for note in self.notes)
        for run in self.ran:
            yield f'<section id="{run.name}"><h2>{run.name}</h2>'
            yield f"<p class=lead>{escape(shown(run.result.summary[0]))}</p>" if run.result.summary else ""
            yield from map(_figure, run.result.plots[:1])
            yield f'<p><a href="#{run.name}-details">All figures of {run.name}</a></p></section>'

    def _made(self) -> Iterator[str]:
        """What the report was made of: data, command and versions."""
        yield '<h2 id="made">Data, command and versions</h2>'
        yield f"<p>Made by <code>{escape(self.command)}</code> on {escape(self.data)} (layout {self.layout}).</p>"
        yield _table(self._used())
        yield from self._left_out()
        packages = ", ".join(f"{name} {version}" for name, version in versions().items())
        yield f"<details><summary>Versions</summary><p class=note>{escape(packages)}</p></details>"

    def _used(self) -> Table:
        sets = list(dict.fromkeys(chain(*(run.result.used for run in self.ran))))
        rows = []
        for name in sets:
            used = [run.result.used.get(name) for run in self.ran]
            cells: list[Cell] = [f"{counts[0]}, {counts[1]} pages" if counts else "" for counts in used]
            rows.append([name, *cells, self.not_drawn.get(name, 0)])
        return Table("", ["set", *(f"{run.name}: groups" for run in self.ran), "groups not in the sample"], rows)

    def _left_out(self) -> Iterator[str]:
        if not self.left_out:
            yield "<p class=note>No page was left out: all could be read and had gold.</p>"
            return
        named = "".join(f"<li>{escape(page.name)}: {escape(page.reason)}" for page in self.left_out[:MOST_NAMED])
        count = len(self.left_out)
        more = f"<p class=note>results.json names all {count}.</p>" if count > MOST_NAMED else ""
        yield f"<details><summary>{count} left out, with reasons</summary><ul>{named}</ul>{more}</details>"


def versions() -> dict[str, str]:
    """The versions of Python and packages."""
    return {"Python": platform.python_version(), **{name: installed_version(name) for name in PACKAGES}}


def _details(ran: Ran) -> Iterator[str]:
    result = ran.result
    yield f'<h2 id="{ran.name}-details">{ran.name}: details</h2>'
    yield f"<p class=note>{escape(ran.about)} {escape(ran.differs)} Took {ran.seconds:.0f} s.</p>"
    yield from (f"<p>{escape(shown(line))}</p>" for line in result.summary[1:])
    yield from map(_figure, result.plots[1:])
    for table in result.tables:
        yield f"<h3>{escape(shown(table.title))}</h3>{_table(table)}"
        yield f"<p class=note>{escape(table.note)}</p>" if table.note else ""
    yield from (f"<p class=note>{escape(line)}</p>" for line in result.notes)
    if result.worst:
        yield "<h3>Worst pages of the default</h3><ul>" + "".join(map(_worst, result.worst)) + "</ul>"


def _figure(plot: Plot) -> str:
    return f"<figure><h3>{escape(shown(plot.title))}</h3><div tabindex=0>{svg(plot)}</div></figure>"


def _worst(page: Worst) -> str:
    name = escape(f"{page.dataset} {page.group} {page.page}")
    link = f'<a href="{escape(page.view)}">{name}</a>' if page.view else name
    other = f" ({escape(page.tool)}: {page.tool_score:.3f})" if page.tool else ""
    return f"<li>{page.score:.3f}{other} {link}"


def _table(table: Table) -> str:
    heads = "".join(f"<th><button>{escape(shown(name))}</button></th>" for name in table.columns)
    rows = [_row(row, "ours" if str(row[0]).startswith(DEFAULT) else "") for row in table.rows]
    rows += [_row(row, "paper") for row in table.paper]
    return f"<div class=wide><table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"


def _row(row: Sequence[Cell], name: str) -> str:
    return f'<tr class="{name}">' + "".join(map(_cell, row)) + "</tr>"


def _cell(cell: Cell) -> str:
    if isinstance(cell, float):
        return f'<td data-value="{cell}">{cell:.3f}</td>'
    return f"<td>{'' if cell is None else escape(shown(str(cell)))}</td>"


FOLDER = "views"

_TINT = f"<style>[{REMOVED}]{{background:#f4b8a8!important;outline:1px solid #d9694f;opacity:.75}}</style>"


def tinted(marking: Marking) -> str:
    """The page with removed parts tinted. It loads and runs nothing."""
    page = numbered_html(marking, [(node, True) for node in marking.topmost])
    return page.replace("</head>", f"{_TINT}</head>", 1)


def with_views(bench: Bench, worst: Sequence[Worst], output: Path) -> list[Worst]:
    """Writes views of the worst pages; returns the pages with the file names of their views."""
    wanted: dict[tuple[str, str], list[Worst]] = defaultdict(list)
    for page in worst:
        wanted[page.dataset, page.group].append(page)
    entries = [entry for entry in bench.data.entries if (entry.dataset, entry.name) in wanted]
    written: dict[tuple[str, str, str], str] = {}
    for group in bench.groups(entries):
        key = (group.entry.dataset, group.entry.name)
        parts = ("views", code_version(), *group_key(bench.settings, group, DEFAULT), [asdict(p) for p in wanted[key]])
        views = Cache(bench.settings.cache).of(partial(_views, bench.settings, group, wanted[key]), *parts)
        for page, (beside, tint) in views.items():
            name = hashlib.blake2b("\n".join((*key, page)).encode(), digest_size=6).hexdigest()
            for file_name, view in ((name, beside.replace(_TINTED, f"{name}-page.html")), (f"{name}-page", tint)):
                with written_whole(output / FOLDER / f"{file_name}.html", inside=output) as file:
                    file.write(view)
            written[*key, page] = f"{FOLDER}/{name}.html"
    return [replace(page, view=written.get((page.dataset, page.group, page.page), "")) for page in worst]


def _views(settings: BenchSettings, group: GoldGroup, wanted: Sequence[Worst]) -> dict[str, tuple[str, str]]:
    """For each page: its texts side by side, and the page with removed parts tinted."""
    template = learned(settings, group, DEFAULT)
    asked = {page.page: page for page in wanted}
    views = {}
    for gold, page in zip(group.pages, pages_of(group.pages), strict=True):
        if gold.name in asked:
            about = asked[gold.name]
            theirs = texts(settings, group, about.tool, [gold]).texts[0] if about.tool else None
            columns = {
                "gold": gold.text or "",
                f"the default, {about.score:.3f}": template.clean(page).text,
                **({f"{about.tool}, {about.tool_score:.3f}": theirs or ""} if about.tool else {}),
            }
            views[gold.name] = (side_by_side(about, columns), tinted(template.mark(page)))
    return views


_COLUMNS = (
    ":root{color-scheme:light dark}body{margin:1rem;font:15px/1.5 system-ui,sans-serif}main{display:flex;gap:1rem}"
    "@media(max-width:700px){main{flex-direction:column}}section{flex:1;min-width:0}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.5 monospace}"
)

_TINTED = "tinted-page"
"""Placeholder for the file of the tinted page."""


def side_by_side(page: Worst, columns: Mapping[str, str]) -> str:
    """A page of a low score: its gold, our text and that of the best other tool, in columns."""
    name = escape(f"{page.dataset} {page.group} {page.page}")
    cells = "".join(
        f"<section><h2>{escape(head)}</h2><pre>{escape(text)}</pre></section>" for head, text in columns.items()
    )
    width = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{width}<title>{name}</title><style>{_COLUMNS}</style>'
    link = f'<p>F1 of the default: {page.score:.3f}. <a href="{_TINTED}">The page with what is removed tinted</a></p>'
    body = f"<h1>{name}</h1>{link}<main>{cells}</main>"
    return f'<!DOCTYPE html><html lang="en"><head>{head}</head><body>{body}</body></html>'
