"""The file of a store: an SQLite database that is made when first written to, and holds how the store learns."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import UnionType
from typing import Any

from dehusk.base.errors import TemplateError, UsageError
from dehusk.base.sqlite import SqliteFile, SqliteFormat, pragma

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


Kinds = Sequence[type | UnionType]
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

    def row(self, kinds: "Kinds", query: str, *values: object) -> tuple[Any, ...] | None:
        """The first row that a query finds."""
        return next(iter(self.rows(kinds, query, *values)), None)

    def rows(self, kinds: "Kinds", query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a query finds; none if there is no file yet. `kinds` are those of their values."""
        if self._db is None:
            return []
        with self._file.explained():
            return self.typed(kinds, self._db.execute(query, values).fetchall())

    def typed(self, kinds: "Kinds", rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """The rows, if their values are of these kinds: the columns of a database take any."""
        for row in rows:
            if not all(map(isinstance, row, kinds)):
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
        """The same as `writing`, with a table for edits: a file gets it with the first of them."""
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
        """Reads how the store learns. Refuses one that was asked to learn otherwise."""
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
