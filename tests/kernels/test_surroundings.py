"""Summaries of the first pass for a whole page."""

from array import array
from math import log1p

import pytest

from dehusk.kernels.surroundings import overview

# An article of 200 letters in one text, 300 letters of comments in two, a menu of 50 in five.
SIZES, TEXTS = array("d", [200, 300, 50]), array("d", [1, 2, 5])
LIKELY, BITS, INSIDE = array("d", [0.9, 0.4, 0.0]), array("i", [2, 0, 1]), bytearray([0, 1, 0])


def test_letters_of_content_and_comments_are_counted_separately() -> None:
    found = overview(SIZES, TEXTS, LIKELY, BITS, INSIDE, 40.0, 2, 0.7)
    likely, sure, letters, best, likely_outside, outside, inside, likely_inside = found[:8]
    assert likely == pytest.approx(300 / 550)
    assert sure == pytest.approx(180 / 300)
    assert letters == pytest.approx(log1p(550))
    assert best == 0.7
    assert likely_outside == pytest.approx(log1p(180))
    assert outside == pytest.approx(log1p(200))  # the menu is not prose
    assert inside == pytest.approx(log1p(300))
    assert likely_inside == pytest.approx(120 / 300)


def test_each_kind_of_name_has_its_share_of_the_content_and_of_the_text() -> None:
    found = overview(SIZES, TEXTS, LIKELY, BITS, INSIDE, 40.0, 2, 0.7)
    assert list(found[8:]) == pytest.approx([0.0, 50 / 550, 180 / 300, 200 / 550])


def test_a_page_without_text_has_zero_counts() -> None:
    none = array("d")
    assert list(overview(none, none, none, array("i"), bytearray(), 40.0, 1, 0.0)) == [0.0] * 10
