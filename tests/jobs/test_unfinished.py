"""Killed jobs continue where they stopped."""

import gzip
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

import dehusk
from archives import http, record, zipped
from dehusk.base.errors import OutputError, Skipped
from dehusk.cli import main
from dehusk.jobs import _tasks as cleaning
from dehusk.jobs import _unfinished as unfinished
from dehusk.jobs._tasks import clean_page
from dehusk.jobs._unfinished import Unfinished
from dehusk.jobs.result import Done
from dehusk.outputs import Output, open_output, parquet

FRAME = "<body><ul><li><a href=/>Home</a><li><a href=/all>All tides</a></ul>{}<div>Set in whatever serif is near</div>"
PAGES = 60
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process; returns its exit code and standard error."""

    def call(*words: object) -> tuple[int, str]:
        code = main([str(word) for word in words])
        return code, capsys.readouterr().err

    return call


@pytest.fixture(autouse=True)
def _every_page_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unfinished, "INTERVAL", 0)
    monkeypatch.setattr(parquet, "_GROUP", 1)  # one row per row group


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Pages of a site, some of which are missing."""
    records = [
        record(f"{k}", http(b"<p>gone", status="404 Not Found") if k % 9 == 4 else http(html(k).encode()))
        for k in range(PAGES)
    ]
    (tmp_path / "in.warc.gz").write_bytes(zipped(*records))
    return tmp_path / "in.warc.gz"


def html(number: int) -> str:
    return FRAME.format(f"<h1>Tide {number}</h1>" + "".join(f"<p>Tide {number} rose {k} feet." for k in range(number)))


