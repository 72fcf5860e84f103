"""The viewer as a single HTML file: a report on a site, or on a key page and the pages that it links to."""

import gzip
import json
import re
import shlex
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from hashlib import sha256
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from dehusk import render
from dehusk.base.errors import Skipped, SlowError, SourceError
from dehusk.base.files import written_whole
from dehusk.base.system import time_limit
from dehusk.jobs.key_pages import LinkedTemplate
from dehusk.outputs.target import GENERATOR
from dehusk.page import Page
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.roles import Role
from dehusk.server.viewer.page_views import MOST_SEARCHED, cell_paths, edited_texts, page_view, table_heads
from dehusk.tables.records import Record
from dehusk.templates.cleaned import MEASURES, Cleaned
from dehusk.templates.template import Template

_LINKED = re.compile(r'<link rel="stylesheet" href="viewer/(\w+\.css)">')
_SCRIPT = re.compile(r'<script src="viewer/(\w+\.js)"></script>')
_DATA = '<script type="application/json" id="data">null</script>'


def read(name: str) -> str:
    """The text of a file of the viewer."""
    return files("dehusk.server.viewer").joinpath(name).read_text("utf-8")


def inlined(data: dict[str, Any]) -> str:
    """The viewer with its data as one self-contained HTML file. Its policy allows only its own scripts."""
    page = read("index.html")
    scripts = {name: f"\n{read(name)}" for name in _SCRIPT.findall(page)}
    hashes = " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in scripts.values())
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "form-action 'none'; base-uri 'none'"
    )
    ours = GENERATOR.decode()  # the policy is long and comes after it: only the beginning of a file is searched for it
    page = page.replace(ours, f'{ours}\n<meta http-equiv="Content-Security-Policy" content="{policy}">', 1)
    page = _LINKED.sub(lambda match: f"<style>\n{read(match[1])}</style>", page)
    page = _SCRIPT.sub(lambda match: f"<script>{scripts[match[1]]}</script>", page)
    packed = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return page.replace(_DATA, _DATA.replace("null", packed), 1)


PAGES = 40
"""Number of pages with a view in a report; all pages are in its map. A view takes as long as cleaning 30 pages."""

MOST_RECORDS, LONGEST_VALUE = 5000, 300
"""Maximum number of rows of tables in a report, and of letters of a value."""

