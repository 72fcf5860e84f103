"""Finds dates in text, in many languages, and writes them in ISO 8601.

Existing libraries are too slow: `experiments/metadata.py` compares them. A date must have a day. Relative dates such as
"yesterday" are not read, so that the result does not depend on the clock.
"""

import re
import unicodedata
from collections.abc import Iterator
from datetime import date

FIRST, LAST = 1990, 2099
"""The years that are accepted. The web is not older."""

LONGEST_SEARCHED = 400
"""How many characters of a text are searched: texts that state a date are short."""

# January to December, as prefixes of folded names: "sep" stands for "september" and "sept.".
_MONTHS = (
    "jan januar enero gennaio gen ene styc янв ιαν oca led",
    "feb febr fev fevr lut фев φεβ sub uno helmi",
    "mar mars marz marc maerz mrt марта март μαρ brez",
    "apr avr abr kwi апр απρ nis dub huhti",
    "may mai maj mei maggio mag mayo maio мая май μαι toukok kvet",
    "jun juin giu czer июн ιουν haz kesak cerv",
    "jul juil lug lip июл ιουλ tem heinak",
    "aug aou ago sie авг αυγ agu elok srp",
    "sep sept set wrz сен σεπ eyl syys zari",
    "oct okt ott out paz окт οκτ eki loka rij",
    "nov lis listopada ноя νοε kas marras",
    "dec dez dic gru дек δεκ ara joulu pros",
)
_MONTH_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_SHORTEST = 3

_TIME = r"(?:(?:T|\s+(?:at\s+|um\s+|à\s+)?|,\s*)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s?(?:([AaPp])\.?[Mm]\b\.?)?)?"
_ZONE = r"\s*(Z\b|UTC|GMT|[+-]\d\d(?::?\d\d)?(?!\d))?"
# These patterns begin with a digit, and look behind after it, so that the search can skip to digits, which is fast.
_NUMBERS = re.compile(
    rf"(\d\d{{3}})(?<!\d{{5}})(?<!\d\.\d{{4}})(?:([-/]|\.(?=\d\d\.\d\d))(\d\d?)\2(\d\d?)(?![\d.]\d)|\s?[年년]\s?(\d\d?)\s?[月월]\s?(\d\d?)\s?[日일]){_TIME}{_ZONE}"
)
_COMPACT = re.compile(r"((?:19|20)\d\d)(?<!\d{5})([01]\d)([0-3]\d)(?:T?(\d\d)(\d\d)(\d\d))?(?!\d)" + _ZONE)
_MONTH_NAME = r"([^\W\d_]{3,12})"
_DAY_FIRST = re.compile(
    rf"(\d(?<!\d\d)\d?)(?:st|nd|rd|th|er|º|\.)?[\s-]+(?:de\s+|of\s+)?{_MONTH_NAME}\.?,?[\s-]+(?:de\s+|del\s+)?(\d{{4}})(?!\d){_TIME}{_ZONE}"
)
_MONTH_FIRST = re.compile(rf"{_MONTH_NAME}\.?\s+(\d\d?)(?:st|nd|rd|th)?,?\s+(\d{{4}})(?!\d){_TIME}{_ZONE}")
_AFTER_MONTH = re.compile(r"\d(?:st|nd|rd|th)?,?\s+\d{4}")
_YEAR_FIRST = re.compile(rf"(\d\d{{3}})(?<!\d{{5}})\s+{_MONTH_NAME}\.?\s+(\d\d?)(?!\d){_TIME}{_ZONE}")
_SHORT_DATE = re.compile(rf"(\d(?<![\d.,/-]\d)\d?)([-/.])(\d\d?)\2(\d{{4}}|\d\d)(?![\d/]|\.\d){_TIME}{_ZONE}")
_IN_URL = re.compile(
    r"/((?:19|20)\d\d)/(\d\d?)/(\d\d?)(?!\d)|[/_-]((?:19|20)\d\d)(?P<mark>[_-]?)([01]\d)(?P=mark)([0-3]\d)(?!\d)"
)

