"""Removing site names and other additions from titles."""

import pytest

from dehusk.metadata import _wording as titles


@pytest.mark.parametrize(
    ("title", "left"),
    [
        ("Low Tide | Harbour News", "Low Tide"),
        ("Harbour News: Low Tide", "Low Tide"),
        ("Low Tide at the Old Pier - Sport - Harbour News", "Low Tide at the Old Pier"),
        ("Low Tide – harbour.example", "Low Tide"),
        ("Low Tide at the Old Pier: A Guide - Harbour News", "Low Tide at the Old Pier: A Guide"),
        ("Harbour News", "Harbour News"),
        ("Low Tide - A Story", "Low Tide - A Story"),
        ("Low Tide — HARBOUR NEWS — Harbour News", "Low Tide"),
        ("Harbour Cruise Tickets - Blue | Harbour News", "Harbour Cruise Tickets - Blue"),
        ("Low Tide\uff5cHarbour News", "Low Tide"),
        ("\u6f6e\u6c34\u9000\u4e86 \uff5cHarbour News", "\u6f6e\u6c34\u9000\u4e86"),
        ("Low Tide │ Harbour News", "Low Tide"),
        ("Low Tide · Harbour News", "Low Tide"),
        ("Low Tide » Harbour News", "Low Tide"),
        ("Low Tide :: Harbour News", "Low Tide"),
        ("9780805087444: Low Tide", "Low Tide"),
        ("Low Tide - 080508744X", "Low Tide"),
        ("Low Tide: a walk around the harbour at night", "Low Tide: a walk around the harbour at night"),
    ],
)
def test_the_name_of_the_site_and_the_section_are_removed_from_a_title(title: str, left: str) -> None:
    assert titles.without_site(title, {"harbournews"}, "www.harbour.example") == left


def test_the_front_page_is_called_by_its_site() -> None:
    title = "Harbour News - All About Boats"
    assert titles.without_site(title, {"harbournews"}, "harbour.example", front=True) == title


@pytest.mark.parametrize(
    ("text", "title"), [("Tides¶", "Tides"), ("Tides #", "Tides"), ("Learn C#", "Learn C#"), (" a\n b ", "a b")]
)
def test_permalink_marks_are_removed_from_a_title(text: str, title: str) -> None:
    assert titles.tidy(text) == title


@pytest.mark.parametrize("text", ["9780805087444", "978-0-8050-8744-4", "080508744X", "ISBN: 0805087443"])
def test_the_number_of_a_book_is_a_code(text: str) -> None:
    assert titles.is_code(text)


@pytest.mark.parametrize("text", ["1984", "2024-05-06", "20240506", "Room 9780805087444", "", "10 000 boats"])
def test_years_dates_and_names_are_no_codes(text: str) -> None:
    assert not titles.is_code(text)


def test_a_part_of_the_site_that_is_a_heading_of_the_page_is_its_name() -> None:
    def left(own: set[str]) -> str:
        return titles.without_site("Low Tide - Paperback", {"lowtide"}, "", own=own)

    assert (left(set()), left({"lowtide"}), left({"lowtide", "paperback"})) == (
        "Paperback",
        "Low Tide - Paperback",
        "Paperback",
    )


@pytest.mark.parametrize(
    ("title", "left"),
    [
        ("Business | Boats help the town to pay", "Boats help the town to pay"),
        ("Leisure | Music | Boats help the town to pay", "Boats help the town to pay"),
        ("Business | Boats help", "Business | Boats help"),
        ("Business: Boats help the town to pay", "Business: Boats help the town to pay"),
    ],
)
def test_short_sections_before_a_long_title_are_removed(title: str, left: str) -> None:
    assert titles.after_section(title) == left


def test_a_heading_ends_before_a_bar_unless_one_word_is_before_it() -> None:
    assert titles.without_section("Boats come home | Opinion") == "Boats come home"
    assert titles.without_section("Boats | A Story") == "Boats | A Story"
    assert titles.without_section("Boats come home\uff5cOpinion") == "Boats come home"
