"""SQLite files: created if missing, and checked by application id and version before use.

Several processes may write to a file at once. SQLite errors become messages that say what to do.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dehusk.base.errors import DehuskError, OutputError, UsageError
from dehusk.base.files import writing

LOCK_SECONDS = 60.0
"""How long to wait for another process to finish writing. A write usually takes less than a second."""


@dataclass(frozen=True, slots=True)
class SqliteFormat:
    """A file format: identification, schema, and texts for error messages."""

    name: str
    """For example "a store of dehusk"."""
    application: int
    """SQLite's application_id of the file."""
    schema: str
    advice: str
    """What to do if the file cannot be used."""
    error: type[DehuskError]
    """The exception to raise in that case."""
    first: int = 1
    newest: int = 1
    """`first` is the version of a new file; a version above `newest` was written by a newer dehusk."""


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """A file and its format. It can be opened several times."""

    path: Path
    format: SqliteFormat

    def open(self, *pragmas: str, fill: Callable[[sqlite3.Connection], object] = lambda _: None) -> sqlite3.Connection:
        """Opens the file; creates it if missing. `fill` adds the initial rows of a new file."""
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
            if not _is_made(db):  # another process may have created it meanwhile
                for statement in self.format.schema.split(";"):
                    db.execute(statement)
                fill(db)
                db.execute(f"PRAGMA application_id = {self.format.application}")
                db.execute(f"PRAGMA user_version = {self.format.first}")

    def _check(self, db: sqlite3.Connection) -> None:
        """Raises an error if the file has another format, or was written by a newer version."""
        if pragma(db, "application_id") != self.format.application:
            raise self.unusable(f"not {self.format.name}")
        if pragma(db, "user_version") > self.format.newest:
            raise self.format.error(f"{self.path}: written by a newer dehusk; upgrade")

    @contextmanager
    def writing(self, db: sqlite3.Connection) -> Iterator[None]:
        """A transaction: committed on success, rolled back on any error."""
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
        """Turns SQLite errors into errors that say what to do."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._failure(error) from error

    def unusable(self, why: str) -> DehuskError:
        """The error to raise for a file that cannot be used."""
        return self.format.error(f"{self.path}: {why}; {self.format.advice}")

    def _failure(self, error: sqlite3.Error) -> DehuskError | sqlite3.Error:
        path = self.path
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # 0: raised by Python, not by SQLite
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
        if isinstance(error, sqlite3.ProgrammingError) and "thread" in str(error):
            return UsageError(f"{path}: opened in another thread; open it once in each thread that uses it")
        damaged = code or isinstance(error, sqlite3.OperationalError)  # for example invalid UTF-8
        return self.unusable(f"damaged ({error})") if damaged else error


def pragma(db: sqlite3.Connection, name: str) -> int:
    """The value of an integer pragma."""
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _is_made(db: sqlite3.Connection) -> bool:
    """Whether the file has any content, in our format or not."""
    return bool(pragma(db, "application_id") or db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
