"""Selectors as CSS and as XPath."""

import pytest

from dehusk.page.places import Step, place_of
from dehusk.templates.selectors._writing import css, ftr, quoted, xpath


@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("body > div#a", "//body/div[@id='a']"),
        ("body > p.x.y", "//body/p[{x} and {y}]"),
        ("body > table > tbody > tr", "//body/table//tr"),
        ("body > table > tbody", "//body/table/tbody"),
        (r"body > o\:p", "//body/*[name()='o:p']"),
        ("body > my-box", "//body/my-box"),
    ],
)
def test_steps_as_an_xpath(place: str, path: str) -> None:
    classes = {name: f"contains(concat(' ',normalize-space(@class),' '),' {name} ')" for name in "xy"}
    assert xpath(place_of(place)) == path.format(**classes)


def test_texts_of_an_xpath_may_have_quotation_marks() -> None:
    assert quoted("a") == "'a'"
    assert quoted("it's") == '"it\'s"'
    assert quoted('it\'s "so"') == "concat('it',\"'\",'s \"so\"')"


def test_a_page_cannot_write_lines_of_a_site_config() -> None:
    bad, good = (Step("div", "a\nstrip: //body"),), (Step("div", "b"),)
    text = ftr("", 1, {"title": ["//p[@id='\r\nbody: //x']"]}, [bad, good], [[bad], [good]], "http://a.example/\nx: y")
    assert text.splitlines()[1:] == [
        "body: //div[@id='b']",
        "body: //body",
        "strip: //div[@id='b']",
        "prune: no",
        "tidy: no",
    ]


def test_the_name_of_a_site_does_not_end_the_comment_of_a_style_sheet() -> None:
    assert css("a*/ body {", 2, [], []).count("*/") == 1
