"""A report on a site as one HTML file that needs nothing else: how much is template, which, and where on its pages."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from html import escape
from importlib.resources import files
from string import Template as Text

from dehusk import render
from dehusk.cleaned import Cleaned
from dehusk.errors import Skipped, SourceError
from dehusk.page import Page
from dehusk.template import Template
from dehusk.viewer.view import page_view

SHOWN = 8
"""Pages that are shown tinted, from the one with the least template to the one with the most."""


@dataclass(frozen=True, slots=True)
class Share:
    """How much of a page is template."""

    name: str
    family: str | None
    length: int
    removed: float


@dataclass(frozen=True, slots=True)
class Shown:
    """A page as the report shows it."""

    name: str
    title: str
    kind: tuple[str, float] | None
    family: str | None
    removed: float
    tinted: str
    text: str
    reasons: list[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class Report:
    """A report as HTML, and how many pages it is about."""

    html: str
    pages: int


def report_on(
    source: Iterable[Page | Skipped],
    learned: Template,
    title: str,
    *,
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    measured: Callable[[int], object] = lambda _: None,
) -> Report:
    """Measures every page of a site and shows some of them. The source is read twice.

    `keep` and `drop` name roles of parts that stay or go, whatever was learned; `measured` is told how many pages are
    done.
    """
    clean = partial(learned.clean, keep=keep, drop=drop)
    shares: list[Share] = []
    for item in source:
        if isinstance(item, Page):
            shares.append(share_of(clean(item)))
            measured(len(shares))
    if not shares:
        raise SourceError(f"{title}: no page to show")
    fullest = max(shares, key=lambda share: (share.removed * share.length, share.name)).name
    wanted = choose(shares)
    pages = {item.name: item for item in source if isinstance(item, Page) and item.name in {*wanted, fullest}}
    views = [shown(clean(pages[name])) for name in wanted]
    return Report(report(title, learned, shares, views, clean(pages[fullest])), len(shares))


def share_of(cleaned: Cleaned) -> Share:
    """How much of a page is template."""
    page, marking = cleaned.page, cleaned.marking
    return Share(page.name, marking.family, sum(map(len, page.tree.text)), marking.share_removed)


def shown(cleaned: Cleaned) -> Shown:
    """A page tinted, its text, and what went and why."""
    page = cleaned.page
    title = cleaned.metadata.title or page.name
    return Shown(
        page.name,
        title,
        cleaned.kind,
        cleaned.family,
        cleaned.share_removed,
        page_view(cleaned)["tinted"].replace("<html", '<html class="husk-tinted"', 1),
        cleaned.text,
        [(one.path, _short(one.text), one.reason) for one in cleaned.removed],
    )


def choose(shares: Sequence[Share]) -> list[str]:
    """The names of the pages to show, spread evenly from the least to the most template."""
    by_share = sorted(shares, key=lambda share: (share.removed, share.name))
    steps = min(SHOWN, len(by_share))
    return [by_share[k * (len(by_share) - 1) // max(steps - 1, 1)].name for k in range(steps)]


def report(site: str, learned: Template, shares: Sequence[Share], pages: Sequence[Shown], template: Cleaned) -> str:
    """The whole report. `template` is the page that the template is shown on."""
    length = sum(share.length for share in shares)
    removed = sum(share.length * share.removed for share in shares) / length if length else 0.0
    data = {
        "shares": [asdict(share) for share in shares],
        "pages": [asdict(page) for page in pages],
        "template": render.template_html(template.marking),
    }
    return Text(files("dehusk.viewer").joinpath("report.html").read_text("utf-8")).substitute(
        site=escape(site),
        percent=f"{removed:.0%}",
        pages=len(shares),
        method=escape(learned.method),
        learned=learned.pages - len(learned.outliers),
        families=f"{len(learned.families)} families of pages" if len(learned.families) > 1 else "one family of pages",
        outliers=_outliers(learned),
        data=json.dumps(data, ensure_ascii=False).replace("<", "\\u003c"),
    )


def _outliers(learned: Template) -> str:
    if not learned.outliers:
        return ""
    names = ", ".join(map(escape, learned.outliers))
    return f"<p class=note>Left out of learning, because they do not share the template: {names}.</p>"


def _short(text: str, length: int = 160) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
