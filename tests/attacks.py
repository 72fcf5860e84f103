"""Attacks on regular expressions: strings of any length, made from an expression, on which a slow one takes long.

A repeat is slow if another one, or the search itself, can begin at each of its characters: the text is then read again
from each of them. So each repeat of an expression is fed with many of what it repeats, with and without what stands
before it, and with an end that does not match.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

NO_MATCH = "\x00"
"""An end of a string that no expression expects."""

CHOICES = 3
"""How many of the alternatives of an expression are tried at each place."""

EXAMPLES = 60
"""How many examples of a repeated part, with those of what stands before it, are tried."""

_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_SAMPLES = "a0 _-.:/A\t\n\u00e9,;|'\"(<[*`&=~@\u4e00\x00"

Parsed = Sequence[tuple[Any, Any]]


class Attack(NamedTuple):
    """A text that repeats a unit, between a first and a last part."""

    first: str
    unit: str
    last: str

    def text(self, size: int) -> str:
        """The text with about this many characters."""
        return self.first + self.unit * (size // len(self.unit)) + self.last


def attacks(pattern: "re.Pattern[Any]") -> Iterable[Attack]:
    """The attacks on an expression."""
    text = pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern
    parsed = parser.parse(text, pattern.flags & ~re.DEBUG)
    return dict.fromkeys(
        Attack(first, unit, last)
        for before, repeated in _repeated(parsed, "")
        for unit, first in ((repeated, ""), (repeated, before), (before + repeated, ""))
        for last in ("", NO_MATCH)
        if unit
    )


def _repeated(parsed: Parsed, before: str) -> Iterator[tuple[str, str]]:
    """Yields what each repeat of an expression can repeat, with an example of what stands before it."""
    made = [before]
    for node in parsed:
        code, value = node
        if code in _REPEATS:
            for one in islice(_examples(value[2]), EXAMPLES):
                yield from ((first, one) for first in made)
        for inside in _inside(code, value):
            for first in made:
                yield from _repeated(inside, first)
        made = [first + one for first in made for one in islice(_example(node), CHOICES)][:CHOICES]
    yield from ((made[0], one) for one in made)  # the search itself repeats the whole


def _inside(code: Any, value: Any) -> Sequence[Parsed]:
    """The expressions inside of a node."""
    if code in _REPEATS:
        return [value[2]]
    if code is codes.BRANCH:
        return list(value[1])
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code is codes.ATOMIC_GROUP:
        return [value]
    return []


def _examples(parsed: Parsed) -> Iterator[str]:
    """Yields short texts that an expression matches."""
    made = [""]
    for node in parsed:
        made = [first + one for first in made for one in _example(node)][:EXAMPLES]
    yield from dict.fromkeys(made)


def _example(node: tuple[Any, Any]) -> Iterator[str]:
    code, value = node
    if code in _REPEATS:
        least, most, inside = value
        yield from (one * max(least, 1) for one in _examples(inside))
        if least == 0 or most == 0:
            yield ""
    elif code is codes.BRANCH:
        for inside in value[1]:
            yield from islice(_examples(inside), CHOICES)
    elif code in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
        yield from _examples(value[3] if code is codes.SUBPATTERN else value)
    elif code is codes.LITERAL:
        yield chr(value)
    elif code is codes.ANY:
        yield from "ax "
    elif code in (codes.IN, codes.NOT_LITERAL):
        one = re.compile(_class(code, value), re.DOTALL)
        members = [chr(given) for kind, given in (value if code is codes.IN else ()) if kind is codes.LITERAL]
        yield from dict.fromkeys(char for char in (*members[:CHOICES], *_SAMPLES) if one.fullmatch(char))
    else:  # a position or a look-around, which matches nothing by itself
        yield ""


_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


def _class(code: Any, value: Any) -> str:
    """A class of characters as it is written."""
    if code is codes.NOT_LITERAL:
        return f"[^{re.escape(chr(value))}]"
    written: dict[Any, Callable[[Any], str]] = {
        codes.NEGATE: lambda _: "^",
        codes.LITERAL: lambda given: re.escape(chr(given)),
        codes.RANGE: lambda given: f"{re.escape(chr(given[0]))}-{re.escape(chr(given[1]))}",
        codes.CATEGORY: lambda given: _CATEGORIES[given],
    }
    return f"[{''.join(written[kind](given) for kind, given in value)}]"


def seconds(pattern: "re.Pattern[Any]", text: str, how: str) -> float:
    """Processor time of one use of an expression on a text."""
    given = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
    start = time.process_time()
    if how == "finditer":
        for _ in pattern.finditer(given):
            pass
    else:
        getattr(pattern, how)(given)
    return time.process_time() - start
