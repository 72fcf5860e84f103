"""Choosing the heading that is the title."""

from dehusk.kernels.walking import folded
from dehusk.metadata._ranking import LESS, Naming, RankedHeading, ranked, same
from dehusk.page import Page


def best(html: str, *called: str) -> tuple[str, float] | None:
    page = Page(html)
    naming = Naming(called, {"harbournews", ""}, {"harbournews"}, str)
    found = max(ranked(page, page.headings("h1"), naming, frozenset()), key=RankedHeading.order, default=None)
    return (found.text, found.like) if found else None


def test_a_heading_equal_to_a_title_is_best_then_one_equal_to_its_parts() -> None:
    html = "<h1>backup</h1><h1>How to store boats?</h1>"
    assert best(html, "backup - How to store boats?", "How to store boats?") == ("How to store boats?", 1.0)
    assert (best("<h1>Low Tide</h1>", "Low Tide: A Story - Paper") or ("", 0))[1] > LESS


def test_the_longest_run_of_parts_is_best() -> None:
    html = "<h2>Knots</h2><h2>Knots: A Story</h2><h2>Paper</h2>"
    assert (best(html, "Knots: A Story - Ida Fern") or ("", 0))[0] == "Knots: A Story"


def test_what_follows_a_short_section_is_a_title_but_not_what_follows_a_colon() -> None:
    assert folded("Boats at the old pier") in same(["View topic - Boats at the old pier"])
    assert folded("Boats at the old pier") not in same(["Calculator: Boats at the old pier"])
    assert folded("View topic") in same(["View topic - Boats at the old pier"])


def test_a_number_of_a_book_is_not_a_title() -> None:
    assert best("<h1>9780805087444</h1><h2>Low Tide</h2>", "Low Tide") == ("Low Tide", 1.0)
    assert best("<h1>9780805087444</h1>", "Low Tide") is None
