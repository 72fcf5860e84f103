"""Where pages come from. A source can be read more than once: to learn, then to clean.

A new type of source is one file with a class, and one line in `SOURCE_TYPES`.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from glob import glob
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from dehusk.base import packing
from dehusk.base.errors import FetchError, Skipped, SourceError, UsageError
from dehusk.base.options import Option
from dehusk.base.urls import on_the_web, path_of, split, unquoted
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
    "expanded",
    "fetched",
    "open_source",
    "pages_of",
    "to_learn_from",
]

STDIN = "-"


class Source(Protocol):
    """Yields pages in order, and a Skipped for each page that cannot be read."""

    @property
    def names(self) -> Sequence[str] | None:
        """The names of the pages, if known before reading."""

    @property
    def files(self) -> Collection[Path]:
        """The input files. They must not be overwritten."""

    def __iter__(self) -> Iterator[Page | Skipped]: ...


@runtime_checkable
class Alone(Protocol):
    """A single page that can find other pages of its site to learn from."""

    def to_learn_from(self) -> Iterable[Page | Skipped]:
        """The page, and other pages of the same site."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read sources: the fetcher for URLs, files to leave out, and the options of the source types."""

    fetcher: "Callable[[], Fetcher] | None" = None
    leave_out: Collection[Path] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.options.keys() - {option.name for option in OPTIONS}:
            known = ", ".join(option.name for option in OPTIONS)
            raise UsageError(f"no source has an option {name}; choose from {known}")

    def fetching(self) -> "Fetcher":
        """Returns the fetcher. Raises UsageError if there is none."""
        if self.fetcher is None:
            raise UsageError("pages from the web need a Fetcher; see dehusk.sources.web.crawl")
        return self.fetcher()


@dataclass(frozen=True, slots=True)
class SourceType:
    """A type of source. Its class is imported on first use."""

    name: str
    module: str
    opens: str
    """The name of the class. Its arguments are the place, a Fetcher if pages are fetched, and the options."""
    suffixes: tuple[str, ...] = ()
    """File name suffixes of this type."""
    packings: tuple[str, ...] = ()
    """Suffixes of compressed files, which may follow the suffix."""
    on_the_web: bool = False
    """Whether the file may also be at a URL."""
    fetched: bool = False
    """Whether its pages are fetched from the web."""
    options: tuple[Option, ...] = ()

    def has(self, name: str) -> bool:
        """Whether a file name has a suffix of this type."""
        suffix, packed = packing.suffixes(name)
        return suffix in self.suffixes and packed in ("", *self.packings)

    def open(self, place: str, reading: Reading) -> Source:
        """Opens the source at this place."""
        source: Callable[..., Source] = getattr(import_module(f"dehusk.sources.{self.module}"), self.opens)
        location = place if on_the_web(place) else Path(place)
        ours = {option.name: reading.options[option.name] for option in self.options if option.name in reading.options}
        return source(location, *([reading.fetching()] if self.fetched else []), **ours)


_TABLE_COLUMNS = (
    Option("the column of URLs in JSON Lines and Parquet", name="url_column", default="url"),
    Option("the column of HTML in JSON Lines and Parquet", name="html_column", default="html"),
)

_FOLDER_OPTIONS = (
    Option(
        "the folders are named like hosts, as in mirrors of wget and HTTrack: pages get their URLs",
        name="mirror",
        default=False,
    ),
)

_LISTS = ("atom", "feed", "rss", "sitemap")
"""Last steps of URLs that are lists of pages, though they have no suffix."""

_URL = SourceType("URL", "_url", "Url", fetched=True)
SOURCE_TYPES = (
    SourceType("WARC", "warc", "WarcSource", (".warc",), packing.SUFFIXES),
    SourceType("WACZ", "wacz", "Wacz", (".wacz",)),
    SourceType("JSON Lines", "jsonl", "JsonLines", (".jsonl", ".ndjson"), packing.SUFFIXES, options=_TABLE_COLUMNS),
    SourceType("JSON", "jsonl", "JsonFile", (".json",), packing.SUFFIXES, options=_TABLE_COLUMNS),
    SourceType("zip", "_bundle", "Zip", (".zip",)),
    SourceType("tar", "_bundle", "Tar", (".tar",), packing.SUFFIXES),
    SourceType("packed tar", "_bundle", "Tar", (".tgz",)),
    SourceType("Parquet", "parquet", "ParquetSource", (".parquet",), options=_TABLE_COLUMNS),
    SourceType(
        "sitemap or feed", "_sitemap", "Sitemap", (".xml", ".rss", ".atom"), (".gz",), on_the_web=True, fetched=True
    ),
    SourceType("list of URLs", "_url", "UrlList", (".txt",), fetched=True),
    _URL,
)
"""All types that are recognized by suffix or URL. Any other place is a folder or a file of pages."""

