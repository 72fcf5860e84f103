"""What pages state for machines, as columns."""

import pytest

from dehusk.page import Page
from dehusk.tables import _stated, columns
from dehusk.tables._stated import stated_values
from dehusk.tables.lines import Read

RECIPE = """<script type="application/ld+json">{"@type": "Recipe", "name": "%s", "recipeIngredient": %s,
"recipeInstructions": [{"@type": "HowToSection", "itemListElement": [{"@type": "HowToStep", "text": "Stir %s."}]}],
"nutrition": {"calories": 120}}</script>"""


def recipe(name: str, ingredients: str, body: str = "<p>Enjoy</p>") -> Read:
    page = Page(f"<body>{RECIPE % (name, ingredients, name)}{body}</body>")
    return Read(page, bytes(len(page.tree)))


def test_json_ld_gives_values_by_their_properties() -> None:
    values = [(value.stated, value.text) for value in stated_values(recipe("Soup", '["salt", "oil"]').page)]
    assert values == [
        ("name", "Soup"),
        ("recipeIngredient", "salt"),
        ("recipeIngredient", "oil"),
        ("recipeInstructions", "Stir Soup."),
        ("calories", "120"),
    ]


def test_microdata_gives_values_by_their_properties() -> None:
    page = Page('<body><span itemprop="price" content="9">nine</span><b itemprop="name">Lamp</b></body>')
    assert [(value.stated, value.text) for value in stated_values(page)] == [("price", "9"), ("name", "Lamp")]


def test_a_property_names_a_column() -> None:
    found = columns.learn([recipe("Soup", '["salt", "oil"]'), recipe("Cake", '["eggs"]')])
    assert found is not None
    assert found.record(recipe("Tea", '["leaves"]')) == {
        "name": "Tea",
        "recipe_ingredient": ["leaves"],
        "recipe_instructions": "Stir Tea.",
    }


def test_a_stated_list_is_taken_before_the_one_that_is_shown() -> None:
    pages = [
        recipe(name, json, f"<h2>Ingredients</h2><ul>{''.join(f'<li>{one}' for one in shown)}</ul>")
        for name, json, shown in (
            ("Soup", '["1 cup salt", "oil"]', ["1 cup salt", "oil", "For serving"]),
            ("Cake", '["2 eggs", "milk"]', ["2 eggs", "milk"]),
        )
    ]
    found = columns.learn(pages)
    assert found is not None
    assert found.record(pages[0])["ingredients"] == ["1 cup salt", "oil"]


def stated_in(script: str) -> list[tuple[str, str]]:
    page = Page(f"<script type=application/ld+json>{script}</script>")
    return [(value.stated, value.text) for value in stated_values(page)]


def test_lists_are_followed_to_a_limit() -> None:
    assert stated_in('{"@type": "Product", "name": [[["Lamp"]]]}') == [("name", "Lamp")]
    assert stated_in(f'{{"@type": "Product", "name": {"[" * 900}1{"]" * 900}}}') == []


@pytest.mark.parametrize("inner", ['"{long}": {{"name": "Lamp"}}', '"offer": {{"{long}": "Lamp"}}'])
def test_long_names_of_properties_are_ignored(inner: str) -> None:
    said = inner.format(long="k" * 1000)
    assert stated_in(f'{{"@type": "Product", {said}, "name": "Lamp"}}') == [("name", "Lamp")]


def test_long_types_are_ignored() -> None:
    assert stated_in(f'{{"@type": "{"x" * 1000}Product", "name": "Lamp"}}') == []


def test_nested_microdata_is_read_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_stated, "MOST_NODES", 10)
    page = Page(f"<div itemprop=name>{'<p>word</p>' * 100}</div>")
    assert [value.text.count("word") for value in stated_values(page)] == [4]
    monkeypatch.setattr(_stated, "MOST_VALUES", 3)
    assert list(stated_values(Page(f"{'<b itemprop=name></b>' * 3}<b itemprop=name>Lamp</b>"))) == []
