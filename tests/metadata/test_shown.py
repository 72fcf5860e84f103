"""Visible dates and bylines."""

import pytest

from dehusk.metadata import _shown as shown
from dehusk.metadata._habits import Habits
from dehusk.page import Page


def around(html: str, *, named: bool = False) -> shown.ShownMetadata:
    page = Page(f"<body>{html}</body>")
    heading = next((one.node for one in page.headings("h1")), None)
    return shown.around(page.body, Habits(), shown.Aside(heading), named=named, day_first=False)


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
    assert shown.anywhere(page.body, shown.Aside(), day_first=False) == "2024-05-06"


def test_a_byline_is_looked_for_further_away_than_a_date() -> None:
    found = around("<h1>Tides</h1>" + "<p>x</p>" * 90 + "<p>By Ida Fern</p><p>May 6, 2024</p>")
    assert (found.people, found.date) == (["Ida Fern"], None)


@pytest.mark.parametrize(
    "part",
    [
        "<pre>By <b>DEFAULT</b> May 6, 2024</pre>",
        "<p><code>By Ida Fern, May 6, 2024</code></p>",
        "<form><p>By Ida Fern, May 6, 2024</p></form>",
        "<div class=comment-list><p>By Ida Fern, May 6, 2024</p></div>",
        "<div id=disqus_thread><p>By Ida Fern, May 6, 2024</p></div>",
        "<nav><p>By Ida Fern, May 6, 2024</p></nav>",
        "<ul class=related-posts><li>By Ida Fern, May 6, 2024</ul>",
    ],
)
def test_nothing_is_read_from_code_forms_menus_teasers_and_comments(part: str) -> None:
    found = around(f"<h1>Tides</h1>{part}")
    assert (found.people, found.date) == ([], None)
    page = Page(f"<h1>Tides</h1>{part}<p>Written by Bo Holm</p>")
    assert shown.anywhere(page.body, shown.Aside(), day_first=False) is None
    assert shown.signed(page.body, shown.Aside()) == ["Bo Holm"]


def test_a_form_around_the_whole_page_does_not_count() -> None:
    found = around("<form class=comments-open><h1>Tides</h1><p>By Ida Fern</p><p>May 6, 2024</p></form>")
    assert (found.people, found.date) == (["Ida Fern"], "2024-05-06")


def test_comments_are_the_content_of_a_forum() -> None:
    page = Page("<h1>Tides</h1><div class=comment>By Ida Fern, May 6, 2024</div>")
    heading = next(page.headings("h1")).node
    found = shown.around(page.body, Habits(), shown.Aside(heading, forum=True), named=False, day_first=False)
    assert found.people == ["Ida Fern"]


def test_a_time_and_its_label_are_read_far_from_the_title() -> None:
    html = "<h1>Tides</h1>" + "<p>x</p>" * 200 + "<b>Joined:</b> May 3, 2012 <time datetime=2024-05-06>Monday</time>"
    assert shown.anywhere(Page(html).body, shown.Aside(), day_first=False) == "2024-05-06"


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<p>Ida Fern</p><p>May 6, 2024</p>", "Ida Fern"),
        ("<time datetime=2024-05-06>Monday</time><p>Ida Fern</p>", "Ida Fern"),
        ("<p>May 6, 2024</p><p>by ida</p>", "ida"),
        ("<p><a href=/sea>Salt Water</a></p><p>May 6, 2024</p>", ""),
        ("<p>May 6, 2024</p><p>The water is gone.</p>", ""),
    ],
)
def test_the_person_beside_the_date_is_noticed_unless_it_is_a_link(html: str, name: str) -> None:
    assert around(f"<h1>Tides</h1>{html}").beside == name


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ("<a class=bigusername>ida</a>", ["ida"]),
        ("<h3 class=PostUser-name>ida</h3>", ["ida"]),
        ("<h4 class=author-box__name>Ida Fern</h4>", ["Ida Fern"]),
        ("<a rel=author>Ida Fern</a>", ["Ida Fern"]),
        ("<p class=file-name>Ida Fern</p>", []),
        ("<form><b class=username>Ida Fern</b></form>", []),
    ],
)
def test_an_element_called_the_name_of_a_user_or_author_names_it(html: str, names: list[str]) -> None:
    assert shown.named_element(Page(html).body, shown.Aside()) == names


def test_the_title_is_found_in_an_element_that_is_no_heading() -> None:
    page = Page("<p>Other</p><div id=here>Low Tide</div>")
    place = shown.place_of({"lowtide"}, page.body)
    assert place == page.select("#here")[0]
    assert shown.place_of({"hightide"}, page.body) is None
