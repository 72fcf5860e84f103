"""Rows of tables, common to JSON Lines and Parquet."""

from dehusk.sources.jsonl import missing

HINT = ": name the ones to read with --url-column and --html-column"


def test_a_table_without_the_columns_says_which_it_has() -> None:
    assert missing(("url", "html"), ["url", "html", "date"]) is None
    assert missing(("url", "html"), {"url": 1, "body": 2}) == f"no column html; it has url, body{HINT}"
    assert missing(("url", "html"), ["a"]) == f"no column url and no column html; it has a{HINT}"
    assert missing(("url",), []) == f"no column url; it has none{HINT}"


def test_only_the_first_of_many_columns_are_named() -> None:
    said = missing(("url",), [f"c{number}" for number in range(500)]) or ""
    assert f"c18, c19, ...{HINT}" in said


def test_long_names_of_columns_are_cut() -> None:
    assert missing(("url",), ["k" * 10**6]) == f"no column url; it has {'k' * 60}{HINT}"
