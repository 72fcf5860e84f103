"""The catalogue of a service: all pages of the sources that it was started with, in a file beside the store.

A store has only the pages that a site was learned from. The catalogue has the others too, so that the viewer can list
and show every page. It also keeps what was measured on them: measuring a page takes as long as cleaning it.
"""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dehusk.base import fields, files, packing
from dehusk.base.errors import UsageError
from dehusk.base.files import unwritable
from dehusk.base.sqlite import SqliteFile, SqliteFormat
from dehusk.page import Page
from dehusk.templates.sampling import Sampled
from dehusk.templates.template import LARGEST

MOST_BYTES = 2_000_000_000
"""Maximum size of all pages of one start together, compressed. Further pages are counted only."""

_SCHEMA = """
CREATE TABLE page (
    site TEXT NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL, name BLOB NOT NULL, url BLOB NOT NULL,
    encoding TEXT NOT NULL, html BLOB NOT NULL, PRIMARY KEY (site, id)
);
CREATE TABLE site (site TEXT PRIMARY KEY, pages INTEGER NOT NULL);
CREATE TABLE sheet (url TEXT PRIMARY KEY, css TEXT NOT NULL);
CREATE TABLE measure (
    site TEXT NOT NULL, id TEXT NOT NULL, how TEXT NOT NULL, figures TEXT NOT NULL, PRIMARY KEY (site, id, how)
);
"""
FORMAT = SqliteFormat(
    "a catalogue of dehusk serve",
    0x68757063,  # "hupc"
    _SCHEMA,
    advice="delete it, and start the service again",
    error=UsageError,
)


@dataclass(frozen=True, slots=True)
class Listed:
    """A page in the list of a site: its id, and its name."""

    id: str
    name: str


class Catalogue:
    """The pages of sites, by id. A file that does not exist has none."""

    def __init__(self, path: Path) -> None:
        self._file = SqliteFile(path, FORMAT)
        self._db = self._file.open() if path.exists() else None

    def listed(self, site: str) -> list[Listed]:
        """The pages of a site, sorted by name."""
        query = "SELECT id, name FROM page WHERE site = ? ORDER BY name, id"
        return [Listed(key, name.decode("utf-8", "replace")) for key, name in self._rows((str, bytes), query, site)]

    def read(self, site: str) -> int:
        """How many pages the sources have of a site. The catalogue may have fewer: see MOST_BYTES."""
        rows = self._rows((int,), "SELECT pages FROM site WHERE site = ?", site)
        return int(rows[0][0]) if rows else 0

    def page(self, site: str, key: str) -> Page | None:
        """The page with this id; None if there is none."""
        query = "SELECT digest, name, url, encoding, html FROM page WHERE site = ? AND id = ?"
        rows = self._rows((str, bytes, bytes, str, bytes), query, site, key)
        if not rows:
            return None
        row = Sampled._make(rows[0])
        try:
            return row._replace(html=packing.inflated(row.html, LARGEST)).page()
        except (zlib.error, ValueError) as error:
            raise self._file.unusable("damaged") from error

    def file(self, url: str) -> str | None:
        """The style sheet or picture with this URL, if an archive has it."""
        rows = self._rows((str,), "SELECT css FROM sheet WHERE url = ?", url)
        return str(rows[0][0]) if rows else None

    def measures(self, site: str, how: str) -> dict[str, dict[str, Any]]:
        """What was measured on the pages of a site in this way, by id."""
        rows = self._rows((str, str), "SELECT id, figures FROM measure WHERE site = ? AND how = ?", site, how)
        try:
            return {key: fields.parsed(figures) for key, figures in rows}
        except ValueError as error:
            raise self._file.unusable("damaged") from error

    def keep(self, site: str, how: str, measures: Mapping[str, Mapping[str, Any]]) -> None:
        """Keeps what was measured, by id. What was measured with another template of the site is deleted."""
        if self._db is None or not measures:
            return
        template = how.partition(" ")[0]
        rows = [(site, key, how, json.dumps(figures)) for key, figures in measures.items()]
        with self._file.writing(self._db):
            gone = "DELETE FROM measure WHERE site = ? AND substr(how, 1, ?) != ?"
            self._db.execute(gone, (site, len(template), template))
            self._db.executemany("INSERT OR REPLACE INTO measure VALUES (?, ?, ?, ?)", rows)

    def _rows(self, types: Sequence[type], query: str, *values: object) -> list[tuple[Any, ...]]:
        return [] if self._db is None else self._file.rows(self._db, types, query, *values)


class Filling:
    """Adds pages to a catalogue. The pages that it had of their sites are replaced."""

    def __init__(self, db: Any) -> None:
        self._db = db
        self._counts: dict[str, int] = {}
        self._left = MOST_BYTES

    def add(self, site: str, page: Page) -> None:
        """Adds a page of a site. Equal pages with different names are different pages."""
        if site not in self._counts:
            for table in ("page", "site", "measure"):
                self._db.execute(f"DELETE FROM {table} WHERE site = ?", (site,))  # noqa: S608  # names of our tables
        self._counts[site] = self._counts.get(site, 0) + 1
        row = Sampled.of(page)
        html = zlib.compress(row.html, 1)
        self._left -= len(html)
        if self._left < 0:
            return
        taken = self._db.execute("SELECT 1 FROM page WHERE site = ? AND id = ?", (site, row.digest)).fetchone()
        key = f"{row.digest}-{self._counts[site]}" if taken else row.digest
        self._db.execute("INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?)", (site, key, *row._replace(html=html)))

    def add_files(self, files: Mapping[str, str]) -> None:
        """Adds the style sheets and pictures of an archive, by URL."""
        self._db.executemany("INSERT OR REPLACE INTO sheet VALUES (?, ?)", files.items())

    def end(self) -> None:
        """Writes how many pages each site has."""
        self._db.executemany("INSERT INTO site VALUES (?, ?)", self._counts.items())


@contextmanager
def filling(path: Path) -> Iterator[Filling]:
    """Opens a catalogue to add pages; nothing is changed after an error. Only its owner can read a new file."""
    try:
        path.touch(0o600)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {unwritable(error)}") from error
    file = SqliteFile(path, FORMAT)
    with closing(file.open("secure_delete = ON")) as db, file.writing(db):
        pages = Filling(db)
        yield pages
        pages.end()


def beside(store: Path) -> Path:
    """The path of the catalogue beside a store."""
    return files.beside(store, ".pages")
