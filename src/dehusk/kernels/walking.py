"""Passes over the parser's nodes in document order: to build arrays, and to find texts with an author or a date.

Most texts have neither, which a quick scan of their characters shows. The rest is read by the metadata modules; the
scan never rejects a text that they would accept.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from turbohtml import Element, Node, Text

from dehusk.base import tree as opaque
from dehusk.base.tree import TEXT

_LINKS = {"a": "href", "img": "src", "area": "href"}

_ROOM, _DEEP = 1000, 100  # initial numbers of nodes, and of open elements

Walked = tuple[list[Node], "array[int]", "array[int]", list[str], list[str], list[str]]


def walk(root: Element, not_content: frozenset[str]) -> Walked:
    """Returns the nodes of a tree, their parents, sizes of subtrees, tags, texts and links.

    Texts have normalized whitespace; empty texts and elements in `not_content` are left out. A stack holds, for each
    open element, the number of children to come and its number in the tree.
    """
    nodes: list[Node] = [root]
    tags, texts, links = [root.tag], [""], [""]
    parents, room = array("i", [-1]) * _ROOM, _ROOM
    lefts, insides, deep = array("i", [0]) * _DEEP, array("i", [0]) * _DEEP, _DEEP
    parent = parents
    to_come = lefts
    places = insides
    to_come[0] = len(root)
    top = 0
    count = 1
    for node in root.descendants:
        while to_come[top] == 0:
            top -= 1
        to_come[top] = to_come[top] - 1
        above = places[top]
        if type(node) is Text:
            if above >= 0:
                text = node.data
                if not text.isspace():  # most texts are only indentation
                    text = _on_one_line(text)
                    if text:
                        nodes.append(node)
                        tags.append(TEXT)
                        texts.append(text)
                        links.append("")
                        if count == room:
                            parent = parents = parents + parents
                            room *= 2
                        parent[count] = above
                        count += 1
            continue
        here = -1  # an element that is left out, with all its descendants
        if above >= 0 and type(node) is Element:
            tag = node.tag
            if tag not in not_content:
                here = count
                nodes.append(node)
                tags.append(tag)
                texts.append("")
                links.append((node.attr(_LINKS[tag]) or "") if tag in _LINKS else "")
                if count == room:
                    parent = parents = parents + parents
                    room *= 2
                parent[count] = above
                count += 1
        children = len(node)
        if children:
            top += 1
            if top == deep:
                to_come = lefts = lefts + lefts
                places = insides = insides + insides
                deep *= 2
            to_come[top] = children
            places[top] = here
    parents = parents[:count]
    return nodes, parents, sizes(parents), tags, texts, links


def _on_one_line(text: str) -> str:
    """Returns a text with normalized whitespace. Most texts need no change."""
    spaced = True
    for k in range(len(text)):
        char = text[k]
        if char.isspace():
            if spaced or char != " ":
                return " ".join(text.split())
            spaced = True
        else:
            spaced = False
    return text[: len(text) - 1] if spaced and text else text


def sizes(parent: "array[int]") -> "array[int]":
    """Returns the size of every subtree, from the parents of nodes in pre-order."""
    found = array("i", [1]) * len(parent)
    size = found
    for node in range(len(parent) - 1, 0, -1):
        size[parent[node]] = size[parent[node]] + size[node]
    return found


def flagged(nodes: Sequence[opaque.Node], size: "array[int]", chosen: Sequence[opaque.Node], flags: bytearray) -> int:
    """Flags nodes and their descendants until one is not in page order. Returns how many nodes were handled."""
    at = 0
    last = len(chosen)
    out = flags
    node = 0
    while node < len(nodes) and at < last:
        if nodes[node] is chosen[at]:
            at += 1
            for below in range(node, node + size[node]):
                out[below] = 1
            node += size[node]
        else:
            node += 1
    return at


def labels(nodes: Sequence[opaque.Node], having: Sequence[opaque.Node], names: Sequence[str], out: list[str]) -> None:
    """Appends the values of these attributes to `out`, which has a text for each node.

    `having` are the elements that have one of them. The parser finds these at once; asking each node takes much longer.
    """
    at = 0
    last = len(having)
    for node in range(len(nodes)):
        if at == last:
            break
        if nodes[node] is having[at]:
            at += 1
            read = nodes[node].attr  # type: ignore[attr-defined]  # only elements have attributes
            label = out[node]
            for name in names:
                value = read(name)
                if value:
                    label = label + " " + value if label else value
            out[node] = label


Name = tuple[str, str | None, str | None, str | None]


def names(nodes: Sequence[opaque.Node], tags: Sequence[str], index: dict[Name, int]) -> "array[int]":
    """Returns a number for the name of each element; -1 for a text.

    A name is tag, id, class and role together. New names are added to `index`.
    """
    found = array("i", bytes(4 * len(tags)))
    out = found
    plain: dict[str, int] = {}  # numbers of names that are only a tag, as most are
    for node in range(len(tags)):
        tag = tags[node]
        if tag == TEXT:
            out[node] = -1
            continue
        element: Any = nodes[node]
        left = len(element.attrs)  # to look for one attribute takes longer than to count all of them
        identity = classes = role = None
        if left:
            classes = element.attr("class")
            if left > (classes is not None):
                identity = element.attr("id")
                if left > (classes is not None) + (identity is not None):
                    role = element.attr("role")
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
"""How many characters of a text are scanned."""

_LONGEST_LINE = 160  # a longer text is prose
_LONGEST_WORD = 24  # all known first words are shorter, even if case folding makes them longer
_MOST_NAMES, _LEVELS = 4, 3  # maximum of capitalized words in a person's name, and of elements checked around a text
_SAID, _DATE, _LABEL, _PERSON, _ODD, _PROSE = 1, 2, 4, 8, 16, 32
_OTHER, _SPACE, _STRANGE, _CAPITAL, _SMALL, _DIGIT, _LINE = range(7)
_ASCII = 128
_BEYOND_ASCII = "\x80"

MAY_NAME, MAY_DATE, IS_TIME = 1, 2, 4
"""What a node may have: a name, a date, or the `datetime` of a `<time>`."""

Told = tuple[str, Node, int, str, str]
"""A text, the element it is in, what it may have (as bits), and the two texts before it."""


class Signs:
    """Signs of a text that names people: a label, the element around it, or a link to a person's page."""

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
        """A label begins with one of `labels`, or begins with one of `first_words` and contains `last_word`.

        `selector` selects elements that may hold names. `folders` are URL folders with pages of people, `addresses`
        parts of the URLs of such pages.
        """
        self.labels, self.first_words, self.last_word = labels, first_words, last_word
        self.selector, self.folders, self.addresses = selector, folders, addresses
        begins = {letter for word in labels | first_words for letter in (word[0], word[0].upper())}
        self.begins = bytes([chr(k) in begins for k in range(_ASCII)])
        self.met = f"time,{selector}" if selector else "time"


