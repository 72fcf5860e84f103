"""The changes between two mapped outlines: of content, of husk, and of link targets."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from dehusk.base.tree import TEXT, Tree
from dehusk.base.urls import normal
from dehusk.comparing._mapping import ALIKE, Mapping
from dehusk.comparing._outline import LINE, Outline
from dehusk.comparing.words import likeness, most_likeness, stamp, words
from dehusk.render import Word

QUERY = "query"
"""Reason for husk: only the query of a link differs, which is often a session or a version."""

_NOWHERE = ("javascript:", "data:", "about:")


@dataclass(frozen=True, slots=True)
class LinkChange:
    """A link with a new target: its node in both trees, its old and new URL, and its text.

    `husk` is why the change is not content; "" if it is.
    """

    old: int
    new: int
    before: str
    after: str
    text: str
    husk: str


class Links:
    """The links of two versions of a page. Their URLs are resolved against the URLs of the pages, if known.

    `room` limits the letters that resolving adds to all reported URLs. Beyond it, URLs are reported as written.
    """

    def __init__(self, old: Tree, new: Tree, bases: tuple[str, str], room: int) -> None:
        self._trees = old, new
        self._around = _around(old), _around(new)
        self._bases = bases[0] or bases[1], bases[1] or bases[0]
        self._room = room

    def changed(self, old: Sequence[int], new: Sequence[int]) -> Iterator[LinkChange]:
        """The links with new targets in two lines, given as nodes. Both lines must have the same words."""
        if [self._trees[0].link[self._around[0][node]] for node in old] == [
            self._trees[1].link[self._around[1][node]] for node in new
        ]:
            return
        words = [(around, word) for node in new for around, word in self._words(1, node)]
        pairs: dict[tuple[int, int], list[str]] = {}
        before = [around for node in old for around, _ in self._words(0, node)]
        for link, (mate, word) in zip(before, words, strict=True):
            if link and mate:
                pairs.setdefault((link, mate), []).append(word)
        for (link, mate), texts in pairs.items():
            was, now = self._address(0, link), self._address(1, mate)
            # If both are written the same, the targets differ only because the page has moved.
            if was and now and was != now and self._written(0, link) != self._written(1, mate):
                husk = QUERY if was.partition("?")[0] == now.partition("?")[0] else ""
                yield LinkChange(link, mate, *self._addresses_shown(link, mate, was, now), " ".join(texts), husk)

    def _words(self, which: int, node: int) -> list[tuple[int, str]]:
        """The words of a node, each with the link around it (0 for none)."""
        tree = self._trees[which]
        words = tree.text[node].split() if tree.tag[node] == TEXT else ["[picture]"]
        return [(self._around[which][node], word) for word in words]

    def _address(self, which: int, node: int) -> str:
        """The target URL of a link without the fragment; "" if it has no target."""
        link = self._written(which, node)
        if not link or link.lower().startswith(_NOWHERE):
            return ""
        return normal(link, self._bases[which]) or link

    def _addresses_shown(self, old: int, new: int, was: str, now: str) -> tuple[str, str]:
        """Two URLs, absolute if `room` allows."""
        written = self._written(0, old), self._written(1, new)
        more = len(was) + len(now) - len(written[0]) - len(written[1])
        if more > self._room:
            return written
        self._room -= max(0, more)
        return was, now

    def _written(self, which: int, node: int) -> str:
        return self._trees[which].link[node].partition("#")[0].strip()


def _around(tree: Tree) -> "array[int]":
    """For each node the innermost link around it, or itself if it is a link; 0 for none."""
    around = array("i", [0]) * len(tree)
    for node in range(1, len(tree)):
        around[node] = node if tree.tag[node] == "a" and tree.link[node] else around[tree.parent[node]]
    return around


FEW_WORDS = 6
"""A line of at most this many words in the place of another is its new version, however different."""

IN_TEMPLATE = "template"
"""Reason for husk: the change is in a part that the template removes."""


class ChangeKind(StrEnum):
    """What happened to a part of a page."""

    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    CHANGED = "changed"
    LINK = "link"


class Delta(NamedTuple):
    """One change: its outline nodes (-1 for none), why it is husk ("" for content), and the words of both versions.

    A moved part has only its new node: its text is unchanged. So is the text of a line whose link changed.
    """

    change: ChangeKind
    old: int
    new: int
    husk: str
    words: Sequence[Word] = ()
    link: LinkChange | None = None


Flags = Callable[[int], bool]
"""A function that tells whether a line is template."""


def deltas(old: Outline, new: Outline, mapping: Mapping, husks: tuple[Flags, Flags], links: Links) -> list[Delta]:
    """All changes in the order of the new page; removed parts are where they would have been."""
    rewritten = {line: _rewritten(old, new, mapping.old[line], line, husks) for line in _pairs(old, new, mapping)}
    apart = {line for line, delta in rewritten.items() if delta is None}
    states = {line: _came(mapping, line, apart, husks) for line in new.lines(0)}
    gone = {line: _went(mapping, line, apart, husks) for line in old.lines(0)}
    changes = [delta for delta in rewritten.values() if delta is not None]
    changes += _relinked(old, new, mapping, husks, links)
    for node, (change, husk) in _topmost(new, states):
        changes.append(Delta(change, -1, node, husk))
    for node, (change, husk) in _topmost(old, gone):
        changes.append(Delta(change, node, -1, husk))
    last = before(old, mapping)
    return sorted(changes, key=lambda delta: (delta.new, 0) if delta.new >= 0 else (last[delta.old], 1 + delta.old))


def agreed(sides: tuple[Outline, Outline], mapping: Mapping, husks: tuple[Flags, Flags]) -> tuple[Flags, Flags]:
    """Flags of two versions that were judged separately, with one verdict for each part that both have.

    A part that is template as a whole in one version, and content as a whole in the other, is content in both.
    """
    shares = [_shares(side, flags) for side, flags in zip(sides, husks, strict=True)]

    def judge(which: int, mates: Sequence[int]) -> Flags:
        around = list(range(len(mates)))  # for each node the innermost part around it, or itself, that both have
        for node in range(1, len(mates)):
            around[node] = node if mates[node] >= 0 else around[sides[which].parent[node]]
        flipped = [
            shares[which][node] == 1 and shares[1 - which][max(0, mates[node])] == 0 for node in range(len(mates))
        ]

        def is_template(line: int) -> bool:
            return husks[which](line) and not flipped[around[line]]

        return is_template

    return judge(0, mapping.new), judge(1, mapping.old)


def _shares(side: Outline, flags: Flags) -> list[float]:
    """The share of template among the lines at and below each node."""
    lines, marked = [0] * len(side), [0] * len(side)
    for node in range(len(side) - 1, -1, -1):
        if side.tag[node] == LINE:
            lines[node], marked[node] = 1, flags(node)
        if node:
            lines[side.parent[node]] += lines[node]
            marked[side.parent[node]] += marked[node]
    return [part / (whole or 1) for part, whole in zip(marked, lines, strict=True)]


State = tuple[ChangeKind, str]


def _pairs(old: Outline, new: Outline, mapping: Mapping) -> list[int]:
    """The new lines that are mapped to an old line with other words."""
    return [line for line in new.lines(0) if (mate := mapping.old[line]) >= 0 and old.words[mate] != new.words[line]]


def _rewritten(old: Outline, new: Outline, before: int, after: int, husks: tuple[Flags, Flags]) -> Delta | None:
    """The change of a line to its new version; None if the two have too little in common."""
    lines = old.words[before], new.words[after]
    long = max(map(len, lines)) > FEW_WORDS
    if long and most_likeness(*lines) < ALIKE:
        return None
    both = words(*lines)
    if long and likeness(both) < ALIKE:
        return None
    in_template = husks[0](before) and husks[1](after)
    husk = IN_TEMPLATE if in_template else stamp(" ".join(lines[0]), " ".join(lines[1]))
    return Delta(ChangeKind.CHANGED, before, after, husk, both)


def _relinked(
    old: Outline, new: Outline, mapping: Mapping, husks: tuple[Flags, Flags], links: Links
) -> Iterator[Delta]:
    """The links with new targets in lines with unchanged words. A link around several lines is reported once."""
    seen = set()
    for line in new.lines(0):
        mate = mapping.old[line]
        if mate < 0 or old.words[mate] != new.words[line]:
            continue
        for link in links.changed(old.nodes[mate], new.nodes[line]):
            if link.new not in seen:
                seen.add(link.new)
                husk = IN_TEMPLATE if husks[0](mate) and husks[1](line) else link.husk
                words = [Word("same", link.text), Word("removed", link.before), Word("added", link.after)]
                yield Delta(ChangeKind.LINK, mate, line, husk, words, link)


def _came(mapping: Mapping, line: int, apart: set[int], husks: tuple[Flags, Flags]) -> State | None:
    """Whether a line of the new page was added or moved; None if neither."""
    mate = mapping.old[line]
    if mate < 0 or line in apart:
        return ChangeKind.ADDED, IN_TEMPLATE if husks[1](line) else ""
    if line in mapping.moved:
        return ChangeKind.MOVED, IN_TEMPLATE if husks[0](mate) and husks[1](line) else ""
    return None


def _went(mapping: Mapping, line: int, apart: set[int], husks: tuple[Flags, Flags]) -> State | None:
    """Whether a line of the old page was removed; None if it has a mate in the new one."""
    if mapping.new[line] < 0 or mapping.new[line] in apart:
        return ChangeKind.REMOVED, IN_TEMPLATE if husks[0](line) else ""
    return None


def _topmost(outline: Outline, states: dict[int, State | None]) -> Iterator[tuple[int, State]]:
    """The topmost nodes whose lines all have the same state."""
    shared: list[State | None] = [states.get(node) for node in range(len(outline))]
    met = bytearray(outline.tag[node] == LINE for node in range(len(outline)))
    for node in range(len(outline) - 1, 0, -1):
        above = outline.parent[node]
        shared[above] = shared[node] if not met[above] or shared[above] == shared[node] else None
        met[above] = 1
    for node in range(1, len(outline)):
        state, above = shared[node], outline.parent[node]
        if state is not None and (not above or shared[above] is None):
            yield node, state


def before(old: Outline, mapping: Mapping) -> list[int]:
    """For each old node the last new line before it, of those that did not move; 0 for none."""
    lines, last = [0] * len(old), 0
    for node in range(len(old)):
        lines[node] = last
        mate = mapping.new[node]
        if old.tag[node] == LINE and mate >= 0 and mate not in mapping.moved:
            last = mate
    return lines
