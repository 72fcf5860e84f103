"""Fields of JSON objects, each of the type it must have."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from dehusk.fields import decimal, number, table, text, texts


@pytest.mark.parametrize(
    ("read", "good", "bad"),
    [
        (number, [0, 7], [True, 1.0, "1", None]),
        (decimal, [0.5, 1], [True, "0.5", None]),
        (text, ["", "x"], [1, None, ["x"]]),
        (texts, [[], ["x"]], ["x", ["x", 1], None, {"x": 1}]),
        (table, [{}, {"x": 1}], [[], "x", None]),
    ],
)
def test_a_field_is_of_its_type_or_refused(
    read: Callable[[Mapping[str, Any], str], Any], good: list[Any], bad: list[Any]
) -> None:
    assert [read({"it": value}, "it") for value in good] == good
    for value in bad:
        with pytest.raises(TypeError, match="it is no"):
            read({"it": value}, "it")
    with pytest.raises(KeyError):
        read({}, "it")
