"""SQLite files: creation, application id and error messages."""

import os
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from shutil import copyfile

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


def test_a_name_that_means_no_file_to_sqlite_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(SqliteFile(Path(":memory:"), FORMAT).open()):
        assert [path.name for path in tmp_path.iterdir()] == [":memory:"]


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


def changed(path: Path, *statements: str) -> Path:
    """Changes the file of a format, as an attacker can: the schema is a table like others."""
    SqliteFile(path, FORMAT).open(fill=lambda db: db.execute(ADD, (6,))).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            db.execute(statement)
    return path


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"


@pytest.mark.parametrize(
    "statements",
    [
        ["DROP TABLE tide", f"CREATE VIEW tide AS SELECT ({ENDLESS}) AS hour"],
        ["CREATE TRIGGER more AFTER INSERT ON tide BEGIN DELETE FROM tide; END"],
        ["CREATE TABLE other (a)"],
        ["CREATE INDEX fast ON tide (hour)"],
        ["CREATE VIRTUAL TABLE words USING fts5(a)"],
        ["ALTER TABLE tide ADD COLUMN more TEXT DEFAULT 'x'"],
        ["DROP TABLE tide", "CREATE TABLE tide (hour INTEGER NOT NULL CHECK (length(randomblob(1000000000)) > 0))"],
        ["DROP TABLE tide", "CREATE TABLE tide (a, hour INTEGER GENERATED ALWAYS AS (a + 1))"],
        ["DROP TABLE tide"],
        ["UPDATE sqlite_master SET type = 'view'"],
        ["ANALYZE"],
    ],
)
def test_a_file_with_other_tables_views_or_triggers_is_refused(tmp_path: Path, statements: list[str]) -> None:
    path = changed(tmp_path / "tides", *statements)
    with pytest.raises(UsageError, match=r"tides: damaged.*; choose another list$"):
        SqliteFile(path, FORMAT).open()


def test_functions_of_a_schema_are_not_trusted(file: SqliteFile) -> None:
    with closing(file.open()) as db:
        assert pragma(db, "trusted_schema") == 0
        assert pragma(db, "cell_size_check") == 1


def test_a_statement_that_does_not_end_is_stopped(file: SqliteFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "STATEMENT_SECONDS", 0.2)
    with closing(file.open()) as db:
        with pytest.raises(UsageError, match=r"tides: damaged \(a statement took more than 0.2 s\)"):
            file.rows(db, (int,), ENDLESS)
        assert file.rows(db, (int,), "SELECT 1") == [(1,)]  # the clock starts again


