"""Names of columns."""

import pytest

from dehusk.tables._naming import of_label, of_place, of_property, unique


def test_a_label_is_a_name_in_lower_case() -> None:
    assert of_label("Publication Date") == "publication_date"
    assert of_label("Größe (cm)") == "größe_cm"


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("body > div.product-price > span", "price"),
        ("body > span.MovieInfoMpaaSpan", "movie_mpaa"),
        ("body > div#maker > div.wrap > span.value", "maker"),
        ("body > div > p", "paragraph"),
        ("body > ul > li", "item"),
        ("body > b", "text"),
    ],
)
def test_the_innermost_class_that_tells_something_is_a_name(place: str, name: str) -> None:
    assert of_place(place) == name


def test_a_property_is_a_name_in_words() -> None:
    assert of_property("recipeIngredient") == "recipe_ingredient"


def test_a_name_that_is_there_gets_a_number() -> None:
    assert unique(["price", "maker", "price", "page"], ["page"]) == ["price", "maker", "price_2", "page_2"]
