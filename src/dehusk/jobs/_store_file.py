"""The file of a store: an SQLite database that is made when first written to, and known to be ours before it is used.

What goes wrong with it is put into words that say what to do.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import UnionType
from typing import Any

from dehusk.base.errors import DehuskError, OutputError, TemplateError, UsageError
from dehusk.base.files import unwritable

PLAIN, FORMAT = 1, 2
"""The version of a file without edits, and with them: a dehusk that does not know them must not ignore them.

One with a higher number was written by a newer dehusk.
"""

PATIENCE = 60.0
"""How long to wait for another process to finish writing, in seconds; it takes less than one."""

_APPLICATION = 0x6875736B  # "husk": how a file says whose it is
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


Kinds = Sequence[type | UnionType]
"""The types that the values of a row must have."""


class StoreFile:
    """The database of a store. It holds how the store learns (`settings`), which never changes once it is made."""

    def __init__(self, path: Path, defaults: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
        """`asked` is how the caller wants to learn: a file that was made otherwise is refused."""
        self.path = path
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
        with self._explained():
            return self.typed(kinds, self._db.execute(query, values).fetchall())

    def typed(self, kinds: "Kinds", rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """The rows, if their values are of these kinds: the columns of a database take any."""
        for row in rows:
            if not all(map(isinstance, row, kinds)):
                raise TemplateError(f"{self.path}: damaged; learn into another store")
        return rows

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """All of it is written, or nothing."""
        db = self.open()
        with self._explained():
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    def edits(self, site: str) -> str | None:
        """The edits of a site as they stand in the file; None where there are none."""
        if self._db is None:
            return None
        with self._explained():
            has = _has_edits(self._db)
        row = self.row((str,), "SELECT edits FROM edit WHERE site = ?", site) if has else None
        return None if row is None else str(row[0])

    @contextmanager
    def editing(self) -> Iterator[sqlite3.Connection]:
        """The same as `writing`, with a table for edits: a file gets it with the first of them."""
        with self.writing() as db:
            if not _has_edits(db):
                db.execute(_EDITS)
                db.execute(f"PRAGMA user_version = {FORMAT}")
            yield db

    def _opened(self) -> sqlite3.Connection:
        """The database, made if it is not there, and known to be ours."""
        if self.path.is_dir():
            raise TemplateError(f"{self.path}: a folder, and a store is a file; choose another name")
        if not self.path.exists():
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise OutputError(f"cannot write {self.path}: {unwritable(error)}") from error
        with self._explained():
            db = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            try:
                if not _is_made(db):
                    self._make(db)
                self._check(db)
            except BaseException:
                db.close()
                raise
        return db

    def _make(self, db: sqlite3.Connection) -> None:
        db.execute("BEGIN IMMEDIATE")
        if not _is_made(db):  # another process may have been quicker
            for statement in _SCHEMA.split(";"):
                db.execute(statement)
            rows = [(name, json.dumps(value)) for name, value in self.settings.items()]
            db.executemany("INSERT INTO setting VALUES (?, ?)", rows)
            db.execute(f"PRAGMA application_id = {_APPLICATION}")
            db.execute(f"PRAGMA user_version = {PLAIN}")
        db.execute("COMMIT")

    def _check(self, db: sqlite3.Connection) -> None:
        """Reads how the store learns. Refuses a file that is not ours, and one that was asked to learn otherwise."""
        if _pragma(db, "application_id") != _APPLICATION:
            raise TemplateError(f"{self.path}: not a store of dehusk; choose another file")
        if _pragma(db, "user_version") > FORMAT:
            raise TemplateError(f"{self.path}: written by a newer dehusk; upgrade")
        has = _settings(db)
        if not all(type(has.get(name)) is type(value) for name, value in self._defaults.items()):
            raise TemplateError(f"{self.path}: damaged; learn into another store")
        for name, value in self._asked.items():
            if has.get(name) != value:
                its = f"{name}={_shown(has[name])}" if name in has else f"no {name}"
                raise UsageError(f"{self.path} was made with {its}, not {_shown(value)}; leave it out, or make another")
        self.settings = has

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Says what a failure of the database means."""
        try:
            yield
        except sqlite3.Error as error:
            raise _failure(self.path, error) from error

    def close(self) -> None:
        """Lets go of the file."""
        if self._db is not None:
            self._db.close()


def _is_made(db: sqlite3.Connection) -> bool:
    """Whether a file holds anything, ours or not."""
    return bool(_pragma(db, "application_id") or db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


def _has_edits(db: sqlite3.Connection) -> bool:
    return _pragma(db, "user_version") >= FORMAT


def _settings(db: sqlite3.Connection) -> dict[str, Any]:
    """How the store learns; nothing where that cannot be read."""
    try:
        return {name: json.loads(value) for name, value in db.execute("SELECT name, value FROM setting")}
    except (TypeError, ValueError):
        return {}


def _pragma(db: sqlite3.Connection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _shown(value: object) -> str:
    return json.dumps(value) if not isinstance(value, Mapping) else "other ones"


def _failure(path: Path, error: sqlite3.Error) -> DehuskError | sqlite3.Error:
    """What a failure of the database means for whoever uses the store."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # 0: not the database's, but ours
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return OutputError(f"{path}: another process has been writing for {PATIENCE:.0f} s; try again when it is done")
    if code == sqlite3.SQLITE_CANTOPEN:
        return OutputError(f"cannot open {path}: {error}; check that you may read and write it and its folder")
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY):
        return OutputError(f"cannot write {path}: {error}; choose a place you may write to, with space left")
    if code == sqlite3.SQLITE_NOTADB:
        return TemplateError(f"{path}: not a store of dehusk, or damaged; choose another file")
    damaged = code or isinstance(error, sqlite3.OperationalError)  # such as text that is no Unicode
    return TemplateError(f"{path}: damaged ({error}); learn into another store") if damaged else error
