"""SQLite files: created if missing, and checked by application id, version and tables before use.

Several processes may write to a file at once. SQLite errors become messages that say what to do. A file may come from
anyone: it has our tables and nothing else, so that no SQL of the file is executed, and each statement has a time limit.
The journal beside it may come from anyone, too: it must not name other files.
"""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from types import UnionType
from typing import Any

from dehusk.base.errors import DehuskError, OutputError, UsageError
from dehusk.base.files import escaped, writing

LOCK_SECONDS = 60.0
"""How long to wait for another process to finish writing. A write usually takes less than a second."""

STATEMENT_SECONDS = 20.0
"""How much processor time one statement may take. Pages of a file that refer to each other could make it endless.

Statements of a store take milliseconds; the slowest of all, cleaning up a large cache of the bench, some seconds."""

LARGEST_VALUE = 256_000_000
"""The largest text or blob, in bytes. Pages have at most 50 MB, templates 100 MB."""

_STEPS = 10_000  # instructions of SQLite between two looks at the clock: less than a millisecond

# As https://www.sqlite.org/security.html advises for files of others.
_CAUTION = ("trusted_schema = OFF", "cell_size_check = ON")

RowTypes = Sequence[type | UnionType]
"""The required types of the values of a row."""


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
    later: str = ""
    """Statements, like `schema`, for tables that a newer version of the file may have."""


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
            place = self.path.absolute()  # SQLite takes some names, such as :memory:, for no file
            db = sqlite3.connect(place, timeout=LOCK_SECONDS, isolation_level=None, factory=_Guarded)
            try:
                db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
                for setting in (*_CAUTION, *pragmas):
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
                for statement in _statements(self.format.schema):
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
        self._check_tables(db)

    def _check_tables(self, db: sqlite3.Connection) -> None:
        """Raises an error unless the file has our tables as we create them, and nothing else.

        Views, triggers, other tables, and defaults, checks and computed columns of ours would be SQL of the file.
        """
        ours = set(_statements(self.format.schema))
        known = ours | set(_statements(self.format.later))
        kinds = (str, str, str | None)
        made = self.rows(db, kinds, "SELECT type, name, sql FROM sqlite_master")
        indexes = {name for kind, name, sql in made if kind == "index" and sql is None}  # of primary keys and UNIQUE
        tables = [" ".join(sql.split()) for kind, _, sql in made if sql is not None and kind == "table"]
        if len(indexes) + len(tables) != len(made) or not ours <= set(tables) <= known:
            raise self.unusable("damaged: not the tables that dehusk makes")
        if db.execute("PRAGMA encoding").fetchone()[0] != "UTF-8":  # text would be sorted in another order
            raise self.unusable("damaged")

    def rows(self, db: sqlite3.Connection, types: RowTypes, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query. Their values must have these types, because SQLite does not enforce those of columns.

        All rows together have at most the bytes of the file: a damaged one could give the same bytes again and again.
        """
        found: list[tuple[Any, ...]] = []
        with self.explained():
            given = db.execute(query, values)
            # Only now, and before a row is taken: then the query is under way, and both are of the same state of the
            # file. Asked before the query, another process may let the file grow in between.
            left = pragma(db, "page_count") * pragma(db, "page_size")
            for row in given:
                left -= _LEAST_ROW + sum(len(value) for value in row if isinstance(value, str | bytes))
                if left < 0 or not all(map(isinstance, row, types)):
                    raise self.unusable("damaged")
                found.append(row)
        return found

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
        except (UnicodeDecodeError, OverflowError) as error:  # a message that quotes the file; a count at its end
            raise self.unusable("damaged") from error

    def unusable(self, why: str) -> DehuskError:
        """The error to raise for a file that cannot be used."""
        return self.format.error(f"{self.path}: {why}; {self.format.advice}")

    def _failure(self, error: sqlite3.Error) -> DehuskError | sqlite3.Error:
        path = self.path
        if isinstance(error, sqlite3.ProgrammingError) and "thread" in str(error):
            return UsageError(f"{path}: opened in another thread; open it once in each thread that uses it")
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
        slow = f"a statement took more than {STATEMENT_SECONDS:g} s" if code == sqlite3.SQLITE_INTERRUPT else error
        damaged = code or isinstance(error, sqlite3.OperationalError)  # for example invalid UTF-8
        return self.unusable(f"damaged ({slow})") if damaged else error


class _Guarded(sqlite3.Connection):
    """A connection whose statements may take STATEMENT_SECONDS each. Waiting for a lock or the disk does not count.

    SQLite reads the journal beside its file before any of them: see `_check_journal`.
    """

    def __init__(self, path: Path, **options: Any) -> None:
        super().__init__(path, **options)
        self._journal = Path(os.path.realpath(path) + "-journal")  # where SQLite looks
        self._began = thread_time()
        self.set_progress_handler(self._is_over, _STEPS)

    def _is_over(self) -> bool:
        return thread_time() - self._began > STATEMENT_SECONDS

    def _begin(self) -> None:
        if not self.in_transaction:  # then the journal is our own
            _check_journal(self._journal)
        self._began = thread_time()

    def execute(self, query: str, values: Any = (), /) -> sqlite3.Cursor:
        self._begin()
        return super().execute(query, _bound(values))

    def executemany(self, query: str, rows: Any, /) -> sqlite3.Cursor:
        self._begin()
        return super().executemany(query, map(_bound, rows))


def _bound(values: Iterable[Any]) -> list[Any]:
    """The values of a row, with texts that SQLite can store: names of files and sites may not be Unicode."""
    return [escaped(value) if isinstance(value, str) else value for value in values]


_NAMING = bytes.fromhex("d9d505f920a163d7")
"""The end of a journal that names another one (https://www.sqlite.org/atomiccommit.html, "Deleting The Super-Journal").

Those of transactions over several files do, which we do not make."""


def _check_journal(path: Path) -> None:
    """Raises sqlite3.OperationalError for a journal that SQLite must not take for that of a killed process.

    It would delete the file that the journal names, whatever that is, and wait for the end of one that is a pipe.
    """
    with suppress(OSError):  # there is none, or SQLite cannot read it either
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode):
            raise sqlite3.OperationalError(f"{path} is not a file; remove it")
        with path.open("rb") as file:
            file.seek(max(0, about.st_size - len(_NAMING)))
            if file.read(len(_NAMING)) == _NAMING:
                raise sqlite3.OperationalError(f"{path} names another file, which would be deleted; remove it")


_LEAST_ROW = 4  # bytes of a file that a row takes at least


def _statements(schema: str) -> list[str]:
    """The statements of a schema, with single spaces."""
    return [" ".join(statement.split()) for statement in schema.split(";") if statement.strip()]


def pragma(db: sqlite3.Connection, name: str) -> int:
    """The value of an integer pragma."""
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _is_made(db: sqlite3.Connection) -> bool:
    """Whether the file has any content, in our format or not."""
    # Not count(*): that is one instruction of SQLite, and the clock is looked at between instructions.
    return bool(pragma(db, "application_id") or db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone())
