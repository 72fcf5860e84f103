"""Types of values."""

import pytest

from dehusk.tables._types import Type, date_of, number_of, price_of, type_of


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("1,234", 1234), ("1.234,50", 1234.5), ("1 234", 1234), ("3.5", 3.5), ("-4", -4), ("4.1255", 4.1255)],
)
def test_a_number_is_read_as_people_write_it(text: str, number: float) -> None:
    assert number_of(text) == number


@pytest.mark.parametrize("text", ["", "12 cm", "A4", "1,2,3", "10-12", "1.234"])
def test_other_texts_are_no_numbers(text: str) -> None:
    assert number_of(text) is None


@pytest.mark.parametrize(
    ("text", "number"), [("$9,970", 9970), ("€58.00", 58), ("58,00 €", 58), ("US$ 7", 7), ("12 EUR", 12)]
)
def test_a_price_has_a_currency(text: str, number: float) -> None:
    assert price_of(text) == number


@pytest.mark.parametrize("text", ["9,970", "$5 – $7", "about $5"])
def test_a_range_is_no_price(text: str) -> None:
    assert price_of(text) is None


def test_a_date_is_hardly_more_than_a_date() -> None:
    assert date_of("May 14, 1999") == "1999-05-14"
    assert date_of("It opened in the harbour on May 14, 1999") is None


def test_most_texts_decide_the_type() -> None:
    assert type_of(["$5"] * 9 + ["call us"]) is Type.PRICE
    assert type_of(["$5"] * 5 + ["call us"]) is Type.TEXT