class Telling:
    """Iterates over at most `most` nodes and yields those that may have a name or a date."""

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
        """Texts in `marked` elements may be names. Elements that match the selector are added to it.

        Texts of `silent` elements are not visible. `plain` normalizes a text.
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
        """Returns the next node that may have a name or a date; None at the end."""
        signs = self._signs
        selector = signs.selector
        while self._most > 0:
            node: Any = next(self._nodes, None)
            if node is None:
                break
            self._most -= 1
            if not self._begun:  # ancestors of later nodes are ancestors of this one, or come later themselves
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
    """Returns whether an element, or one of the next elements around it, is in a set."""
    for _ in range(_LEVELS):
        if type(element) is not Element:
            return False
        if element in others:
            return True
        element = element.parent
    return False


def links_to_person(element: Any, signs: Signs) -> bool:
    """Returns whether an element is, or is close inside, a link that may lead to a person's page."""
    for _ in range(_LEVELS):
        if type(element) is not Element:
            return False
        if element.tag == "a":
            address = element.attr("href")
            return address is not None and leads_to_person(address, signs)
        element = element.parent
    return False


def leads_to_person(address: str, signs: Signs) -> bool:
    """Returns whether a URL may be in one of the folders, or contain one of the addresses."""
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
    """Returns the class of a character. Strange ones are control characters, invisible, or begin entities."""
    if "\u4e00" <= c <= "\u9fff" or "\u0410" <= c <= "\u044f":  # the most frequent beyond ASCII
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
    """Returns what a text may be, as bits: not empty, a date, a label for names, a person, prose.

    A text with strange characters is odd: it must be normalized before it can be judged.
    """
    size = 0  # characters, with normalized whitespace
    digits = 0  # consecutive digits
    joined = False  # whether a number and a point, slash or dash came before
    begin = end = -1  # start and end of the first word
    names = 0  # capitalized words
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
        if kind == small and end >= 0 and not spaced:  # most characters
            size += 1
            digits = 0
            joined = False
            continue
        if kind == space:
            if size > _LONGEST_LINE + 1:  # `size` includes a space before the text
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
                begin = end = k  # the text does not begin with a word
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
    """Returns only the letters and digits of a text, in lower case, to compare names."""
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
