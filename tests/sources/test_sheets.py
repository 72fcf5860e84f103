"""Style sheets of archives."""

from pathlib import Path
from zipfile import ZipFile

import pytest

import archives
from dehusk.sources import sheets
from dehusk.sources.sheets import archived_sheets

CSS = {"Content-Type": "text/css; charset=utf-8"}
URL = "http://site.example/"


def css(name: str, text: str) -> bytes:
    """A record with a style sheet."""
    return archives.record(name, archives.http(text.encode(), CSS))


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    """An archive with a page and three style sheets, one of them twice."""
    path = tmp_path / "crawl.warc.gz"
    records = [archives.record(""), css("a.css", "a{}"), css("b.css", "b{}"), css("a.css", "c{}")]
    path.write_bytes(b"".join(map(archives.zipped, records)))
    return path


def test_the_style_sheets_of_a_warc_are_found_by_url(warc: Path) -> None:
    assert archived_sheets(str(warc)) == {f"{URL}a.css": "a{}", f"{URL}b.css": "b{}"}


def test_those_of_a_wacz_too(warc: Path, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "crawl.wacz", "w") as archive:
        archive.write(warc, "archive/crawl.warc.gz")
    assert f"{URL}b.css" in archived_sheets(str(tmp_path / "crawl.wacz"))


def test_other_sources_have_none(tmp_path: Path) -> None:
    assert archived_sheets(str(tmp_path)) == archived_sheets("https://site.example/a.warc") == {}


def test_there_are_limits(warc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MOST_BYTES", 4)
    assert list(archived_sheets(str(warc))) == [f"{URL}a.css"]
