"""A page of what changed on many pages: by site, newest first, each with both versions side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from dehusk.base.urls import on_the_web
from dehusk.render._compared import PAGE_STYLE
from dehusk.render._html import page_start
from dehusk.render._overview import LEGEND, OVERVIEW_STYLE, Overview, ShownChange, side_by_side

_REPORT_STYLE = (
    "body{max-width:75em;font-family:system-ui,sans-serif}article{margin:1.2em 0}article h3{margin:0}"
    "article p{margin:.2em 0}summary{padding:.2em 0}time{white-space:nowrap}"
)
NO_SITE = "Files"
"""The heading of pages without a URL."""


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """A page that changed: its site, what is said about it, its URL and its changes as HTML."""

    site: str
    overview: Overview
    url: str
    changes: str

    @classmethod
    def of(cls, site: str, overview: Overview, url: str | None, edits: Iterable[ShownChange]) -> "ReportEntry":
        """Writes the changes of a page at once, so that neither of its versions is kept."""
        return cls(site, overview, url or "", side_by_side([edit for edit in edits if not edit.husk]))


def changes_report(entries: Sequence[ReportEntry], read: int) -> str:
    """Returns the report. Entries are in the order of the visit; sites and pages that were seen last come first."""
    sites: dict[str, list[ReportEntry]] = {}
    for entry in reversed(entries):
        sites.setdefault(entry.site, []).append(entry)
    ordered = sorted(sites.items(), key=lambda site: max(_seen(entry) for entry in site[1]), reverse=True)
    parts = [_site(name, sorted(some, key=_seen, reverse=True)) for name, some in ordered]
    pages = "One page" if len(entries) == 1 else f"{len(entries):,} pages" if entries else "No page"
    headline = f"{pages} of {read:,} changed since the last visit"
    style = PAGE_STYLE + OVERVIEW_STYLE + _REPORT_STYLE
    legend = f"<p>{LEGEND}</p>\n" if entries else ""
    return (
        f"{page_start(headline, style, language=' lang=en')}\n<body>\n"
        f"<header>\n<h1>{headline}</h1>\n{legend}</header>\n<main>\n{''.join(parts)}</main>\n</body>\n</html>\n"
    )


def _seen(entry: ReportEntry) -> str:
    return entry.overview.new.date


def _site(name: str, entries: Sequence[ReportEntry]) -> str:
    articles = "".join(_article(entry, is_first=not number) for number, entry in enumerate(entries))
    return f"<h2>{escape(name or NO_SITE)}</h2>\n{articles}"


def _article(entry: ReportEntry, *, is_first: bool) -> str:
    overview = entry.overview
    name = escape(overview.title or overview.new.name or entry.url)
    if on_the_web(entry.url):
        name = f'<a href="{escape(entry.url)}" rel="noreferrer">{name}</a>'
    return (
        f"<article>\n<h3>{name}</h3>\n<p>{escape(overview.headline)}.</p>\n"
        f'<p class="under">From {overview.versions}</p>\n'
        f"<details{' open' * is_first}>\n<summary>What changed</summary>\n{entry.changes}\n</details>\n</article>\n"
    )
