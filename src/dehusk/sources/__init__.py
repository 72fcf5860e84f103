"""Where pages come from. A source can be read more than once: to learn, then to clean.

A new type of source is one file with a class, and one line in `SOURCE_TYPES`.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable
from urllib.parse import urlsplit

from dehusk.base import packing
from dehusk.base.errors import FetchError, Skipped, SourceError, UsageError
from dehusk.base.options import Option
from dehusk.base.urls import on_the_web
from dehusk.page import Page

if TYPE_CHECKING:
    from dehusk.sources.web.crawl import Fetcher

__all__ = [
    "OPTIONS",
    "SOURCE_TYPES",
    "STDIN",
    "Reading",
    "Skipped",
    "Source",
    "SourceType",
    "fetched",
    "open_source",
    "pages_of",
    "to_learn_from",
]

STDIN = "-"


class Source(Protocol):
    """Pages in order. Where one could not be read, there is a Skipped in its place."""

    @property
    def names(self) -> Sequence[str] | None:
        """The names of its pages, if they are known before it is read."""

    @property
    def files(self) -> Collection[Path]:
        """The files that it reads. Nothing may be written to them."""

    def __iter__(self) -> Iterator[Page | Skipped]: ...


@runtime_checkable
class Alone(Protocol):
    """A source with too few pages to learn from, which can find more."""

    def to_learn_from(self) -> Iterable[Page | Skipped]:
        """Its pages and others of the same site."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How sources are read: what fetches URLs, what is not read, and the options of the types of sources."""

    fetcher: "Callable[[], Fetcher] | None" = None
    leave_out: Collection[Path] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.options.keys() - {option.name for option in OPTIONS}:
            known = ", ".join(option.name for option in OPTIONS)
            raise UsageError(f"no source has an option {name}; choose from {known}")

    def fetching(self) -> "Fetcher":
        """What fetches pages."""
        if self.fetcher is None:
            raise UsageError("pages from the web need a Fetcher; see dehusk.sources.web.crawl")
        return self.fetcher()


@dataclass(frozen=True, slots=True)
class SourceType:
    """A type of source by name. Its class is imported when it is used."""

    name: str
    module: str
    opens: str
    """The class: it takes the place, then a Fetcher if pages are fetched, then the options."""
    suffixes: tuple[str, ...] = ()
    """What the name of such a file ends with."""
    packings: tuple[str, ...] = ()
    """What may come after the suffix where the file is packed."""
    on_the_web: bool = False
    """Whether such a file may be at a URL too."""
    fetched: bool = False
    """Whether its pages are fetched from the web."""
    options: tuple[Option, ...] = ()

    def has(self, name: str) -> bool:
        """Whether the end of a file's name says that it is of this type."""
        suffix, packed = packing.suffixes(name)
        return suffix in self.suffixes and packed in ("", *self.packings)

    def open(self, place: str, reading: Reading) -> Source:
        """The source at this place."""
        source: Callable[..., Source] = getattr(import_module(f"dehusk.sources.{self.module}"), self.opens)
        location = place if on_the_web(place) else Path(place)
        ours = {option.name: reading.options[option.name] for option in self.options if option.name in reading.options}
        return source(location, *([reading.fetching()] if self.fetched else []), **ours)


_TABLE_COLUMNS = (
    Option("the column of addresses in JSON Lines and Parquet", name="url_column", default="url"),
    Option("the column of HTML in JSON Lines and Parquet", name="html_column", default="html"),
)

_URL = SourceType("URL", "_url", "Url", fetched=True)
SOURCE_TYPES = (
    SourceType("WARC", "warc", "WarcSource", (".warc",), packing.SUFFIXES),
    SourceType("WACZ", "wacz", "Wacz", (".wacz",)),
    SourceType("JSON Lines", "jsonl", "JsonLines", (".jsonl", ".ndjson"), packing.SUFFIXES, options=_TABLE_COLUMNS),
    SourceType("Parquet", "parquet", "ParquetSource", (".parquet",), options=_TABLE_COLUMNS),
    SourceType("sitemap", "_sitemap", "Sitemap", (".xml",), (".gz",), on_the_web=True, fetched=True),
    SourceType("list of URLs", "_url", "UrlList", (".txt",), fetched=True),
    _URL,
)
"""All types that have a name of their own. Any other place is a folder or a file of pages."""

OPTIONS = tuple(dict.fromkeys(option for source_type in SOURCE_TYPES for option in source_type.options))
"""The options of all types."""


def open_source(places: Sequence[str | os.PathLike[str]], reading: Reading | None = None) -> Source:
    """Folders, files, archives, tables, sitemaps, lists of URLs, URLs; `-` for one page on standard input."""
    reading = reading or Reading()
    names = [os.fspath(place) for place in places]
    if names == [STDIN]:
        from dehusk.sources._paths import Stdin

        return Stdin()
    if STDIN in names:
        raise UsageError("standard input cannot be mixed with other sources")
    alone = len(names) == 1
    special = {name: _special(name, reading) if alone else _or_skipped(name, reading) for name in names}
    plain = [Path(name) for name in names if special[name] is None]
    sources = [source for source in special.values() if source is not None]
    if plain:
        from dehusk.sources._paths import Paths

        sources.append(Paths(plain, leave_out=reading.leave_out))
    return sources[0] if len(sources) == 1 else Several(sources)


def pages_of(items: Iterable[Page | Skipped]) -> Iterator[Page]:
    """The pages of a source. Raises SourceError where there are none, with the reason that was found first."""
    any_page, skipped, first = False, 0, None
    for item in items:
        if isinstance(item, Page):
            any_page = True
            yield item
        else:
            skipped, first = skipped + 1, first or item
    if any_page:
        return
    if first is None:
        raise SourceError("none of these is a page; give a folder or archive that holds HTML")
    start = f"none of these is a page; the first of {skipped:,}, " if skipped > 1 else ""
    advised = skipped > 1 or ";" in first.reason  # a reason may say what to do
    advice = "" if advised else "; give a page, a folder or an archive that holds HTML"
    raise SourceError(f"{start}{first.name}: {first.reason}{advice}")


def to_learn_from(source: Source) -> Iterable[Page | Skipped]:
    """The pages to learn from: those of the source, and for a single page also others that it can find."""
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
    """Several sources in order. A URL that several of them list comes once; archives may hold it again."""

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
        """The pages that each of them gives to learn from: itself, where those are its own."""
        if not any(isinstance(source, Alone) for source in self._sources):
            return self
        return chain.from_iterable(_to_the_end(to_learn_from(source)) for source in self._sources)


def _or_skipped(name: str, reading: Reading) -> Source | None:
    """The source of a place; among several sources, one that cannot be opened must not stop the others."""
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
    """The source of a place by its type; None for folders and files of pages."""
    if (source_type := _source_type(name)) is None:
        return None
    if not on_the_web(name) and not Path(name).is_file():
        raise SourceError(f"{name}: no such file or folder")
    return source_type.open(name, reading)


def fetched(name: str) -> bool:
    """Whether the pages of a place are fetched from the web."""
    source_type = _source_type(name)
    return source_type is not None and source_type.fetched


def _source_type(name: str) -> SourceType | None:
    """The type of a source, by its name; None for folders and files of pages."""
    if on_the_web(name):
        last = urlsplit(name).path.rpartition("/")[2]
        listed = f"{last}.xml" if last.lower() == "sitemap" else last  # as some sites call theirs
        return next((known for known in SOURCE_TYPES if known.on_the_web and known.has(listed)), _URL)
    if Path(name).is_dir():
        return None
    return next((known for known in SOURCE_TYPES if known.has(name)), None)
