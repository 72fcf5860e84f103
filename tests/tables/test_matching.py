"""Columns after a redesign."""

import re

import pytest

import dehusk
import demo_site
from dehusk.page import Page
from dehusk.tables.matching import found_again
from dehusk.templates.drift import State, state_of

PAGES = [Page(html, name=name) for name, html in demo_site.pages().items() if name.startswith("shop/")]


@pytest.fixture(scope="module")
def template() -> dehusk.Template:
    return dehusk.learn(PAGES, columns=True)


def redesigned() -> list[Page]:
    """The pages with other classes, and each definition as a table row."""

    def other(html: str) -> str:
        html = re.sub(r'class="[^"]*"', 'class="n"', html)
        html = re.sub(r"<(/?)(?:dl|ul)\b[^>]*>", r"<\1section>", html)
        return re.sub(r"<(/?)(?:dt|dd|li|h2)\b[^>]*>", r"<\1div>", html)

    return [Page(other(str(page.html)), name=page.name) for page in PAGES]


def test_no_column_is_gone_from_the_pages_it_was_learned_from(template: dehusk.Template) -> None:
    state = state_of(template, PAGES)
    assert state.state is State.HOLDS
    assert [column for family in state.families for column in family.columns] == []


def test_columns_that_are_gone_are_named_and_found_again(template: dehusk.Template) -> None:
    new = redesigned()
    alone = [column for family in state_of(template, new).families for column in family.columns]
    assert alone
    assert not any(column.new_place for column in alone)
    state = state_of(template, new, relearned=dehusk.learn(new, columns=True))
    gone = [column for family in state.families for column in family.columns]
    assert [column.name for column in gone] == [column.name for column in alone]
    assert any(column.new_place and column.new_place != column.place for column in gone)
    assert "columns gone" in str(state)


def test_a_column_is_found_by_its_values_if_its_name_is_another(template: dehusk.Template) -> None:
    (table,) = template.families[0].tables.tables
    title = next(column for column in table.columns if column.name == "title")
    other = type(title)("headline", (), "body > b", "", title.type, title.many, 1.0, title.seen)
    assert found_again([title], [other]) == {"title": other}
    unlike = type(title)("headline", (), "body > b", "", title.type, title.many, 1.0, frozenset({"00000000"}))
    assert found_again([title], [unlike]) == {}


def test_values_are_remembered_in_the_file(template: dehusk.Template) -> None:
    again = dehusk.Template.from_json(template.to_json())
    assert again == template
    assert all(column.seen for family in again.families for table in family.tables.tables for column in table.columns)