def test_pages_of_a_file_that_lead_to_each_other_do_not_make_it_endless(
    file: SqliteFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each page of a tree lists the next one 400 times: six pages make a table of 400 ** 5 rows."""
    monkeypatch.setattr(sqlite, "STATEMENT_SECONDS", 0.2)
    with closing(file.open(fill=lambda db: db.execute(ADD, (6,)))) as db:
        size = pragma(db, "page_size")
        root = int(db.execute("SELECT rootpage FROM sqlite_master").fetchone()[0])
    pages = [file.path.read_bytes()[at : at + size] for at in range(0, file.path.stat().st_size, size)]
    leaf = pages[root - 1]
    below = [len(pages) + number for number in range(1, 6)]
    tree = [interior(number, size) for number in below] + [leaf]
    pages[root - 1], pages[len(pages) :] = tree[0], tree[1:]
    head = bytearray(pages[0])
    head[28:32] = len(pages).to_bytes(4, "big")
    file.path.write_bytes(bytes(head) + b"".join(pages[1:]))
    with pytest.raises(UsageError, match="a statement took more than"), closing(file.open()) as db:
        file.rows(db, (int,), "SELECT hour FROM tide WHERE hour = 7")


def interior(child: int, size: int) -> bytes:
    """An interior page of a table (https://www.sqlite.org/fileformat.html) whose children are all the same."""
    cell = child.to_bytes(4, "big") + b"\x01"
    count = 400
    start = size - count * len(cell)
    head = b"\x05\0\0" + count.to_bytes(2, "big") + start.to_bytes(2, "big") + b"\0" + child.to_bytes(4, "big")
    places = b"".join((start + number * len(cell)).to_bytes(2, "big") for number in range(count))
    return (head + places).ljust(start, b"\0") + cell * count


def naming(path: Path, other: Path) -> None:
    """Writes a journal that names another file, as those of transactions over several files do.

    SQLite plays it back, as that of a killed process, and then deletes the other file.
    """
    magic, name = bytes.fromhex("d9d505f920a163d7"), bytes(other)
    head = struct.pack(">8s5I", magic, 0, 1, path.stat().st_size // 4096, 512, 4096).ljust(512, b"\0")
    tail = struct.pack(">II8s", len(name), sum(name), magic)
    Path(f"{path}-journal").write_bytes(head + struct.pack(">I", 2**30 // 4096 + 1) + name + tail)


def planted(place: Path, other: Path, how: str) -> None:
    """Puts something else in the place of a journal."""
    {"pipe": os.mkfifo, "folder": os.mkdir, "link": lambda path: path.symlink_to(other)}[how](place)


@pytest.mark.parametrize("opened", [False, True])
def test_a_journal_cannot_have_another_file_deleted(file: SqliteFile, tmp_path: Path, *, opened: bool) -> None:
    diary = tmp_path / "diary"
    diary.write_text("Monday")
    with closing(file.open(fill=lambda db: db.execute(ADD, (6,)))) as db:
        naming(file.path, diary)
        with pytest.raises(UsageError, match=r"tides: damaged \(.*-journal names another file.*; choose another list$"):
            file.rows(db, (int,), ALL) if opened else file.open()
    assert diary.read_text() == "Monday"


@pytest.mark.parametrize("how", ["pipe", "folder", "link"])
def test_what_is_in_the_place_of_a_journal_is_not_opened(file: SqliteFile, tmp_path: Path, how: str) -> None:
    with closing(file.open()) as db:
        planted(Path(f"{file.path}-journal"), tmp_path / "elsewhere", how)
        with pytest.raises(UsageError, match=r"tides: damaged \(.*-journal is not a file; remove it\)"):
            add(file, db, 6)
    assert not (tmp_path / "elsewhere").exists()


def test_the_journal_of_a_killed_process_is_played_back(file: SqliteFile, tmp_path: Path) -> None:
    file.open(fill=lambda db: db.execute(ADD, (6,))).close()
    copy = SqliteFile(tmp_path / "copy", FORMAT)
    with closing(file.open("cache_size = 1", "cache_spill = 1")) as db, suppress(KeyError), file.writing(db):
        db.executemany(ADD, [(hour,) for hour in range(10_000)])
        for suffix in ("", "-journal"):
            copyfile(f"{file.path}{suffix}", f"{copy.path}{suffix}")
        raise KeyError
    assert copy.path.stat().st_size > 40_000
    with closing(copy.open()) as db:
        assert copy.rows(db, (int,), ALL) == [(6,)]


def test_names_that_are_not_unicode_are_stored_with_escapes(file: SqliteFile) -> None:
    with closing(file.open()) as db:
        db.execute(ADD, ("caf\udce9",))
        db.executemany(ADD, [("\ud800",)])
        assert file.rows(db, (str,), ALL) == [(r"caf\udce9",), (r"\ud800",)]
        assert file.rows(db, (str,), f"{ALL} WHERE hour = ?", "\ud800") == [(r"\ud800",)]


def test_rows_have_the_asked_types_and_no_more_bytes_than_the_file(file: SqliteFile) -> None:
    with closing(file.open()) as db:
        for values, types in (("(1)", (str,)), ("('a')", (int,)), ("(zeroblob(1000000))", (bytes,))):
            with pytest.raises(UsageError, match="tides: damaged; choose another list"):
                file.rows(db, types, f"SELECT * FROM (VALUES {values})")
        with pytest.raises(UsageError, match=r"too big"):
            file.rows(db, (bytes,), "SELECT zeroblob(300000000)")


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
@pytest.mark.parametrize("count", [1, 2])
def test_a_file_that_another_process_lets_grow_meanwhile_is_not_damaged(
    file: SqliteFile, monkeypatch: pytest.MonkeyPatch, mode: str, count: int
) -> None:
    """The size of the file and the rows are of the same state: whatever is written before or after either is asked."""
    large = "x" * 100_000
    with closing(file.open(f"journal_mode = {mode}")) as db, closing(file.open("busy_timeout = 0")) as other:

        def grow() -> None:
            with suppress(sqlite3.OperationalError):  # locked: a reader is under way
                other.executemany("INSERT INTO tide VALUES (?)", [(large,)] * count)

        def meanwhile(db: sqlite3.Connection, name: str) -> int:
            grow()
            found = pragma(db, name)
            grow()
            return found

        assert file.rows(db, (str,), ALL) == []
        monkeypatch.setattr(sqlite, "pragma", meanwhile)
        assert file.rows(db, (str,), ALL) == []  # and the file grew, after this query was over
        monkeypatch.setattr(sqlite, "pragma", pragma)
        assert len(file.rows(db, (str,), ALL)) == 4 * count
        monkeypatch.setattr(sqlite, "pragma", meanwhile)
        assert len(file.rows(db, (str,), ALL)) == 4 * count
        monkeypatch.setattr(sqlite, "pragma", pragma)
        assert len(file.rows(db, (str,), ALL)) == (4 if mode == "DELETE" else 8) * count


def test_a_file_may_have_the_tables_of_a_later_version(tmp_path: Path) -> None:
    later = "CREATE TABLE  ebb (hour INTEGER)"
    format_ = replace(FORMAT, later=later)
    path = changed(tmp_path / "tides", "CREATE TABLE ebb (hour INTEGER)")
    SqliteFile(path, format_).open().close()


@pytest.mark.parametrize("name", [b"\xffide (hour", b"tide (ho\xffr", b"tide \xff hour"])
def test_an_error_message_that_quotes_bytes_of_the_file_is_an_error_of_ours(file: SqliteFile, name: bytes) -> None:
    file.open().close()
    file.path.write_bytes(file.path.read_bytes().replace(b"tide (hour", name))
    with pytest.raises(UsageError, match=r"tides: damaged"):
        file.open()
