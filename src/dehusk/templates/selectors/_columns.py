"""Selectors of the columns of tables, for programs that read pages with CSS or XPath, such as Scrapy and parsel.

Each is tried on pages of the site: only selectors that find the values of a column on most pages are given.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from dehusk.page import Page
from dehusk.page.places import Step, escaped
from dehusk.tables.columns import Column
from dehusk.templates.selectors._writing import quoted, xpath
from dehusk.templates.template import Template

RIGHT = 0.8
"""A selector is given if it finds the values of its column on this share of the pages that have some."""

SURE = 0.95
"""A selector with this share is taken without a look at longer ones."""

TRIED_ON = 12
"""How many pages selectors are tried on."""

_WORD = re.compile(r"[^\W_]+")
_STEP = re.compile(r"([a-z0-9-]+)(?:#([^#]+)|((?:\.[^.#]+)*))")

Seen = Sequence[tuple[Page, list[str]]]
"""Pages, each with the words of a column's values there."""


@dataclass(frozen=True, slots=True)
class ColumnSelector:
    """The selectors of a column, "" for none, and on which share of the pages each is right."""

    name: str
    css: str
    xpath: str
    right: float


def column_selectors(template: Template, pages: Sequence[Page]) -> list[ColumnSelector]:
    """Returns the selectors of the columns of a template that can be found on some of its pages."""
    records = [(page, record) for page in pages if (record := template.clean(page).record)]
    columns = {column.name: column for _, record in records for column in record.columns}
    found = []
    for name, column in columns.items():
        seen = [(page, _folded(record.texts[name])) for page, record in records if name in record.texts][:TRIED_ON]
        if not seen:
            continue
        css, by_css = _best(_css(column), seen, lambda page, text: page.texts_of(page.select(text)))
        path, by_path = _best(_xpaths(column), seen, lambda page, text: page.xpath(text))
        if css or path:
            found.append(ColumnSelector(name, css, path, max(by_css, by_path)))
    return found


def as_json(selectors: Sequence[ColumnSelector]) -> str:
    """Returns selectors as a JSON object by column."""
    rows = {
        one.name: {"css": one.css or None, "xpath": one.xpath or None, "right": round(one.right, 2)}
        for one in selectors
    }
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


def _best(candidates: Iterator[str], seen: Seen, find: Callable[[Page, str], list[str]]) -> tuple[str, float]:
    """Returns the first selector that is right on nearly all pages, or the best; "" if none is right on most."""
    best, most = "", 0.0
    for selector in candidates:
        right = fmean(_folded(find(page, selector)) == words for page, words in seen)
        if right > most:
            best, most = selector, right
        if most >= SURE:
            break
    return (best, most) if most >= RIGHT else ("", 0.0)


def _folded(texts: Sequence[str]) -> list[str]:
    return [" ".join(_WORD.findall(text.casefold())) for text in texts]


def _steps(place: str) -> list[Step]:
    """Returns the steps of a place of a column."""
    found = (_STEP.fullmatch(step) for step in place.split(" > "))
    return [Step(step[1], step[2], tuple((step[3] or "").split(".")[1:])) for step in found if step]


def _ends(column: Column) -> Iterator[Sequence[Step]]:
    """Yields the last steps of a column's place, shortest first, from a named one on."""
    steps = _steps(column.place) if column.place.startswith("body") else []
    for length in range(1, len(steps) + 1):
        first = steps[-length]
        if first.id or first.classes or first.tag == "h1" or length == len(steps):
            yield steps[-length:]


def _css(column: Column) -> Iterator[str]:
    for steps in _ends(column):
        yield " ".join(map(str, steps))
    if column.place.startswith("itemprop "):
        yield f"[itemprop={escaped(column.place.removeprefix('itemprop '))}]"


def _xpaths(column: Column) -> Iterator[str]:
    """Yields XPaths: by the label, where there is one, then by the place."""
    if column.label:
        yield from _by_label(column)
    for steps in _ends(column):
        yield "".join(xpath((step,)) for step in steps)


def _by_label(column: Column) -> Iterator[str]:
    label, colon = quoted(column.label), quoted(f"{column.label}:")
    said = f"[normalize-space(.)={label} or normalize-space(.)={colon}]"
    inner = (_steps(column.place) or [Step("*")])[-1]
    yield f"//dt{said}/following-sibling::dd[1]"
    yield f"//*[self::th or self::td]{said}/following-sibling::td[1]"
    yield f"//*{said}/following-sibling::*[1]"
    yield f"//*{said}/following-sibling::text()[normalize-space(.)][1]"
    yield f"//*{said}/../following-sibling::*[1]"
    yield f"//*{said}/following::*[self::ul or self::ol][1]/li"
    yield f"//*{said}/following::{inner.tag}[1]"
    yield f"substring-after(normalize-space(//*[starts-with(normalize-space(text()),{colon})][1]),{colon})"
