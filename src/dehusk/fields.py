"""Fields of JSON objects that were read from a file. A missing field is a KeyError, one of another type a TypeError."""

from collections.abc import Mapping
from typing import Any


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
