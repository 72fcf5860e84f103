"""Sampling: chooses a few pages of each site to learn from, within a limit of memory."""

import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import chain, islice
from operator import attrgetter
from sys import getsizeof
from typing import NamedTuple, Self

from dehusk.base import system
from dehusk.base.errors import OutputError
from dehusk.kernels.starts import tags
from dehusk.page import Page

MEMORY = 500_000_000
"""Approximate limit of memory for learning a site, in bytes."""

LARGE_FRACTION = 4
"""A page that would take more than this fraction of the memory is left out, so that there are several to learn from."""

HELD, HELD_FRACTION = 256_000_000, 16
"""Maximum bytes of sampled pages held in memory, and the maximum fraction (1/n) of the machine's memory."""

_BYTE, _TAG = 8, 700  # bytes of memory for each byte and each start tag of a page


def weight(page: Page) -> int:
    """Returns approximately how many bytes of memory learning needs for a page.

    Measured with the default method: 7 to 13 for each byte of text or script, and 600 to 900 for each start tag.
    """
    html = page.html
    return _BYTE * len(html) + _TAG * (html.count("<") - html.count("</") if isinstance(html, str) else tags(html))


def size(page: Page) -> int:
    """Returns the bytes of memory that a page takes before it is parsed."""
    return getsizeof(page.html)


