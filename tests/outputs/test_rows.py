"""JSON Lines and Parquet output have the same columns."""

import csv
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

import pytest

from dehusk.base.errors import OutputError
from dehusk.core import Learning
from dehusk.outputs import open_output, parquet
from dehusk.outputs.parquet import ParquetOutput
from dehusk.page import Page
from dehusk.templates.cleaned import Cleaned, fields_with

pq = pytest.importorskip("pyarrow.parquet")

HTML = """<html lang="en"><head><title>Tides</title><meta name="author" content="Ada"></head>
<body><nav>Home</nav><h1>Tides</h1><p>The water <a href="/r">rises</a>.</p></body></html>"""
COLUMNS = [
    "name", "url", "site", "family", "kind", "kind_confidence", "quality", "title", "author", "authors", "date",
    "modified", "language", "description", "site_name", "canonical_url", "sources", "text", "share_removed", "warnings",
]  # fmt: skip
NOTHING = Learning().learn([])


def cleaned(name: str = "") -> Cleaned:
    return NOTHING.clean(Page(HTML, url="http://site.example/tides", name=name))


def rows(file: Path) -> list[dict[str, object]]:
    if file.suffix == ".parquet":
        read: list[dict[str, object]] = pq.read_table(file).to_pylist()
        return read
    if file.suffix == ".json":
        array: list[dict[str, object]] = json.loads(file.read_text("utf-8"))
        return array
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def write(file: Path, *pages: Cleaned, site: str = "", **options: Any) -> None:
    """Writes pages to the output that the command line would open."""
    with open_output(str(file), file.suffix[1:], **options) as output:
        for page in pages:
            output.write(page.page, output.encode(page, site))


NAMES = ["out.jsonl", "out.json", "out.parquet"]


@pytest.mark.parametrize("name", NAMES)
def test_a_row_has_what_is_known_about_the_page(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, cleaned(), cleaned(), site="site.example")
    first, second = rows(tmp_path / name)
    assert first == second
    assert list(first) == COLUMNS
    assert first["url"] == "http://site.example/tides"
    assert (first["site"], first["family"]) == ("site.example", "1")
    assert (first["title"], first["author"], first["language"]) == ("Tides", "Ada", "en")
    assert first["authors"] == ["Ada"]
    sources = dict(first["sources"])  # type: ignore[call-overload]  # Parquet has pairs
    assert (sources["title"], sources["authors"], sources["language"]) == ("heading", "meta", "html")
    assert "The water rises." in str(first["text"])
    assert first["share_removed"] == 0
    assert first["warnings"] == ["learned from no page: nothing was removed"]


@pytest.mark.parametrize("name", NAMES)
def test_parts_of_the_page_are_a_column_on_request(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, cleaned(), parts=True)
    (row,) = rows(tmp_path / name)
    assert list(row) == [*COLUMNS[:-2], "parts", *COLUMNS[-2:]]
    assert row["parts"] == [asdict(part) for part in cleaned().parts]


@pytest.mark.parametrize("name", NAMES)
def test_content_may_be_markdown(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, cleaned(), markdown=True)
    (row,) = rows(tmp_path / name)
    assert "text" not in row
    assert "The water [rises](http://site.example/r)." in str(row["markdown"])


@pytest.mark.parametrize("name", NAMES)
def test_an_error_leaves_no_file(tmp_path: Path, name: str) -> None:
    def pages() -> Iterator[Cleaned]:
        yield cleaned()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / name, *pages())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_not_unicode_is_escaped(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, cleaned("caf\udce9.html"))
    assert str(rows(tmp_path / name)[0]["name"]) in ("caf\\udce9.html", "caf\udce9.html")


def test_rows_are_written_in_groups_as_they_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "_GROUP", 2 * (parquet._ROW + len(cleaned().text)))
    write(tmp_path / "out.parquet", *[cleaned()] * 7)
    file = pq.ParquetFile(tmp_path / "out.parquet")
    assert file.metadata.num_rows == 7
    assert file.num_row_groups == 3


def test_no_pages_give_a_table_without_rows(tmp_path: Path) -> None:
    write(tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").column_names == COLUMNS


def test_parquet_goes_to_an_open_stream_too() -> None:
    stream = io.BytesIO()
    output = ParquetOutput(stream)
    output.write(cleaned().page, output.encode(cleaned(), ""))
    output.close()
    assert pq.read_table(io.BytesIO(stream.getvalue())).num_rows == 1


def test_the_same_pages_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.parquet", "b.parquet"):
        write(tmp_path / name, cleaned())
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_without_pyarrow_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(OutputError, match=r"install dehusk\[parquet\]"):
        write(tmp_path / "out.parquet")
    assert not list(tmp_path.iterdir())


def test_csv_has_the_columns_of_the_rows_and_lists_as_json(tmp_path: Path) -> None:
    write(tmp_path / "out.csv", cleaned(), cleaned(), site="site.example")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        first, second = csv.DictReader(file)
    assert first == second
    assert list(first) == [field.name for field in fields_with(["text"])]
    assert (first["title"], first["date"], json.loads(first["authors"])) == ("Tides", "", ["Ada"])
    assert "The water rises." in first["text"]


@pytest.mark.parametrize(("name", "content"), [("out.json", "[\n\n]\n"), ("out.csv", "name,url,")])
def test_files_without_pages_are_valid(tmp_path: Path, name: str, content: str) -> None:
    write(tmp_path / name)
    assert (tmp_path / name).read_bytes().decode().startswith(content)


@pytest.mark.parametrize("name", ["out.jsonl", "out.json", "out.csv"])
def test_a_page_cannot_end_its_own_row(tmp_path: Path, name: str) -> None:
    hostile = 'a",\n"=1+1","b\r\n]}, {"url": "x"}\\'
    page = Page(f"<title>{escape(hostile)}</title><p>The water rises.</p><pre>{escape(hostile)}</pre>", name=hostile)
    write(tmp_path / name, NOTHING.clean(page), NOTHING.clean(page))
    with (tmp_path / name).open(encoding="utf-8", newline="") as file:
        read: list[dict[str, Any]] = list(csv.DictReader(file)) if name == "out.csv" else rows(tmp_path / name)
    assert [row["name"] for row in read] == [hostile, hostile]
    assert all(row.keys() == {field.name for field in fields_with(["text"])} for row in read)
