"""The file of a store: templates in versions, settings, edits, and the samples they were learned from."""

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import UnionType
from typing import Any, NamedTuple

from dehusk.base import packing
from dehusk.base.errors import TemplateError, UsageError
from dehusk.base.sqlite import SqliteFile, SqliteFormat, pragma
from dehusk.page import Page
from dehusk.templates.sampling import Sampled, Samples
from dehusk.templates.template import LARGEST

PLAIN, WITH_EDITS = 1, 2
"""The version of a file without edits, and with them: a dehusk that does not know them must not ignore them."""

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
STORE = SqliteFormat(
    "a store of dehusk",
    0x6875736B,  # "husk"
    _SCHEMA,
    advice="choose another file",
    error=TemplateError,
    first=PLAIN,
    newest=WITH_EDITS,
)
_EDITS = "CREATE TABLE edit (site TEXT PRIMARY KEY, edits TEXT NOT NULL)"


RowTypes = Sequence[type | UnionType]
"""The types that the values of a row must have."""


class StoreFile:
    """The database of a store. It holds how the store learns (`settings`), which never changes once it is made."""

    def __init__(self, path: Path, defaults: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
        """`asked` is how the caller wants to learn: a file that was made otherwise is refused."""
        self.path = path
        self._file = SqliteFile(path, STORE)
        self.settings: Mapping[str, Any] = {**defaults, **asked}
        self._defaults = defaults
        self._asked = asked
        self._db: sqlite3.Connection | None = None

    @property
    def exists(self) -> bool:
        """Whether there is a file with something in it."""
        return self.path.exists() and not (self.path.is_file() and self.path.stat().st_size == 0)

    def open(self) -> sqlite3.Connection:
        """Opens the file, and makes it if it is not there."""
        if self._db is None:
            self._db = self._opened()
        return self._db

    def row(self, types: RowTypes, query: str, *values: object) -> tuple[Any, ...] | None:
        """The first row that a query finds."""
        return next(iter(self.rows(types, query, *values)), None)

    def rows(self, types: RowTypes, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a query finds; none if there is no file yet. `types` are those of their values."""
        if self._db is None:
            return []
        with self._file.explained():
            return self.typed(types, self._db.execute(query, values).fetchall())

    def typed(self, types: RowTypes, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """The rows, if their values are of these types: the columns of a database take any."""
        for row in rows:
            if not all(map(isinstance, row, types)):
                raise self._file.unusable("damaged")
        return rows

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """All of it is written, or nothing."""
        db = self.open()
        with self._file.writing(db):
            yield db

    def edits(self, site: str) -> str | None:
        """The edits of a site as they stand in the file; None where there are none."""
        if self._db is None:
            return None
        with self._file.explained():
            has = _has_edits(self._db)
        row = self.row((str,), "SELECT edits FROM edit WHERE site = ?", site) if has else None
        return None if row is None else str(row[0])

    @contextmanager
    def editing(self) -> Iterator[sqlite3.Connection]:
        """Writes as `writing` does, and makes the table of edits where it is missing."""
        with self.writing() as db:
            if not _has_edits(db):
                db.execute(_EDITS)
                db.execute(f"PRAGMA user_version = {WITH_EDITS}")
            yield db

    def _opened(self) -> sqlite3.Connection:
        """The database, made if it is not there, whose settings are those that were asked for."""
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
        """Reads how the store learns; raises UsageError where the caller asked for other settings."""
        has = _settings(db)
        if not all(type(has.get(name)) is type(value) for name, value in self._defaults.items()):
            raise self._file.unusable("damaged")
        for name, value in self._asked.items():
            if has.get(name) != value:
                its = f"{name}={_shown(has[name])}" if name in has else f"no {name}"
                raise UsageError(f"{self.path} was made with {its}, not {_shown(value)}; leave it out, or make another")
        self.settings = has

    def close(self) -> None:
        """Lets go of the file."""
        if self._db is not None:
            self._db.close()


def _has_edits(db: sqlite3.Connection) -> bool:
    return pragma(db, "user_version") >= WITH_EDITS


def _settings(db: sqlite3.Connection) -> dict[str, Any]:
    """How the store learns; nothing where that cannot be read."""
    try:
        return {name: json.loads(value) for name, value in db.execute("SELECT name, value FROM setting")}
    except (TypeError, ValueError):
        return {}


def _shown(value: object) -> str:
    return json.dumps(value) if not isinstance(value, Mapping) else "other ones"


_NEWEST = "SELECT id, number, revision FROM version WHERE site = ? AND number <= ? ORDER BY number DESC LIMIT 1"


class VersionRow(NamedTuple):
    """A version in the file, and how often its sample has changed."""

    id: int
    number: int
    revision: int


def site_key(site: str) -> str:
    """A site as the database can hold it: a damaged URL may name what is no Unicode."""
    return site.encode("utf-8", "backslashreplace").decode()


def newest(file: StoreFile, site: str, version: int | None = None) -> VersionRow | None:
    """The newest version of a site, or the newest that is not above a given one."""
    row = file.row((int, int, int), _NEWEST, site_key(site), 2**62 if version is None else version)
    return VersionRow(*row) if row else None


def sampled_pages(file: StoreFile, version: VersionRow, site: str) -> Iterator[Page]:
    """The pages of a version, in the order of their hashes. Raises TemplateError where one is damaged."""
    query = "SELECT digest, name, url, encoding, html FROM page WHERE version = ? ORDER BY digest"
    rows = map(Sampled._make, file.rows((str, bytes, bytes, str, bytes), query, version.id))
    return (_page(row, file, site) for row in rows)


def _page(row: Sampled, file: StoreFile, site: str) -> Page:
    try:
        int(row.digest, 16)  # pages are sampled by it
        return row._replace(html=packing.inflated(row.html, LARGEST)).page()
    except (zlib.error, ValueError) as error:
        raise TemplateError(f"{file.path}: a page of {site} is damaged; learn into another store") from error


def merge(
    file: StoreFile, db: sqlite3.Connection, site: str, samples: Samples, most: int | None, *, update: bool
) -> VersionRow | None:
    """The version of a site that its new sample changed or began; None where it changed nothing."""
    rows = {row.digest: row for row in samples.rows(site)}
    version, number, revision = newest(file, site) or (None, 0, 0)
    query = "SELECT digest, name, url, encoding FROM page WHERE version = ?"
    have = {digest: tuple(origin) for digest, *origin in file.rows((str, bytes, bytes, str), query, version)}
    if update and have != {digest: row.origin for digest, row in rows.items()}:
        version, have = None, {}
    wanted = set(sorted({*have, *rows})[:most])
    new = [row for row in rows.values() if row.digest in wanted and _is_news(row, have)]
    if not new:
        return None
    if version is None:
        number, revision = number + 1, 0
        cursor = db.execute("INSERT INTO version VALUES (NULL, ?, ?, 0, 0, '', NULL)", (site_key(site), number))
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


def _is_news(row: Sampled, have: Mapping[str, tuple[Any, ...]]) -> bool:
    """Whether a page is new to a sample, or has a name that comes before the one it is known by."""
    return row.digest not in have or row.origin < have[row.digest]
