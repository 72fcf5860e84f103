"""Finds the border between template and content on a page, walking the parser's nodes.

The walk enters only regions with both template and content. No tree is built: that alone would take several times as
long as parsing.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import turbohtml
from turbohtml import Element, Text

from dehusk.base.tags import PICTURES, SENTENCE_WORDS, VOID
from dehusk.base.tree import Node, letters

UNKNOWN = -2
"""The number of a region that the template does not know."""

MANY_LABELS = 20_000
"""Maximum number of cached labels. Sites with a name for every element must not fill the memory."""

# Elements without text or picture need no verdict.
_SHOW_NOTHING = VOID - PICTURES

SENTENCE = 40
"""Minimum number of characters around a word in a sentence. Fewer may be words between the parts of a byline."""

_BEFORE = ",('\"“„«"
_AFTER = ".,;?!)'\"”’»"

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
                if likely < cut and not (place.stay and type(child) is Element and in_sentence(child)):
                    gone.append(Gone(child, number, likely))
                else:
                    kept = True
            else:
                if not above:
                    return gone, met
                stays = kept
                if not kept and len(gone) > first:  # the rest would be an empty element
                    stays = above[len(above) - 1][1].stay and in_sentence(node)
                    gone[first:] = [] if stays else [Gone(node, place.number, place.likely)]
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


def in_sentence(node: turbohtml.Node) -> bool:
    """Returns whether an element is a word inside a sentence, which would be unreadable without it."""
    if type(node) is not Element or node.tag not in SENTENCE_WORDS:
        return False
    before, after = node.previous_sibling, node.next_sibling
    if type(before) is not Text or type(after) is not Text:
        return False
    start, rest = before.data.strip(), after.data.strip()
    if not start or not rest or len(start) + len(rest) < SENTENCE:
        return False
    last, first = start[len(start) - 1], rest[0]
    return (last.isalnum() or last in _BEFORE) and (first.islower() or first in _AFTER)
