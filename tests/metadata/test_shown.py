"""Visible dates and bylines."""

import pytest

from dehusk.metadata import _shown as shown
from dehusk.metadata._habits import Habits
from dehusk.page import Page


def around(html: str, *, named: bool = False) -> shown.ShownMetadata:
    page = Page(f"<body>{html}</body>")
    heading = next((one.node for one in page.headings("h1")), None)
    return shown.around(heading, page.body, Habits(), named=named, day_first=False)


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Tides</h1><p>By Ida Fern</p><p>May 6, 2024</p><p>Text.</p>",
        "<h1>Tides</h1><p>By <a>Ida Fern</a> on <span>May 6, 2024</span></p>",
        "<h1>Tides</h1><p class=byline>Ida Fern</p><time datetime=2024-05-06>yesterday</time>",
        "<h1>Tides</h1><p class=author-box__name>Ida Fern</p><time datetime=2024-05-07T01:00Z>6 May 2024</time>",
        "<h1>Tides</h1><a rel=author>Ida Fern</a><b>May</b><b>6</b><b>2024</b>",
        "<p>May 6, 2024</p><p>Von Ida Fern</p><h1>Tides</h1><p>Text.</p>",
        "<p>By Ida Fern, May 6, 2024</p><p>A page without a heading.</p>",
    ],
)
def test_dates_and_bylines_near_the_title_are_read(html: str) -> None:
    found = around(html)
    assert (found.date, found.people) == ("2024-05-06", ["Ida Fern"])


def test_a_date_with_an_update_label_is_the_date_of_a_change() -> None:
    found = around("<h1>Tides</h1><p>Last updated: <b>May 7, 2024</b></p><p>Published May 6, 2024</p>")
    assert (found.date, found.modified) == ("2024-05-06", "2024-05-07")


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Tides</h1><p>On May 6, 2024 the water rose higher than anybody could remember, said the mayor.</p>",
        "<h1>Tides</h1><p>Copyright May 6, 2024</p>",
        "<h1>Tides</h1><script>May 6, 2024</script>",
        "<h1>Tides</h1>" + "<p>x</p>" * 200 + "<p>May 6, 2024</p>",
    ],
)
def test_a_date_in_prose_or_of_something_else_or_far_away_is_not_used(html: str) -> None:
    assert around(html).date is None


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Tides</h1><p>By the time the boats came home.</p>",
        "<h1>Tides</h1><p class=author-bio>Sailor and cook</p>",
        "<h1>Tides</h1><p>By Ida Fern</p>",
    ],
)
def test_other_texts_name_no_author(html: str) -> None:
    assert around(html, named="Ida" in html).people == []


def test_a_date_far_from_the_title_is_found_on_request() -> None:
    page = Page("<h1>Tides</h1>" + "<p>x</p>" * 200 + "<p>May 6, 2024</p>")
    assert shown.anywhere(page.body, day_first=False) == "2024-05-06"


def test_a_byline_is_looked_for_further_away_than_a_date() -> None:
    found = around("<h1>Tides</h1>" + "<p>x</p>" * 90 + "<p>By Ida Fern</p><p>May 6, 2024</p>")
    assert (found.people, found.date) == (["Ida Fern"], None)
