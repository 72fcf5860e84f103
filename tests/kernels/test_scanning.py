"""Counts of characters in texts, compared with counts by hand, plain and compiled."""

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import _plain, kernel_versions

NAMES = [
    "size",
    "stops",
    "words",
    "letters",
    "ends",
    "sentences",
    "commas",
    "capitals",
    "upper",
    "digits",
    "dates",
    "separators",
    "money",
    "colon",
    "questions",
    "exclamations",
    "quotes",
    "title",
]
both = pytest.mark.parametrize("kernel", kernel_versions("scanning"))
TEXTS = {
    "Hello World, this is NASA at 10:30. It cost $5 or 7€!": {
        "size": 53,
        "stops": 4,
        "words": 13,
        "letters": 36,
        "ends": 53,
        "sentences": 2,
        "commas": 1,
        "capitals": 4,
        "upper": 1,
        "digits": 6,
        "dates": 1,
        "money": 2,
        "exclamations": 1,
        "title": 2 / 13,
    },
    "漢字かな。二つ 2011年": {
        "size": 27,
        "stops": 1,
        "words": 8,
        "letters": 11,
        "sentences": 1,
        "digits": 4,
        "dates": 2,
    },
    "Price:": {"size": 6, "stops": 1, "words": 1, "letters": 5, "capitals": 1, "colon": 1},
    "a | b » c": {"size": 9, "words": 3, "letters": 3, "separators": 2, "quotes": 1},
    "12.05.2024": {"size": 10, "stops": 2, "words": 3, "letters": 8, "digits": 8, "dates": 1},
    'He said: "Yes." Then 1999 left?': {
        "size": 31,
        "stops": 3,
        "words": 6,
        "letters": 21,
        "ends": 31,
        "sentences": 2,
        "capitals": 3,
        "digits": 4,
        "dates": 1,
        "questions": 1,
        "quotes": 2,
    },
}


@both
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_counted_by_its_shape(kernel: ModuleType, text: str) -> None:
    found = dict(zip(NAMES, kernel.texts([text], frozenset({"hello", "world"})), strict=True))
    assert {name: value for name, value in found.items() if value} == pytest.approx(TEXTS[text])


@both
@given(st.lists(st.text(max_size=30), max_size=4))
def test_plain_and_compiled_count_the_same(kernel: ModuleType, texts: list[str]) -> None:
    titles = frozenset({"a", "0"})
    assert kernel.texts(texts, titles) == _plain("scanning").texts(texts, titles)
