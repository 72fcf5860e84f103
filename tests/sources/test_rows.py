"""What tables of pages have in common."""

from dehusk.sources.rows import missing


def test_a_table_without_the_columns_says_which_it_has() -> None:
    assert missing(("url", "html"), ["url", "html", "date"]) is None
    assert missing(("url", "html"), {"url": 1, "body": 2}) == "no column html; it has url, body"
    assert missing(("url", "html"), ["a"]) == "no column url and no column html; it has a"
    assert missing(("url",), []) == "no column url; it has none"


def test_of_very_many_columns_the_first_are_named() -> None:
    said = missing(("url",), [f"c{number}" for number in range(500)]) or ""
    assert said.endswith("c18, c19, ...")