def interrupt(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Interrupts the job after this many items."""
    add = Unfinished.add

    def stop(self: Unfinished, outcome: Done | Skipped, output: Output) -> None:
        add(self, outcome, output)
        if self.items == after:
            raise KeyboardInterrupt

    monkeypatch.setattr(Unfinished, "add", stop)


def without_time(err: str) -> list[str]:
    lines = (line for line in err.splitlines() if not line.startswith("resuming"))
    return [re.sub(r"[\d.]+ s: .*|(?<=all of them are in ).*", "", line) for line in lines]


FORMATS = ["out.jsonl", "out.json", "out.csv", "out.jsonl.gz", "out.parquet", "out.wet.gz", "out.warc"]


@pytest.mark.parametrize("name", FORMATS)
def test_an_interrupted_job_continues(
    run: Run, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    form = name.split(".")[1]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()

    def clean(folder: str) -> tuple[int, str]:
        out = (tmp_path / folder / name, "--format", form, "--log", tmp_path / folder / "log")
        return run("clean", archive, "--jobs", 1, "-o", *out)

    _, whole = clean("a")
    with monkeypatch.context() as patched:
        interrupt(patched, 40)
        assert clean("b") == (130, "dehusk: interrupted; run the same command again to continue from here\n")
    kept = tmp_path / "b" / f"{name}.unfinished"
    assert sorted(path.name for path in kept.parent.iterdir()) == [kept.name]
    for file in kept.iterdir():  # what a killed job may leave after the last note
        if file.name in ("output", "skipped.jsonl"):
            file.write_bytes(file.read_bytes() + b"half a li")
    cleaned: list[str] = []

    def counted(page: dehusk.Page, *rest: object) -> Done | Skipped:
        cleaned.append(page.name)
        return clean_page(page, *rest)  # type: ignore[arg-type]  # passed on

    with monkeypatch.context() as patched:
        patched.setattr(cleaning, "clean_page", counted)
        patched.setattr("dehusk.jobs.workers.can_fork", lambda: False)  # else pages may be cleaned elsewhere
        patched.setattr("dehusk.jobs.work.learn_source", None)  # learned templates are kept
        code, err = clean("b")
    assert code == 0
    assert without_time(err) == without_time(whole)
    (resumed,) = re.findall(r"resuming: (\d+) pages done in an earlier run\n", err)
    assert int(resumed) == 40 or (form == "parquet" and 20 < int(resumed) < 40)  # the last complete row group
    assert cleaned[-1] == f"http://site.example/{PAGES - 1}"
    assert len(cleaned) < PAGES - 20
    for same in ("log", name):
        assert (tmp_path / "a" / same).read_bytes() == (tmp_path / "b" / same).read_bytes()
    assert not kept.exists()


def test_a_different_job_in_the_same_place_starts_from_the_beginning(
    run: Run, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.jsonl"
    with monkeypatch.context() as patched:
        interrupt(patched, 20)
        assert run("clean", archive, "-o", out, "--format", "jsonl")[0] == 130
    code, err = run("clean", archive, "-o", out, "--format", "jsonl", "--markdown")
    assert code == 0
    assert f"{out} was left unfinished by another job; starting from the beginning" in err
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(rows) == PAGES - 7
    assert all("markdown" in row for row in rows)


def test_a_source_that_changed_is_another_job(
    run: Run, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("clean", archive, "-o", tmp_path / "out.wet", "--format", "wet")
    with monkeypatch.context() as patched:
        interrupt(patched, 20)
        run(*words)
    archive.write_bytes(zipped(*(record(f"{k}", http(html(k).encode())) for k in range(30))))
    assert "30 cleaned" in run(*words)[1]


@pytest.mark.parametrize("changed", [False, True])
def test_a_job_continues_only_if_its_store_did_not_change(
    run: Run, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, changed: bool
) -> None:
    store = ("--store", tmp_path / "sites.store")
    words = ("clean", archive, *store, "-o", tmp_path / "out.jsonl", "--format", "jsonl")
    with monkeypatch.context() as patched:
        interrupt(patched, 20)
        assert run(*words)[0] == 130
    if changed:
        (tmp_path / "new.warc.gz").write_bytes(
            zipped(*(record(f"{k}", http(f"<p>No. {k}<ol><li>New".encode())) for k in "abc"))
        )
        assert run("learn", tmp_path / "new.warc.gz", *store, "--update")[0] == 0
    code, err = run(*words)
    assert code == 0
    assert ("resuming: " in err, "starting from the beginning" in err) == (not changed, changed)
    again = tmp_path / "again.jsonl"
    assert run(*words[:-3], again, *words[-2:])[0] == 0
    assert (tmp_path / "out.jsonl").read_bytes() == again.read_bytes()


def test_a_job_that_failed_early_leaves_nothing(run: Run, archive: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    code, _ = run("clean", archive, "-t", archive, "-o", tmp_path / "out" / "o.jsonl", "--format", "jsonl")
    assert code == 1
    assert list((tmp_path / "out").iterdir()) == []


def test_a_job_that_could_not_be_continued_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop() -> None:
        with (
            Unfinished(tmp_path / "out.jsonl", None) as kept,
            open_output("out.jsonl", "jsonl", unfinished=kept) as output,
        ):
            monkeypatch.setattr(output, "settle", None)  # fsync would only slow this down
            kept.add(Skipped("a", "empty"), output)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop()
    assert list(tmp_path.iterdir()) == []


def test_two_jobs_do_not_write_the_same_file_at_once(tmp_path: Path) -> None:
    with ExitStack() as stack:
        kept = stack.enter_context(Unfinished(tmp_path / "out.jsonl", "a job"))
        stack.enter_context(kept.open(0))
        with pytest.raises(OutputError, match="in use by another process; wait"):
            Unfinished(tmp_path / "out.jsonl", "a job").begin()
    with Unfinished(tmp_path / "out.jsonl", "a job") as kept, kept.open(0):
        pass


def test_the_folder_of_another_job_is_left_to_it_from_the_first_moment(tmp_path: Path) -> None:
    folder = unfinished.beside(tmp_path / "out.jsonl")
    lock = unfinished._locked(folder)  # nothing is in it yet
    with pytest.raises(OutputError, match="in use by another process"):
        Unfinished(tmp_path / "out.jsonl", "a job").begin()
    assert folder.is_dir()
    os.close(lock)


def test_an_output_that_cannot_be_renamed_at_the_end_is_not_lost(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"

    def finish() -> None:
        with Unfinished(out, "a job") as kept, kept.open(kept.written) as file:
            file.write(b"a line\n")
            file.flush()
            kept.written = 7
            kept.keep([], {})
            out.mkdir()

    with pytest.raises(OutputError, match="a folder is in the way"):
        finish()
    out.rmdir()
    with Unfinished(out, "a job") as kept, kept.open(kept.written) as file:
        file.write(b"another\n")
    assert out.read_bytes() == b"a line\nanother\n"
    assert list(tmp_path.iterdir()) == [out]


def test_a_page_on_standard_input_is_never_continued(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("clean", "-", "-o", tmp_path / "out.jsonl", "--format", "jsonl")
    for number in (1, 2):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(html(number).encode())))
        with monkeypatch.context() as patched:
            if number == 1:
                interrupt(patched, 1)
            assert run(*words)[0] == (130 if number == 1 else 0)
    (row,) = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert "Tide 2" in row["text"]


def test_a_folder_of_another_program_is_not_changed(run: Run, archive: Path, tmp_path: Path) -> None:
    mine = tmp_path / "out.jsonl.unfinished" / "novel.txt"
    mine.parent.mkdir()
    mine.write_text("Chapter one")
    code, err = run("clean", archive, "-o", tmp_path / "out.jsonl", "--format", "jsonl")
    assert (code, err.count("\n")) == (1, 1)
    assert "has files of others; move it" in err
    assert mine.read_text() == "Chapter one"


def test_an_output_that_was_truncated_is_not_continued(
    run: Run, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("clean", archive, "-o", tmp_path / "out.jsonl", "--format", "jsonl")
    with monkeypatch.context() as patched:
        interrupt(patched, 20)
        run(*words)
    os.truncate(tmp_path / "out.jsonl.unfinished" / "output", 10)
    code, err = run(*words)
    assert (code, err.splitlines()[-1].endswith("damaged; remove it to start from the beginning")) == (1, True)


def large_archive(path: Path) -> None:
    """25 MB in few large pages, mostly style sheets, so that little time is spent on cleaning."""
    style = "p { margin: 0 auto; } /* The water rises over the pier, and nobody knows why. */\n" * 2750
    prose = "".join(f"<p>The water rises over the pier {k} times, and nobody knows why." for k in range(600))
    with path.open("wb") as file:
        for number in range(100):
            page = FRAME.format(f"<style>{style}</style><h1>Tide {number}</h1>{prose}<p>That was tide {number}.")
            status = "200 OK" if number % 20 else "404 Not Found"
            file.write(gzip.compress(record(f"{number}", http(page.encode(), status=status)), 1, mtime=0))


def size_of(file: Path) -> int:
    """The size of a file that another process may remove; -1 if it does not exist."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return -1


NOTING = """
import sys
from dehusk.cli import main
from dehusk.jobs import _unfinished
_unfinished.INTERVAL = 0.1
sys.exit(main())
"""
"""The command, with notes frequent enough for a small archive."""


def test_killed_at_three_random_moments_the_output_is_the_same(tmp_path: Path) -> None:
    large_archive(tmp_path / "in.warc.gz")
    dehusk.learn([html(k) for k in range(4)], method="rtdm").save(tmp_path / "site.husk")
    outs = [tmp_path / folder / "out.jsonl" for folder in "ab"]
    whole, parts = (
        [sys.executable, "-c", NOTING, "clean", *map(str, words)]
        for words in (
            (tmp_path / "in.warc.gz", "-t", tmp_path / "site.husk", "--format", "jsonl", "-q", "-o", out)
            for out in outs
        )
    )
    subprocess.run(whole, check=True)
    size = outs[0].stat().st_size
    output = outs[1].parent / "out.jsonl.unfinished" / "output"
    for moment in sorted(random.uniform(0, 0.6) for _ in range(3)):  # it may have ended before the kill
        with subprocess.Popen(parts) as job:
            while job.poll() is None and size_of(output) < moment * size:
                time.sleep(0.001)
            job.send_signal(signal.SIGKILL)
        assert job.returncode == -signal.SIGKILL
        assert not outs[1].exists()
    subprocess.run(parts, check=True)
    assert outs[0].read_bytes() == outs[1].read_bytes()
    assert list(outs[1].parent.iterdir()) == [outs[1]]


@pytest.mark.parametrize("link", ["", "output", "parts/0.parquet"])
def test_links_that_others_put_beside_the_output_are_not_followed(tmp_path: Path, link: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "output").write_text("precious")
    place = tmp_path / "a.jsonl.unfinished" / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(elsewhere / "output" if link else elsewhere)
    with pytest.raises(OutputError, match=r"a\.jsonl\.unfinished has symbolic links; remove it, or choose another"):
        Unfinished(tmp_path / "a.jsonl", None).begin()
    assert (elsewhere / "output").read_text() == "precious"
