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
    found = data[name]
    if type(found) is not int:
        raise TypeError(f"{name} is not a whole number")
    return found


def decimal(data: Mapping[str, Any], name: str) -> float:
    """A number; a whole one may stand for it."""
    found = data[name]
    if type(found) not in (int, float):
        raise TypeError(f"{name} is not a number")
    return float(found)


def text(data: Mapping[str, Any], name: str) -> str:
    """A text."""
    found = data[name]
    if not isinstance(found, str):
        raise TypeError(f"{name} is not a text")
    return found


def texts(data: Mapping[str, Any], name: str) -> list[str]:
    """A list of texts."""
    found = data[name]
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise TypeError(f"{name} is not a list of texts")
    return found


def table(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """An object."""
    found = data[name]
    if not isinstance(found, dict):
        raise TypeError(f"{name} is not an object")
    return found
