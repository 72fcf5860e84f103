"""Values that are too large are taken out of Parquet files; all other rows are read."""

from io import SEEK_CUR, SEEK_END
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from dehusk.base.errors import Skipped
from dehusk.page import Page
from dehusk.sources import _parquet_values, parquet
from dehusk.sources._parquet_values import PatchedFile
from dehusk.sources.parquet import ParquetSource

LIMIT = 100_000
LARGE = "<p>" + "x" * 20_000_000
ROWS: dict[str, list[Any]] = {
    "url": [f"http://x/{number}" for number in range(8)],
    "html": [f"<p>Page {number}. " + "word " * number * 100 for number in range(8)],
}


def outcome(path: Path, html: list[Any], **options: Any) -> list[str]:
    rows = ROWS | {"html": html}
    schema = pa.schema([pa.field("url", pa.string()), pa.field("html", pa.string(), nullable=None in html)])
    pq.write_table(pa.table(rows, schema=schema), path, **{"compression": "zstd", **options})
    items = list(ParquetSource(path, limit=LIMIT))
    for item in items:
        assert isinstance(item, Skipped) or item.html == html[int(item.name[-1])]
    return [item.name[-1] if isinstance(item, Page) else f"{item.name[-1]}: {item.reason}" for item in items]


@pytest.mark.parametrize("compression", ["zstd", "gzip", "brotli"])
@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize("empty", [True, False])
def test_one_large_row_costs_only_itself(tmp_path: Path, compression: str, *, dictionary: bool, empty: bool) -> None:
    html = [*ROWS["html"]]
    html[3] = LARGE
    if empty:
        html[5] = None
    found = outcome(tmp_path / "a.parquet", html, compression=compression, use_dictionary=dictionary)
    assert found == ["0", "1", "2", "3: too large", "4", "5: empty" if empty else "5", "6", "7"]


def test_a_large_url_costs_only_its_row(tmp_path: Path) -> None:
    rows = ROWS | {"url": ["http://x/0", "http://x/" + "1" * 20_000_000, *ROWS["url"][2:]]}
    pq.write_table(pa.table(rows), tmp_path / "a.parquet", compression="zstd")
    items = list(ParquetSource(tmp_path / "a.parquet", limit=LIMIT))
    assert items[1] == Skipped("a.parquet row 2", "too large")
    assert [item.name[-1] for item in items[2:]] == list("234567")


def test_pages_of_many_large_values_and_of_many_values_are_skipped_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [f"<p>{number}" + "x" * 90_000 for number in range(8)]  # each is within the limit, but not all together
    assert outcome(tmp_path / "a.parquet", many, use_dictionary=False) == ["8: too large"]
    html = [*ROWS["html"][:3], LARGE, *ROWS["html"][4:]]
    monkeypatch.setattr(_parquet_values, "_MOST_VALUES", 7)
    assert outcome(tmp_path / "a.parquet", html) == ["8: too large"]


def test_bombs_are_unpacked_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    html = [*ROWS["html"][:3], LARGE, *ROWS["html"][4:]]
    monkeypatch.setattr(parquet, "_UNPACKED", 10_000_000)
    monkeypatch.setattr(parquet, "MOST_TIMES", 20)
    assert outcome(tmp_path / "a.parquet", html) == ["8: too large"]


def test_a_file_with_other_bytes_is_read_like_a_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"0123456789")
    file = PatchedFile(tmp_path / "a", {2: b"ab", 7: b"c"})
    assert file.read() == b"01ab456c89"
    assert [file.seek(3), file.read(2), file.tell(), file.seek(-3, SEEK_END), file.read(5)] == [3, b"b4", 5, 7, b"c89"]
    assert [file.seek(1), file.seek(2, SEEK_CUR), file.read(1)] == [1, 3, b"b"]
    file.close()
