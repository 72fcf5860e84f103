"""Parquet files as sources."""

import random
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from dehusk.base.errors import Skipped, SourceError
from dehusk.page import Page
from dehusk.sources._parquet_headers import ColumnChunk, groups, sizes
from dehusk.sources.parquet import ParquetSource

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def write(file: Path, columns: dict[str, Any]) -> Path:
    pq.write_table(pa.table(columns), file, row_group_size=10)
    return file


@pytest.mark.parametrize("kind", ["string", "large_string", "binary"])
def test_every_row_is_a_page(tmp_path: Path, kind: str) -> None:
    html = pa.array([f"<p>page {number}" for number in range(50)]).cast(getattr(pa, kind)())
    urls = [f"http://site.example/{number}" for number in range(50)]
    source = ParquetSource(write(tmp_path / "a.parquet", {"url": urls, "html": html, "other": range(50)}))
    assert source.names is None
    assert [item.name for item in source] == urls
    page = list(source)[7]
    assert isinstance(page, Page)
    assert page.html == (b"<p>page 7" if kind == "binary" else "<p>page 7")


def test_empty_row_groups_are_skipped(tmp_path: Path) -> None:
    some = pa.table({"url": ["http://x/"], "html": ["<p>x"]})
    with pq.ParquetWriter(tmp_path / "a.parquet", some.schema) as file:
        for table in (some, some.slice(0, 0), some):
            file.write_table(table)
    assert [type(item) for item in ParquetSource(tmp_path / "a.parquet")] == [Page, Page]


def test_columns_may_have_other_names(tmp_path: Path) -> None:
    file = write(tmp_path / "a.parquet", {"address": ["http://x/"], "body": ["<p>x"]})
    assert [item.name for item in ParquetSource(file, url_column="address", html_column="body")] == ["http://x/"]


def test_a_row_that_is_not_a_page_is_skipped(tmp_path: Path) -> None:
    file = write(tmp_path / "a.parquet", {"url": ["http://x/", None, None], "html": [None, "%PDF-1", "<p>x" * 100]})
    assert list(ParquetSource(file, limit=100)) == [
        Skipped("http://x/", "empty"),
        Skipped("a.parquet row 2", "a PDF, not HTML"),
        Skipped("a.parquet row 3", "too large"),
    ]


def test_a_missing_column_is_an_error_that_names_the_columns_there_are(tmp_path: Path) -> None:
    file = write(tmp_path / "a.parquet", {"address": ["http://x/"], "body": ["<p>x"]})
    with pytest.raises(SourceError, match=r"a\.parquet: no column url and no column html; it has address, body"):
        ParquetSource(file)


@pytest.mark.parametrize(
    ("data", "words"), [(None, "no such file"), (b"no", "not a Parquet file"), (b"", "not a Parq")]
)
def test_a_file_that_is_not_parquet_is_an_error_of_one_line(tmp_path: Path, data: bytes | None, words: str) -> None:
    file = tmp_path / "a.parquet"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(SourceError, match=words) as caught:
        ParquetSource(file)
    assert "\n" not in str(caught.value)


Damage = Callable[[bytearray, ColumnChunk], None]


def other_header(data: bytearray, chunk: ColumnChunk) -> None:
    data[chunk.start : chunk.start + 20] = b"\xff" * 20


def other_content(data: bytearray, chunk: ColumnChunk) -> None:
    middle = chunk.start + chunk.length // 2
    data[middle : chunk.start + chunk.length] = b"\xff" * (chunk.start + chunk.length - middle)


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["none", "snappy", "lz4", "zstd"])
@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize("damage", [other_header, other_content])
def test_damage_in_a_row_group_costs_no_other_group(
    tmp_path: Path, version: str, compression: str, damage: Damage, *, dictionary: bool
) -> None:
    drawn, file = random.Random(5), tmp_path / "a.parquet"
    html = [f"<p>page {number} {drawn.randbytes(90).hex()}" for number in range(30)]
    columns = {"url": [f"http://x/{n}" for n in range(30)], "html": html, "tags": [["a", "b"]] * 30}
    pq.write_table(
        pa.table(columns),
        file,
        row_group_size=10,
        compression=compression,
        use_dictionary=dictionary,
        data_page_version=version,
    )
    assert [item.name for item in ParquetSource(file)] == columns["url"]
    with file.open("rb") as plain:
        second = groups(plain)[1]
    data = bytearray(file.read_bytes())
    damage(data, second.chunks[1])
    file.write_bytes(data)
    items = list(ParquetSource(file))
    assert [item.name for item in items if isinstance(item, Page)][:10] == columns["url"][:10]
    assert [item.name for item in items if isinstance(item, Page)][-10:] == columns["url"][20:]
    lost = [item for item in items if isinstance(item, Skipped)]
    assert lost == [Skipped(f"a.parquet rows {len(items) - 10} to 20", "damaged")]


