"""SQLite files of ours: made when they are not there, and known to be ours before they are used.

Other processes may write at the same time. What goes wrong with a file is put into words that say what to do.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dehusk.base.errors import DehuskError, OutputError
from dehusk.base.files import writing

LOCK_SECONDS = 60.0
"""How long to wait for another process to finish writing, in seconds; it takes less than one."""


@dataclass(frozen=True, slots=True)
class SqliteFormat:
    """What makes a file one of ours, and what is said about another."""

    name: str
    """Such as "a store of dehusk"."""
    application: int
    """How a file says whose it is: its application id."""
    schema: str
    advice: str
    """What to do about a file that cannot be used."""
    error: type[DehuskError]
    """What such a file raises."""
    first: int = 1
    newest: int = 1
    """The version of a new file, and the highest that we know: a higher one was written by a newer dehusk."""


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """A file in a format. It may be open several times."""

    path: Path
    format: SqliteFormat

    def open(self, *pragmas: str, fill: Callable[[sqlite3.Connection], object] = lambda _: None) -> sqlite3.Connection:
        """Opens the file, and makes it if it is not there. `fill` writes what a new file has besides its tables."""
        if self.path.is_dir():
            raise self.unusable(f"a folder, not {self.format.name}")
        with writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.explained():
            db = sqlite3.connect(self.path, timeout=LOCK_SECONDS, isolation_level=None)
            try:
                for setting in pragmas:
                    db.execute(f"PRAGMA {setting}")
                if not _is_made(db):
                    self._make(db, fill)
                self._check(db)
            except BaseException:
                db.close()
                raise
        return db

    def _make(self, db: sqlite3.Connection, fill: Callable[[sqlite3.Connection], object]) -> None:
        with self.writing(db):
            if not _is_made(db):  # another process may have been quicker
                for statement in self.format.schema.split(";"):
                    db.execute(statement)
                fill(db)
                db.execute(f"PRAGMA application_id = {self.format.application}")
                db.execute(f"PRAGMA user_version = {self.format.first}")

    def _check(self, db: sqlite3.Connection) -> None:
        """Raises an error for a file that is not ours, or that a newer version wrote."""
        if pragma(db, "application_id") != self.format.application:
            raise self.unusable(f"not {self.format.name}")
        if pragma(db, "user_version") > self.format.newest:
            raise self.format.error(f"{self.path}: written by a newer dehusk; upgrade")

    @contextmanager
    def writing(self, db: sqlite3.Connection) -> Iterator[None]:
        """All of it is written, or nothing."""
        with self.explained():
            db.execute("BEGIN IMMEDIATE")
            try:
                yield
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Says what a failure of the database means for whoever uses the file."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._failure(error) from error

    def unusable(self, why: str) -> DehuskError:
        """That the file cannot be used, and what to do."""
        return self.format.error(f"{self.path}: {why}; {self.format.advice}")

    def _failure(self, error: sqlite3.Error) -> DehuskError | sqlite3.Error:
        path = self.path
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # 0: not the database's, but ours
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return OutputError(
                f"{path}: another process has been writing for {LOCK_SECONDS:.0f} s; try again when it is done"
            )
        if code == sqlite3.SQLITE_CANTOPEN:
            return OutputError(f"cannot open {path}: {error}; check that you may read and write it and its folder")
        if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY):
            return OutputError(f"cannot write {path}: {error}; choose a place you may write to, with space left")
        if code == sqlite3.SQLITE_NOTADB:
            return self.unusable(f"not {self.format.name}")
        damaged = code or isinstance(error, sqlite3.OperationalError)  # such as text that is no Unicode
        return self.unusable(f"damaged ({error})") if damaged else error


def pragma(db: sqlite3.Connection, name: str) -> int:
    """A number that a file says about itself."""
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _is_made(db: sqlite3.Connection) -> bool:
    """Whether a file holds anything, ours or not."""
    return bool(pragma(db, "application_id") or db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
