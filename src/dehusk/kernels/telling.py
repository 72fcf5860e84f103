"""Which texts of a page may tell who wrote it and when. Most cannot, which shows in one look at their characters.

Whatever may tell is looked at by those who know words and dates. Nothing that they would take is passed over.
"""

from collections.abc import Callable, Iterator
from typing import Any

from turbohtml import Element, Node, Text

LONGEST = 400
"""How many characters of a text are looked at."""

_LONGEST_LINE = 160  # a longer text is prose
_LONGEST_WORD = 24  # a first word that is known is shorter, even in capitals that are two letters in small ones
_LEVELS = 3
_SAID, _DATE, _LABEL, _ODD, _PROSE = 1, 2, 4, 8, 16
_NAMED, _NOT_NAMED = 1, 2

Told = tuple[str, Node, bool, str, str]
"""A text and the element that it is in, or the `datetime` of a `<time>`, that element and True; the two texts before."""


class Signs:
    """What a text that names people has: how it begins, what elements are called, and where links to people lead."""

    __slots__ = ("addresses", "first_words", "folders", "names")

    def __init__(
        self,
        first_words: frozenset[str] = frozenset(),
        names: tuple[str, ...] = (),
        folders: frozenset[str] = frozenset(),
        addresses: tuple[str, ...] = (),
    ) -> None:
        """`names` are parts of those of classes; `folders` hold the pages of people, as `addresses` do somewhere."""
        self.first_words, self.names, self.folders, self.addresses = first_words, names, folders, addresses


class Telling:
    """Reads nodes in the order of the page, and picks those that may tell something."""

    __slots__ = ("_before", "_earlier", "_label", "_names", "_nodes", "_plain", "_seen", "_signs", "_silent")

    def __init__(
        self, nodes: Iterator[Any], signs: Signs, silent: frozenset[str], plain: Callable[[str], str]
    ) -> None:
        """Texts of `silent` elements are not shown; `plain` tidies a text."""
        self._nodes, self._signs, self._silent, self._plain = nodes, signs, silent, plain
        self._earlier = self._before = ""
        self._label = False  # whether the text before may be a label
        self._seen: dict[Any, int] = {}
        self._names: dict[str, int] = {}

    def __iter__(self) -> "Telling":
        return self

    def __next__(self) -> Told:
        told = self.following()
        if told is None:
            raise StopIteration
        return told

    def following(self) -> Told | None:
        """The next node that may tell something; None where there is none."""
        signs = self._signs
        for node in self._nodes:
            if type(node) is Text:
                text = node.data
                bits = look(text, signs.first_words)
                if not bits:
                    continue
                parent: Any = node.parent
                if type(parent) is not Element or parent.tag in self._silent:
                    continue
                if bits & _ODD and not self._plain(text[:LONGEST]):
                    continue
                earlier = self._earlier
                before = self._before
                label = self._label
                self._earlier = before
                self._before = text
                self._label = (bits & (_LABEL | _ODD)) != 0
                if bits & (_DATE | _ODD) or (
                    not bits & _PROSE and (label or bits & _LABEL or (signs.names and self.is_marked(parent)))
                ):
                    return text, parent, False, earlier, before
            elif type(node) is Element and node.tag == "time":
                stated = node.attr("datetime")
                if stated:
                    return stated, node, True, self._earlier, self._before
        return None

    def is_marked(self, element: Any) -> bool:
        """Whether an element, or one right around it, may be called a byline or link to a person."""
        level = 0
        while level < _LEVELS and type(element) is Element:
            known = self._seen.get(element)
            if known is None:
                known = self._seen[element] = _NAMED if self.is_called(element) else _NOT_NAMED
            if known == _NAMED:
                return True
            element = element.parent
            level += 1
        return False

    def is_called(self, element: Any) -> bool:
        """Whether an element by itself may be called a byline or link to a person."""
        read = element.attr
        for name in ("class", "itemprop", "rel"):
            value = read(name)
            if value:
                known = self._names.get(value)
                if known is None:
                    known = self._names[value] = _NAMED if has_any(value, self._signs.names) else _NOT_NAMED
                if known == _NAMED:
                    return True
        if element.tag == "a":
            address = read("href")
            return bool(address) and leads_to_people(address, self._signs)
        return False


def has_any(text: str, parts: tuple[str, ...]) -> bool:
    """Whether a text has one of these parts in any case. Beyond ASCII, cases are a matter of their own."""
    if not text.isascii():
        return True
    lower = text.lower()
    for part in parts:
        if part in lower:
            return True
    return False


def leads_to_people(address: str, signs: Signs) -> bool:
    """Whether an address may be that of a person: something in one of the folders."""
    if "\n" in address or has_any(address, signs.addresses):
        return True
    end = len(address)
    if address.endswith("/"):
        end -= 1
    last = address.rfind("/", 0, end)
    if last <= 0:
        return False
    folder = address[address.rfind("/", 0, last) + 1 : last]
    return folder.lower() in signs.folders


def look(text: str, words: frozenset[str]) -> int:
    """What a text may be, as bits: something said, a date, a label that begins with one of these words, or prose.

    Odd ones have characters that do not count, or entities: what they say shows when they are tidied.
    """
    length = min(len(text), LONGEST)
    size = 0  # the characters of the text on one line
    digits = 0  # in a row
    joined = False  # whether a number and a point, stroke or dash came before
    begin = end = -1  # of the first word
    spaced = date = False
    for k in range(length):
        c = text[k]
        if c.isspace():
            spaced = size > 0
            digits = 0
            joined = False
            if begin >= 0 and end < 0:
                end = k
            continue
        if c == "&" or (c < " ") or ("\x7f" <= c and is_odd(c)):
            return _ODD
        size += 2 if spaced else 1
        spaced = False
        if size > _LONGEST_LINE:
            return _PROSE
        if c.isdecimal():
            digits += 1
            if digits == 4 or joined:
                date = True
        else:
            joined = digits > 0 and c in "-/."
            digits = 0
        if end < 0:
            if c.isalnum() and not c.isdecimal():
                if begin < 0:
                    begin = k
            elif begin >= 0:
                end = k
            elif c == "_" or c.isdecimal():
                begin = end = k  # no word comes first
    if not size:
        return 0
    bits = _DATE | _SAID if date else _SAID
    if begin >= 0 and words:
        if end < 0:
            end = length
        if 0 < end - begin <= _LONGEST_WORD and text[begin:end].casefold() in words:
            bits |= _LABEL
    return bits


def is_odd(c: str) -> bool:
    """Whether a character beyond ASCII is a control, or one that is not seen."""
    return (
        c <= "\x9f"
        or c == "\xad"
        or "\u200b" <= c <= "\u200f"
        or "\u2028" <= c <= "\u202e"
        or "\u2060" <= c <= "\u2069"
        or c == "\ufeff"
        or c == "\ufffe"
        or c == "\uffff"
    )
