"""The frontier between template and content on a page, walked straight over the parser's nodes.

A place that is template throughout is named without a look inside, one that is content throughout is not entered; only
mixed ones are. No tree is built: that alone would take several times as long as parsing.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import turbohtml
from turbohtml import Element, Text

from dehusk.base.tags import PICTURES, SENTENCE_WORDS, VOID
from dehusk.base.tree import Node, letters

UNKNOWN = -2
"""In place of the number of a region: the template does not know it."""

MANY_LABELS = 20_000
"""How many labels are remembered: sites that give every element its own name must not fill the memory."""

# They hold and show nothing, so it does not matter what they are.
_SHOW_NOTHING = VOID - PICTURES

SENTENCE = 40
"""This many characters around a word are a sentence; fewer are the words between the parts of a byline."""

_BEFORE = ",('\"“„«"
_AFTER = ".,;?!)'\"”’»"

_ALL = (True, True, True)

_Key = tuple[str, str | None, str | None, str | None]


class RegionPlace:
    """A region of the template as the walk meets it; `stay` says that the texts directly in it do."""

    __slots__ = ("below", "in_link", "likely", "number", "own", "stay", "whole")

    def __init__(
        self, number: int, likely: float, own: float | None, cut: float, *, whole: bool, in_link: bool
    ) -> None:
        self.number, self.likely, self.own = number, likely, own
        self.whole, self.in_link = whole, in_link
        self.stay = own is not None and own >= cut
        self.below: dict[str, RegionPlace] = {}


class Gone:
    """A topmost node that is template: the region that says so, and how likely it is content all the same."""

    __slots__ = ("likely", "node", "region")

    def __init__(self, node: Node, region: int, likely: float) -> None:
        self.node, self.region, self.likely = node, region, likely


class Frontier:
    """The places of a site from its root down, and a memory for labels that any number of threads may share."""

    def __init__(
        self,
        root: RegionPlace,
        cut: float,
        known: Mapping[str, frozenset[str]] | None,
        name: Callable[[_Key, frozenset[str] | None], str],
        judge: Callable[[float, int, int], float],
    ) -> None:
        """`known` are the tokens that count with each tag, None for all; `name` makes a label of those on an element.

        `judge` says how likely an unknown region is content. It is given how likely the region around it is, its
        letters, and those of them in links.
        """
        self.root, self.cut, self.known, self.name, self.judge = root, cut, known, name, judge
        # To read an attribute takes as long as all else that is done with an element.
        self.reads = {
            tag: tuple([any(token[0] == kind for token in tokens) for kind in "#.@"])
            for tag, tokens in (known or {}).items()
            if tokens
        }
        self.unread = None if known is not None else _ALL
        self.labels: dict[_Key, str] = {}

    def walk(self, body: Node) -> tuple[list[Gone], set[int]]:
        """The topmost nodes that are template, in document order, and the numbers of the regions that were met."""
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
                        continue  # it stays, and so does what it is in
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
                if not kept and len(gone) > first:  # what is left would be a shell
                    stays = above[len(above) - 1][1].stay and in_sentence(node)
                    gone[first:] = [] if stays else [Gone(node, place.number, place.likely)]
                node, place, children, first, kept = above.pop()
                kept |= stays

    def label(self, node: Any, tag: str, names: tuple[bool, ...]) -> str:
        """The tag with the tokens that count; `names` says whether to read the id, the class and the role."""
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
        """How likely a region that the template does not know is content; None where it shows nothing."""
        text = node.text if len(node) else ""
        if text and not text.isspace():
            size = letters(text)
            if place.in_link:
                linked = size
            else:
                linked = in_links(node)
            return UNKNOWN, self.judge(place.likely, size, linked)
        if next(node.iter_elements(PICTURES, include_self=True), None):
            return place.number, place.likely  # pictures without a word go with what they are in
        return None


def in_links(node: Element) -> int:
    """The letters in links. A link inside another, as formulas may have them, is counted with the outer one."""
    size = 0
    links = node.iter_elements("a", include_self=True)
    for link in links:
        size += letters(link.text)
        for _ in link.iter_elements("a"):
            next(links)
    return size


def in_sentence(node: turbohtml.Node) -> bool:
    """Whether an element is a word of a sentence that goes on after it: without it, nobody could read the rest."""
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
