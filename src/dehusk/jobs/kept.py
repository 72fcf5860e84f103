"""The last version of each page in a file: of pages that are watched, and of pages that a person visited.

Pages may be private. So only the owner of the file can read it, and what is forgotten is overwritten.
"""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from dehusk.base.errors import UsageError
from dehusk.base.files import destination, writing
from dehusk.base.sqlite import SqliteFile, SqliteFormat
from dehusk.comparing import Diff, diff
from dehusk.page import Page
from dehusk.templates.template import Template

KEPT = SqliteFormat(
    "made by dehusk watch",
    0x77617463,  # "watc"
    "CREATE TABLE page (name BLOB PRIMARY KEY, encoding TEXT NOT NULL, html BLOB NOT NULL, bytes INTEGER NOT NULL, "
    "seen TEXT NOT NULL)",
    advice="choose another file for --store",
    error=UsageError,
)
_PRAGMAS = ("secure_delete = ON", "auto_vacuum = FULL")  # the file shrinks with what it holds


class KeptVersion(NamedTuple):
    """What is kept of a page: its name, when it was seen (UTC), and how many bytes it had."""

    name: str
    seen: str
    size: int


class KeptPages:
    """The last versions of pages."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def compared(self, page: Page, template: Template | None) -> Diff | None:
        """What changed on a page since it was last kept, None for a page that is new. A new version is kept."""
        last = self.last(page)
        if last is None or (last.encoding or "", last.html) != _stored(page):
            self.keep(page)
        return None if last is None else diff(last, page, template)

    def last(self, page: Page) -> Page | None:
        """The version of a page that was kept."""
        row = self._db.execute("SELECT encoding, html FROM page WHERE name = ?", [_key(page.name)]).fetchone()
        if row is None:
            return None
        return Page(zlib.decompress(row[1]), url=page.url, name=page.name, encoding=row[0] or None)

    def seen(self, name: str) -> str | None:
        """When a page was kept."""
        row = self._db.execute("SELECT seen FROM page WHERE name = ?", [_key(name)]).fetchone()
        return row[0] if row else None

    def keep(self, page: Page) -> None:
        """Keeps this version of a page, and forgets the one before."""
        encoding, html = _stored(page)
        values = (_key(page.name), encoding, zlib.compress(html), len(html), _time(_now()))
        self._db.execute("INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?)", values)

    def versions(self) -> list[KeptVersion]:
        """What is kept, the newest first."""
        rows = self._db.execute("SELECT name, seen, bytes FROM page ORDER BY seen DESC, name")
        return [KeptVersion(name.decode("utf-8", "surrogateescape"), seen, size) for name, seen, size in rows]

    def forget(self, name: str | None = None) -> int:
        """Forgets a page, or all of them; how many there were."""
        if name is None:
            return self._db.execute("DELETE FROM page").rowcount
        return self._db.execute("DELETE FROM page WHERE name = ?", [_key(name)]).rowcount

    def trim(self, before: datetime, most: int) -> None:
        """Forgets pages that were kept before a time, and then the oldest, until no more than `most` bytes are left."""
        self._db.execute("DELETE FROM page WHERE seen < ?", [_time(before)])
        sums = "SELECT name, sum(length(html)) OVER (ORDER BY seen DESC, name) AS total FROM page"
        self._db.execute(f"DELETE FROM page WHERE name IN (SELECT name FROM ({sums}) WHERE total > ?)", [most])  # noqa: S608


@contextmanager
def open_kept(path: Path) -> Iterator[KeptPages]:
    """The file, which is made if it is not there. All that is kept is written at the end, or nothing."""
    path = destination(path)
    with writing(path):
        path.touch(0o600)
    is_new = not path.stat().st_size
    file = SqliteFile(path, KEPT)
    with closing(file.open(*_PRAGMAS)) as db:
        try:
            with file.writing(db):
                yield KeptPages(db)
        except BaseException:
            if is_new and not db.execute("SELECT count(*) FROM page").fetchone()[0]:  # a first visit that failed
                path.unlink()
            raise


def _key(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")  # a file name may not be Unicode


def _stored(page: Page) -> tuple[str, bytes]:
    """The encoding and the bytes of a page as the file has them."""
    if isinstance(page.html, str):
        return "utf-8", page.html.encode("utf-8", "surrogatepass")
    return page.encoding or "", page.html


def _now() -> datetime:
    return datetime.now(UTC)


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").removesuffix("+00:00")
