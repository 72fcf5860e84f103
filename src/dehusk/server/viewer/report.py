"""The viewer as one file: a report on sites, or on what a key page's links gave."""

import gzip
import json
import re
import shlex
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from dehusk import render
from dehusk.base.errors import Skipped, SourceError
from dehusk.base.files import written_whole
from dehusk.jobs.key_pages import LinkedTemplate
from dehusk.page import Page
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.roles import Role
from dehusk.server.viewer.page_views import page_view
from dehusk.templates.cleaned import MEASURES, Cleaned
from dehusk.templates.template import Template

_LINKED = re.compile(r'<link rel="stylesheet" href="viewer/(\w+\.css)">')
_SCRIPT = re.compile(r'<script src="viewer/(\w+\.js)"></script>')
_DATA = '<script type="application/json" id="data">null</script>'


def read(name: str) -> str:
    """A file of the viewer."""
    return files("dehusk.server.viewer").joinpath(name).read_text("utf-8")


def inlined(data: dict[str, Any]) -> str:
    """The viewer as one file that needs nothing else, with what it shows. Only its own scripts may run."""
    page = read("index.html")
    scripts = {name: f"\n{read(name)}" for name in _SCRIPT.findall(page)}
    hashes = " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in scripts.values())
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "form-action 'none'; base-uri 'none'"
    )
    charset = '<meta charset="utf-8">'
    page = page.replace(charset, f'{charset}\n<meta http-equiv="Content-Security-Policy" content="{policy}">', 1)
    page = _LINKED.sub(lambda match: f"<style>\n{read(match[1])}</style>", page)
    page = _SCRIPT.sub(lambda match: f"<script>{scripts[match[1]]}</script>", page)
    packed = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return page.replace(_DATA, _DATA.replace("null", packed), 1)


PAGES = 40
"""Pages that can be looked at in a report; all are in its map. A view takes as long as to clean thirty pages."""

MOST_LETTERS = 25_000_000
"""Letters that the views in a report may take together."""


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A page in the map: how much of it is template, how long it is, and how well it matches what was learned."""

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
    """What a report is about: a site by its name, what was learned of it by each method, and how it is told.

    `template` is the file of the template, if there is one; `source` what a person typed to name the pages; `writing`
    says how pages are written. `sheets` gives the style sheets of a page.
    """

    name: str
    templates: Sequence[Template]
    source: str = "crawl/"
    template: str | None = None
    pages: int = PAGES
    writing: Writing = AS_LEARNED
    sheets: Callable[[str], render.Sheets] = field(default=lambda _: render.no_sheets)

    def clean(self, page: Page, method: int = 0) -> Cleaned:
        """The page without its template, by one of the methods."""
        return self.templates[method].clean(page, writing=self.writing)


@dataclass(frozen=True, slots=True)
class Report:
    """A report as HTML, how many pages it is about, and how many of them can be looked at."""

    html: str
    pages: int
    shown: int


def report_on(
    source: Iterable[Page | Skipped], shown: ShownSite, *, measured: Callable[[int], object] = lambda _: None
) -> Report:
    """Measures every page of a site and shows some of them. The source is read twice.

    `measured` is told how many pages are done.
    """
    learned = shown.templates[0]
    rows: list[ReportRow] = []
    for page in _pages(source):
        rows.append(row_of(shown.clean(page), learned))
        measured(len(rows))
    if not rows:
        raise SourceError(f"{shown.name}: no page to show")
    wanted = choose(rows, shown.pages)
    views = _views(source, wanted, shown)
    return Report(inlined(_data(shown, rows, views)), len(rows), len(views[0]))


def row_of(cleaned: Cleaned, learned: Template) -> ReportRow:
    """A page in the map, as its row tells it."""
    row = cleaned.to_dict(MEASURES)
    outlier = cleaned.family is None or (cleaned.page.name or cleaned.page.digest) in learned.outliers
    return ReportRow(**{name: row[name] for name in _COLUMNS if name in row}, outlier=outlier)


def choose(rows: Sequence[ReportRow], count: int) -> set[int]:
    """The numbers of the pages to show, spread evenly over families, and from the least to the most template."""
    order = sorted(range(len(rows)), key=lambda k: (not rows[k].outlier, rows[k].family or "", rows[k].share_removed))
    steps = min(count, len(order))
    return {order[k * (len(order) - 1) // max(steps - 1, 1)] for k in range(steps)}


def _pages(source: Iterable[Page | Skipped]) -> Iterator[Page]:
    return (item for item in source if isinstance(item, Page))


def _views(source: Iterable[Page | Skipped], wanted: set[int], shown: ShownSite) -> list[dict[str, str]]:
    """The views of these pages by each method, packed, as far as the budget goes."""
    views: list[dict[str, str]] = [{} for _ in shown.templates]
    left = MOST_LETTERS
    for number, page in enumerate(_pages(source)):
        if number not in wanted:
            continue
        packed = [_packed(page_view(shown.clean(page, k), shown.sheets(page.name))) for k in range(len(views))]
        left -= sum(map(len, packed))
        if left >= 0:
            for packed_views, view in zip(views, packed, strict=True):
                packed_views[str(number)] = view
    return views


def _packed(view: Mapping[str, Any]) -> str:
    data = json.dumps(view, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return b64encode(gzip.compress(data, 6, mtime=0)).decode()


def _data(shown: ShownSite, rows: Sequence[ReportRow], views: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """What the viewer reads."""
    learned = shown.templates[0]
    total, here = len(rows), len(views[0])
    note = "" if here == total else f"{here:,} of {total:,} pages can be looked at in this file; the others are grey."
    return {
        "site": {
            "site": learned.site or shown.name,
            "name": shown.name,
            "families": len(learned.families),
            "method": learned.method,
            "learned_from": learned.pages - len(learned.outliers),
            "note": note,
        },
        "roles": {role: role.meaning for role in Role},
        "methods": [template.method for template in shown.templates],
        "columns": _COLUMNS,
        "rows": [[getattr(row, name) for name in _COLUMNS] for row in rows],
        "views": views,
        "edits": [{**edit.to_json(), "family": learned.family_of(edit)} for edit in learned.edits],
        "template": shown.template,
        "source": shown.source,
        "absent": (
            f"This page is in the map, but its view is not in this file: those of {here:,} of {total:,} pages are.\n"
            f"For more of them:\n"
            f"$ dehusk show {shown.source}{_template_options(shown)} -o report.html --pages {total}\n"
            f"To look at any page, and to correct it with a click:\n$ dehusk serve {shown.source}"
        ),
    }


def _template_options(shown: ShownSite) -> str:
    """The options that give these templates again."""
    if shown.template:
        return f" -t {shlex.quote(shown.template)}"
    return "".join(f" --method {template.method}" for template in shown.templates)


def site_name(learned: Template, otherwise: str) -> str:
    """What the site calls itself in the titles of its pages; else its host, or what the caller calls it."""
    return next(iter(learned.habits.names), learned.site or otherwise)


def write(linked: LinkedTemplate, folder: Path) -> Path:
    """Writes template.html, content.html and report.html, and gives the path of the report.

    All of them are made before the first is written. None of them loads anything when it is opened.
    """
    key, learned = linked.key, linked.template
    marked = learned.mark(key)
    files = {
        "template.html": render.template_html(marked),
        "content.html": render.content_html(marked),
        "report.html": report_on(linked.pages, ShownSite(name=key.name, templates=[learned])).html,
    }
    for name, text in files.items():
        with written_whole(folder / name) as file:
            file.write(text)
    return folder / "report.html"
