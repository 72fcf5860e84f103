"""The frontier between template and content on a page, walked straight over the parser's nodes.

A place that is template throughout is named without a look inside, one that is content throughout is not entered; only
mixed ones are. No tree is built: that alone would take several times as long as parsing.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from turbohtml import Element, Node, Text

from dehusk.methods._regions import label_of
from dehusk.tree import PICTURES, letters

STRANGER = -2
"""In place of the number of a region: the template does not know it."""

MANY_LABELS = 20_000
"""So many labels are remembered: sites that give every element a name of its own must not fill the memory."""

# They hold and show nothing, so nobody need know what they are.
_SILENT = frozenset({"area", "base", "br", "col", "hr", "input", "link", "meta", "param", "source", "track", "wbr"})

_ALL = (True, True, True)

_Key = tuple[str, str | None, str | None, str | None]


class Place:
    """A region of the template as the walk meets it; `texts` says whether those directly in it go, if that is known."""

    __slots__ = ("below", "in_link", "likely", "number", "own", "texts", "whole")

    def __init__(
        self, number: int, likely: float, own: float | None, cut: float, *, whole: bool, in_link: bool
    ) -> None:
        self.number, self.likely, self.own = number, likely, own
        self.whole, self.in_link = whole, in_link
        self.texts = None if own is None else own < cut
        self.below: dict[str, Place] = {}


class Gone(NamedTuple):
    """A topmost node that is template: the region that says so, and how likely it is content all the same."""

    node: Node
    region: int
    likely: float


class Frontier:
    """The places of a site from its root down, and a memory for labels that any number of threads may share."""

    def __init__(
        self,
        root: Place,
        cut: float,
        known: Mapping[str, frozenset[str]] | None,
        judge: Callable[[str, float, int, int], float],
    ) -> None:
        """`known` are the tokens that count with each tag, None for all; `judge` says how likely a stranger is content.

        It is given the label, how likely what it is in is content, its letters, and those of them in links.
        """
        self._root, self._cut, self._known, self._judge = root, cut, known, judge
        # To read an attribute takes as long as all else that is done with an element.
        self._reads = {
            tag: tuple(any(token[0] == kind for token in tokens) for kind in "#.@")
            for tag, tokens in (known or {}).items()
            if tokens
        }
        self._labels: dict[_Key, str] = {}

    def walk(self, body: Element) -> tuple[list[Gone], set[int]]:  # noqa: C901, PLR0912  # calls cost time
        """The topmost nodes that are template, in document order, and the numbers of the regions that were met."""
        gone: list[Gone] = []
        met: set[int] = set()
        labels, cut = self._labels, self._cut
        reads, unread = self._reads, None if self._known is not None else _ALL
        above: list[tuple[Node, Place, Iterator[Node], int, bool]] = []
        node: Node = body
        place, children, first, kept = self._root, iter(body), 0, False
        while True:
            below, texts = place.below, place.texts
            for child in children:
                if type(child) is Text:
                    if kept and texts is False:
                        continue  # it stays, and so does what it is in
                    if (data := child.data).isspace() or not data:
                        continue
                    number, likely = place.number, place.own
                    if likely is None:
                        size = letters(data)
                        number, likely = STRANGER, self._judge("", place.likely, size, size if place.in_link else 0)
                elif type(child) is Element:
                    if (label := child.tag) in _SILENT:
                        continue
                    if names := reads.get(label, unread):
                        attribute = child.attr
                        ids, classes, roles = names
                        key = (
                            label,
                            attribute("id") if ids else None,
                            attribute("class") if classes else None,
                            attribute("role") if roles else None,
                        )
                        label = labels.get(key) or self._label(key)
                    if (known := below.get(label)) is None:
                        if (judged := self._stranger(child, label, place)) is None:
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
                    return gone, met
                if not kept and len(gone) > first:  # what is left would be a shell
                    gone[first:] = [Gone(node, place.number, place.likely)]
                stays = kept
                node, place, children, first, kept = above.pop()
                kept |= stays

    def _label(self, key: _Key) -> str:
        if len(self._labels) >= MANY_LABELS:
            self._labels.clear()
        known = None if self._known is None else self._known[key[0]]
        label = self._labels[key] = label_of(key, known)
        return label

    def _stranger(self, node: Element, label: str, place: Place) -> tuple[int, float] | None:
        """How likely a region that the template does not know is content; None where it shows nothing."""
        text = node.text if len(node) else ""
        if text and not text.isspace():
            size = letters(text)
            if place.in_link:
                linked = size
            else:
                links = node.iter_elements("a", include_self=True)
                linked = min(size, sum([letters(link.text) for link in links]))
            return STRANGER, self._judge(label, place.likely, size, linked)
        if next(node.iter_elements(PICTURES, include_self=True), None):
            return place.number, place.likely  # pictures without a word go with what they are in
        return None
