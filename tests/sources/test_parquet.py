"""Parquet files as sources."""

import sys
from pathlib import Path
from typing import Any

import pytest

from dehusk.errors import Skipped, SourceError
from dehusk.page import Page
from dehusk.sources.parquet import Parquet

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def write(file: Path, columns: dict[str, Any]) -> Path:
    pq.write_table(pa.table(columns), file, row_group_size=10)
    return file


@pytest.mark.parametrize("kind", ["string", "large_string", "binary"])
def test_every_row_is_a_page(tmp_path: Path, kind: str) -> None:
    html = pa.array([f"<p>page {number}" for number in range(50)]).cast(getattr(pa, kind)())
    urls = [f"http://site.example/{number}" for number in range(50)]
    source = Parquet(write(tmp_path / "a.parquet", {"url": urls, "html": html, "other": range(50)}))
    assert source.names is None
    assert [item.name for item in source] == urls
    page = list(source)[7]
    assert isinstance(page, Page)
    assert page.html == (b"<p>page 7" if kind == "binary" else "<p>page 7")


def test_columns_may_have_other_names(tmp_path: Path) -> None:
    file = write(tmp_path / "a.parquet", {"address": ["http://x/"], "body": ["<p>x"]})
    assert [item.name for item in Parquet(file, url_column="address", html_column="body")] == ["http://x/"]


def test_a_row_that_is_no_page_is_skipped(tmp_path: Path) -> None:
    file = write(tmp_path / "a.parquet", {"url": ["http://x/", None, None], "html": [None, "%PDF-1", "<p>x" * 100]})
    assert list(Parquet(file, limit=100)) == [
        Skipped("http://x/", "empty"),
        Skipped("a.parquet row 2", "a PDF, not HTML"),
        Skipped("a.parquet row 3", "too large"),
    ]


def test_a_missing_column_is_an_error_that_names_the_columns_there_are(tmp_path: Path) -> None:
    file = write(tmp_path / "a.parquet", {"address": ["http://x/"], "body": ["<p>x"]})
    with pytest.raises(SourceError, match=r"a\.parquet: no column url and no column html; it has address, body"):
        Parquet(file)


@pytest.mark.parametrize(
    ("data", "words"), [(None, "no such file"), (b"no", "not a Parquet file"), (b"", "not a Parq")]
)
def test_a_file_that_is_none_is_an_error_of_one_line(tmp_path: Path, data: bytes | None, words: str) -> None:
    file = tmp_path / "a.parquet"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(SourceError, match=words) as caught:
        Parquet(file)
    assert "\n" not in str(caught.value)


def test_damage_in_the_middle_gives_what_came_before(tmp_path: Path) -> None:
    html = [f"<p>page {number} " + "x" * number for number in range(50)]
    file = write(tmp_path / "a.parquet", {"url": list(map(str, range(50))), "html": html})
    data = bytearray(file.read_bytes())
    data[len(data) // 3 : len(data) // 3 + 200] = b"\xff" * 200
    file.write_bytes(data)
    *pages, last = Parquet(file)
    assert all(isinstance(page, Page) for page in pages)
    assert isinstance(last, Skipped)
    assert last.reason == "damaged"


def test_without_pyarrow_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path / "a.parquet", {"url": ["http://x/"], "html": ["<p>x"]})
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SourceError, match=r"install dehusk\[parquet\]"):
        Parquet(file)
