"""The types of values: prices, numbers, dates, links. A value keeps its text; a typed one stands beside it."""

import re
from collections.abc import Iterable
from enum import StrEnum

from dehusk.metadata import dates

SURE = 0.9
"""A column has a type if this share of its values can be read as it."""

_NUMBER = r"[-+−]?\d{1,3}(?:[,.'’ \u00a0\u202f]\d{3})*(?:[.,]\d+)?|[-+−]?\d+(?:[.,]\d+)?"
_NUMBER_ALONE = re.compile(rf"({_NUMBER})\s?%?")
_SIGN = r"[$€£¥₹₽₩₺₴₦฿₫₪]|\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|HUF|INR|BRL|CNY|kr|Fr\.|zł|Kč)"
_PRICE = re.compile(rf"(?:[A-Z]{{2}})?(?:{_SIGN})\s?({_NUMBER})|({_NUMBER})\s?(?:{_SIGN})")
_SPACES = re.compile(r"[’' \u00a0\u202f]")
_LONGEST = 40


class Type(StrEnum):
    """What the values of a column are."""

    TEXT = "text"
    NUMBER = "number"
    PRICE = "price"
    DATE = "date"
    LINK = "link"
    IMAGE = "image"


def number_of(text: str) -> float | None:
    """Returns a text that is a number; None for anything else."""
    found = _NUMBER_ALONE.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    return _read(found[1]) if found else None


def price_of(text: str) -> float | None:
    """Returns the number of a text that is a price with its currency; None for anything else, such as a range."""
    found = _PRICE.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    return _read(found[1] or found[2]) if found else None


def date_of(text: str) -> str | None:
    """Returns the date of a text that is hardly more than a date, in ISO 8601; else None."""
    if len(text) > _LONGEST:
        return None
    found = dates.search(text)
    return found[2] if found and (found[1] - found[0]) * 2 >= len(text) else None


_READERS = {Type.PRICE: price_of, Type.NUMBER: number_of, Type.DATE: date_of}


def type_of(texts: Iterable[str]) -> Type:
    """Returns the type of most of these texts."""
    every = list(texts)
    for kind, read in _READERS.items():
        if every and sum(read(text) is not None for text in every) >= SURE * len(every):
            return kind
    return Type.TEXT


def typed(kind: Type, text: str) -> float | str | None:
    """Returns the typed value of a text; None if it has none."""
    read = _READERS.get(kind)
    return read(text) if read else None


def _read(digits: str) -> float | None:
    """Returns a number as people write it. The last of two kinds of marks is the decimal one.

    None for "1.234", which is more than a thousand in some languages and a little more than one in others.
    """
    text = _SPACES.sub("", digits).replace("−", "-").lstrip("+")
    last = max(text.rfind("."), text.rfind(","))
    if last >= 0:
        mark, other = text[last], "," if text[last] == "." else "."
        if mark == "." and other not in text and len(text) - last == 4 and text.count(mark) == 1:
            return None
        grouped = len(text) - last == 4 and (text.count(mark) > 1 or (other not in text and mark == ","))
        text = text.replace(other, "")
        text = text.replace(mark, "") if grouped else text.replace(mark, ".")
    try:
        value = float(text)
    except ValueError:
        return None
    return value
