"""Names of authors."""

import pytest

from dehusk.metadata import _wording as authors


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ida Fern", ["Ida Fern"]),
        ("By Ida Fern", ["Ida Fern"]),
        ("Written by: Ida Fern | 6 May 2024", ["Ida Fern"]),
        ("Von Ida Fern", ["Ida Fern"]),
        ("Ida Fern, May 6, 2024", ["Ida Fern"]),
        ("Ida Fern and Bo Holm", ["Ida Fern", "Bo Holm"]),
        ("Ida Fern, Bo Holm und Cy Dahl", ["Ida Fern", "Bo Holm", "Cy Dahl"]),
        ("Ida Fern; Bo Holm; Ida Fern", ["Ida Fern", "Bo Holm"]),
        ("Ida & Bo", ["Ida & Bo"]),
        ("Ida Fern, MD", ["Ida Fern, MD"]),
        ("Ida Fern <ida@e.example>", ["Ida Fern"]),
        ("Byron Holm", ["Byron Holm"]),
        ("Sounds On", ["Sounds On"]),
        ("The Man in the Moon", ["The Man in the Moon"]),
    ],
)
def test_a_byline_is_names_and_nothing_else(text: str, names: list[str]) -> None:
    assert authors.people(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "",
        "By",
        "admin",
        "https://e.example/ida",
        "ida@e.example",
        "262588",
        "x" * 200,
        "{{name}}",
        "See more by",
        "Sat",
        "Share",
    ],
)
def test_other_texts_are_not_names(text: str) -> None:
    assert authors.people(text) == []


def test_a_list_of_authors_is_limited() -> None:
    assert len(authors.people(";".join(f"Ida Fern{'n' * k}" for k in range(90)))) <= authors.MOST_PEOPLE
