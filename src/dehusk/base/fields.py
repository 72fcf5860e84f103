"""JSON that was read from a file, and its fields. A missing field is a KeyError, one of another type a TypeError."""

import json
import re
from collections.abc import Mapping
from typing import Any

_SMALL = 1 << 20  # bytes that cannot hold enough values to fill a memory
_STRING = re.compile(rb'"(?:[^"\\]++|\\.?)*+"?', re.DOTALL)


class TooManyValuesError(ValueError):
    """JSON that would take many times its size in memory."""


def parsed(data: bytes, most: int) -> Any:
    """The value of JSON. Raises ValueError if it is none, or has too many values: `[]` takes 25 times its size."""
    if len(data) > _SMALL:
        bare = _STRING.sub(b"", data)
        if sum(map(bare.count, (b"[", b"{", b","))) > most:
            raise TooManyValuesError
    return json.loads(data)


def number(data: Mapping[str, Any], name: str) -> int:
    """A whole number."""
    value = data[name]
    if type(value) is not int:
        raise TypeError(f"{name} is not a whole number")
    return value


def decimal(data: Mapping[str, Any], name: str) -> float:
    """A number; a whole one may stand for it."""
    value = data[name]
    if type(value) not in (int, float):
        raise TypeError(f"{name} is not a number")
    return float(value)


def text(data: Mapping[str, Any], name: str) -> str:
    """A text."""
    value = data[name]
    if not isinstance(value, str):
        raise TypeError(f"{name} is not a text")
    return value


def texts(data: Mapping[str, Any], name: str) -> list[str]:
    """A list of texts."""
    values = data[name]
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError(f"{name} is not a list of texts")
    return values


def table(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """An object."""
    value = data[name]
    if not isinstance(value, dict):
        raise TypeError(f"{name} is not an object")
    return value
