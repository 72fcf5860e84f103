"""Folders and files as sources."""

import gzip
import mimetypes
from pathlib import Path

import pytest

from dehusk.base.errors import Skipped, SourceError
from dehusk.page import LARGEST, Page, _decoding
from dehusk.sources import Reading, open_source


def write(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"<p>{name}")


def test_a_folder_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    write(tmp_path, "b.html", "a/z.htm", "a/index.php", "page?id=1", "readme")
    source = open_source([tmp_path])
    assert source.names == ["a/index.php", "a/z.htm", "b.html", "page?id=1", "readme"]
    assert [item.name for item in source] == source.names


def test_hidden_files_and_other_suffixes_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.html", ".hidden.html", ".git/b.html", "x.css", "x.js", "x.png", "x.json", "x.pdf")
    write(tmp_path, "site.husk", "sites.store", "out.jsonl", "out.ndjson", "out.jsonl.gz")
    assert open_source([tmp_path]).names == ["a.html"]


def test_pages_with_a_suffix_that_newer_pythons_know_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = mimetypes.MimeTypes(filenames=())
    known.add_type("application/x-httpd-php", ".php")  # as in Python 3.14
    monkeypatch.setattr(_decoding, "_TYPES", known)
    write(tmp_path, "a.php", "b.css")
    assert open_source([tmp_path]).names == ["a.php"]


def test_the_output_folder_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.html", "out/a.html")
    assert open_source([tmp_path], Reading(leave_out=[tmp_path / "out"])).names == ["a.html"]


def test_names_of_files_are_relative_to_their_common_folder(tmp_path: Path) -> None:
    write(tmp_path, "a/x.html", "b/x.html", "b/c/y.css")
    source = open_source([tmp_path / "a" / "x.html", tmp_path / "b" / "x.html", tmp_path / "b" / "c"])
    assert source.names == ["a/x.html", "b/x.html"]
    assert open_source([tmp_path / "b" / "x.html"]).names == ["x.html"]


def test_a_source_can_be_read_twice(tmp_path: Path) -> None:
    write(tmp_path, "a.html")
    source = open_source([tmp_path])
    assert [type(item) for item in [*source, *source]] == [Page, Page]


def test_a_file_that_cannot_be_read_is_skipped_with_the_reason(tmp_path: Path) -> None:
    write(tmp_path, "a.html", "b.html")
    source = open_source([tmp_path])
    (tmp_path / "a.html").unlink()
    assert list(source)[0] == Skipped("a.html", "no such file or directory")  # noqa: RUF015


@pytest.mark.parametrize("place", ["nothing", "empty"])
def test_no_pages_is_an_error_that_names_the_place(tmp_path: Path, place: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match=place):
        open_source([tmp_path / place])


def test_compressed_pages_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"<p>one"))
    (tmp_path / "b.html.gz").write_bytes(gzip.compress(b"<p>two")[:-9])
    for place in (tmp_path, str(tmp_path / "*.gz")):
        first, second = open_source([place])
        assert isinstance(first, Page)
        assert (first.name, first.html) == ("a.html.gz", b"<p>one")
        assert isinstance(second, Skipped)


def test_a_compressed_page_that_grows_without_end_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b" " * (LARGEST + 1)))
    assert list(open_source([tmp_path])) == [Skipped("a.html.gz", "too large")]


def test_a_host_without_a_scheme_is_told_from_a_missing_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        SourceError, match=r"no such file or folder; for a page of the web, give https://www\.sea\.example"
    ):
        open_source(["www.sea.example"])


def test_an_archive_in_a_folder_is_no_page(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"<p>one")
    (tmp_path / "crawl.warc.gz").write_bytes(gzip.compress(b"WARC/1.0\r\n\r\n<p>two"))
    assert [item.name for item in open_source([str(tmp_path)])] == ["a.html"]