MAY_BE = re.compile(r"\d(?:\d{3}|[-/.]\d\d?[-/.]\d\d)")
"""Every date that `search` finds matches this. Most texts do not, and are skipped quickly."""

Found = tuple[int, int, str]
"""Start and end of a date in a text, and its ISO form."""


def iso(text: str, *, day_first: bool = False) -> str | None:
    """Returns the first date of a text, with its time and zone if given; None if there is none."""
    date = search(text, day_first=day_first)
    return date[2] if date else None


def search(text: str, *, day_first: bool = False) -> Found | None:
    """Returns the first date of a text and its position, or None. With `day_first`, 3/4/2025 is the third of April."""
    text = text[:LONGEST_SEARCHED]
    return min(_all(text, day_first=day_first), default=None) if MAY_BE.search(text) else None


def of_url(url: str) -> str | None:
    """Returns the date in the path of a URL, or None."""
    for match in _IN_URL.finditer(url[:LONGEST_SEARCHED]):
        year, month, day = filter(str.isdigit, filter(None, match.groups()))
        if date := _day(year, month, day):
            return date
    return None


def may_be_same(date: str, other: str) -> bool:
    """Returns whether two dates are the same day, possibly with day and month swapped."""
    swapped = f"{other[:5]}{other[8:10]}-{other[5:7]}"
    return date[:10] in (other[:10], swapped)


def _all(text: str, *, day_first: bool) -> Iterator[Found]:
    for match in _NUMBERS.finditer(text):
        year, _, month, day, *rest = match.groups()
        yield from _dated(match, year, month or rest[0], day or rest[1], *rest[2:])
    for match in _COMPACT.finditer(text):
        year, month, day, hour, minute, right, zone = match.groups()
        yield from _dated(match, year, month, day, hour, minute, right, None, zone)
    for match in _DAY_FIRST.finditer(text):
        day, month, year, *rest = match.groups()
        yield from _dated(match, year, _month(month), day, *rest)
    for match in _MONTH_FIRST.finditer(text) if _AFTER_MONTH.search(text) else ():
        month, day, year, *rest = match.groups()
        yield from _dated(match, year, _month(month), day, *rest)
    for match in _YEAR_FIRST.finditer(text):
        year, month, day, *rest = match.groups()
        yield from _dated(match, year, _month(month), day, *rest)
    for match in _SHORT_DATE.finditer(text):
        left, mark, right, year, *rest = match.groups()
        first = mark == "." or int(left) > 12 or (day_first and int(right) <= 12)
        day, month = (left, right) if first else (right, left)
        yield from _dated(match, year if len(year) > 2 else f"20{year}", month, day, *rest)


def _dated(match: re.Match[str], year: str, month: str | None, day: str, *time: str | None) -> Iterator[Found]:
    if month and (date := _day(year, month, day)):
        yield match.start(), match.end(), date + _time(*time)


def _time(hour: str | None, minute: str | None, second: str | None, half: str | None, zone: str | None) -> str:
    """Returns the time as ISO 8601; "" if there is none or it is not valid."""
    if hour is None or minute is None:
        return ""
    number = int(hour) % 12 + 12 * (half in ("p", "P")) if half else int(hour)
    if number > 23 or int(minute) > 59 or int(second or 0) > 59:
        return ""
    if zone in ("UTC", "GMT", "Z"):
        zone = "Z"
    elif zone:
        zone = f"{zone[:3]}:{zone[-2:] if len(zone) > 3 else '00'}"
    return f"T{number:02d}:{minute}:{second or '00'}{zone or ''}"


def _day(year: str, month: str, day: str) -> str | None:
    if not FIRST <= int(year) <= LAST:
        return None
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None


def _month(name: str) -> str | None:
    """Returns the number of a month from its full or short name, or None."""
    plain = unicodedata.normalize("NFD", name.casefold())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    for length in range(len(plain), _SHORTEST - 1, -1):
        if number := _MONTH_OF.get(plain[:length]):
            return str(number)
    return None
