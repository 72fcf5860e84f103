"""A folder of pages of one site, with a CSS selector of the content."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from dehusk.base.errors import Skipped, UsageError
from dehusk.bench.evaluation.datasets import selected
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup, GoldPage, Missing, page_bytes, read_each, tried
from dehusk.page import Page, may_be_page


def index(root: Path, selector: str) -> Iterator[Entry]:
    """Lists the folder as one site."""
    try:
        Page("<p>x").select(selector)
    except ValueError as error:
        raise UsageError(f"{selector!r} is not a valid CSS selector: {error}") from error
    if any(path.is_file() for path in root.rglob("*")):
        yield Entry("site", root.resolve().name, (root, selector))


def read(_: Path, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
    """Reads the pages with the text of the selected elements."""
    return read_each(entries, _pages)


def _pages(entry: Entry, missing: Missing) -> Iterator[GoldPage]:
    root, selector = entry.where
    for file in sorted(path for path in root.rglob("*") if path.is_file() and may_be_page(path.name)):
        name = file.relative_to(root).as_posix()
        with tried(name, missing):
            html = page_bytes(file)
            text = selected(Page(html), selector)
            if not text.strip():
                raise ValueError(f"the selector {selector} matches nothing")
            yield GoldPage(name, html, text=text, selector=selector)