def test_a_group_whose_columns_are_lists_is_read_or_named(tmp_path: Path) -> None:
    """A list is not a page: its rows are skipped one by one. A bomb in it costs its group."""
    file = tmp_path / "a.parquet"
    kinds = pa.schema({"url": pa.string(), "html": pa.list_(pa.string())})
    with pq.ParquetWriter(file, kinds, compression="zstd", use_dictionary=False) as writer:
        for text in ("<p>x", "x" * 4_000_000, "<p>x"):
            writer.write_table(pa.table({"url": ["http://x/"], "html": [[text]]}, schema=kinds))
    items = list(ParquetSource(file, limit=100_000))
    assert [item.reason for item in items if isinstance(item, Skipped)] == ["not HTML", "too large", "not HTML"]
    assert [item.name for item in items] == ["http://x/", "a.parquet rows 2 to 2", "http://x/"]


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_a_large_row_packed_as_lz4_costs_its_group_and_no_other(tmp_path: Path, version: str) -> None:
    file = tmp_path / "a.parquet"
    texts = ["<p>x", "<p>" + "x" * 4_000_000, "<p>y"]
    with pq.ParquetWriter(
        file, pa.schema({"url": pa.string(), "html": pa.string()}), compression="lz4", data_page_version=version
    ) as writer:
        for number, text in enumerate(texts):
            writer.write_table(pa.table({"url": [f"http://x/{number}"], "html": [text]}))
    items = list(ParquetSource(file, limit=100_000))
    assert [item.name for item in items] == ["http://x/0", "a.parquet rows 2 to 2", "http://x/2"]
    assert items[1] == Skipped("a.parquet rows 2 to 2", "too large")


def test_without_pyarrow_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path / "a.parquet", {"url": ["http://x/"], "html": ["<p>x"]})
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SourceError, match=r"install dehusk\[parquet\]"):
        ParquetSource(file)


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
    for item in ParquetSource(file, limit=100_000):
        items.append(item)
        most = max(most, pool.bytes_allocated() - before)
    if version == "2.0" and not dictionary:  # such pages are skipped as a whole
        assert items[:-1] == [Skipped("a.parquet rows 1 to 16", "too large")]
    else:
        assert items[:-1] == [Skipped(f"http://x/{n}", "too large") for n in range(16)]
    assert items[-1].name == "http://x/"
    assert most < 4_000_000


def test_a_bomb_is_not_unpacked_for_any_declared_type_of_column(tmp_path: Path) -> None:
    table = pa.table({"url": ["http://x/"], "html": ["<p>" + "x" * 4_000_000]})
    pq.write_table(table, tmp_path / "a.parquet", compression="zstd")
    data = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(data.replace(b"\x19\x18\x04html", b"\x19\x18\x04none"))
    assert list(ParquetSource(tmp_path / "a.parquet", limit=100_000)) == [Skipped("http://x/", "too large")]


def test_rows_with_a_large_dictionary_are_read_one_by_one(tmp_path: Path) -> None:
    noise = random.Random(3).randbytes(40_000).hex()
    pq.write_table(pa.table({"url": ["http://x/"] * 16, "html": [f"<p>{noise}"] * 16}), tmp_path / "a.parquet")
    source = ParquetSource(tmp_path / "a.parquet", limit=100_000)
    with source._open() as file:
        assert [source._reading(group) for group in source._groups(file)] == [(1, {})]
    assert [type(item) for item in source] == [Page] * 16


def test_overlapping_row_groups_are_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "a.parquet", {"url": ["http://x/"], "html": ["<p>" + "x" * 5000]})
    groups = pq.read_metadata(file)
    for _ in range(10):
        groups.append_row_groups(groups)
    groups.write_metadata_file(tmp_path / "end")
    data = file.read_bytes()
    file.write_bytes(data[: -8 - int.from_bytes(data[-8:-4], "little")] + (tmp_path / "end").read_bytes()[4:])
    items = list(ParquetSource(file))
    assert len(items) < 1024
    assert (items[0].name, items[-1]) == ("http://x/", Skipped(f"a.parquet after row {len(items) - 1}", "damaged"))


@pytest.mark.parametrize(
    ("kind", "far"),
    [
        (pa.date32(), 2**30),
        (pa.timestamp("us"), 2**62),
        (pa.duration("s"), 2**62),
        (pa.timestamp("s", tz="No/Where"), 1),
    ],
)
def test_a_value_that_python_does_not_have_costs_only_its_row(tmp_path: Path, kind: Any, far: int) -> None:
    file = write(tmp_path / "a.parquet", {"html": ["<p>a", "<p>b"], "url": pa.array([far, None], kind)})
    first, second = ParquetSource(file)
    assert (first, second.name) == (Skipped("a.parquet row 1", "damaged"), "a.parquet row 2")
    assert isinstance(second, Page)


