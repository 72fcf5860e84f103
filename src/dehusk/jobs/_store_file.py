"""The database file of a store: template versions, settings, edits, and the samples learned from."""

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from dehusk.base import fields, packing
from dehusk.base.errors import TemplateError, UsageError
from dehusk.base.sqlite import RowTypes, SqliteFile, SqliteFormat, pragma
from dehusk.page import Page
from dehusk.templates.sampling import Sampled, Samples
from dehusk.templates.template import LARGEST

PLAIN, WITH_EDITS = 1, 2
"""Format versions of a file without and with edits. An older dehusk, which would ignore edits, refuses the second."""

_SCHEMA = """
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE version (
    id INTEGER PRIMARY KEY, site TEXT NOT NULL, number INTEGER NOT NULL, revision INTEGER NOT NULL,
    pages INTEGER NOT NULL, learned TEXT NOT NULL, template BLOB, UNIQUE (site, number)
);
CREATE TABLE page (
    version INTEGER NOT NULL REFERENCES version, digest TEXT NOT NULL, name BLOB NOT NULL, url BLOB NOT NULL,
    encoding TEXT NOT NULL, html BLOB NOT NULL, PRIMARY KEY (version, digest)
);
"""
_EDITS = "CREATE TABLE edit (site TEXT PRIMARY KEY, edits TEXT NOT NULL)"
STORE = SqliteFormat(
    "a store of dehusk",
    0x6875736B,  # "husk"
    _SCHEMA,
    advice="choose another file",
    error=TemplateError,
    first=PLAIN,
    newest=WITH_EDITS,
    later=_EDITS,
)


