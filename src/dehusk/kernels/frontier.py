"""Finds the border between template and content on a page, walking the parser's nodes.

The walk enters only regions with both template and content. No tree is built: that alone would take several times as
long as parsing.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from turbohtml import Element, Text

from dehusk.base.tags import HEADINGS, PICTURES, SENTENCE_WORDS, VOID
from dehusk.base.tree import Node, letters

UNKNOWN = -2
"""The number of a region that the template does not know."""

MANY_LABELS = 20_000
"""Maximum number of cached labels. Sites with a name for every element must not fill the memory."""

# Elements without text or picture need no verdict.
_SHOW_NOTHING = VOID - PICTURES

_BEFORE = ",('\"“„«"
_AFTER = ".,;?!)'\"”’»"

_COMMAS = ",;、，،"
"""What may separate the words of a list inside a sentence."""

_MARKS = "[#¶§"
"""What the marks beside a heading or a sentence begin with: anchors, [edit], numbers of notes."""

_ALL = (True, True, True)

_Key = tuple[str, str | None, str | None, str | None]


class RegionPlace:
    """A region of the template, as used by the walk. `stay` says that the texts directly in it are kept."""

    __slots__ = ("below", "in_link", "likely", "number", "own", "stay", "whole")

    def __init__(
        self, number: int, likely: float, own: float | None, cut: float, *, whole: bool, in_link: bool
    ) -> None:
        self.number, self.likely, self.own = number, likely, own
        self.whole, self.in_link = whole, in_link
        self.stay = own is not None and own >= cut
        self.below: dict[str, RegionPlace] = {}


class Gone:
    """A topmost node that is template, its region, and how likely it is content nevertheless."""

    __slots__ = ("likely", "node", "region")

    def __init__(self, node: Node, region: int, likely: float) -> None:
        self.node, self.region, self.likely = node, region, likely


class Frontier:
    """The regions of a site from its root down, and a cache of labels. It may be shared between threads."""

    def __init__(
        self,
        root: RegionPlace,
        cut: float,
        known: Mapping[str, frozenset[str]] | None,
        name: Callable[[_Key, frozenset[str] | None], str],
        judge: Callable[[float, int, int], float],
    ) -> None:
        """`known` are the tokens to use with each tag, None for all; `name` makes a label of an element's tokens.

        `judge` returns how likely an unknown region is content, from how likely its parent is, its letters, and those
        in links.
        """
        self.root, self.cut, self.known, self.name, self.judge = root, cut, known, name, judge
        # Only necessary attributes are read: reading one takes as long as everything else done with an element.
        self.reads = {
            tag: tuple([any(token[0] == kind for token in tokens) for kind in "#.@"])
            for tag, tokens in (known or {}).items()
            if tokens
        }
        self.unread = None if known is not None else _ALL
        self.labels: dict[_Key, str] = {}

    def walk(self, body: Node) -> tuple[list[Gone], set[int]]:
        """Returns the topmost template nodes, in document order, and the numbers of the regions on the page."""
        gone: list[Gone] = []
        met: set[int] = set()
        cut = self.cut
        above: list[tuple[Any, RegionPlace, Iterator[Any], int, bool]] = []
        node: Any = body
        children: Iterator[Any] = iter(node)
        place, first, kept = self.root, 0, False
        while True:
            for child in children:
                if type(child) is Text:
                    if kept and place.stay:
                        continue  # the text and its parent are kept
                    if (data := child.data).isspace() or not data:
                        continue
                    if place.own is None:
                        size = letters(data)
                        number = UNKNOWN
                        likely = self.judge(place.likely, size, size if place.in_link else 0)
                    else:
                        number, likely = place.number, place.own
                elif type(child) is Element:
                    label = child.tag
                    if label in _SHOW_NOTHING:
                        continue
                    names = self.reads.get(label, self.unread)
                    if names is not None:
                        label = self.label(child, label, names)
                    known = place.below.get(label)
                    if known is None:
                        judged = self.unknown(child, place)
                        if judged is None:
                            continue
                        number, likely = judged
                    else:
                        met.add(known.number)
                        if not known.whole:
                            above.append((node, place, children, first, kept))
                            node, place, children, first, kept = child, known, iter(child), len(gone), False
                            break
                        number, likely = known.number, known.likely
                else:
                    continue
                if likely < cut:
                    gone.append(Gone(child, number, likely))
                else:
                    kept = True
            else:
                if not above:
                    return without_words(gone), met
                stays = kept
                if not kept and len(gone) > first:  # the rest would be an empty element
                    gone[first:] = [Gone(node, place.number, place.likely)]
                node, place, children, first, kept = above.pop()
                kept |= stays

    def label(self, node: Any, tag: str, names: tuple[bool, ...]) -> str:
        """Returns the label of an element. `names` says whether to read the id, the class and the role."""
        key = (
            tag,
            node.attr("id") if names[0] else None,
            node.attr("class") if names[1] else None,
            node.attr("role") if names[2] else None,
        )
        label = self.labels.get(key)
        if label is None:
            if len(self.labels) >= MANY_LABELS:
                self.labels.clear()
            label = self.labels[key] = self.name(key, None if self.known is None else self.known[tag])
        return label

    def unknown(self, node: Any, place: RegionPlace) -> tuple[int, float] | None:
        """Returns the number for an unknown region and how likely it is content; None if it has no text or picture."""
        text = node.text if len(node) else ""
        if text and not text.isspace():
            size = letters(text)
            if place.in_link:
                linked = size
            else:
                linked = in_links(node)
            return UNKNOWN, self.judge(place.likely, size, linked)
        if next(node.iter_elements(PICTURES, include_self=True), None):
            return place.number, place.likely  # pictures without text have the verdict of their parent
        return None


def in_links(node: Element) -> int:
    """Returns the number of letters in links. A link inside another (in formulas) counts with the outer one."""
    size = 0
    links = node.iter_elements("a", include_self=True)
    for link in links:
        size += letters(link.text)
        for _ in link.iter_elements("a"):
            next(links)
    return size


def without_words(gone: list[Gone]) -> list[Gone]:
    """Returns these nodes without the words of sentences that stay: a sentence is unreadable without some of its words.

    A word is an inline element. It is in a sentence if the text beside it on the line, before or after it, is kept and
    leads to it. Links that stand between bars, colons or other links are no sentence.
    """
    count = len(gone)
    words = bytearray([is_word(one.node) for one in gone])
    if not any(words):
        return gone
    stay = bytearray(count)
    start = 0
    while start < count:
        end = start + 1
        if words[start]:
            left = beside(gone[start].node, gone[start - 1].node if start else None, forward=False)
            right = beside(gone[start].node, gone[end].node if end < count else None, forward=True)
            while end < count and words[end] and right is gone[end].node:  # words with only white space between them
                end += 1
                right = beside(gone[end - 1].node, gone[end].node if end < count else None, forward=True)
            before, after = said(left).rstrip(), said(right).lstrip()
            if inside(before, after):
                stay[start:end] = b"\1" * (end - start)
            else:
                stay[start] = follows(gone[start].node, before) or listed(left, gone, stay, start - 1, forward=False)
                stay[end - 1] |= leads(after)
        start = end
    for start in range(count - 2, -1, -1):
        if words[start] and not stay[start]:
            right = beside(gone[start].node, gone[start + 1].node, forward=True)
            stay[start] = listed(right, gone, stay, start + 1, forward=True)
    return [one for one, stays in zip(gone, stay, strict=True) if not stays]


def is_word(node: Node) -> bool:
    """Returns whether a node may be a word of a sentence: inline, with letters or digits, and not a mark."""
    element: Any = node
    if type(element) is not Element or element.tag not in SENTENCE_WORDS:
        return False
    text = element.text.strip()
    return text != "" and text[0] not in _MARKS and any(map(str.isalnum, text))


def beside(node: Node, gone: Node | None, *, forward: bool) -> Node | None:
    """Returns the text before or after an element on its line, or `gone`, if that is what stands there.

    None at the end of the line, and beside a link.
    """
    current: Any = node
    while True:
        near: Any = None
        while near is None:
            near = current.next_sibling if forward else current.previous_sibling
            if near is None:
                current = current.parent
                if type(current) is not Element or current.tag not in SENTENCE_WORDS:
                    return None
        current = near
        while type(current) is Element and current is not gone:
            if current.tag not in SENTENCE_WORDS or current.tag == "a":
                return None
            if not len(current):
                break
            current = current[0 if forward else len(current) - 1]
        if current is gone or (type(current) is Text and current.data.strip()):
            found: Node = current
            return found


def said(node: Node | None) -> str:
    """Returns the text of a text node, and nothing for others."""
    text: Any = node
    return text.data if type(text) is Text else ""


def inside(before: str, after: str) -> bool:
    """Returns whether a sentence goes on from one text to the other, with a word between them."""
    if not before or not after or not (continues(before) and (after[0].isalnum() or after[0] in _AFTER)):
        return False
    return any(map(str.isalnum, before)) or any(map(str.isalnum, after))


def continues(before: str) -> bool:
    last = before[len(before) - 1]
    return last.isalnum() or last in _BEFORE


def follows(node: Node, before: str) -> bool:
    """Returns whether a text, with nothing after it that is kept, needs a word: "posted by", "1 cup"."""
    if not before or not continues(before) or heads(node):
        return False
    words = before.rstrip(_BEFORE + " ").rsplit(None, 1)
    if not words:
        return False
    first = words[len(words) - 1][0]
    if first.isalpha() and (len(words) == 1 or not first.isupper()):
        return True
    element: Any = node
    first = element.text.lstrip()[0]
    return first.islower() and next(element.iter_elements("a", include_self=True), None) is None


def leads(after: str) -> bool:
    """Returns whether a text goes on with a sentence that a word began."""
    if not after:
        return False
    if after[0] in _AFTER:
        return any(map(str.isalpha, after))
    return after[0].isalpha() and not after[0].isupper()


def heads(node: Node) -> bool:
    """Returns whether an element is in a heading. At the end of headings are marks: "edit", "link to this section"."""
    above: Any = node
    while type(above) is Element and above.tag in SENTENCE_WORDS:
        above = above.parent
    return type(above) is Element and above.tag in HEADINGS


def listed(between: Node | None, gone: list[Gone], stay: bytearray, other: int, *, forward: bool) -> bool:
    """Returns whether only a comma is between a word and another that stays."""
    text: Any = between
    if not 0 <= other < len(gone) or not stay[other] or type(text) is not Text or text.data.strip() not in _COMMAS:
        return False
    return beside(between, gone[other].node, forward=forward) is gone[other].node