OPTIONS = (*dict.fromkeys(option for source_type in SOURCE_TYPES for option in source_type.options), *_FOLDER_OPTIONS)
"""The options of all source types."""


def open_source(places: Sequence[str | os.PathLike[str]], reading: Reading | None = None) -> Source:
    """Opens folders, files, archives, tables, sitemaps, lists of URLs and URLs; `-` is one page on standard input."""
    reading = reading or Reading()
    names = expanded(places)
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

        ours = {option.name: reading.options.get(option.name, option.default) for option in _FOLDER_OPTIONS}
        sources.append(Paths(plain, leave_out=reading.leave_out, **ours))
    return sources[0] if len(sources) == 1 else Several(sources)


def expanded(places: Iterable[str | os.PathLike[str]]) -> list[str]:
    """The places as paths and URLs: `file:` URLs are paths, `~` is the home folder, and patterns are their files.

    A pattern comes here if a shell did not expand it, for example because it was quoted.
    """
    return [name for place in places for name in _expanded(os.fspath(place))]


def _expanded(name: str) -> list[str]:
    if on_the_web(name) or name == STDIN:
        return [name]
    if name.lower().startswith("file:"):
        parts = split(name)
        if parts is None:
            raise UsageError(f"{name}: not a URL of a file; give file:///PATH")
        if parts.netloc not in ("", "localhost"):
            raise UsageError(f"{name}: a file on another computer; give file:///PATH")
        return [unquoted(parts.path)]
    path = os.path.expanduser(name)  # noqa: PTH111  # Path drops a slash at the end
    if not any(char in path for char in "*?[") or Path(path).exists():
        return [path]
    found = sorted(glob(path, recursive=True))  # noqa: PTH207  # of any folder
    if not found:
        raise SourceError(f"{name}: no file has a name like this")
    return found


def pages_of(items: Iterable[Page | Skipped]) -> Iterator[Page]:
    """Yields the pages of a source. Raises SourceError if there are none, with the first reason for a skipped page."""
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
    advised = skipped > 1 or ";" in first.reason  # the text after ";" already says what to do
    advice = "" if advised else "; give a page, a folder or an archive that holds HTML"
    raise SourceError(f"{start}{first.name}: {first.reason}{advice}")


def to_learn_from(source: Source) -> Iterable[Page | Skipped]:
    """The pages to learn from: those of the source; for a single page also others of its site."""
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
    """Several sources in order. A URL that several sources list is yielded once, unless an archive repeats it."""

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
        """The pages to learn from, of all sources. Returns `self` if no source has further ones."""
        if not any(isinstance(source, Alone) for source in self._sources):
            return self
        return chain.from_iterable(_to_the_end(to_learn_from(source)) for source in self._sources)


def _or_skipped(name: str, reading: Reading) -> Source | None:
    """Opens one of several sources. If it cannot be opened it is skipped, so that the others are still read."""
    try:
        return _special(name, reading)
    except (SourceError, FetchError) as error:
        return Unread(name, str(error))


def _to_the_end(items: Iterable[Page | Skipped]) -> Iterator[Page | Skipped]:
    """Yields the items of a source; an error becomes a Skipped at the end."""
    try:
        yield from items
    except (SourceError, FetchError) as error:
        yield Skipped(str(error).partition(": ")[0], str(error).partition(": ")[2] or str(error))


def _special(name: str, reading: Reading) -> Source | None:
    """Opens a place that has a source type; None for folders and files of pages."""
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
    """The source type of a place; None for folders and files of pages."""
    if on_the_web(name):
        last = path_of(name).rpartition("/")[2]
        listed = f"{last}.xml" if last.lower() in _LISTS else last  # some sites have no suffix here
        return next((known for known in SOURCE_TYPES if known.on_the_web and known.has(listed)), _URL)
    if Path(name).is_dir():
        return None
    return next((known for known in SOURCE_TYPES if known.has(name)), None)
