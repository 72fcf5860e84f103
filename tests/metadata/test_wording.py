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


def test_a_heading_ends_before_a_bar_unless_one_word_is_before_it() -> None:
    assert titles.without_section("Boats come home | Opinion") == "Boats come home"
    assert titles.without_section("Boats | A Story") == "Boats | A Story"
