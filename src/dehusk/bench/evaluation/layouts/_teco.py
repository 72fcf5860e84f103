"""TECO (Alarte et al. 2015): sites, each with a key page on which people marked everything that is not template.

    SITE/...      the downloaded pages of a site; elements of the key page have special classes

TECO_notTemplate and TECO_mainContent mark elements including their descendants; TECO_mainMenu marks a menu. Methods get
the key page without these classes.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from dehusk.base.errors import Skipped
from dehusk.bench.evaluation.datasets import selected
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup, GoldPage, Missing, page_bytes, read_each, tried
from dehusk.page import Page, may_be_page

MOST_SIBLINGS = 120
"""Maximum number of pages of a site besides its key page: as many as learning looks at."""

_CLASS_MARK = re.compile(rb"TECO_(?:notTemplate|mainContent|mainMenu)\d?")
_CONTENT = ".TECO_mainContent"
_NOT_TEMPLATE = f".TECO_notTemplate, {_CONTENT}"


def recognises(root: Path) -> bool:
    """Whether one of the first folders has a page with the classes."""
    return any(_key(folder) is not None for folder in _folders(root)[:3])


def index(root: Path) -> Iterator[Entry]:
    """Lists the folders."""
    for folder in _folders(root):
        yield Entry("teco", folder.name, folder)


def read(_: Path, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
    """Reads the key page of each site, and other pages without gold."""
    return read_each(entries, lambda entry, missing: _pages(entry.where, missing))


def _folders(root: Path) -> list[Path]:
    return sorted(path for path in root.iterdir() if path.is_dir())


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and may_be_page(path.name))


def _key(folder: Path) -> Path | None:
    return next((file for file in _files(folder) if _CLASS_MARK.search(file.read_bytes())), None)


def _pages(folder: Path, missing: Missing) -> Iterator[GoldPage]:
    key = _key(folder)
    if key is None:
        missing(Skipped(folder.name, "no page has the class TECO_notTemplate"))
        return
    with tried(f"{folder.name}/{key.name}", missing):
        marked = page_bytes(key)
        whole = Page(marked)
        text = selected(whole, _CONTENT) or selected(whole, _NOT_TEMPLATE)
        name = key.relative_to(folder).as_posix()
        yield GoldPage(name, _CLASS_MARK.sub(b"", marked), text=text, selector=_NOT_TEMPLATE, marked=marked)
    for file in [file for file in _files(folder) if file != key][:MOST_SIBLINGS]:
        with tried(f"{folder.name}/{file.name}", missing):
            yield GoldPage(file.relative_to(folder).as_posix(), page_bytes(file))
