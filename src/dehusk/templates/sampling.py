"""Pages to learn from, a few of each site, while many pass by, and no more than memory has room for."""

import heapq
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple, Self

from dehusk.base.errors import OutputError
from dehusk.page import Page

MEMORY = 500_000_000
"""About how many bytes of memory learning a site may take."""

SHARE = 4
"""A page that would take more than one in so many of them is left out, so that there are several to learn from."""


def weight(page: Page) -> int:
    """About how many bytes of memory learning takes for a page: some for each byte, and more for each element.

    Measured with the default method: 7 to 13 for each byte of text or script, and 600 to 900 for each start tag.
    """
    html = page.html
    tags = html.count("<") - html.count("</") if isinstance(html, str) else html.count(b"<") - html.count(b"</")
    return 8 * len(html) + 700 * tags


def cut(page: Page, memory: int = MEMORY) -> Page:
    """The page, or as much of its beginning as memory has room for."""
    while (much := weight(page)) > memory:
        html = page.html[: len(page.html) * memory // much]
        page = Page(html, url=page.url, name=page.name, encoding=page.encoding, origin=page.origin)
    return page


@dataclass(slots=True)
class _Weighed:
    """A page, unless it was let go of, and its weight."""

    page: Page | None
    name: str
    weight: int


class Chosen:
    """The pages with the smallest hashes, as many as asked for and as memory has room for; the same in any order.

    Pages that are too large by themselves are left out, and after as many as there is room for, so are the others. If
    all are too large, there is the beginning of the first.
    """

    def __init__(self, most: int | None, memory: int | None = MEMORY) -> None:
        """`most` pages, None for all; `memory` None for no limit."""
        self._most = most
        self._memory = memory
        self._found: dict[str, _Weighed] = {}
        self._largest: list[int] = []
        self._held: list[int] = []  # those whose pages count
        self._weight = 0
        self._first: Page | None = None

    def add(self, page: Page) -> None:
        """Takes a page if it is among those with the smallest hashes so far; of equal ones that with the first name."""
        known = self._found.get(page.digest)
        if known is not None:
            if page.name < known.name:
                known.name = page.name
                known.page = known.page and page
                if self._first is not None and self._first.digest == page.digest:
                    self._first = page
            return
        self._found[page.digest] = one = _Weighed(page, page.name, 0 if self._memory is None else weight(page))
        number = int(page.digest, 16)
        heapq.heappush(self._largest, -number)
        if self._first is None or page.digest < self._first.digest:
            self._first = page
        if self._memory is not None and one.weight > self._memory // SHARE:
            one.page = None
        else:
            heapq.heappush(self._held, -number)
            self._weight += one.weight
        if self._most is not None and len(self._largest) > self._most:
            gone = _digest(heapq.heappop(self._largest))
            if self._held and _digest(self._held[0]) == gone:
                self._release()
            del self._found[gone]
        while self._memory is not None and self._weight > self._memory:
            self._release()

    def _release(self) -> None:
        """Lets go of the page with the largest hash. What is left has room without it, and always will have."""
        one = self._found[_digest(heapq.heappop(self._held))]
        one.page = None
        self._weight -= one.weight

    @property
    def pages(self) -> list[Page]:
        """The pages, in the order of their hashes."""
        found: list[Page] = []
        left = self._memory
        for digest in sorted(self._found):
            one = self._found[digest]
            if left is not None and one.weight <= (self._memory or 0) // SHARE:
                left -= one.weight  # so does one that was let go of: else the order would matter
                if left < 0:
                    break
            if one.page is not None:
                found.append(one.page)
        if not found and self._first is not None:
            return [cut(self._first, self._memory or MEMORY)]
        return found

    @property
    def left_out(self) -> list[str]:
        """The names of the pages that there is no room for."""
        pages = {page.digest for page in self.pages}
        return [self._found[digest].name or digest for digest in sorted(self._found.keys() - pages)]


def _digest(negative: int) -> str:
    return f"{-negative:032x}"


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
        return cls(page.digest, _bytes(page.name), _bytes(page.url or ""), page.encoding or "", html)

    @property
    def origin(self) -> tuple[bytes, bytes, str]:
        """What may differ between pages of the same content. The page where it is smallest is sampled."""
        return self.name, self.url, self.encoding

    def page(self) -> Page:
        """The page of a row."""
        page = Page(self.html, name=_text(self.name), url=_text(self.url) or None, encoding=self.encoding or None)
        page.digest = self.digest  # to hash it again takes a quarter of a parse
        return page


class Samples(AbstractContextManager["Samples"]):
    """The sample of each site: the pages with the smallest content hashes, the same in whatever order they come.

    They lie in a temporary database that the system removes by itself: an archive of any number of sites needs no more
    memory than one of them.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._pages = sqlite3.connect("", isolation_level=None)  # a temporary file, written when it outgrows the cache
        self._pages.execute("PRAGMA journal_mode = OFF")
        self._pages.execute(
            "CREATE TABLE page (site BLOB, digest TEXT, name BLOB, url BLOB, encoding TEXT, html BLOB, "
            "PRIMARY KEY (site, digest))"
        )

    def add(self, site: str, page: Page) -> None:
        """Keeps the page if it is among the smallest of its site so far; of equal pages the one with the first name."""
        place = (_bytes(site), page.digest)
        twin = self._pages.execute(
            "SELECT name, url, encoding FROM page WHERE site = ? AND digest = ?", place
        ).fetchone()
        if twin is None:
            query = "SELECT count(*), max(digest) FROM page WHERE site = ?"
            count, largest = self._pages.execute(query, place[:1]).fetchone()
            if count == self._most:
                if page.digest > largest:
                    return
                self._pages.execute("DELETE FROM page WHERE site = ? AND digest = ?", (place[0], largest))
        row = Sampled.of(page)
        if twin is None or row.origin < twin:
            self._pages.execute("INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?, ?)", (place[0], *row))

    @property
    def sites(self) -> Iterator[str]:
        """The sites seen, in the order of their names."""
        site: bytes | None = b""
        query = "SELECT min(site) FROM page WHERE site >= ?"
        while (site := self._pages.execute(query, (site,)).fetchone()[0]) is not None:
            yield _text(site)
            site += b"\0"  # what comes next

    def rows(self, site: str) -> Iterator[Sampled]:
        """The sample of a site, in the order of the hashes."""
        query = "SELECT digest, name, url, encoding, html FROM page WHERE site = ? ORDER BY digest"
        return map(Sampled._make, self._pages.execute(query, (_bytes(site),)))

    def pages(self, site: str) -> Iterator[Page]:
        """The same as pages."""
        return (row.page() for row in self.rows(site))

    def __exit__(self, kind: object, error: BaseException | None, *_: object) -> None:
        self._pages.close()
        if isinstance(error, sqlite3.Error):
            raise OutputError(f"cannot keep a sample on the temporary disk: {error}; free some space") from error


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogatepass")
