"""Dates as pages write them."""

import pytest

from dehusk.metadata import dates


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2024-05-06", "2024-05-06"),
        ("2024-05-06T07:08:09Z", "2024-05-06T07:08:09Z"),
        ("2024-05-06T07:08:09.123+0200", "2024-05-06T07:08:09+02:00"),
        ("2024-05-06 07:08 GMT", "2024-05-06T07:08:00Z"),
        ("20240506", "2024-05-06"),
        ("Mon, 06 May 2024 07:08:09 -05:00", "2024-05-06T07:08:09-05:00"),
        ("May 6, 2024", "2024-05-06"),
        ("Published on Sept. 6th, 2024 at 3:04 pm", "2024-09-06T15:04:00"),
        ("6th of May 2024", "2024-05-06"),
        ("6. März 2024", "2024-03-06"),
        ("Sonntag, 6. Mai 2024", "2024-05-06"),
        ("6 août 2024", "2024-08-06"),
        ("6 de mayo de 2024", "2024-05-06"),
        ("6 maggio 2024", "2024-05-06"),
        ("6 de março de 2024", "2024-03-06"),
        ("6 maja 2024", "2024-05-06"),
        ("6 мая 2024", "2024-05-06"),
        ("6 Μαΐου 2024", "2024-05-06"),
        ("2024年5月6日", "2024-05-06"),
        ("2024년 5월 6일", "2024-05-06"),
        ("06.05.2024", "2024-05-06"),
        ("5/16/2024", "2024-05-16"),
        ("16/5/2024", "2024-05-16"),
        ("16-May-2024", "2024-05-16"),
        ("2024 May 6", "2024-05-06"),
        ("2024.05.06", "2024-05-06"),
    ],
)
def test_a_date_is_read_in_many_forms_and_languages(text: str, iso: str) -> None:
    assert dates.iso(text) == iso


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2024",
        "May 2024",
        "2024-13-01",
        "2024-02-30",
        "1789-07-14",
        "version 2.10.2024.3.1",
        "Upgrade to 2024.5.6",
        "10.1000/182",
        "tel 555-12-34",
    ],
)
def test_other_texts_are_not_dates(text: str) -> None:
    assert dates.iso(text) is None


@pytest.mark.parametrize(("day_first", "iso"), [(True, "2024-04-03"), (False, "2024-03-04")])
def test_an_ambiguous_date_is_read_in_the_requested_order(day_first: bool, iso: str) -> None:
    assert dates.iso("3/4/2024", day_first=day_first) == iso


def test_the_first_of_several_dates_is_found_with_its_place() -> None:
    assert dates.search("posted May 6, 2024, changed 2024-05-07") == (7, 18, "2024-05-06")


def test_an_impossible_time_is_left_out() -> None:
    assert dates.iso("2024-05-06 25:61") == "2024-05-06"


@pytest.mark.parametrize(
    ("url", "iso"),
    [
        ("https://e.example/2024/05/06/tides", "2024-05-06"),
        ("https://e.example/2024/5/6/tides", "2024-05-06"),
        ("https://e.example/2024-05-06-tides.html", "2024-05-06"),
        ("https://e.example/boats-2024-5-6-released", None),
        ("https://e.example/news/20240506/tides", "2024-05-06"),
        ("https://e.example/2024/05/tides", None),
        ("https://e.example/p/12345678901", None),
        ("", None),
    ],
)
def test_a_url_may_contain_the_date(url: str, iso: str | None) -> None:
    assert dates.of_url(url) == iso


@pytest.mark.parametrize(
    ("other", "same"), [("2024-05-06", True), ("2024-06-05T07:08:09Z", True), ("2024-05-07", False)]
)
def test_dates_with_day_and_month_swapped_may_be_the_same(other: str, same: bool) -> None:
    assert dates.may_be_same("2024-05-06T01:00:00", other) == same
