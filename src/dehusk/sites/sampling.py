"""Pages to learn from, a few of each site, while many pass by."""

import heapq
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager

from dehusk.errors import OutputError
from dehusk.page import Page


class Samples(AbstractContextManager["Samples"]):
    """Keeps, of each site, the pages with the smallest content hashes: the same whatever the order they come in.

    They lie in a temporary database that the system removes by itself: an archive of many sites needs no more memory
    than their hashes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[str, list[int]] = {}
        self._pages = sqlite3.connect("")  # a temporary file, written to when it outgrows the cache
        self._pages.execute("CREATE TABLE page (site, digest, name, url, encoding, html, PRIMARY KEY (site, digest))")

    def add(self, site: str, page: Page) -> None:
        """Keeps the page if it is among the smallest of its site so far; of equal pages the one with the first name."""
        digest = int(page.digest, 16)
        largest = self._kept.setdefault(site, [])
        if len(largest) == self._most and digest > -largest[0]:
            return
        html = page.html if isinstance(page.html, bytes) else page.html.encode("utf-8", "replace")
        # Names of files and URLs may hold what is no Unicode, which the database would not take as text.
        name, url = (text.encode("utf-8", "surrogatepass") for text in (page.name, page.url or ""))
        row = (site, page.digest, name, url, page.encoding, html)
        again = self._pages.execute("SELECT name FROM page WHERE site = ? AND digest = ?", row[:2]).fetchone()
        if again is None:
            heapq.heappush(largest, -digest)
        elif again[0] <= name:
            return
        self._pages.execute("INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?, ?)", row)
        if len(largest) > self._most:
            dropped = f"{-heapq.heappop(largest):032x}"
            self._pages.execute("DELETE FROM page WHERE site = ? AND digest = ?", (site, dropped))

    @property
    def sites(self) -> list[str]:
        """The sites seen, in the order of their names."""
        return sorted(self._kept)

    def pages(self, site: str) -> Iterator[Page]:
        """What was kept of a site."""
        query = "SELECT html, name, url, encoding FROM page WHERE site = ? ORDER BY digest"
        for html, name, url, encoding in self._pages.execute(query, (site,)):
            yield Page(html, name=_text(name), url=_text(url) or None, encoding=encoding)

    def __exit__(self, kind: object, error: BaseException | None, *_: object) -> None:
        self._pages.close()
        if isinstance(error, sqlite3.Error):
            raise OutputError(f"cannot keep a sample on the temporary disk: {error}; free some space") from error


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogatepass")
