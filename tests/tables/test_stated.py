"""What pages state for machines, as columns."""

from dehusk.page import Page
from dehusk.tables import columns
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
