"""Pages with gold, and functions shared by several layouts."""

import gzip
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dehusk.base.errors import Skipped
from dehusk.bench.evaluation.datasets import inside
from dehusk.page import Page, unusable

NO_GOLD = "no gold for it"
"""The reason for skipping a page without gold."""

_BROKEN = (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError)
"""Exceptions for files that are missing, damaged or in another format."""


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page with its gold; all gold is optional."""

    name: str
    html: bytes
    url: str | None = None
    text: str | None = None
    """The text of its content."""
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The values of a record, by field name."""
    kind: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    """Snippets that must, and must not, be in the content."""
    selector: str | None = None
    """A CSS selector for everything that is not template."""
    marked: bytes | None = None
    """The page with the marks that the selector matches, if `html` is without them."""

    @property
    def has_gold(self) -> bool:
        """Whether its text, field values or snippets are known."""
        return self.text is not None or bool(self.fields or self.must or self.must_not)

    def template(self) -> frozenset[int] | None:
        """The template nodes of its tree by gold: neither in the content nor around it. None without a selector."""
        if self.selector is None:
            return None
        page = Page(self.marked or self.html)
        content = inside(page, self.selector)
        around = {above for node, flag in enumerate(content) if flag for above in page.tree.ancestors(node)}
        return frozenset(node for node, flag in enumerate(content) if not flag) - around


@dataclass(frozen=True, slots=True)
class Entry:
    """A group that is not read yet: its set, its name, and where it is."""

    dataset: str
    name: str
    where: Any
    category: str | None = None
    """The category of its pages, if several sites have pages of the same category."""
    site: str | None = None
    """The site of its pages, if it differs from the name."""
    language: str | None = None
    single: bool = False
    """Whether pages are averaged one by one, not as a site: a set of single pages may have several of one host."""


@dataclass(frozen=True, slots=True)
class GoldGroup:
    """Pages that are cleaned together: those of a site, or a single page."""

    entry: Entry
    pages: tuple[GoldPage, ...]

    @property
    def golden(self) -> list[GoldPage]:
        """The pages with gold."""
        return [page for page in self.pages if page.has_gold]


Missing = Callable[[Skipped], object]


@contextmanager
def tried(name: str, missing: Missing) -> Iterator[None]:
    """Wraps the reading of a page: an error skips only that page, and is passed to `missing`."""
    try:
        yield
    except _BROKEN as error:
        missing(Skipped(name, said(error)))


def an_object(value: Any) -> dict[str, Any]:
    """The value, which must be an object of JSON. Raises TypeError if it is not."""
    if not isinstance(value, dict):
        raise TypeError("its gold is not an object")
    return value


def said(error: BaseException) -> str:
    """A short reason why a file cannot be used."""
    if isinstance(error, FileNotFoundError):
        return NO_GOLD if error.filename is None else f"no file {Path(error.filename).name}"
    if isinstance(error, KeyError):
        return NO_GOLD
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    if str(error) == NO_GOLD:
        return NO_GOLD
    return "damaged: " + (" ".join(str(error).split()) or type(error).__name__)


def page_bytes(file: Path) -> bytes:
    """Reads a page, decompressing it if necessary. Raises ValueError if it is not a page."""
    data = file.read_bytes()
    if file.suffix == ".gz":
        data = gzip.decompress(data)
    if why := unusable(data):
        raise ValueError(why)
    return data


def read_each(
    entries: Iterable[Entry], pages_of: Callable[[Entry, Missing], Iterable[GoldPage]]
) -> Iterator[GoldGroup | Skipped]:
    """Reads the groups of entries one by one."""
    for entry in entries:
        skipped: list[Skipped] = []
        pages: tuple[GoldPage, ...] = ()
        with tried(f"{entry.dataset} {entry.name}", skipped.append):
            pages = tuple(pages_of(entry, skipped.append))
        yield from skipped
        if any(page.has_gold for page in pages):
            yield GoldGroup(entry, pages)


def by_host(names: Iterable[tuple[str, str | None]]) -> dict[str, list[str]]:
    """Groups the names of pages by the host of their URL; a page without a URL is a group by itself."""
    hosts: dict[str, list[str]] = {}
    for name, url in names:
        host = re.match(r"(?i)\s*https?://([^/?#\s]+)", url or "")
        hosts.setdefault(host[1].lower() if host else name, []).append(name)
    return hosts


def parts_with(root: Path, gold: str) -> Iterator[Path]:
    """The folder itself and its subfolders, if they have an `html` folder and a `gold` folder."""
    for part in (root, *sorted(path for path in root.iterdir() if path.is_dir())):
        if (part / "html").is_dir() and (part / gold).is_dir():
            yield part
