"""Pages to learn from, a few of each site, while many pass by."""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import NamedTuple, Self

from dehusk.errors import OutputError
from dehusk.page import Page


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
        return Page(self.html, name=_text(self.name), url=_text(self.url) or None, encoding=self.encoding or None)


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
