"""The layout of `dehusk.bench.evaluation.datasets`: docs/, manuals/, news/, products/ and pages/."""

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from dehusk.base import fields
from dehusk.base.errors import Skipped
from dehusk.bench.evaluation.datasets import (
    SELECTED,
    SinglePage,
    content_selector,
    field_values,
    page_files,
    page_text,
    selected,
    site_folders,
)
from dehusk.bench.evaluation.layouts._gold import (
    Entry,
    GoldGroup,
    GoldPage,
    Missing,
    by_host,
    page_bytes,
    read_each,
    said,
    tried,
)
from dehusk.page import Page

_DANIEL = re.compile(r"daniel-.+-([a-z]{2})")
_LINES = ".jsonl.gz"
_FIRST = re.compile(r'\{"url":\s*("(?:[^"\\]|\\.)*")')
_CUT_OFF = (OSError, EOFError, zlib.error)


def recognises(root: Path) -> bool:
    """Whether it has a site with gold, or a file of single pages."""
    return any(True for _ in chain(site_folders(root), root.glob(f"pages/*{_LINES}")))


def index(root: Path) -> Iterator[Entry]:
    """Lists the sites, and the hosts of single pages."""
    for dataset, name, folder in site_folders(root):
        vertical, _, site = name.rpartition("/")
        match = _DANIEL.fullmatch(name)
        language = match[1] if match else None
        yield Entry(dataset, name, folder, vertical or None, site if vertical else None, language)
    for file in sorted((root / "pages").glob(f"*{_LINES}")):
        for host, urls in by_host((url, url) for url in _addresses(file)).items():
            yield Entry(f"pages-{file.name.removesuffix(_LINES)}", host, (file, tuple(urls)), single=True)


def read(_: Path, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
    """Reads sites by folder, then single pages in the order of their files."""
    chosen = list(entries)
    readers = {**dict.fromkeys(SELECTED, _manual), "products": _products}
    folders = [entry for entry in chosen if isinstance(entry.where, Path)]
    yield from read_each(folders, lambda entry, missing: readers.get(entry.dataset, _news)(entry.where, missing))
    hosts = [entry for entry in chosen if not isinstance(entry.where, Path)]
    for file in sorted({entry.where[0] for entry in hosts}):
        yield from _hosts(file, [entry for entry in hosts if entry.where[0] == file])


def _manual(folder: Path, missing: Missing) -> Iterator[GoldPage]:
    selector = content_selector(folder)
    for file in page_files("docs", folder):
        with tried(_named(folder, file), missing):
            html = page_bytes(file)
            name = file.relative_to(folder / "pages").as_posix()
            yield GoldPage(name, html, text=selected(Page(html), selector), selector=selector)


def _news(folder: Path, missing: Missing) -> Iterator[GoldPage]:
    for file in page_files("news", folder):
        with tried(_named(folder, file), missing):
            yield GoldPage(file.name, page_bytes(file), text=page_text(folder, file))


def _products(folder: Path, missing: Missing) -> Iterator[GoldPage]:
    gold = field_values(folder)
    for file in page_files("products", folder):
        with tried(_named(folder, file), missing):
            fields = {name: tuple(values) for name, values in gold[file.stem].items() if values}
            yield GoldPage(file.name, page_bytes(file), fields=fields)


def _named(folder: Path, file: Path) -> str:
    return f"{folder.name}/{file.relative_to(folder / 'pages').as_posix()}"


def _lines(file: Path) -> Iterator[str | Exception]:
    """The lines of a file, then the exception if the file is truncated."""
    try:
        with gzip.open(file, "rt", encoding="utf-8", errors="replace") as lines:
            yield from lines
    except _CUT_OFF as error:
        yield error


def _rows(file: Path) -> Iterator[Any]:
    """The parsed lines; an exception in place of each line that cannot be read."""
    for line in _lines(file):
        try:
            yield fields.parsed(line) if isinstance(line, str) else line
        except ValueError as error:
            yield error


def _addresses(file: Path) -> Iterator[str]:
    """The URLs of its pages. They usually come first in a line, so the rest of the line is not parsed."""
    for line in _lines(file):
        match = _FIRST.match(line) if isinstance(line, str) else None
        if match:
            yield fields.parsed(match[1])
        elif isinstance(line, str):
            with suppress(ValueError, KeyError, TypeError):  # reported when the page is read
                yield fields.parsed(line)["url"]


def _hosts(file: Path, entries: list[Entry]) -> Iterator[GoldGroup | Skipped]:
    """The pages of some hosts, in one pass over the file. A host is yielded after its last page."""
    owner = {url: entry for entry in entries for url in entry.where[1]}
    left = {entry.name: len(entry.where[1]) for entry in entries}
    waiting: dict[str, list[GoldPage]] = {}
    for number, row in enumerate(_rows(file), 1):
        entry = owner.get(row.get("url", "")) if isinstance(row, dict) else None
        skipped: list[Skipped] = []
        if not isinstance(row, dict):
            why = said(row) if isinstance(row, Exception) else "not a page"
            skipped.append(Skipped(f"{file.name} line {number}", why))
        elif entry is not None:
            left[entry.name] -= 1
            with tried(row["url"], skipped.append):
                waiting.setdefault(entry.name, []).append(_single(row))
        yield from skipped
        if entry is not None and not left[entry.name] and entry.name in waiting:
            yield GoldGroup(entry, tuple(waiting.pop(entry.name)))
    known = {entry.name: entry for entry in entries}
    yield from (GoldGroup(known[name], tuple(pages)) for name, pages in waiting.items())  # hosts with a damaged line


def _single(row: dict[str, Any]) -> GoldPage:
    page = SinglePage.of("", row)
    return GoldPage(
        page.url,
        page.html.encode("utf-8", "replace"),
        url=page.url,
        text=page.text,
        fields=page.fields,
        kind=page.kind,
        title=page.title,
        author=page.author,
        date=page.date,
        must=page.snippets,
        must_not=page.not_snippets,
    )