def room() -> int:
    """Returns how many bytes of pages may be held in memory."""
    return min(HELD, system.memory() // HELD_FRACTION)


def cut(page: Page, memory: int = MEMORY) -> Page:
    """Returns the page, or as much of its beginning as memory allows."""
    while not _is_light(page, memory) and (much := weight(page)) > memory:
        html = page.html[: len(page.html) * memory // much]
        page = Page(html, url=page.url, name=page.name, encoding=page.encoding, origin=page.origin)
    return page


def _is_light(page: Page, memory: int) -> bool:
    """Returns whether a page fits even if each byte were a tag. Saves counting tags, which takes a tenth of a parse."""
    return (_BYTE + _TAG) * len(page.html) <= memory


Origin = tuple[bytes, bytes, str]
"""Name, URL and encoding of a page. Of pages with the same content, the one with the smallest origin is sampled."""


def origin(page: Page) -> Origin:
    """Returns the origin of a page."""
    return _bytes(page.name), _bytes(page.url or ""), page.encoding or ""


@dataclass(frozen=True, slots=True)
class Sample:
    """Pages of a site to learn from, sorted by hash; and the names of pages left out for lack of memory."""

    pages: Sequence[Page]
    left_out: Sequence[str] = ()

    @classmethod
    def of(cls, pages: Iterable[Page], memory: int | None = MEMORY) -> "Sample":
        """Returns as many of these pages as memory allows. They must be sorted by hash, without duplicates."""
        every = iter(pages)
        first = list(islice(every, 2))
        if len(first) == 1 and memory is not None and _is_light(first[0], memory):
            return cls(first, [])
        pages = chain(first, every)
        return _with_room((_Weighed.of(page, memory) for page in pages), memory)


@dataclass(slots=True)
class _Weighed:
    """A candidate with its weight. Its page is None if it was dropped."""

    page: Page | None
    digest: str
    origin: Origin
    weight: int
    is_large: bool
    """Whether it is too large by itself."""

    @classmethod
    def of(cls, page: Page, memory: int | None) -> Self:
        heavy = 0 if memory is None else weight(page)
        return cls(page, page.digest, origin(page), heavy, memory is not None and heavy > memory // LARGE_FRACTION)

    @property
    def name(self) -> str:
        return _text(self.origin[0]) or self.digest

    @property
    def counted(self) -> int:
        """Its share of the memory for all pages; 0 if it is left out because it is too large."""
        return 0 if self.is_large else self.weight


def _with_room(weighed: Iterable[_Weighed], memory: int | None) -> Sample:
    """Leaves out pages that are too large, and all pages from the first that does not fit.

    If all are too large, the sample is the beginning of the first. Dropped pages count as well: otherwise the result
    would depend on the order in which pages were added.
    """
    first: Page | None = None
    pages: list[Page] = []
    left_out: list[str] = []
    left = memory
    for candidate in weighed:
        first = candidate.page if first is None else first
        if left is not None:
            left -= candidate.counted
        if candidate.page is None or candidate.is_large or (left is not None and left < 0):
            left_out.append(candidate.name)
        else:
            pages.append(candidate.page)
    if pages or first is None:
        return Sample(pages, left_out)
    beginning = cut(first, memory or MEMORY)
    return Sample([beginning], left_out[beginning is first :])


class Sampler:
    """Samples one site in memory: the pages with the smallest hashes, up to `most` and as far as memory allows.

    The sample does not depend on the order in which pages are added.
    """

    def __init__(self, most: int | None, memory: int | None = MEMORY) -> None:
        """`most` is None for all pages, `memory` None for no limit."""
        self._most = most
        self._memory = memory
        self._known: list[_Weighed] = []  # sorted by hash
        self._end = 0  # how many of them fit into memory, and their weight
        self._weight = 0

    def add(self, page: Page) -> None:
        """Adds a page if its hash is among the smallest so far. Of equal pages, the smallest origin is kept."""
        place = bisect_left(self._known, page.digest, key=attrgetter("digest"))
        if place < len(self._known) and (twin := self._known[place]).digest == page.digest:
            if origin(page) < twin.origin:
                twin.origin = origin(page)
                twin.page = twin.page and page
        elif place != self._most:
            self._known.insert(place, _Weighed.of(page, self._memory))
            if self._memory is not None:
                self._make_room(place, self._memory)
            if len(self._known) - 1 == self._most:
                last = self._known.pop()
                if self._end > len(self._known):
                    self._end -= 1
                    self._weight -= last.counted

    def _make_room(self, place: int, memory: int) -> None:
        """Drops pages that do not fit, and never will, because those before them stay. The first is always held."""
        new = self._known[place]
        if place > self._end or (place and new.is_large):
            new.page = None
        if place <= self._end:
            self._end += 1
            self._weight += new.counted
        while self._weight > memory:
            self._end -= 1
            self._weight -= self._known[self._end].counted
            self._known[self._end].page = None
        if not place and len(self._known) > 1 and self._known[1].is_large:
            self._known[1].page = None  # it is no longer the first

    @property
    def sample(self) -> Sample:
        """The sample so far."""
        return _with_room(self._known, self._memory)


def sample_of(pages: Iterable[Page], most: int | None, memory: int | None = MEMORY) -> Sample:
    """Returns the sample of a site: `most` pages, None for all, as far as memory allows."""
    every = iter(pages)
    first = list(islice(every, 2))
    if len(first) < 2:
        # No hash is needed, which takes a quarter of a parse.
        return Sample(first if memory is None else [cut(page, memory) for page in first])
    sampler = Sampler(most, memory)
    for page in chain(first, every):
        sampler.add(page)
    return sampler.sample


class Sampled(NamedTuple):
    """A page as a row of a database. Names are bytes, because they may not be valid Unicode."""

    digest: str
    name: bytes
    url: bytes
    encoding: str
    html: bytes

    @classmethod
    def of(cls, page: Page) -> Self:
        """Returns the row of a page."""
        html = page.html if isinstance(page.html, bytes) else page.html.encode("utf-8", "replace")
        return cls(page.digest, *origin(page), html)

    @property
    def origin(self) -> Origin:
        """The origin of the page."""
        return self.name, self.url, self.encoding

    def page(self) -> Page:
        """Returns the page of a row."""
        page = Page(self.html, name=_text(self.name), url=_text(self.url) or None, encoding=self.encoding or None)
        page.digest = self.digest  # computing it again takes a quarter of a parse
        return page


class Samples(AbstractContextManager["Samples"]):
    """Samples many sites: the pages of each with the smallest hashes. `Sample.of` then applies the limit of memory.

    Few pages are held in memory. More are moved to a temporary database, which the system removes by itself, so that
    an archive of any number of sites needs limited memory.
    """

    def __init__(self, most: int | None, held: int | None = None) -> None:
        """`most` pages of each site, None for all. Up to `held` bytes are held in memory; None for `room()`."""
        self._most = most
        self._room = room() if held is None else held
        self._held: dict[str, list[Page]] | None = {}
        self._database: sqlite3.Connection | None = None

    def add(self, site: str, page: Page) -> None:
        """Adds a page if its hash is among the smallest of its site. Of equal pages, the smallest origin is kept."""
        if self._held is None:
            self._store(site, page)
            return
        self._held.setdefault(site, []).append(page)
        self._room -= size(page)
        if self._room < 0:
            held, self._held = self._held, None
            for name, pages in held.items():
                for known in pages:
                    self._store(name, known)

    @property
    def in_memory(self) -> bool:
        """Whether all pages are still in memory."""
        return self._held is not None

    @property
    def _pages(self) -> sqlite3.Connection:
        if self._database is None:  # a temporary file, written when it outgrows the cache
            self._database = sqlite3.connect("", isolation_level=None)
            self._database.execute("PRAGMA journal_mode = OFF")
            self._database.execute(
                "CREATE TABLE page (site BLOB, digest TEXT, name BLOB, url BLOB, encoding TEXT, html BLOB, "
                "PRIMARY KEY (site, digest))"
            )
        return self._database

    def _store(self, site: str, page: Page) -> None:
        key = (_bytes(site), page.digest)
        twin = self._pages.execute("SELECT name, url, encoding FROM page WHERE site = ? AND digest = ?", key).fetchone()
        if twin is None:
            query = "SELECT count(*), max(digest) FROM page WHERE site = ?"
            count, largest = self._pages.execute(query, key[:1]).fetchone()
            if count == self._most:
                if page.digest > largest:
                    return
                self._pages.execute("DELETE FROM page WHERE site = ? AND digest = ?", (key[0], largest))
        row = Sampled.of(page)
        if twin is None or row.origin < twin:
            self._pages.execute("INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?, ?)", (key[0], *row))

    @property
    def sites(self) -> Iterator[str]:
        """The sites, sorted by name."""
        if self._held is not None:
            yield from sorted(self._held, key=_bytes)
            return
        site: bytes | None = b""
        query = "SELECT min(site) FROM page WHERE site >= ?"
        while (site := self._pages.execute(query, (site,)).fetchone()[0]) is not None:
            yield _text(site)
            site += b"\0"  # the next possible name

    def rows(self, site: str) -> Iterator[Sampled]:
        """Yields the sample of a site as rows, sorted by hash."""
        if self._held is not None:
            return map(Sampled.of, self.pages(site))
        query = "SELECT digest, name, url, encoding, html FROM page WHERE site = ? ORDER BY digest"
        return map(Sampled._make, self._pages.execute(query, (_bytes(site),)))

    def pages(self, site: str) -> Iterator[Page]:
        """Yields the sample of a site as pages, sorted by hash."""
        if self._held is not None:
            return iter(sample_of(self._held.get(site, ()), self._most, None).pages)
        return (row.page() for row in self.rows(site))

    def __exit__(self, error_type: object, error: BaseException | None, *_: object) -> None:
        if self._database is not None:
            self._database.close()
        if isinstance(error, sqlite3.Error):
            raise OutputError(f"cannot write the sample to the temporary disk: {error}; free some space") from error


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogatepass")
