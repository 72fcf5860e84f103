"""What changed between two outlines: parts that came, went, moved or were rewritten, and links that lead elsewhere."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dehusk.comparing._links import LinkChange, Links
from dehusk.comparing._mapping import ALIKE, Mapping
from dehusk.comparing._outline import SAID, Outline
from dehusk.comparing._stamps import stamp
from dehusk.comparing.words import likeness, most_likeness, words
from dehusk.render import Word

FEW_WORDS = 6
"""A line of at most this many words that stands in the place of another is its new version, however different."""

IN_TEMPLATE = "template"
"""Why a change is one of the husk: it is where the template says that there is no content."""


class ChangeKind(StrEnum):
    """What happened to a part of a page."""

    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    CHANGED = "changed"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Difference:
    """One change: nodes of the outlines, -1 for none; why it is of the husk, "" for content; the words of both.

    What moved is named by its new node. It says the same as before. So does the line of a link that leads elsewhere.
    """

    kind: ChangeKind
    old: int
    new: int
    husk: str
    words: Sequence[Word] = ()
    link: LinkChange | None = None


Flags = Callable[[int], bool]
"""Whether a line is template."""


def found(old: Outline, new: Outline, mapping: Mapping, husks: tuple[Flags, Flags], links: Links) -> list[Difference]:
    """All changes, in the order of the new page; what went is where it would have been."""
    rewritten = {line: _rewritten(old, new, mapping.old[line], line, husks) for line in _pairs(old, new, mapping)}
    apart = {line for line, one in rewritten.items() if one is None}
    states = {line: _came(mapping, line, apart, husks) for line in new.lines(0)}
    gone = {line: _went(mapping, line, apart, husks) for line in old.lines(0)}
    changes = [one for one in rewritten.values() if one is not None]
    changes += _relinked(old, new, mapping, husks, links)
    for node, (kind, husk) in _topmost(new, states):
        changes.append(Difference(kind, -1, node, husk))
    for node, (kind, husk) in _topmost(old, gone):
        changes.append(Difference(kind, node, -1, husk))
    last = before(old, mapping)
    return sorted(changes, key=lambda one: (one.new, 0) if one.new >= 0 else (last[one.old], 1 + one.old))


State = tuple[ChangeKind, str]


def _pairs(old: Outline, new: Outline, mapping: Mapping) -> list[int]:
    """The new lines that are a version of an old one and say something else."""
    return [line for line in new.lines(0) if (mate := mapping.old[line]) >= 0 and old.words[mate] != new.words[line]]


def _rewritten(old: Outline, new: Outline, before: int, after: int, husks: tuple[Flags, Flags]) -> Difference | None:
    """A line and its new version; None if the two have too little in common for one to be a version of the other."""
    lines = old.words[before], new.words[after]
    long = max(map(len, lines)) > FEW_WORDS
    if long and most_likeness(*lines) < ALIKE:
        return None
    both = words(*lines)
    if long and likeness(both) < ALIKE:
        return None
    husk = IN_TEMPLATE if husks[0](before) and husks[1](after) else ""
    stamped = stamp(" ".join(old.words[before]), " ".join(new.words[after]))
    return Difference(ChangeKind.CHANGED, before, after, husk or stamped, both)


def _relinked(
    old: Outline, new: Outline, mapping: Mapping, husks: tuple[Flags, Flags], links: Links
) -> Iterator[Difference]:
    """The links that lead elsewhere, in lines that say the same. A link around several lines is told once."""
    told = set()
    for line in new.lines(0):
        mate = mapping.old[line]
        if mate < 0 or old.words[mate] != new.words[line]:
            continue
        for link in links.changed(old.nodes[mate], new.nodes[line]):
            if link.new not in told:
                told.add(link.new)
                husk = IN_TEMPLATE if husks[0](mate) and husks[1](line) else link.husk
                words = [Word("same", link.text), Word("removed", link.before), Word("added", link.after)]
                yield Difference(ChangeKind.LINK, mate, line, husk, words, link)


def _came(mapping: Mapping, line: int, apart: set[int], husks: tuple[Flags, Flags]) -> State | None:
    """What happened to a line of the new page; None if nothing, or if it is a new version."""
    mate = mapping.old[line]
    if mate < 0 or line in apart:
        return ChangeKind.ADDED, IN_TEMPLATE if husks[1](line) else ""
    if line in mapping.moved:
        return ChangeKind.MOVED, IN_TEMPLATE if husks[0](mate) and husks[1](line) else ""
    return None


def _went(mapping: Mapping, line: int, apart: set[int], husks: tuple[Flags, Flags]) -> State | None:
    """The same for a line of the old page."""
    if mapping.new[line] < 0 or mapping.new[line] in apart:
        return ChangeKind.REMOVED, IN_TEMPLATE if husks[0](line) else ""
    return None


def _topmost(outline: Outline, states: dict[int, State | None]) -> Iterator[tuple[int, State]]:
    """The topmost nodes to all lines of which the same happened."""
    shared: list[State | None] = [states.get(node) for node in range(len(outline))]
    met = bytearray(outline.tag[node] == SAID for node in range(len(outline)))
    for node in range(len(outline) - 1, 0, -1):
        above = outline.parent[node]
        shared[above] = shared[node] if not met[above] or shared[above] == shared[node] else None
        met[above] = 1
    for node in range(1, len(outline)):
        state, above = shared[node], outline.parent[node]
        if state is not None and (not above or shared[above] is None):
            yield node, state


def before(old: Outline, mapping: Mapping) -> list[int]:
    """For each old node the new line that stands last before it and is in its order; 0 for none."""
    lines, last = [0] * len(old), 0
    for node in range(len(old)):
        lines[node] = last
        mate = mapping.new[node]
        if old.tag[node] == SAID and mate >= 0 and mate not in mapping.moved:
            last = mate
    return lines
