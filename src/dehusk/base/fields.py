"""Reading JSON, and typed access to its fields. A missing field raises KeyError, a wrong type TypeError.

`parsed` is the only place that reads JSON: the linter refuses `json.loads` elsewhere in the package.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

_SMALL = 1 << 20  # bytes; smaller JSON cannot hold enough values to exhaust memory
_STRING = re.compile(rb'"(?:[^"\\]++|\\.?)*+"?', re.DOTALL)


class TooManyValuesError(ValueError):
    """The JSON has so many values that it would take many times its size in memory."""


def parsed(data: bytes | str, most: int | None = None, *, strict: bool = True) -> Any:
    """Parses JSON of any origin. Raises ValueError if it is invalid, nested too deeply, or has too many values.

    `most` is the maximum number of values (`[]` takes 25 times its size in memory). A whole number of more digits than
    Python converts becomes a float, as other readers do: it does not make the rest unreadable. `strict=False` permits
    control characters in strings.
    """
    if most is not None and len(data) > _SMALL:
        bare = _STRING.sub(b"", data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
        if sum(map(bare.count, (b"[", b"{", b","))) > most:
            raise TooManyValuesError
    try:
        return _loaded(data, strict=strict)
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None


def _loaded(data: bytes | str, *, strict: bool) -> Any:
    try:
        return json.loads(data, strict=strict)  # noqa: TID251
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError:  # a number of too many digits (sys.set_int_max_str_digits). Else numbers are parsed in C
        return json.loads(data, strict=strict, parse_int=_whole)  # noqa: TID251


def _whole(digits: str) -> int | float:
    try:
        return int(digits)
    except ValueError:
        return float(digits)


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
