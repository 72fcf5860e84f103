"""Passes over the parser's nodes in document order: a body as arrays, and texts that may tell who wrote it, and when.

Of these texts, most cannot, which shows in one look at their characters. Whatever may tell is then looked at by those
who know words and dates: nothing that they would take is passed over.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from turbohtml import Element, Node, Text

from dehusk.base import tree as opaque
from dehusk.base.tree import TEXT

_LINKS = {"a": "href", "img": "src", "area": "href"}

Walked = tuple[list[Node], "array[int]", "array[int]", list[str], list[str], list[str]]


def walk(root: Element, not_content: frozenset[str]) -> Walked:
    """The nodes of a tree, their parents, the sizes of what is at and below them, their tags, texts and links.

    Texts are on one line; empty ones are no nodes, and nothing of the elements `not_content` is. A stack of our own
    holds, for each open element, how many children are to come and its place in the tree.
    """
    nodes: list[Node] = [root]
    parents = [-1]
    tags, texts, links = [root.tag], [""], [""]
    to_come, places = [len(root)], [0]
    top = 0
    for node in root.descendants:
        while to_come[top] == 0:
            to_come.pop()
            places.pop()
            top -= 1
        to_come[top] = to_come[top] - 1
        above = places[top]
        if type(node) is Text:
            if above >= 0:
                text = " ".join(node.data.split())
                if text:
                    nodes.append(node)
                    parents.append(above)
                    tags.append(TEXT)
                    texts.append(text)
                    links.append("")
            continue
        here = -1  # unless it is content: all below it is dropped with it
        if above >= 0 and type(node) is Element:
            tag = node.tag
            if tag not in not_content:
                here = len(nodes)
                nodes.append(node)
                parents.append(above)
                tags.append(tag)
                texts.append("")
                links.append((node.attr(_LINKS[tag]) or "") if tag in _LINKS else "")
        children = len(node)
        if children:
            to_come.append(children)
            places.append(here)
            top += 1
    parent = array("i", parents)
    return nodes, parent, sizes(parent), tags, texts, links


def sizes(parent: "array[int]") -> "array[int]":
    """The size of every subtree, from the parents of nodes in pre-order."""
    found = array("i", [1]) * len(parent)
    size = found
    for node in range(len(parent) - 1, 0, -1):
        size[parent[node]] = size[parent[node]] + size[node]
    return found


Name = tuple[str, str | None, str | None, str | None]


def names(nodes: Sequence[opaque.Node], tags: Sequence[str], index: dict[Name, int]) -> "array[int]":
    """What each element is called, as a number; -1 for a text.

    `index` has the number of each tag, id, class and role that elements have together. New ones are added to it.
    """
    found = array("i", bytes(4 * len(tags)))
    out = found
    plain: dict[str, int] = {}  # the numbers of tags alone, which are most elements
    for node in range(len(tags)):
        tag = tags[node]
        if tag == TEXT:
            out[node] = -1
            continue
        read = nodes[node].attr  # type: ignore[attr-defined]  # all others are elements
        identity = read("id")
        classes = read("class")
        role = read("role")
        alone = identity is None and classes is None and role is None
        number = plain.get(tag) if alone else None
        if number is None:
            name = (tag, identity, classes, role)
            number = index.get(name)
            if number is None:
                number = index[name] = len(index)
            if alone:
                plain[tag] = number
        out[node] = number
    return found


LONGEST = 400
"""How many characters of a text are looked at."""

_LONGEST_LINE = 160  # a longer text is prose
_LONGEST_WORD = 24  # a first word that is known is shorter, even in capitals that are two letters in small ones
_MOST_NAMES, _LEVELS = 4, 3  # words with capitals in the name of a person; elements around a text
_SAID, _DATE, _LABEL, _PERSON, _ODD, _PROSE = 1, 2, 4, 8, 16, 32
_OTHER, _SPACE, _STRANGE, _CAPITAL, _SMALL, _DIGIT, _LINE = range(7)
_ASCII = 128
_BEYOND_ASCII = "\x80"

MAY_NAME, MAY_DATE, IS_TIME = 1, 2, 4
"""What a node may tell: a person, a date, or the `datetime` of a `<time>`."""

Told = tuple[str, Node, int, str, str]
"""A text and the element that it is in, what that may tell, and the two texts before."""


class Signs:
    """What a text that names people has: a label before it, an element that it is in, or a link to a person."""

    __slots__ = ("addresses", "begins", "first_words", "folders", "labels", "last_word", "met", "selector")

    def __init__(
        self,
        labels: frozenset[str] = frozenset(),
        first_words: frozenset[str] = frozenset(),
        last_word: str = "",
        selector: str = "",
        folders: frozenset[str] = frozenset(),
        addresses: tuple[str, ...] = (),
    ) -> None:
        """Labels are, or begin with, one of `labels`; or they begin with one of `first_words`, and have `last_word`.

        `selector` picks elements with names; `folders` hold the pages of people; `addresses` are parts of theirs.
        """
        self.labels, self.first_words, self.last_word = labels, first_words, last_word
        self.selector, self.folders, self.addresses = selector, folders, addresses
        begins = {letter for word in labels | first_words for letter in (word[0], word[0].upper())}
        self.begins = bytes([chr(k) in begins for k in range(_ASCII)])
        self.met = f"time,{selector}" if selector else "time"


class Telling:
    """Reads so many nodes in the order of the page, and picks those that may tell something."""

    __slots__ = ("_before", "_begun", "_earlier", "_label", "_marked", "_most", "_nodes", "_plain", "_signs", "_silent")

    def __init__(
        self,
        nodes: Iterator[Any],
        most: int,
        signs: Signs,
        marked: set[Any],
        silent: frozenset[str],
        plain: Callable[[str], str],
    ) -> None:
        """Texts in `marked` elements may be names: those that are met are added to it.

        Texts of `silent` elements are not shown; `plain` tidies a text.
        """
        self._nodes, self._most, self._signs, self._marked = nodes, most, signs, marked
        self._silent, self._plain = silent, plain
        self._earlier = self._before = ""
        self._label = False  # whether the text before may be a label
        self._begun = False

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
        selector = signs.selector
        while self._most > 0:
            node: Any = next(self._nodes, None)
            if node is None:
                break
            self._most -= 1
            if not self._begun:  # all that is around what comes is around this, or comes too
                self._begun = True
                for above in node.ancestors if selector else ():
                    if type(above) is Element and above.matches(selector):
                        self._marked.add(above)
            if type(node) is Text:
                text = node.data
                bits = look(text, signs)
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
                tells = 0
                if bits & _ODD:
                    tells = MAY_NAME | MAY_DATE
                elif not bits & _PROSE:
                    if bits & _DATE:
                        tells = MAY_DATE
                    if selector and (
                        label
                        or bits & _LABEL
                        or (bits & _PERSON and links_to_person(parent, signs))
                        or (self._marked and is_in(parent, self._marked))
                    ):
                        tells |= MAY_NAME
                if tells:
                    return text, parent, tells, earlier, before
            elif type(node) is Element and node.matches(signs.met):
                self._marked.add(node)
                stated = node.attr("datetime") if node.tag == "time" else None
                if stated:
                    return stated, node, IS_TIME, self._earlier, self._before
        return None


def is_in(element: Any, others: set[Any]) -> bool:
    """Whether an element, or one right around it, is one of others."""
    for _ in range(_LEVELS):
        if type(element) is not Element:
            return False
        if element in others:
            return True
        element = element.parent
    return False


def links_to_person(element: Any, signs: Signs) -> bool:
    """Whether an element is, or is right in, a link that may lead to the page of a person."""
    for _ in range(_LEVELS):
        if type(element) is not Element:
            return False
        if element.tag == "a":
            address = element.attr("href")
            return address is not None and leads_to_person(address, signs)
        element = element.parent
    return False


def leads_to_person(address: str, signs: Signs) -> bool:
    """Whether an address may be in one of the folders, or like one of the addresses."""
    if "\n" in address or not address.isascii():
        return True
    lower = address.lower()
    for part in signs.addresses:
        if part in lower:
            return True
    end = len(lower)
    if lower.endswith("/"):
        end -= 1
    last = lower.rfind("/", 0, end)
    return last > 0 and lower[lower.rfind("/", 0, last) + 1 : last] in signs.folders


def kind_of(c: str) -> int:
    """What a character is, by the numbers above. Strange ones are controls, or are not seen, or begin entities."""
    if "\u4e00" <= c <= "\u9fff" or "\u0410" <= c <= "\u044f":  # as most beyond ASCII are
        return _CAPITAL
    if c.isspace():
        return _SPACE
    if c.isalnum():
        return _SMALL if "a" <= c <= "z" else _DIGIT if c.isdecimal() else _CAPITAL
    if (
        c < " "
        or c == "&"
        or "\x7f" <= c <= "\x9f"
        or c == "\xad"
        or "\u200b" <= c <= "\u200f"
        or "\u2028" <= c <= "\u202e"
        or "\u2060" <= c <= "\u2069"
        or c == "\ufeff"
        or c == "\ufffe"
        or c == "\uffff"
    ):
        return _STRANGE
    return _LINE if c == "_" else _OTHER


_KINDS = bytes([kind_of(chr(k)) for k in range(_ASCII)])


def look(text: str, signs: Signs) -> int:
    """What a text may be, as bits: something said, a date, a label for names, a person, prose.

    Odd ones have strange characters: what they say shows when they are tidied.
    """
    size = 0  # the characters of the text on one line
    digits = 0  # in a row
    joined = False  # whether a number and a point, stroke or dash came before
    begin = end = -1  # of the first word
    names = 0  # words with a capital
    spaced = person = True
    date = False
    kinds = _KINDS
    other, space, strange, capital, small, digit = _OTHER, _SPACE, _STRANGE, _CAPITAL, _SMALL, _DIGIT
    k, longest = -1, LONGEST
    for c in text:
        k += 1
        if k == longest:
            break
        kind = kinds[ord(c)] if c < _BEYOND_ASCII else kind_of(c)
        if kind == small and end >= 0 and not spaced:  # as most are
            size += 1
            digits = 0
            joined = False
            continue
        if kind == space:
            if size > _LONGEST_LINE + 1:  # with a space before it
                return _PROSE
            spaced = True
            digits = 0
            joined = False
            if end < 0 <= begin:
                end = k
            continue
        if kind == strange:
            return _ODD
        size += 2 if spaced else 1
        if kind == digit:
            digits += 1
            date = date or joined or digits == 4
        else:
            joined = digits > 0 and (c == "-" or c == "/" or c == ".")
            digits = 0
        if end < 0:
            if kind == capital or kind == small:
                if begin < 0:
                    begin = k
            elif begin >= 0:
                end = k
            elif kind != other:
                begin = end = k  # no word comes first
        if spaced:
            spaced = False
            if kind == capital:
                names += 1
            elif kind != small or (c != "v" and c != "d" and c != "l"):  # "van", "de", "la"
                person = False
        elif kind == other and c not in ".'’-":
            person = False
    if not size:
        return 0
    if size > _LONGEST_LINE + 1:
        return _PROSE
    bits = _SAID
    if date:
        bits |= _DATE
    if person and 1 < names <= _MOST_NAMES:
        bits |= _PERSON
    if 0 <= begin != end:
        c = text[begin]
        if c >= _BEYOND_ASCII or signs.begins[ord(c)]:
            if end < 0:
                end = len(text)
            if end - begin <= _LONGEST_WORD:
                word = text[begin:end].casefold()
                if word in signs.labels or (word in signs.first_words and signs.last_word in text[end:].casefold()):
                    bits |= _LABEL
    return bits


def folded(text: str) -> str:
    """The letters and digits of a text in lower case: names that differ in nothing else are the same."""
    lower = text.casefold()
    words: list[str] = []
    begin = -1
    k = 0
    for c in lower:
        if c.isalnum():
            if begin < 0:
                begin = k
        elif begin >= 0:
            words.append(lower[begin:k])
            begin = -1
        k += 1
    if begin >= 0:
        words.append(lower[begin:])
    return "".join(words)