def test_two_columns_of_one_name_are_an_error(tmp_path: Path) -> None:
    columns = [pa.array(["http://x/"]), pa.array(["<p>"]), pa.array(["<p>"])]
    pq.write_table(pa.Table.from_arrays(columns, names=["url", "html", "html"]), tmp_path / "a.parquet")
    with pytest.raises(SourceError, match="more than one column html"):
        ParquetSource(tmp_path / "a.parquet")


def test_text_that_is_not_unicode_costs_only_its_row(tmp_path: Path) -> None:
    wrong = pa.array([b"<p>\xff", b"<p>x"]).view(pa.string())
    file = write(tmp_path / "a.parquet", {"url": ["http://x/1", "http://x/2"], "html": wrong})
    assert [item.name for item in ParquetSource(file)] == ["a.parquet row 1", "http://x/2"]


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"\x15",
        b"\x19\xff" + b"\xff" * 12,
        b"\x19\xf7" + b"\xff" * 8 + b"\1",  # a list of 2^63 numbers without any of them
        b"\x1c" * 50,
        b"\x15\x00\x15\x01\x15\x01\x00",
        b"\x15\x00\x15\x02\x15\x04\x00\xff",  # declares two bytes and has one
        b"\x15\x00\x15\x82\x80\x80\x80\x20\x15\x02\x00\xff",  # 2^32 + 1
        b"\x15\x00\x16\x02\x15\x02\x00\xff",  # a number of another type
    ],
)
def test_an_invalid_page_header_is_refused(header: bytes) -> None:
    with pytest.raises(ValueError, match=r"header|deep|number"):
        list(sizes(BytesIO(header), ColumnChunk(0, 100)))


def test_a_column_name_that_is_not_unicode_is_an_error(tmp_path: Path) -> None:
    file = write(tmp_path / "a.parquet", {"url": ["http://x/"], "html": ["<p>x"]})
    file.write_bytes(file.read_bytes().replace(b"html", b"\x8btml"))
    with pytest.raises(SourceError, match=r"not a Parquet file, or damaged|no column html"):
        ParquetSource(file)


def test_the_offsets_of_columns_equal_those_of_pyarrow(tmp_path: Path) -> None:
    table = {"url": ["http://x/"] * 25, "html": ["<p>x"] * 25, "deep": [{"a": 1, "b": [2.5]}] * 25}
    file = write(tmp_path / "a.parquet", table)
    with file.open("rb") as plain:
        found = groups(plain)
    told = pq.read_metadata(file)
    assert [group.rows for group in found] == [10, 10, 5]
    for number, group in enumerate(found):
        columns = [told.row_group(number).column(place) for place in range(told.num_columns)]
        starts = [column.dictionary_page_offset or column.data_page_offset for column in columns]
        assert group.chunks == [
            ColumnChunk(start, column.total_compressed_size, chunk.type_number, 1)  # 1: snappy
            for start, column, chunk in zip(starts, columns, group.chunks, strict=True)
        ]
        assert [chunk.type_number for chunk in group.chunks] == [6, 6, 2, 5]  # texts, a whole number, a double


def test_a_column_with_damaged_metadata_does_not_end_the_process(tmp_path: Path) -> None:
    file = write(tmp_path / "a.parquet", {"url": ["http://x/"], "html": ["<p>x"]})
    data = file.read_bytes()
    if (levels := b"\x19\x06\x19\x26") not in data:
        pytest.skip("this pyarrow writes no counts of levels")
    file.write_bytes(data.replace(levels, b"\x19\x26\x19\x26"))  # two levels of nesting too many
    assert list(ParquetSource(file)) == [Skipped("a.parquet rows 1 to 1", "damaged")]


END = b"PAR1"


@pytest.mark.parametrize(
    "footer",
    [
        b"\x4c\x00",  # row groups that are not a list
        b"\x49\x15\x00\x00",  # a list of numbers
        b"\x49\x1c\x36\x02\x00\x00",  # a group without columns
        b"\x49\x1c\x19\x1c\x00\x26\x02\x00\x00",  # a column without metadata
        b"\x49\x1c\x19\x1c\x3c\x76\x02\x00\x00\x26\x02\x00\x00",  # metadata without a start
        b"\x49\x1c\x19\x1c\x3c\x75\x02\x26\x02\x00\x00\x26\x02\x00\x00",  # a length of another type
        b"\x49\x0c\x09\x08\x0c\x00",  # the field of row groups twice
        b"\x49\x1c",
    ],
)
def test_an_invalid_list_of_columns_is_refused(footer: bytes) -> None:
    with pytest.raises(ValueError, match=r"list|structure|without|number|twice|header"):
        groups(BytesIO(END + footer + len(footer).to_bytes(4, "little") + END))


@pytest.mark.parametrize("data", [b"", b"PAR1", b"\xff\xff\xff\x00PAR1", b"\0\0\0\0PARE"])
def test_an_invalid_footer_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a Parquet file"):
        groups(BytesIO(data))
