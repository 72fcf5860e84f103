"""What the texts of a page look like, whatever their language."""

import re
import unicodedata

_DATE = re.compile(
    r"\b\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d\b|\b(?:19|20)\d\d[./-]\d{1,2}[./-]\d{1,2}\b"
    r"|\b\d{1,2}(?:st|nd|rd|th|\.)?[ -][^\W\d]{3,12}[. ,-]+(?:19|20)\d\d\b"
    r"|\b[^\W\d]{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\d\d\b|\d{4}年\d{1,2}月"
    r"|\b\d{1,2}:\d\d\b(?: ?[ap]\.?m\.?)?|\b\d+ [^\W\d]{3,8} ago\b|\bvor \d+ \w+|\brok temu\b"
)
_PRICE = re.compile(r"[$€£¥₽]\s?\d|\d\s?(?:[€£₽]|zł|руб|EUR|USD|CHF)\b")
_RIGHTS = re.compile(
    r"©|\(c\) ?(?:19|20)\d\d|copyright|all rights reserved|alle rechte|все права|版权所有", re.IGNORECASE
)
_BETWEEN = re.compile(r"[\W_]+")
_ENDS = re.compile(r"[.!?…。！？](?:[\"'”’»)\]]*)(?:\s|$)|[。！？]")
_BY = re.compile(
    r"(?:by|von|par|por|di|autor|author|автор|od|written by|posted by|reported by|fuente|source|quelle)\b[: ]",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """A text as letters and digits alone, to compare it with others."""
    return _BETWEEN.sub("", (text if text.isascii() else unicodedata.normalize("NFKC", text)).lower())


def dated(text: str) -> float:
    """How much of a text is a date or a time, from 0 to 1."""
    found = [one.end() - one.start() for one in _DATE.finditer(text)]
    return min(1.0, sum(found) / len(text)) if text else 0.0


def priced(text: str) -> bool:
    """Whether it names a price."""
    return bool(_PRICE.search(text))


def reserves_rights(text: str) -> bool:
    """Whether it says whose the page is."""
    return bool(_RIGHTS.search(text))


def sentences(text: str) -> int:
    """How many sentences end in it."""
    return len(_ENDS.findall(text))


def begins_byline(text: str) -> bool:
    """Whether it begins as the line of a writer does."""
    return bool(_BY.match(text))


def is_number(text: str) -> bool:
    """Whether it is the number of a page, or an arrow."""
    return all(not char.isalpha() for char in text)
