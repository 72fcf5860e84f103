"""Parquet files as sources."""

import random
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from dehusk.errors import Skipped, SourceError
from dehusk.page import Page
from dehusk.sources.parquet import Parquet
from dehusk.sources.parquet_pages import sizes

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


@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_a_bomb_is_not_unpacked(tmp_path: Path, dictionary: bool, version: str) -> None:
    bomb = pa.table({"url": [f"http://x/{n}" for n in range(16)], "html": ["<p>" + "x" * 4_000_000] * 16})
    page = pa.table({"url": ["http://x/"], "html": ["<p>x"]})
    file = tmp_path / "a.parquet"
    with pq.ParquetWriter(
        file, bomb.schema, compression="zstd", use_dictionary=dictionary, data_page_version=version
    ) as writer:
        writer.write_table(bomb)
        writer.write_table(page)
    del bomb
    pool = pa.default_memory_pool()
    before = pool.bytes_allocated()
    items = []
    most = 0
    for item in Parquet(file, limit=100_000):
        items.append(item)
        most = max(most, pool.bytes_allocated() - before)
    assert items[0] == Skipped("a.parquet rows 1 to 16", "too large")
    assert [item.name for item in items[1:]] == ["http://x/"]
    assert most < 4_000_000


def test_rows_that_repeat_a_dictionary_are_read_one_by_one_where_it_is_large(tmp_path: Path) -> None:
    noise = random.Random(3).randbytes(40_000).hex()
    pq.write_table(pa.table({"url": ["http://x/"] * 16, "html": [f"<p>{noise}"] * 16}), tmp_path / "a.parquet")
    source = Parquet(tmp_path / "a.parquet", limit=100_000)
    with source._open() as file:
        assert source._rows(file.metadata.row_group(0)) == 1
    assert [type(item) for item in source] == [Page] * 16


def test_groups_that_share_their_bytes_are_not_read_again_and_again(tmp_path: Path) -> None:
    file = write(tmp_path / "a.parquet", {"url": ["http://x/"], "html": ["<p>" + "x" * 5000]})
    groups = pq.read_metadata(file)
    for _ in range(10):
        groups.append_row_groups(groups)
    groups.write_metadata_file(tmp_path / "end")
    data = file.read_bytes()
    file.write_bytes(data[: -8 - int.from_bytes(data[-8:-4], "little")] + (tmp_path / "end").read_bytes()[4:])
    items = list(Parquet(file))
    assert len(items) < 1024
    assert (items[0].name, items[-1]) == ("http://x/", Skipped(f"a.parquet after row {len(items) - 1}", "damaged"))


def test_text_that_is_no_unicode_costs_its_row(tmp_path: Path) -> None:
    wrong = pa.array([b"<p>\xff", b"<p>x"]).view(pa.string())
    file = write(tmp_path / "a.parquet", {"url": ["http://x/1", "http://x/2"], "html": wrong})
    assert [item.name for item in Parquet(file)] == ["a.parquet row 1", "http://x/2"]


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"\x15",
        b"\x19\xff" + b"\xff" * 12,
        b"\x19\xf7" + b"\xff" * 8 + b"\1",  # a list of 2^63 numbers, which are not there
        b"\x1c" * 50,
        b"\x15\x00\x15\x01\x15\x01\x00",
    ],
)
def test_what_is_no_header_of_a_page_is_refused(header: bytes) -> None:
    with pytest.raises(ValueError, match=r"header|deep|number"):
        list(sizes(BytesIO(header), 0, 100))


def test_a_column_whose_name_is_no_unicode_makes_it_no_parquet_file(tmp_path: Path) -> None:
    file = write(tmp_path / "a.parquet", {"url": ["http://x/"], "html": ["<p>x"]})
    file.write_bytes(file.read_bytes().replace(b"html", b"\x8btml"))
    with pytest.raises(SourceError, match=r"not a Parquet file, or damaged|no column html"):
        Parquet(file)
