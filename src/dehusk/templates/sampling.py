"""Pages to learn from, a few of each site, while many pass by, and no more than memory has room for."""

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
from dehusk.page import Page

MEMORY = 500_000_000
"""About how many bytes of memory learning a site may take."""

LARGE_FRACTION = 4
"""A page that would take more than one in so many of them is left out, so that there are several to learn from."""

HELD, HELD_FRACTION = 256_000_000, 16
"""Bytes of the pages of many sites that are held in memory, and one in how many of the machine's at most."""

_BYTE, _TAG = 8, 700  # what a byte and a start tag take


def weight(page: Page) -> int:
    """About how many bytes of memory learning takes for a page: some for each byte, and more for each element.

    Measured with the default method: 7 to 13 for each byte of text or script, and 600 to 900 for each start tag.
    """
    html = page.html
    tags = html.count("<") - html.count("</") if isinstance(html, str) else html.count(b"<") - html.count(b"</")
    return _BYTE * len(html) + _TAG * tags


def size(page: Page) -> int:
    """Bytes of memory that a page takes while nobody looks at it."""
    return getsizeof(page.html)


def room() -> int:
    """Bytes of pages that may be held in memory."""
    return min(HELD, system.memory() // HELD_FRACTION)


def cut(page: Page, memory: int = MEMORY) -> Page:
    """The page, or as much of its beginning as memory has room for."""
    while not _is_light(page, memory) and (much := weight(page)) > memory:
        html = page.html[: len(page.html) * memory // much]
        page = Page(html, url=page.url, name=page.name, encoding=page.encoding, origin=page.origin)
    return page


def _is_light(page: Page, memory: int) -> bool:
    """Whether there is room for a page even if each of its bytes were a tag: to count them takes a third of a parse."""
    return (_BYTE + _TAG) * len(page.html) <= memory


Origin = tuple[bytes, bytes, str]
"""The name, URL and encoding of a page. Of pages with the same content, the one where it is smallest is sampled."""


def origin(page: Page) -> Origin:
    """What may differ between pages of the same content."""
    return _bytes(page.name), _bytes(page.url or ""), page.encoding or ""


@dataclass(frozen=True, slots=True)
class Sample:
    """Pages of a site to learn from, in the order of their hashes; the names of those that there is no room for."""

    pages: Sequence[Page]
    left_out: Sequence[str] = ()

    @classmethod
    def of(cls, pages: Iterable[Page], memory: int | None = MEMORY) -> "Sample":
        """As many of these pages as memory has room for. They come in the order of their hashes, each content once."""
        every = iter(pages)
        first = list(islice(every, 2))
        if len(first) == 1 and memory is not None and _is_light(first[0], memory):
            return cls(first)
        pages = chain(first, every)
        return _with_room((_Weighed.of(page, memory) for page in pages), memory)


@dataclass(slots=True)
class _Weighed:
    """A page, unless it was let go of."""

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
        """What it takes of the room for all: nothing where it is left out by itself."""
        return 0 if self.is_large else self.weight


def _with_room(weighed: Iterable[_Weighed], memory: int | None) -> Sample:
    """Leaves out pages that are too large by themselves, and all others after those that there is room for.

    If all are too large, there is the beginning of the first. What was let go of takes room, too: else the order in
    which pages came would matter.
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
    """Samples one site in memory: the pages with the smallest hashes, as many as asked for and as there is room for.

    The sample is the same in whatever order pages come.
    """

    def __init__(self, most: int | None, memory: int | None = MEMORY) -> None:
        """`most` pages, None for all; `memory` None for no limit."""
        self._most = most
        self._memory = memory
        self._known: list[_Weighed] = []  # in the order of their hashes
        self._end = 0  # how many of them there is room for, and what they weigh
        self._weight = 0

    def add(self, page: Page) -> None:
        """Takes a page if it is among those with the smallest hashes so far; of equal ones that with the first name."""
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
        """Lets go of pages that have no room, and never will: those before them stay. The first is held in any case."""
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
            self._known[1].page = None  # it was the first

    @property
    def sample(self) -> Sample:
        """The sample so far."""
        return _with_room(self._known, self._memory)


def sample_of(pages: Iterable[Page], most: int | None, memory: int | None = MEMORY) -> Sample:
    """The sample of a site: `most` pages, None for all, as far as there is room."""
    every = iter(pages)
    first = list(islice(every, 2))
    if len(first) < 2:
        # To hash a page takes a quarter of a parse.
        return Sample(first if memory is None else [cut(page, memory) for page in first])
    sampler = Sampler(most, memory)
    for page in chain(first, every):
        sampler.add(page)
    return sampler.sample


class Sampled(NamedTuple):
    """A page as a row of a database. Names may hold what is no Unicode, which no text column takes."""

    digest: str
    name: bytes
    url: bytes
    encoding: str
    html: bytes

    @classmethod
    def of(cls, page: Page) -> Self:
        """The row of a page."""
        html = page.html if isinstance(page.html, bytes) else page.html.encode("utf-8", "replace")
        return cls(page.digest, *origin(page), html)

    @property
    def origin(self) -> Origin:
        """What may differ between pages of the same content."""
        return self.name, self.url, self.encoding

    def page(self) -> Page:
        """The page of a row."""
        page = Page(self.html, name=_text(self.name), url=_text(self.url) or None, encoding=self.encoding or None)
        page.digest = self.digest  # to hash it again takes a quarter of a parse
        return page


class Samples(AbstractContextManager["Samples"]):
    """Samples many sites: of each the pages with the smallest hashes. What there is room for is known when it is read.

    They are held in memory while they are few. Of many, all lie in a temporary database that the system removes by
    itself: an archive of any number of sites needs no more memory than that.
    """

    def __init__(self, most: int | None, held: int | None = None) -> None:
        """`most` pages of each site, None for all. `held` bytes of them are held in memory; None for what may be."""
        self._most = most
        self._room = room() if held is None else held
        self._held: dict[str, list[Page]] | None = {}
        self._database: sqlite3.Connection | None = None

    def add(self, site: str, page: Page) -> None:
        """Keeps the page if it is among the smallest of its site so far; of equal pages the one with the first name."""
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
        """Whether its pages are the very ones that were added."""
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
        """The sites seen, in the order of their names."""
        if self._held is not None:
            yield from sorted(self._held, key=_bytes)
            return
        site: bytes | None = b""
        query = "SELECT min(site) FROM page WHERE site >= ?"
        while (site := self._pages.execute(query, (site,)).fetchone()[0]) is not None:
            yield _text(site)
            site += b"\0"  # what comes next

    def rows(self, site: str) -> Iterator[Sampled]:
        """The sample of a site, in the order of the hashes."""
        if self._held is not None:
            return map(Sampled.of, self.pages(site))
        query = "SELECT digest, name, url, encoding, html FROM page WHERE site = ? ORDER BY digest"
        return map(Sampled._make, self._pages.execute(query, (_bytes(site),)))

    def pages(self, site: str) -> Iterator[Page]:
        """The sample of a site as pages, in the order of the hashes."""
        if self._held is not None:
            return iter(sample_of(self._held.get(site, ()), self._most, None).pages)
        return (row.page() for row in self.rows(site))

    def __exit__(self, error_type: object, error: BaseException | None, *_: object) -> None:
        if self._database is not None:
            self._database.close()
        if isinstance(error, sqlite3.Error):
            raise OutputError(f"cannot keep a sample on the temporary disk: {error}; free some space") from error


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogatepass")
