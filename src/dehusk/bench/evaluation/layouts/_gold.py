"""Pages with gold, whatever the data set they are from, and what several layouts share."""

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
"""Why a page is left out that nobody marked."""

_BROKEN = (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError)
"""What a file that is missing, damaged or of another form raises."""


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page, and what people said about it, as far as they did."""

    name: str
    html: bytes
    url: str | None = None
    text: str | None = None
    """The text of its content."""
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The values of a record, by the name of the field."""
    kind: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    """Snippets that must, and must not, be in the content."""
    selector: str | None = None
    """A CSS selector of all that is not template."""
    marked: bytes | None = None
    """The page with the marks that the selector picks, if the page itself is given without them."""

    @property
    def has_gold(self) -> bool:
        """Whether anything is known of its content."""
        return self.text is not None or bool(self.fields)

    def template(self) -> frozenset[int] | None:
        """The nodes of its tree that are template by gold, neither content nor around it; None if that is not known."""
        if self.selector is None:
            return None
        page = Page(self.marked or self.html)
        content = inside(page, self.selector)
        around = {above for node, flag in enumerate(content) if flag for above in page.tree.ancestors(node)}
        return frozenset(node for node, flag in enumerate(content) if not flag) - around


@dataclass(frozen=True, slots=True)
class Entry:
    """A group that is not read yet: the set it is counted in, its name, and where it is."""

    dataset: str
    name: str
    where: Any
    category: str | None = None
    """What its pages are about, where several sites have pages about the same."""
    site: str | None = None
    """Whose pages they are, where that is not the name."""
    language: str | None = None
    single: bool = False
    """Whether its pages count one by one, and not as a site: a set of single pages may have several of one host."""


@dataclass(frozen=True, slots=True)
class GoldGroup:
    """Pages that are cleaned together: those of a site, or one page that has none."""

    entry: Entry
    pages: tuple[GoldPage, ...]

    @property
    def golden(self) -> list[GoldPage]:
        """The pages that have gold."""
        return [page for page in self.pages if page.has_gold]


Missing = Callable[[Skipped], object]


@contextmanager
def tried(name: str, missing: Missing) -> Iterator[None]:
    """Around the reading of one page: what goes wrong costs that page alone."""
    try:
        yield
    except _BROKEN as error:
        missing(Skipped(name, said(error)))


def said(error: BaseException) -> str:
    """Why a file could not be used, in a few words."""
    if isinstance(error, FileNotFoundError):
        return NO_GOLD if error.filename is None else f"no file {Path(error.filename).name}"
    if isinstance(error, KeyError):
        return NO_GOLD
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return "damaged: " + (" ".join(str(error).split()) or type(error).__name__)


def page_bytes(file: Path) -> bytes:
    """The bytes of a page. Raises ValueError where they are none of a page."""
    data = file.read_bytes()
    if file.suffix == ".gz":
        data = gzip.decompress(data)
    if why := unusable(data):
        raise ValueError(why)
    return data


def read_each(
    entries: Iterable[Entry], pages_of: Callable[[Entry, Missing], Iterable[GoldPage]]
) -> Iterator[GoldGroup | Skipped]:
    """The groups of entries that can be read one by one."""
    for entry in entries:
        skipped: list[Skipped] = []
        pages: tuple[GoldPage, ...] = ()
        with tried(f"{entry.dataset} {entry.name}", skipped.append):
            pages = tuple(pages_of(entry, skipped.append))
        yield from skipped
        if any(page.has_gold for page in pages):
            yield GoldGroup(entry, pages)


def by_host(names: Iterable[tuple[str, str | None]]) -> dict[str, list[str]]:
    """Names of pages that have an address, by the host of it; each other page by itself."""
    hosts: dict[str, list[str]] = {}
    for name, url in names:
        host = re.match(r"(?i)\s*https?://([^/?#\s]+)", url or "")
        hosts.setdefault(host[1].lower() if host else name, []).append(name)
    return hosts


def parts_with(root: Path, gold: str) -> Iterator[Path]:
    """The folder and those in it that have pages, as `html`, and gold beside them."""
    for part in (root, *sorted(path for path in root.iterdir() if path.is_dir())):
        if (part / "html").is_dir() and (part / gold).is_dir():
            yield part