MOST_LETTERS = 25_000_000
"""Maximum length of all views in a report."""


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A page in the map: its share of template, its length, and how well it fits the template."""

    name: str
    title: str | None
    family: str | None
    share_removed: float
    length: int
    fit: float
    outlier: bool


_COLUMNS = [column.name for column in fields(ReportRow)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSite:
    """The site of a report: its name, its template by each method, and how to show its pages.

    `template` is the file of the template, if there is one. `source` is the command-line argument for the pages.
    `files` returns a function that finds the style sheets and pictures of a page.
    """

    name: str
    templates: Sequence[Template]
    source: str = "crawl/"
    template: str | None = None
    pages: int = PAGES
    writing: Writing = AS_LEARNED
    page_seconds: float = 0
    """Maximum processor time for a page, in seconds; 0 for no limit."""
    files: Callable[[str], render.Files] = field(default=lambda _: render.no_files)
    table: Sequence[Sequence[str]] = ()
    """A table that compares the methods; the first row is its head."""

    def clean(self, page: Page, method: int = 0) -> Cleaned:
        """Cleans a page by one of the methods."""
        return self.templates[method].clean(page, writing=self.writing)


@dataclass(frozen=True, slots=True)
class Report:
    """A report as HTML, the number of its pages, and how many of them have a view."""

    html: str
    pages: int
    shown: int


def report_on(
    source: Iterable[Page | Skipped],
    shown: ShownSite,
    *,
    measured: Callable[[int], object] = lambda _: None,
    skipped: Callable[[Skipped], object] = lambda _: None,
) -> Report:
    """Makes the report of a site: measures all pages and includes views of some. Reads the source twice.

    `measured` is called with the number of pages done, `skipped` with each page that takes too long.
    """
    rows: list[list[ReportRow]] = []
    records: list[Record | None] = []
    late: set[int] = set()
    for number, page in enumerate(_pages(source)):
        try:
            with time_limit(shown.page_seconds * len(shown.templates)):
                cleaned = [shown.clean(page, k) for k in range(len(shown.templates))]
                measures = [row_of(one, learned) for one, learned in zip(cleaned, shown.templates, strict=True)]
                record = cleaned[0].record if len(records) < MOST_RECORDS else None
            rows.append(measures)
            records.append(record)
        except SlowError as error:
            late.add(number)
            skipped(Skipped(page.name, str(error)))
        measured(len(rows))
    if not rows:
        raise SourceError(f"{shown.name}: no page to show")
    wanted = choose([by_method[0] for by_method in rows], shown.pages)
    left = (page for number, page in enumerate(_pages(source)) if number not in late)
    views = _views(left, wanted, shown)
    searched = (page for number, page in enumerate(_pages(source)) if number not in late)
    with time_limit(shown.page_seconds * MOST_SEARCHED):
        texts = edited_texts(shown.templates[0].edits, islice(searched, MOST_SEARCHED))
    return Report(inlined(_data(shown, rows, views, texts) | _tables(shown, records)), len(rows), len(views[0]))


def row_of(cleaned: Cleaned, learned: Template) -> ReportRow:
    """The row of a cleaned page in the map."""
    row = cleaned.to_dict(MEASURES)
    outlier = cleaned.family is None or (cleaned.page.name or cleaned.page.digest) in learned.outliers
    return ReportRow(**{name: row[name] for name in _COLUMNS if name in row}, outlier=outlier)


def choose(rows: Sequence[ReportRow], count: int) -> set[int]:
    """The numbers of the pages to show, spread evenly over families and shares of template."""
    order = sorted(range(len(rows)), key=lambda k: (not rows[k].outlier, rows[k].family or "", rows[k].share_removed))
    steps = min(count, len(order))
    return {order[k * (len(order) - 1) // max(steps - 1, 1)] for k in range(steps)}


def _pages(source: Iterable[Page | Skipped]) -> Iterator[Page]:
    return (item for item in source if isinstance(item, Page))


def _views(pages: Iterable[Page], wanted: set[int], shown: ShownSite) -> list[dict[str, str]]:
    """The compressed views of the wanted pages by each method, up to MOST_LETTERS, without those that take too long."""
    views: list[dict[str, str]] = [{} for _ in shown.templates]
    left = MOST_LETTERS
    for number, page in enumerate(pages):
        if number not in wanted:
            continue
        packed: list[str] = []
        with suppress(SlowError), time_limit(shown.page_seconds):
            packed = [_packed(_view(shown.clean(page, k), shown.files(page.name))) for k in range(len(views))]
        if not packed:
            continue
        left -= sum(map(len, packed))
        if left >= 0:
            for packed_views, view in zip(views, packed, strict=True):
                packed_views[str(number)] = view
    return views


def _view(cleaned: Cleaned, files: render.Files) -> dict[str, Any]:
    """The view of a page, with what a service is asked for: its chunks, and the places of its columns."""
    cells = [{"column": column, "path": path} for column, path in cell_paths(cleaned)]
    chunks = [chunk.to_dict() for chunk in cleaned.chunks()]
    return page_view(cleaned, files) | {"cells": cells, "chunks": chunks}


def _packed(view: Mapping[str, Any]) -> str:
    data = json.dumps(view, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return b64encode(gzip.compress(data, 6, mtime=0)).decode()


def _data(
    shown: ShownSite,
    rows: Sequence[Sequence[ReportRow]],
    views: Sequence[Mapping[str, str]],
    texts: Mapping[str, str],
) -> dict[str, Any]:
    """The data that the viewer reads. `rows` has a row for each page and method, `texts` that of each edit."""
    learned = shown.templates[0]
    total, here = len(rows), len(views[0])
    note = "" if here == total else f"{here:,} of {total:,} pages are in this file."
    return {
        "site": {
            "site": learned.site or shown.name,
            "name": shown.name,
            "families": len(learned.families),
            "method": learned.method,
            "learned_from": learned.pages - len(learned.outliers),
            "note": note,
            "table": shown.table,
        },
        "roles": {role: role.meaning for role in Role},
        "methods": [template.method for template in shown.templates],
        "columns": _COLUMNS,
        "rows": [
            [[getattr(by_method[k], name) for name in _COLUMNS] for by_method in rows]
            for k in range(len(shown.templates))
        ],
        "views": views,
        "edits": [
            {**edit.to_json(), "family": learned.family_of(edit), "text": texts.get(edit.id, "")}
            for edit in learned.edits
        ],
        "template": shown.template,
        "source": shown.source,
        "absent": (
            "This page is not in this file. To see all pages, and to correct them with a click:\n"
            f"$ dehusk serve {shown.source}\n"
            f"To make a report with all pages:\n$ dehusk show {shown.source}{_options(shown)} --pages {total}"
        ),
    }


def _tables(shown: ShownSite, records: Sequence[Record | None]) -> dict[str, Any]:
    """The tables of the site by the first method, and the row of each page; long texts are cut."""
    return {
        "tables": table_heads(shown.templates[0]),
        "records": [
            record and [record.name, {name: _cut(value) for name, value in record.values.items()}] for record in records
        ],
    }


def _cut(value: Any) -> Any:
    if isinstance(value, list):
        return list(map(_cut, value))
    return f"{value[:LONGEST_VALUE]}…" if isinstance(value, str) and len(value) > LONGEST_VALUE else value


def _options(shown: ShownSite) -> str:
    """The command-line options that give the same templates."""
    if shown.template:
        return f" -t {shlex.quote(shown.template)}"
    return "".join(f" --method {template.method}" for template in shown.templates)


def site_name(learned: Template, otherwise: str) -> str:
    """The name of the site in its page titles; else its host, or `otherwise`."""
    return next(iter(learned.habits.names), learned.site or otherwise)


def written(linked: LinkedTemplate) -> dict[str, str]:
    """The files template.html, content.html and report.html. None of them loads anything when opened."""
    key, learned = linked.key, linked.template
    marked = learned.mark(key)
    return {
        "template.html": render.template_html(marked),
        "content.html": render.content_html(marked),
        "report.html": report_on(linked.pages, ShownSite(name=key.name, templates=[learned])).html,
    }


def write(files: Mapping[str, str], folder: Path) -> Path:
    """Writes the files that `written` made; returns the path of the report."""
    for name, text in files.items():
        with written_whole(folder / name, inside=folder) as file:
            file.write(text)
    return folder / "report.html"
