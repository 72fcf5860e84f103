"""SQLite files: creation, application id and error messages."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from dehusk.base import sqlite
from dehusk.base.errors import OutputError, UsageError
from dehusk.base.sqlite import SqliteFile, SqliteFormat, pragma

FORMAT = SqliteFormat(
    "a list of tides", 0x74696465, "CREATE TABLE tide (hour INTEGER NOT NULL)", "choose another list", UsageError
)
ADD, ALL = "INSERT INTO tide VALUES (?)", "SELECT hour FROM tide"


@pytest.fixture
def file(tmp_path: Path) -> SqliteFile:
    return SqliteFile(tmp_path / "new" / "tides", FORMAT)


def test_a_file_is_created_once_with_its_tables_and_application_id(file: SqliteFile) -> None:
    for _ in range(2):
        with closing(file.open("secure_delete = ON", fill=lambda db: db.execute(ADD, (6,)))) as db:
            assert db.execute(ALL).fetchall() == [(6,)]
            assert [pragma(db, name) for name in ("application_id", "user_version", "secure_delete")] == [
                FORMAT.application,
                1,
                1,
            ]


def test_a_transaction_that_fails_is_not_written(file: SqliteFile) -> None:
    with closing(file.open()) as db:
        with pytest.raises(UsageError, match=r"tides: damaged \(NOT NULL constraint failed.*\); choose another list"):
            add(file, db, 5, None)
        assert db.execute(ALL).fetchall() == []
        add(file, db, 5, 6)
        assert db.execute(ALL).fetchall() == [(5,), (6,)]


def add(file: SqliteFile, db: sqlite3.Connection, *hours: int | None) -> None:
    with file.writing(db):
        for hour in hours:
            db.execute(ADD, (hour,))


def another_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE diary (day)")


def newer(path: Path) -> None:
    SqliteFile(path, FORMAT).open().close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 2")


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (Path.mkdir, "a folder, not a list of tides; choose another list"),
        (another_database, "not a list of tides; choose another list"),
        (lambda path: path.write_text("a diary " * 20), "not a list of tides; choose another list"),
        (newer, "written by a newer dehusk; upgrade"),
    ],
)
def test_a_file_of_another_program_is_not_changed(tmp_path: Path, made: Callable[[Path], object], said: str) -> None:
    path = tmp_path / "tides"
    made(path)
    before = path.is_dir() or path.read_bytes()
    with pytest.raises(UsageError) as error:
        SqliteFile(path, FORMAT).open()
    assert str(error.value) == f"{path}: {said}"
    assert before == (path.is_dir() or path.read_bytes())


def test_a_writer_waits_for_another_and_then_reports_it(file: SqliteFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "LOCK_SECONDS", 0.01)
    with closing(file.open()) as db, closing(file.open()) as other, file.writing(other):
        with pytest.raises(OutputError, match=r"tides: another process has been writing for 0 s; try again"):
            add(file, db, 5)
        assert db.execute(ALL).fetchall() == []


def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"cannot write .*tides: "):
        SqliteFile(tmp_path / "file" / "tides", FORMAT).open()
