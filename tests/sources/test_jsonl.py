"""JSON Lines as sources."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from dehusk.base.errors import Skipped, SourceError
from dehusk.page import Page
from dehusk.sources import open_source
from dehusk.sources.jsonl import JsonLines

HINT = ": name the ones to read with --url-column and --html-column"
ROWS = [{"url": f"http://site.example/{name}", "html": f"<p>Señor {name}", "more": [1]} for name in "abc"]


def lines(*rows: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def read(tmp_path: Path, data: bytes, limit: int = 10_000) -> list[Page | Skipped]:
    (tmp_path / "pages.jsonl").write_bytes(data)
    return list(JsonLines(tmp_path / "pages.jsonl", limit=limit))


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress], ids=["plain", "gzip", "zstd"])
def test_every_line_is_a_page(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    pages = read(tmp_path, pack(lines(*ROWS)))
    assert [(page.url, page.name, page.html) for page in pages if isinstance(page, Page)] == [
        (row["url"], row["url"], row["html"]) for row in ROWS
    ]


def test_columns_may_have_other_names_and_a_source_is_read_twice(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines({"address": "http://site.example/", "body": "<p>x"}))
    source = JsonLines(tmp_path / "a.jsonl", url_column="address", html_column="body")
    assert source.names is None
    assert [item.name for item in [*source, *source]] == ["http://site.example/"] * 2


@pytest.mark.parametrize(
    ("line", "item"),
    [
        (b'{"url": "http://x/", "html": "<p>', Skipped("pages.jsonl line 2", "not JSON")),
        (b"\xff\xfe\x00", Skipped("pages.jsonl line 2", "not JSON")),
        (b"[" * 100_000, Skipped("pages.jsonl line 2", "not JSON")),
        (b"[1]", Skipped("pages.jsonl line 2", "not a JSON object")),
        (b'{"url": "http://x/"}', Skipped("pages.jsonl line 2", f"no column html; it has url{HINT}")),
        (b'{"html": "<p>x"}', Skipped("pages.jsonl line 2", f"no column url; it has html{HINT}")),
        (b'{"url": "http://x/", "html": null}', Skipped("http://x/", "empty")),
        (b'{"url": "http://x/", "html": " "}', Skipped("http://x/", "empty")),
        (b'{"url": "http://x/", "html": 5}', Skipped("http://x/", "not HTML")),
        (b'{"url": "http://x/", "html": "%PDF-1.4"}', Skipped("http://x/", "a PDF, not HTML")),
    ],
)
def test_a_bad_line_costs_only_that_line(tmp_path: Path, line: bytes, item: Skipped) -> None:
    before, skipped, after = read(tmp_path, lines(ROWS[0]) + line + b"\n" + lines(ROWS[1]), limit=200_000)
    assert skipped == item
    assert [before.name[-1], after.name[-1]] == ["a", "b"]


def test_a_page_without_an_address_is_named_by_its_line(tmp_path: Path) -> None:
    (page,) = read(tmp_path, b"\n" + lines({"url": None, "html": "<p>x"}))
    assert isinstance(page, Page)
    assert (page.url, page.name) == (None, "pages.jsonl line 2")


def test_an_unpaired_surrogate_does_not_stop_reading(tmp_path: Path) -> None:
    (page,) = read(tmp_path, b'{"url": "http://x/", "html": "<p>\\ud83d"}\n')
    assert isinstance(page, Page)
    assert len(page.tree) == 3


def test_a_line_above_the_limit_is_too_large(tmp_path: Path) -> None:
    large = lines({"url": "http://x/", "html": "x" * 3_000_000})
    found = read(tmp_path, lines(ROWS[0]) + large + lines(ROWS[1]))
    assert [item.name for item in found] == [ROWS[0]["url"], "pages.jsonl line 2", ROWS[1]["url"]]
    assert found[1] == Skipped("pages.jsonl line 2", "too large")


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_truncated_file_gives_the_lines_before_the_cut(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    items = read(tmp_path, pack(lines(*ROWS))[:-10])
    assert isinstance(items[-1], Skipped)
    assert items[-1].reason == "damaged"


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none\.jsonl"):
        JsonLines(tmp_path / "none.jsonl")


def test_a_line_of_many_small_values_is_too_large(tmp_path: Path) -> None:
    bomb = b'{"url": "http://x/", "html": "<p>x", "z": [' + b"[]," * 400_000 + b"[]]}\n"
    items = read(tmp_path, bomb + lines(ROWS[0]), limit=10**7)
    assert items[0] == Skipped("pages.jsonl line 1", "too large")
    assert isinstance(items[1], Page)


def test_a_number_of_thousands_of_digits_does_not_cost_the_page_of_its_line(tmp_path: Path) -> None:
    line = b'{"id": %s, "url": "http://x/", "html": "<p>x"}\n' % (b"7" * 10_000)
    assert [item.name for item in read(tmp_path, line + lines(ROWS[0]), limit=20_000)] == ["http://x/", ROWS[0]["url"]]


@pytest.mark.parametrize(
    "text",
    [
        '[{"url": "http://a.example/", "html": "<p>one"}]',
        '{"url": "http://a.example/", "html": "<p>one"}',
        '{"url": "http://a.example/", "html": "<p>one"}\n\n{"url": "http://a.example/", "html": "<p>one"}\n',
    ],
)
def test_a_json_file_is_an_array_an_object_or_lines(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    items = list(open_source([tmp_path / "x.json"]))
    assert {(item.url, item.html) for item in items if isinstance(item, Page)} == {("http://a.example/", "<p>one")}


@pytest.mark.parametrize(("text", "why"), [("<p>", "not JSON"), ("[1]", "not a JSON object"), ("[{}]", "no column")])
def test_a_json_file_without_pages_is_not_a_page(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "x.json").write_text(text)
    (item,) = open_source([tmp_path / "x.json"])
    assert isinstance(item, Skipped)
    assert why in item.reason
