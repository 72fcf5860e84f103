"""Typed access to fields of parsed JSON. A missing field raises KeyError, a wrong type TypeError."""

import json
import re
from collections.abc import Mapping
from typing import Any

_SMALL = 1 << 20  # bytes; smaller JSON cannot hold enough values to exhaust memory
_STRING = re.compile(rb'"(?:[^"\\]++|\\.?)*+"?', re.DOTALL)


class TooManyValuesError(ValueError):
    """The JSON has so many values that it would take many times its size in memory."""


def parsed(data: bytes, most: int) -> Any:
    """Parses JSON. Raises ValueError if it is invalid or has too many values (`[]` takes 25 times its size)."""
    if len(data) > _SMALL:
        bare = _STRING.sub(b"", data)
        if sum(map(bare.count, (b"[", b"{", b","))) > most:
            raise TooManyValuesError
    return json.loads(data)


def number(data: Mapping[str, Any], name: str) -> int:
    """The field as an integer."""
    value = data[name]
    if type(value) is not int:
        raise TypeError(f"{name} is not a whole number")
    return value


def decimal(data: Mapping[str, Any], name: str) -> float:
    """The field as a float; accepts integers."""
    value = data[name]
    if type(value) not in (int, float):
        raise TypeError(f"{name} is not a number")
    return float(value)


def text(data: Mapping[str, Any], name: str) -> str:
    """The field as a string."""
    value = data[name]
    if not isinstance(value, str):
        raise TypeError(f"{name} is not a string")
    return value


def texts(data: Mapping[str, Any], name: str) -> list[str]:
    """The field as a list of strings."""
    values = data[name]
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError(f"{name} is not a list of strings")
    return values


def table(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The field as a dict (a JSON object)."""
    value = data[name]
    if not isinstance(value, dict):
        raise TypeError(f"{name} is not an object")
    return value
