"""What the pages of a site have in common in their metadata."""

import json
from pathlib import Path

import dehusk
from dehusk.metadata import Habits, learn
from dehusk.metadata._habits import _bylines_of, _short_texts
from dehusk.page import Page

TIDES = ["Low Tide at the Pier", "Boats Come Home Early", "A Net Full of Herring", "The Lighthouse Sleeps"]


def page(number: int, *, date: str = "") -> str:
    """A page whose date has no field and no label, and is far below the title."""
    title = TIDES[number]
    day = date or f"{number + 3}.{number + 4}.2024"
    return (
        f"<title>{title} - Sea - Harbour News</title><body><h1><a href=/>Harbour</a></h1>"
        f"<div class=today>1.1.2030</div><div class='main p{number}'><h2>{title}</h2>"
        + "".join(f"<p>Paragraph {k} of {title}, which goes on for a while.</p>" for k in range(number * 5))
        + f"<p class=who>Sea desk / Ida Fern{'n' * number}</p><p class=when>{day}</p></div></body>"
    )


def test_names_sections_and_headings_are_what_titles_and_pages_share() -> None:
    habits = learn([Page(page(number)) for number in range(4)])
    assert set(habits.names) == {"Harbour News", "Sea"}
    assert habits.headings == ("Harbour",)


def test_the_place_with_a_different_date_on_each_page_is_where_the_site_writes_dates() -> None:
    assert learn([Page(page(number)) for number in range(4)]).date == "div.main > p.when"


def test_a_place_with_the_same_date_on_all_pages_is_not() -> None:
    assert learn([Page(page(number, date="2.2.2024")) for number in range(4)]).date == ""


def test_two_pages_are_too_few_to_learn_where_dates_are() -> None:
    assert learn([Page(page(number)) for number in range(2)]).date == ""


def test_a_site_without_pages_has_no_habits() -> None:
    assert learn([]) == Habits()


def test_a_single_page_gives_no_habits() -> None:
    html = page(3)
    alone, among = dehusk.clean(html), dehusk.learn([page(number) for number in range(4)]).clean(html)
    assert alone.metadata.site_name is None
    assert among.metadata.site_name == "Harbour News"
    assert (among.metadata.title, among.metadata.date) == (TIDES[3], "2024-07-06")


def test_habits_are_saved_with_a_template_as_readable_text(tmp_path: Path) -> None:
    template = dehusk.learn([page(number) for number in range(4)])
    template.save(tmp_path / "site.husk")
    assert json.loads((tmp_path / "site.husk").read_text())["habits"]["date"] == "div.main > p.when"
    assert dehusk.load(tmp_path / "site.husk").habits == template.habits


def test_every_method_learns_habits() -> None:
    template = dehusk.learn([page(number) for number in range(4)], method="bottom-up")
    assert template.habits.date == "div.main > p.when"
    assert [template.clean(page(number)).metadata.title for number in range(4)] == TIDES


def test_a_place_that_is_very_deep_is_not_written_down() -> None:
    deep = [page(number).replace("<h2>", "<div>" * 200 + "<h2>") for number in range(4)]
    assert learn([Page(html) for html in deep]).date == ""


def test_a_date_far_from_the_title_is_that_of_something_else() -> None:
    far = [page(number).replace("<p class=who>", "<p>x</p>" * 80 + "<p class=who>") for number in range(4)]
    assert learn([Page(html) for html in far]).date == ""


def test_bylines_by_markup_are_found_with_names_of_elements_three_levels_up() -> None:
    page = Page("<body><h1>Tides</h1><div class=byline><p><b>Ida Fern</b></p></div><p><i><b>Bo Lund</b></i></p></body>")
    near = list(_short_texts(page, 0))
    assert [text for _, text in _bylines_of(page, near)] == ["Ida Fern"]
    plain = Page("<body><p>By Ida Fern</p><p>Bo Lund</p></body>")
    assert [text for _, text in _bylines_of(plain, list(_short_texts(plain, 0)))] == ["By Ida Fern"]