class StoreFile:
    """The database of a store. `settings` say how the store learns; they are fixed when the file is created."""

    def __init__(self, path: Path, defaults: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
        """`asked` are the settings that the caller gave; opening a file with different ones raises UsageError."""
        self.path = path
        self._file = SqliteFile(path, STORE)
        self.settings: Mapping[str, Any] = {**defaults, **asked}
        self._defaults = defaults
        self._asked = asked
        self._db: sqlite3.Connection | None = None

    @property
    def exists(self) -> bool:
        """Whether the file exists and is not empty."""
        return self.path.exists() and not (self.path.is_file() and self.path.stat().st_size == 0)

    def open(self) -> sqlite3.Connection:
        """Opens the file; creates it if it does not exist."""
        if self._db is None:
            self._db = self._opened()
        return self._db

    def row(self, types: RowTypes, query: str, *values: object) -> tuple[Any, ...] | None:
        """Returns the first row of a query, or None."""
        return next(iter(self.rows(types, query, *values)), None)

    def rows(self, types: RowTypes, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Returns the rows of a query; none if the file is not open. Values must have the types `types`."""
        if self._db is None:
            return []
        return self._file.rows(self._db, types, query, *values)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A write transaction: on an error, nothing is written."""
        db = self.open()
        with self._file.writing(db):
            yield db

    def edits(self, site: str) -> str | None:
        """Returns the edits of a site as JSON text; None if it has none."""
        if self._db is None:
            return None
        with self._file.explained():
            has = _has_edits(self._db)
        row = self.row((str,), "SELECT edits FROM edit WHERE site = ?", site) if has else None
        return None if row is None else str(row[0])

    @contextmanager
    def editing(self) -> Iterator[sqlite3.Connection]:
        """A write transaction, like `writing`; creates the table of edits if it is missing."""
        with self.writing() as db:
            if not _has_edits(db):
                db.execute(_EDITS)
                db.execute(f"PRAGMA user_version = {WITH_EDITS}")
            yield db

    def _opened(self) -> sqlite3.Connection:
        """Opens or creates the database and checks its settings."""
        db = self._file.open(fill=self._fill)
        try:
            with self._file.explained():
                self._check(db)
        except BaseException:
            db.close()
            raise
        return db

    def _fill(self, db: sqlite3.Connection) -> None:
        rows = [(name, json.dumps(value)) for name, value in self.settings.items()]
        db.executemany("INSERT INTO setting VALUES (?, ?)", rows)

    def _check(self, db: sqlite3.Connection) -> None:
        """Reads the settings; raises UsageError if the caller gave different ones."""
        has = _settings(self._file.rows(db, (str, str), "SELECT name, value FROM setting"))
        if not all(type(has.get(name)) is type(value) for name, value in self._defaults.items()):
            raise self._file.unusable("damaged")
        for name, value in self._asked.items():
            if name == "columns" and value and not has.get(name):  # asked for by tables, not by an option
                raise UsageError(f"{self.path}: has no columns; make one with dehusk learn --columns --store FILE")
            if has.get(name) != value:
                its = f"{name}={_shown(has[name])}" if name in has else f"no {name}"
                raise UsageError(
                    f"{self.path} was made with {its}, not {_shown(value)}; omit it, or choose another store"
                )
        self.settings = has

    def close(self) -> None:
        """Closes the file."""
        if self._db is not None:
            self._db.close()


def _has_edits(db: sqlite3.Connection) -> bool:
    return pragma(db, "user_version") >= WITH_EDITS


def _settings(rows: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Returns the settings; an empty dict if they cannot be read."""
    try:
        return {name: fields.parsed(value) for name, value in rows}
    except ValueError:
        return {}


def _shown(value: object) -> str:
    return json.dumps(value) if not isinstance(value, Mapping) else "other ones"


_LAST = 2**62  # above all numbers of versions, and one more is still a number of SQLite
_NEWEST = "SELECT id, number, revision FROM version WHERE site = ? AND number <= ? ORDER BY number DESC LIMIT 1"


class VersionRow(NamedTuple):
    """A template version in the file. `revision` counts the changes of its sample and edits."""

    id: int
    number: int
    revision: int


def newest(file: StoreFile, site: str, version: int | None = None) -> VersionRow | None:
    """Returns the newest version of a site, up to `version` if given."""
    row = file.row((int, int, int), _NEWEST, site, _LAST if version is None else min(version, _LAST))
    return VersionRow(*row) if row else None


def sampled_pages(file: StoreFile, version: VersionRow, site: str) -> Iterator[Page]:
    """Yields the sampled pages of a version in hash order. Raises TemplateError if one is damaged."""
    query = "SELECT digest, name, url, encoding, html FROM page WHERE version = ? ORDER BY digest"
    rows = map(Sampled._make, file.rows((str, bytes, bytes, str, bytes), query, version.id))
    return (_page(row, file, site) for row in rows)


def _page(row: Sampled, file: StoreFile, site: str) -> Page:
    try:
        int(row.digest, 16)  # must be a number: sampling uses it
        return row._replace(html=packing.inflated(row.html, LARGEST)).page()
    except (zlib.error, ValueError) as error:
        raise TemplateError(f"{file.path}: a page of {site} is damaged; learn into another store") from error


def merge(
    file: StoreFile, db: sqlite3.Connection, site: str, samples: Samples, most: int | None, *, update: bool
) -> VersionRow | None:
    """Merges new samples into a site; returns the version that was changed or created, or None if nothing changed."""
    rows = {row.digest: row for row in samples.rows(site)}
    version, number, revision = newest(file, site) or (None, 0, 0)
    query = "SELECT digest, name, url, encoding FROM page WHERE version = ?"
    have = {digest: tuple(origin) for digest, *origin in file.rows((str, bytes, bytes, str), query, version)}
    if update and have != {digest: row.origin for digest, row in rows.items()}:
        version, have = None, {}
    wanted = set(sorted({*have, *rows})[:most])
    # A page is written if it is new to the sample, or if its name sorts before the stored one.
    new = [row for key, row in rows.items() if key in wanted and (key not in have or row.origin < have[key])]
    if not new:
        return None
    if version is None:
        number, revision = number + 1, 0
        cursor = db.execute("INSERT INTO version VALUES (NULL, ?, ?, 0, 0, '', NULL)", (site, number))
        version = cursor.lastrowid
    gone = [(version, digest) for digest in have.keys() - wanted]
    db.executemany("DELETE FROM page WHERE version = ? AND digest = ?", gone)
    db.executemany(
        "INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?, ?)",
        [(version, *row._replace(html=zlib.compress(row.html))) for row in new],
    )
    db.execute(
        "UPDATE version SET revision = ?, pages = ?, template = NULL WHERE id = ?",
        (revision + 1, len(wanted), version),
    )
    return VersionRow(int(version or 0), number, revision + 1)
