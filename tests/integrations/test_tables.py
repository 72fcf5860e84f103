"""polars, pandas and DuckDB need no adapter: the examples of their pages run, and give the text of `dehusk clean`."""

import json
from pathlib import Path

import pytest

import demo_crawl

HINT = "make test-integrations NAME=tables"
for library in ("polars", "pandas", "duckdb"):
    pytest.importorskip(library, reason=f"needs {library}: {HINT}")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the file of the examples."""
    demo_crawl.jsonl(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_polars(desk: Path) -> None:
    pages = demo_crawl.run("polars")["pages"]
    assert dict(zip(pages["url"], pages["text"], strict=True)) == demo_crawl.texts(desk)
    assert dict(zip(pages["url"], pages["markdown"], strict=True)) == demo_crawl.texts(desk, "markdown")
    assert set(pages["skipped"]) == {None}


def test_pandas(desk: Path) -> None:
    names = demo_crawl.run("pandas")
    pages, rows = names["pages"], names["rows"]
    assert dict(zip(pages["url"], pages["text"], strict=True)) == demo_crawl.texts(desk)
    assert list(rows["text"]) == list(pages["text"])
    assert pages["skipped"].isna().all()


def test_duckdb(desk: Path) -> None:
    names = demo_crawl.run("duckdb")
    expected = demo_crawl.texts(desk)
    assert dict(names["rows"]) == expected
    assert {url: text for url, _, _, text in names["columns"]} == expected
    assert names["skipped"] == []


def test_what_is_not_a_page_is_told(desk: Path) -> None:
    bad = {"url": "https://tidewater.example/price-list", "html": "%PDF-1.4"}
    with (desk / "crawl.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(bad) + "\n")
    expected = [(bad["url"], "a PDF, not HTML")]
    polars = demo_crawl.run("polars")["pages"].drop_nulls("skipped")
    assert list(zip(polars["url"], polars["skipped"], strict=True)) == expected
    pandas = demo_crawl.run("pandas")["pages"].dropna(subset=["skipped"])
    assert list(zip(pandas["url"], pandas["skipped"], strict=True)) == expected
    assert demo_crawl.run("duckdb")["skipped"] == expected
