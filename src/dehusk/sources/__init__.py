"""Where pages come from. A source can be read more than once: to learn, then to clean."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable
from urllib.parse import urlsplit

from dehusk.errors import FetchError, Skipped, SourceError, UsageError
from dehusk.page import Page

if TYPE_CHECKING:
    from dehusk.web.crawl import Fetcher

__all__ = ["STDIN", "Reading", "Skipped", "Source", "fetched", "open_source", "to_learn_from"]

STDIN = "-"
_SCHEMES = ("http://", "https://")
_ARCHIVES = (".warc", ".wacz")
_TABLES = (".jsonl", ".ndjson", ".parquet")
_LISTS = (".xml", ".txt")


class Source(Protocol):
    """Pages one after the other, and in their places what could not be read."""

    @property
    def names(self) -> Sequence[str] | None:
        """What is in it, where that is known before it is read."""

    @property
    def files(self) -> Collection[Path]:
        """The files that it reads, which nothing may be written to."""

    def __iter__(self) -> Iterator[Page | Skipped]: ...


@runtime_checkable
class Alone(Protocol):
    """A source of too few pages to learn from, which knows where others are."""

    def to_learn_from(self) -> Iterable[Page | Skipped]:
        """Its pages and others like them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How sources are read: the columns of tables, what fetches URLs, and what is not read."""

    url: str = "url"
    html: str = "html"
    fetcher: "Callable[[], Fetcher] | None" = None
    leave_out: Collection[Path] = field(default=())


def open_source(places: Sequence[str | os.PathLike[str]], reading: Reading | None = None) -> Source:
    """Folders, files, archives, tables, sitemaps, lists of URLs, URLs; `-` for one page on standard input."""
    reading = reading or Reading()
    names = [os.fspath(place) for place in places]
    if names == [STDIN]:
        from dehusk.sources.stdin import Stdin

        return Stdin()
    if STDIN in names:
        raise UsageError("standard input cannot be mixed with other sources")
    alone = len(names) == 1
    special = {name: _special(name, reading) if alone else _or_skipped(name, reading) for name in names}
    plain = [Path(name) for name in names if special[name] is None]
    sources = [source for source in special.values() if source is not None]
    if plain:
        from dehusk.sources.paths import Paths

        sources.append(Paths(plain, leave_out=reading.leave_out))
    return sources[0] if len(sources) == 1 else Several(sources)


def to_learn_from(source: Source) -> Iterable[Page | Skipped]:
    """The source itself, or for a page alone the pages that it knows to compare with."""
    return source.to_learn_from() if isinstance(source, Alone) else source


class Unread:
    """A source that could not be opened."""

    def __init__(self, name: str, reason: str) -> None:
        self.names = [name]
        self.files: list[Path] = []
        self._reason = reason.removeprefix(f"{name}: ")

    def __iter__(self) -> Iterator[Page | Skipped]:
        yield Skipped(self.names[0], self._reason)


class Several:
    """Sources one after the other. An address that several of them list comes once; archives may hold it again."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        known = [source.names for source in sources]
        self.names = None if None in known else [name for names in known for name in names or ()]
        self.files = [file for source in sources for file in source.files]

    def __iter__(self) -> Iterator[Page | Skipped]:
        seen: set[str] = set()
        for source in self._sources:
            listed = {name for name in source.names or () if "://" in name}
            again = seen & listed
            yield from (item for item in _to_the_end(source) if item.name not in again)
            seen |= listed

    def to_learn_from(self) -> Iterable[Page | Skipped]:
        """What each of them says."""
        return chain.from_iterable(_to_the_end(to_learn_from(source)) for source in self._sources)


def _or_skipped(name: str, reading: Reading) -> Source | None:
    """Of several sources, one that cannot be read does not keep the others from it."""
    try:
        return _special(name, reading)
    except (SourceError, FetchError) as error:
        return Unread(name, str(error))


def _to_the_end(items: Iterable[Page | Skipped]) -> Iterator[Page | Skipped]:
    try:
        yield from items
    except (SourceError, FetchError) as error:
        yield Skipped(str(error).partition(": ")[0], str(error).partition(": ")[2] or str(error))


def _special(name: str, reading: Reading) -> Source | None:
    """The source that a name's form asks for; None for folders and files of pages."""
    if name.lower().startswith(_SCHEMES):
        return _from_the_web(name, reading)
    path = Path(name)
    kind = _kind(path)
    if path.is_dir() or kind not in (*_ARCHIVES, *_TABLES, *_LISTS):
        return None
    if not path.is_file():
        raise SourceError(f"{name}: no such file or folder")
    if kind in _ARCHIVES:
        return _archive(path, kind)
    return _table(path, kind, reading) if kind in _TABLES else _listed(path, kind, reading)


def fetched(name: str) -> bool:
    """Whether the pages that a place stands for are fetched from the web."""
    return name.lower().startswith(_SCHEMES) or (_kind(Path(name)) in _LISTS and not Path(name).is_dir())


def _kind(path: Path) -> str:
    """What the suffix says that a file is, packed or not."""
    kinds = [suffix for suffix in path.name.lower().split(".")[1:] if suffix not in ("gz", "zst")]
    return f".{kinds[-1]}" if kinds else ""


def _archive(path: Path, kind: str) -> Source:
    from dehusk.sources.wacz import Wacz
    from dehusk.sources.warc import Warc

    return Warc(path) if kind == ".warc" else Wacz(path)


def _table(path: Path, kind: str, reading: Reading) -> Source:
    from dehusk.sources.jsonl import JsonLines
    from dehusk.sources.parquet import Parquet

    table = Parquet if kind == ".parquet" else JsonLines
    return table(path, url=reading.url, html=reading.html)


def _listed(path: Path, kind: str, reading: Reading) -> Source:
    from dehusk.sources.sitemap import Sitemap
    from dehusk.sources.urls import Urls

    fetcher = _fetcher(reading)
    return Sitemap(path, fetcher) if kind == ".xml" else Urls(path, fetcher)


def _from_the_web(url: str, reading: Reading) -> Source:
    from dehusk.sources.sitemap import Sitemap
    from dehusk.sources.url import Url

    last = urlsplit(url).path.rpartition("/")[2].lower()
    listed = last.endswith((".xml", ".xml.gz")) or last == "sitemap"
    return Sitemap(url, _fetcher(reading)) if listed else Url(url, _fetcher(reading))


def _fetcher(reading: Reading) -> "Fetcher":
    if reading.fetcher is None:
        raise UsageError("pages from the web need a Fetcher; see dehusk.web.crawl")
    return reading.fetcher()
