"""Type checks for the fields of JSON objects."""

import json
import tracemalloc
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from dehusk.base.fields import TooManyValuesError, decimal, number, parsed, table, text, texts


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
def test_a_field_of_a_wrong_type_is_refused(
    read: Callable[[Mapping[str, Any], str], Any], good: list[Any], bad: list[Any]
) -> None:
    assert [read({"it": value}, "it") for value in good] == good
    for value in bad:
        with pytest.raises(TypeError, match="it is no"):
            read({"it": value}, "it")
    with pytest.raises(KeyError):
        read({}, "it")


def test_json_with_too_many_values_is_refused_before_it_is_parsed() -> None:
    bomb = b"[" + b"[]," * 400_000 + b"[]]"
    tracemalloc.start()
    with pytest.raises(TooManyValuesError):
        parsed(bomb, 1000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * len(bomb)


@pytest.mark.parametrize("inside", ["[],{}" * 300_000, '\\"[],' * 300_000, "\\\\" * 600_000])
def test_brackets_and_commas_inside_strings_are_not_counted(inside: str) -> None:
    assert parsed(json.dumps({"html": inside}).encode(), 10) == {"html": inside}


def test_an_unterminated_string_is_not_json() -> None:
    with pytest.raises(ValueError, match=r"JSON|Unterminated|delimiter"):
        parsed(b'{"html": "' + b'\\"' * 600_000, 10)


@pytest.mark.parametrize("data", [b"[" * 2_000_000, "[" * 100_000, b'{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_json_that_is_nested_too_deeply_is_invalid_and_not_a_recursion_error(data: bytes | str) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        parsed(data)


def test_a_number_of_too_many_digits_becomes_a_float_and_costs_nothing_else() -> None:
    digits = "9" * 10_000
    assert parsed(f'{{"a": {digits}, "b": -{digits}, "c": 1{"0" * 300}, "d": [7]}}') == {
        "a": float("inf"),
        "b": float("-inf"),
        "c": 10**300,
        "d": [7],
    }


def test_bytes_that_are_not_unicode_are_not_json() -> None:
    with pytest.raises(ValueError, match="decode"):
        parsed(b'{"a": "\xff"}')
