"""Style sheets and pictures of archives."""

from pathlib import Path
from zipfile import ZipFile

import pytest

import archives
from dehusk.sources import beside
from dehusk.sources.beside import archived_files

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
    assert archived_files(str(warc)) == {f"{URL}a.css": "a{}", f"{URL}b.css": "b{}"}


def test_those_of_a_wacz_too(warc: Path, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "crawl.wacz", "w") as archive:
        archive.write(warc, "archive/crawl.warc.gz")
    assert f"{URL}b.css" in archived_files(str(tmp_path / "crawl.wacz"))


def test_other_sources_have_none(tmp_path: Path) -> None:
    assert archived_files(str(tmp_path)) == archived_files("https://site.example/a.warc") == {}


def test_there_are_limits(warc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "MOST_SHEETS", 4)
    assert list(archived_files(str(warc))) == [f"{URL}a.css"]


def test_pictures_are_data_urls_with_a_limit_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    png = {"Content-Type": "image/png"}
    records = [archives.record("a.png", archives.http(b"PNG", png)), css("a.css", "a{}")]
    records += [archives.record("b.png", archives.http(b"PNG" * 9, png))]
    (tmp_path / "a.warc").write_bytes(b"".join(records))
    whole = archived_files(str(tmp_path / "a.warc"))
    assert whole[f"{URL}a.png"] == "data:image/png;base64,UE5H"
    assert len(whole) == 3
    monkeypatch.setattr(beside, "MOST_PICTURES", 30)
    assert sorted(archived_files(str(tmp_path / "a.warc"))) == [f"{URL}a.css", f"{URL}a.png"]
