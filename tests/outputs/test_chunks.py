"""Chunks of all pages of a job."""

import json
from pathlib import Path

import pytest

import dehusk
from dehusk.jobs.job import Job

NOTICE = "<h2>A notice</h2><p>This part is the same in every chapter, but it belongs to the text of each of them.</p>"
PAGE = """<html><body><nav><a href=/>Home</a><a href=/all>All chapters</a></nav><main><h1>Chapter {0}</h1>
<p>This is what chapter {0} is about: {1}, told in one sentence that is long enough.</p>{2}</main></body></html>"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    folder.mkdir()
    for number, word in enumerate(("boats", "nets", "lamps", "gulls")):
        (folder / f"{number}.html").write_text(PAGE.format(number, word, NOTICE if number < 3 else ""))
    return folder


def written(book: Path, out: Path, **options: object) -> list[dict[str, object]]:
    Job(book, output=out, format="chunks", output_options=options, writing=dehusk.Writing(keep=["heading"])).run()
    return [json.loads(line) for line in out.read_text().splitlines()]


def test_a_chunk_that_pages_share_is_written_once_with_their_names(book: Path, tmp_path: Path) -> None:
    rows = written(book, tmp_path / "out.jsonl", chunk_size=100)
    assert len({row["id"] for row in rows}) == len(rows)
    shared = [row for row in rows if "A notice" in str(row["text"])]
    assert [row["pages"] for row in shared] == [["0.html", "1.html", "2.html"]]
    assert [row["page"] for row in rows if str(row["text"]).startswith("Chapter")] == [f"{n}.html" for n in range(4)]


def test_parquet_has_the_same_rows(book: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = written(book, tmp_path / "out.jsonl")
    Job(book, output=tmp_path / "out.parquet", format="chunks", writing=dehusk.Writing(keep=["heading"])).run()
    assert parquet.read_table(tmp_path / "out.parquet").to_pylist() == rows


def test_the_size_is_an_option(book: Path, tmp_path: Path) -> None:
    assert len(written(book, tmp_path / "small.jsonl", chunk_size=30)) > len(written(book, tmp_path / "out.jsonl"))
    with pytest.raises(dehusk.UsageError, match="chunk_size=0: give a whole number, 1 or more"):
        written(book, tmp_path / "none.jsonl", chunk_size=0)
    assert not (tmp_path / "none.jsonl").exists()


def test_a_file_of_another_format_is_refused(book: Path, tmp_path: Path) -> None:
    with pytest.raises(dehusk.UsageError, match=r"is the name of a file in the format csv, not chunks"):
        written(book, tmp_path / "out.csv")


def test_a_stopped_job_goes_on_and_gives_the_same(book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = written(book, tmp_path / "whole.jsonl")
    out = tmp_path / "out.jsonl"
    from dehusk.outputs import _chunks

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(_chunks.ChunkOutput, "close", stop)
        with pytest.raises(KeyboardInterrupt):
            written(book, out)
    assert not out.exists()
    assert written(book, out) == whole
