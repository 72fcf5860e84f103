"""Failures: full or read-only disks, kills at any moment, two processes at once, a wrong clock.

Nothing is lost, and no file is incomplete. The same command then finishes the work.
"""

import errno
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

import pytest

import faulty
from dehusk.base.errors import OutputError
from dehusk.base.files import written_whole
from dehusk.base.system import lock
from dehusk.jobs import _unfinished as unfinished
from dehusk.jobs import store
from dehusk.jobs.store import Store
from dehusk.marking.edits import Edit
from dehusk.outputs import FORMATS
from dehusk.outputs._folder import FolderOutput, Rendered
from dehusk.page import Page
from dehusk.sources.web._archive import Archive
from faulty import FRAME, OUTPUTS, OWN_DISKS, PAGES, TEMPLATE, found, job, leftovers, may_mount


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    for number, html in enumerate(PAGES):
        (tmp_path / "in" / f"{number}.html").write_text(html)
    return tmp_path / "in"


@pytest.fixture(autouse=True)
def _every_page_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unfinished, "INTERVAL", 0)


class Fault:
    """Fails the nth time that something is made durable: `os.fsync` or a rename."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, number: int, fail: Callable[[], object]) -> None:
        self.left = number
        self._fail = fail
        for owner, name in ((os, "fsync"), (Path, "replace")):
            monkeypatch.setattr(owner, name, self._wrapped(getattr(owner, name)))

    def _wrapped(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any) -> Any:
            self.left -= 1
            if self.left == 0:
                self._fail()
            return call(*arguments)

        return wrapped


def full(number: int) -> Callable[[], object]:
    def fail() -> None:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("why", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_fails_at_any_write_leaves_no_incomplete_file(
    source: Path, tmp_path: Path, name: str, why: int
) -> None:
    (tmp_path / "good").mkdir()
    job(source, tmp_path / "good" / name).run()
    whole = found(tmp_path / "good" / name)
    for number in range(1, 100):
        place = tmp_path / f"{number}"
        place.mkdir()
        with pytest.MonkeyPatch.context() as patched:
            fault = Fault(patched, number, full(why))
            try:
                job(source, place / name).run()
            except OutputError as error:
                assert os.strerror(why).lower() in str(error)  # noqa: PT017  # it may also succeed
        assert found(place / name).items() <= whole.items()
        assert not [left for left in leftovers(place) if left.startswith(".dehusk")]
        job(source, place / name).run()
        assert (found(place / name), leftovers(place)) == (whole, [])
        if fault.left > 0:
            return
    pytest.fail("it never ran to its end")


@contextmanager
def no_room_after(size: int) -> Iterator[None]:
    """Limits the length of files: the first write beyond it fails, in any process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_disk_without_room_for_a_whole_file_leaves_no_incomplete_file(
    source: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "good").mkdir()
    job(source, tmp_path / "good" / name).run()
    whole = found(tmp_path / "good" / name)
    longest = max(map(len, whole.values()))
    for size in sorted({0, 1, *range(longest // 8, longest, longest // 8), longest - 1}):
        place = tmp_path / f"{size}"
        place.mkdir()
        with pytest.raises(OutputError, match="file too large"), no_room_after(size):
            job(source, place / name).run()
        assert found(place / name).items() <= whole.items()
        assert not [left for left in leftovers(place) if left.startswith(".dehusk")]
        job(source, place / name).run()
        assert (found(place / name), leftovers(place)) == (whole, [])


@pytest.mark.skipif(not may_mount(), reason="needs Linux with user namespaces")
def test_a_small_disk_that_is_full_or_read_only_is_one_line_for_every_output(tmp_path: Path) -> None:
    """On a real file system. 60 pages need more than 12 kB or five files; then the disk gets more room."""
    for folder in ("in", "disk", "good"):
        (tmp_path / folder).mkdir()
    for number in range(60):
        said = os.urandom(400).hex()
        link = f"<a href=http://e.example/{said}>more</a>"
        (tmp_path / "in" / f"{number}.html").write_text(FRAME.format(f"<p>{said} {number} {link}"))
    for name in OUTPUTS:
        job(tmp_path / "in", tmp_path / "good" / name).run()
    words = [*OWN_DISKS, sys.executable, faulty.__file__, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_disk_without_room_for_a_store_leaves_its_old_content(tmp_path: Path) -> None:
    path = tmp_path / "s.store"
    with Store(path, method="bottom-up") as kept:
        kept.add([Page(html, url="http://a.example/") for html in PAGES[:2]])
        before = kept.template("a.example").to_json()
    large = [Page(f"<p>{os.urandom(20_000).hex()}", url=f"http://b.example/{number}") for number in range(5)]
    for size in range(0, path.stat().st_size + 40_000, 9_000):
        with pytest.raises(OutputError), no_room_after(size), Store(path) as kept:
            kept.add(large)
        with Store(path) as kept:
            assert list(kept.sites()) == ["a.example"]
            assert kept.template("a.example").to_json() == before


def forked(act: Callable[[], object]) -> int:
    """Runs a function in a forked process and returns the exit code."""
    child = os.fork()
    if not child:
        code = 1
        try:
            act()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


EVERY_WRITE = (*(name for name in OUTPUTS if "." not in name), "out.jsonl", "out.parquet")
"""Outputs that are killed before every write: folders, one file, one file in parts. The others share their code."""

SPREAD = 5
"""The others are killed before every so many writes, each from another one on."""


@pytest.mark.parametrize(
    ("name", "first", "step"),
    [(name, 1, 1) if name in EVERY_WRITE else (name, 1 + k % SPREAD, SPREAD) for k, name in enumerate(OUTPUTS)],
)
def test_a_kill_before_any_write_loses_nothing(source: Path, tmp_path: Path, name: str, first: int, step: int) -> None:
    (tmp_path / "good").mkdir()
    job(source, tmp_path / "good" / name).run()
    whole = found(tmp_path / "good" / name)

    def killed(number: int, out: Path) -> None:
        Fault(pytest.MonkeyPatch(), number, lambda: os._exit(9))
        job(source, out).run()

    for number in range(first, 100, step):
        place = tmp_path / f"{number}"
        place.mkdir()
        code = forked(lambda number=number, place=place: killed(number, place / name))  # type: ignore[misc]
        job(source, place / name).run()
        assert (found(place / name), leftovers(place)) == (whole, [])
        if code == 0:
            assert number > first, "it was never killed"
            return
        assert code == 9
    pytest.fail("it never ran to its end")


MEMORY = 150_000_000
"""Enough for dehusk and small pages, and not for a page of 3 MB that has only elements."""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold to the limit")
def test_a_limit_on_the_memory_of_the_whole_job_costs_only_the_pages_that_need_more(tmp_path: Path) -> None:
    large = [{"url": f"https://large.example/{k}", "html": "<p>" + "<i>a</i>" * (400_000 + k)} for k in range(2)]
    small = [
        {"url": f"https://small.example/{k}", "html": f"<nav>Menu</nav><p>Tide number {k} came."} for k in range(90)
    ]
    for name, pages in (("mixed", [*large, *small]), ("large", large)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages), "utf-8")
    mixed, alone = (limited(tmp_path / f"{name}.jsonl", tmp_path / f"{name}.out.jsonl") for name in ("mixed", "large"))
    assert (mixed.returncode, "Traceback" in mixed.stderr) == (0, False)
    assert "large.example could not be learned" in mixed.stderr
    assert len((tmp_path / "mixed.out.jsonl").read_text("utf-8").splitlines()) == len(small)
    assert (alone.returncode, alone.stderr.count("\n")) == (1, 1)
    assert "large.example could not be learned" in alone.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["large.jsonl", "mixed.jsonl", "mixed.out.jsonl"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold to the limit")
@pytest.mark.parametrize("name", [name for name in OUTPUTS if not name.endswith(".gz")])
def test_with_a_limit_on_memory_every_output_has_the_pages_that_need_less(
    source: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "good").mkdir()
    (tmp_path / "out").mkdir()
    template = tmp_path / "a.husk"
    TEMPLATE.save(template)
    words = ["-t", str(template), *(["--format", name] if name in FORMATS else [])]
    memory = 2 * MEMORY if name == "out.parquet" else MEMORY  # its library alone takes more than MEMORY
    job(source, tmp_path / "good" / name).run()
    (source / "large.html").write_text("<p>" + "<i>a</i>" * (memory // 300))
    done = limited(source, tmp_path / "out" / name, *words, memory=memory)
    assert (done.returncode, "Traceback" in done.stderr, "large.html" in done.stderr) == (0, False, True), done.stderr
    assert found(tmp_path / "out" / name) == found(tmp_path / "good" / name)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold to the limit")
def test_whatever_the_limit_on_memory_parquet_is_written_or_one_line_says_why(source: Path, tmp_path: Path) -> None:
    """Around the memory that its library takes, a thread could not be started, and the job ended with a traceback."""
    template = tmp_path / "a.husk"
    TEMPLATE.save(template)
    for megabytes in (150, 165, 180, 240):
        out = tmp_path / f"{megabytes}.parquet"
        done = limited(source, out, "-t", str(template), memory=megabytes * 1_000_000)
        assert (done.returncode == 0, "Traceback" in done.stderr) == (out.exists(), False), done.stderr
    assert out.exists()


def limited(source: Path, out: Path, *more: str, memory: int = MEMORY) -> "subprocess.CompletedProcess[str]":
    """Runs a job whose processes all have a limit of memory from outside."""
    code = f"import resource, os, sys; resource.setrlimit(resource.RLIMIT_DATA, ({memory}, {memory})); os.execv(*ARGS)"
    command = [sys.executable, "-m", "dehusk", "clean", str(source), "-o", str(out), "--jobs", "2", *more]
    words = [sys.executable, "-c", code.replace("ARGS", f"({sys.executable!r}, {command!r})")]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_two_jobs_at_once_in_one_folder_write_complete_files(source: Path, tmp_path: Path) -> None:
    job(source, tmp_path / "good").run()

    def again() -> None:
        for _ in range(20):
            job(source, tmp_path / "out").run()

    child = os.fork()
    if not child:
        os._exit(forked(again))
    again()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert found(tmp_path / "out") == found(tmp_path / "good")


def test_files_of_a_killed_job_are_removed_by_the_next_job_that_is_alone(tmp_path: Path) -> None:
    (tmp_path / ".dehusk-0123456789ab.part").write_text("half")
    with FolderOutput(tmp_path, Rendered("text"), ".txt"):
        assert list(tmp_path.iterdir()) == []
        (tmp_path / ".dehusk-another.part").write_text("of a job that is at work")
        with FolderOutput(tmp_path, Rendered("text"), ".txt"):
            assert len(list(tmp_path.iterdir())) == 1


def test_a_job_that_starts_while_another_cleans_up_is_seen_by_a_third(tmp_path: Path) -> None:
    cleaning_up = os.open(tmp_path, os.O_RDONLY)
    assert lock(cleaning_up)
    finished = threading.Timer(0.1, os.close, [cleaning_up])
    finished.start()
    with FolderOutput(tmp_path, Rendered("text"), ".txt"):
        finished.join()
        (tmp_path / ".dehusk-ours.part").write_text("of a job that is at work")
        with FolderOutput(tmp_path, Rendered("text"), ".txt"):
            assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_removes_no_part_of_a_file_that_is_being_written(tmp_path: Path) -> None:
    with written_whole(tmp_path / "site.husk") as file:
        with FolderOutput(tmp_path, Rendered("text"), ".txt"):
            file.write("{}")
        file.write("\n")
    assert (tmp_path / "site.husk").read_text() == "{}\n"


def test_a_folder_that_is_removed_while_it_is_written_is_an_error(tmp_path: Path) -> None:
    def write(meanwhile: Callable[[], object]) -> None:
        with FolderOutput(tmp_path / "out", Rendered("text"), ".txt") as folder:
            folder.write(Page("<p>a", url="http://a.example/a"), b"a")
            meanwhile()
            folder.write(Page("<p>b", url="http://a.example/b"), b"b")

    with pytest.raises(OutputError, match="out was removed or replaced while it was written; run"):
        write(lambda: shutil.rmtree(tmp_path / "out"))
    with pytest.raises(OutputError, match=r"1 files in .*out, such as a\.example/a\.txt, were removed"):
        write((tmp_path / "out" / "a.example" / "a.txt").unlink)


def test_two_jobs_cannot_keep_what_they_fetch_in_one_file(tmp_path: Path) -> None:
    first = Archive(tmp_path / "kept.warc.gz")
    with pytest.raises(OutputError, match=r"kept\.warc\.gz: another process keeps pages there; wait, or"):
        Archive(tmp_path / "kept.warc.gz")
    first.close()
    Archive(tmp_path / "kept.warc.gz").close()


@pytest.fixture
def backwards(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A clock that goes back a year each time it is read."""
    years = iter(range(2030, 1990, -1))

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Clock":
            return cls(next(years), 1, 1, tzinfo=tz or UTC)

    monkeypatch.setattr(store, "datetime", Clock)
    yield
    monkeypatch.undo()


@pytest.mark.usefixtures("backwards")
def test_the_newest_version_is_the_last_one_whatever_the_clock_says(tmp_path: Path) -> None:
    with Store(tmp_path / "s.store", method="bottom-up") as kept:
        kept.add([Page(html, url="http://a.example/") for html in PAGES[:2]])
        kept.add([Page(html, url="http://a.example/") for html in PAGES[1:]], update=True)
        first, last = kept.versions("a.example")
        assert first.learned > last.learned
        assert kept.template("a.example").to_json() == kept.template("a.example", last.number).to_json()


OLD_STORE = """
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE version (
    id INTEGER PRIMARY KEY, site TEXT NOT NULL, number INTEGER NOT NULL, revision INTEGER NOT NULL,
    pages INTEGER NOT NULL, learned TEXT NOT NULL, template BLOB, UNIQUE (site, number)
);
CREATE TABLE page (
    version INTEGER NOT NULL REFERENCES version, digest TEXT NOT NULL, name BLOB NOT NULL, url BLOB NOT NULL,
    encoding TEXT NOT NULL, html BLOB NOT NULL, PRIMARY KEY (version, digest)
);
INSERT INTO setting VALUES ('by', '"host"'), ('method', '"bottom-up"'), ('sample', '24'), ('dedupe', 'true');
INSERT INTO version VALUES (1, 'a.example', 1, 1, 2, '2025-01-01T00:00:00', NULL);
PRAGMA application_id = 1752527723;
PRAGMA user_version = 1;
"""


def test_a_store_of_the_first_version_is_read_and_written_for_good(tmp_path: Path) -> None:
    path, new = tmp_path / "old.store", tmp_path / "new.store"
    pages = [Page(html, url="http://a.example/") for html in PAGES]
    with sqlite3.connect(path) as db:
        db.executescript(OLD_STORE)
        for page, html in zip(pages[:2], PAGES, strict=False):
            row = (1, page.digest, b"http://a.example/", b"http://a.example/", "", zlib.compress(html.encode()))
            db.execute("INSERT INTO page VALUES (?, ?, ?, ?, ?, ?)", row)
    db.close()
    with Store(path) as old, Store(new, method="bottom-up") as kept:
        kept.add(pages[:2])
        assert old.template("a.example").to_json() == kept.template("a.example").to_json()
        old.add(pages)
        kept.add(pages)
        assert old.template("a.example").to_json() == kept.template("a.example").to_json()
        old.edit("a.example", Edit.new("body > div", keep=True))
    with Store(path) as old:
        assert len(old.template("a.example").edits) == 1


def test_a_kill_while_a_store_is_written_leaves_its_old_content(tmp_path: Path) -> None:
    path = tmp_path / "s.store"
    with Store(path, method="bottom-up") as kept:
        kept.add([Page(html, url="http://a.example/") for html in PAGES[:2]])
        before = kept.template("a.example").to_json()

    def killed() -> None:
        with Store(path) as kept, kept._file.writing() as db:
            db.execute("DELETE FROM page")
            db.execute("UPDATE version SET template = NULL")
            os._exit(9)

    assert forked(killed) == 9
    with Store(path) as kept:
        assert kept.template("a.example").to_json() == before
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()
