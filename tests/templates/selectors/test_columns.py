"""Selectors of columns: other programs find the same values with them."""

import pytest

import dehusk
import demo_site
from dehusk.page import Page
from dehusk.templates.selectors import ColumnSelector, as_json, column_selectors

SHOP = [Page(html, name=name) for name, html in demo_site.pages().items() if name.startswith("shop/")]


@pytest.fixture(scope="module")
def template() -> dehusk.Template:
    return dehusk.learn(SHOP, columns=True)


def test_a_place_has_a_css_selector_and_a_label_an_xpath(template: dehusk.Template) -> None:
    found = {one.name: one for one in column_selectors(template, SHOP)}
    assert found["price"].css == "p.price"
    assert found["maker"] == ColumnSelector(
        "maker", "", "//dt[normalize-space(.)='Maker' or normalize-space(.)='Maker:']/following-sibling::dd[1]", 1.0
    )


def test_another_parser_finds_the_values_of_the_columns(template: dehusk.Template) -> None:
    lxml = pytest.importorskip("lxml.html")
    page = SHOP[3]
    tree = lxml.fromstring(page.html)
    for one in column_selectors(template, SHOP):
        value = template.record(page)[one.name]
        texts = [" ".join(found.text_content().split()) for found in tree.xpath(one.xpath)]
        assert texts == (value if isinstance(value, list) else [value]), one.name


def test_a_column_that_no_selector_finds_is_left_out() -> None:
    pages = [
        Page(f"<p>{name}<br>{name * 2}<br>{name * 3}</p><h2>Lamp {name}</h2>") for name in ("Ann", "Bo", "Cy", "Di")
    ]
    template = dehusk.learn(pages, columns=True)
    names = {one.name for one in column_selectors(template, pages)}
    assert names < {column.name for table in template.families[0].tables.tables for column in table.columns}


def test_selectors_are_written_as_json() -> None:
    assert as_json([ColumnSelector("a", "p.a", "", 1.0)]) == (
        '{\n "a": {\n  "css": "p.a",\n  "xpath": null,\n  "right": 1.0\n }\n}\n'
    )
