"""Metadata in the visible text of a page, found by labels and by position."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from sys import maxsize as ALL  # noqa: N812

from dehusk.kernels.walking import IS_TIME, MAY_DATE, MAY_NAME, folded
from dehusk.metadata import _wording as authors
from dehusk.metadata import dates
from dehusk.metadata._habits import Habits
from dehusk.metadata._wording import DATES, NAMED, SIGNS, is_byline, is_change, is_linked, is_named, is_other
from dehusk.metadata.stated import plain
from dehusk.page import Node
from dehusk.page.elements import (
    at,
    closest,
    following,
    is_text,
    is_within,
    link_around,
    nodes_after,
    nodes_before,
    nodes_in,
    parent_of,
    select,
    tag_of,
    telling,
    text_of,
    texts_in,
)

AFTER, BEFORE = 150, 80
"""How many nodes (elements and texts) after and before the title are searched."""

FURTHER = 100
"""How many more nodes are searched for a byline. A date that far away often belongs to a comment or a teaser."""

ANYWHERE = 4000
"""How many nodes of a page are searched for a date if none is near the title."""

MOST_NAMED = 20
"""How many elements are tried that are called the name of an author."""

NODES_BESIDE = 12
"""How many nodes before and after a date are searched for the text beside it."""

LABELS = 60
"""Maximum number of characters beside a date. In longer texts, in prose, the date is usually not the page's."""

LONGEST_LINE = 160
"""A longer text is prose."""

# Parts in which names and dates are not those of the page: code, and what is beside the text.
_CODE = "pre, code, kbd, samp, tt, textarea, select"
_BESIDE = 'nav, form, [class*="related" i], [class*="teaser" i], [class*="recommend" i]'
_COMMENTS = ", ".join(f'[{name}*="{word}" i]' for name in ("class", "id") for word in ("comment", "disqus", "respond"))

_PROSE = 400
_LEVELS = 3
_LONGEST_PIECE = 16


@dataclass(frozen=True, slots=True)
class Aside:
    """The parts of a page in which nothing is read: code, forms, menus, teasers, and comments unless it is a forum.

    Those around the title do not count: some sites have the whole page in a form. Nor does it count that a part is
    removed: half of all bylines are.
    """

    heading: Node | None = None
    forum: bool = False

    def holds(self, element: Node) -> bool:
        """Returns whether an element is in such a part."""
        if closest(element, _CODE) is not None:
            return True
        around = closest(element, _BESIDE if self.forum else f"{_BESIDE}, {_COMMENTS}")
        if around is None or tag_of(around) == "body":
            return False
        return self.heading is None or not is_within(self.heading, frozenset((around,)))


@dataclass(slots=True)
class ShownMetadata:
    """Metadata found so far.

    `marked` are the elements whose names suggest a byline, `last` the two texts before the current one.
    """

    aside: Aside
    date: str | None = None
    modified: str | None = None
    people: list[str] = field(default_factory=list)
    linked: str = ""
    beside: str = ""
    named: bool = False
    marked: set[Node] = field(default_factory=set)
    last: Sequence[str] = ("", "")


def around(body: Node, habits: Habits, aside: Aside, *, named: bool, day_first: bool) -> ShownMetadata:
    """Returns the metadata shown where the site usually has it, after the title, and before it.

    Without a title, searches the beginning of the page. `named` says that the author is known already. With
    `day_first`, 3/4/2025 is the third of April.
    """
    shown, heading = ShownMetadata(aside, named=named), aside.heading
    for path in filter(None, (habits.date, habits.byline)):
        for element in at(body, path):
            _look(nodes_in(element), ALL, shown, day_first=day_first)
    after = nodes_after(heading if heading is not None else body)
    _look(after, AFTER, shown, day_first=day_first)
    if heading is not None and not (shown.date and shown.named):
        _look(nodes_before(heading, BEFORE), BEFORE, shown, day_first=day_first)
    if not shown.named:
        further = ShownMetadata(aside, marked=shown.marked)
        _look(after, FURTHER, further, day_first=day_first)
        shown.people = further.people
    return shown


def anywhere(body: Node, aside: Aside, *, day_first: bool) -> str | None:
    """Returns the first date of a page that is not in prose, or None."""
    shown = ShownMetadata(aside, named=True)
    _look(nodes_in(body), ANYWHERE + 1, shown, day_first=day_first)
    return shown.date or shown.modified


def named_element(body: Node, aside: Aside) -> list[str]:
    """Returns the names in the first element that is called the name of an author or user, anywhere on the page."""
    for element in islice(filter(is_named, select(body, NAMED)), MOST_NAMED):
        text = plain(text_of(element))
        if authors.looks_like_names(text) and not aside.holds(element):
            return authors.people(text)
    return []


def place_of(names: Collection[str], body: Node) -> Node | None:
    """Returns the element whose text is one of these names, folded; None if there is none."""
    begins, shortest = {name[:1] for name in names}, min(map(len, names), default=ALL)
    for text, node in texts_in(body, ANYWHERE):
        if len(text) < shortest or text.isspace():
            continue
        begin = text.lstrip()[0].casefold()[0]
        if (begin in begins or not begin.isalnum()) and folded(plain(text)) in names:  # most texts begin otherwise
            return parent_of(node)
    return None


def signed(body: Node, aside: Aside) -> list[str]:
    """Returns the names after a label such as "Written by", anywhere on the page."""
    if not authors.may_have_signature(text_of(body)):
        return []
    before = ""
    for data, node in texts_in(body, ANYWHERE):
        if data.isspace():
            continue
        text = plain(data) if len(data) <= LONGEST_LINE else ""
        label = authors.after_signature(text)
        if label or before:
            name = text[label:].strip()
            if authors.is_person(name.partition(",")[0]) and not aside.holds(parent_of(node) or body):
                return authors.people(name)
        before = text if 0 < label == len(text) else ""
    return []


def _look(nodes: Iterator[Node], most: int, known: ShownMetadata, *, day_first: bool) -> None:
    """Adds missing metadata to `known` from at most `most` nodes, in document order."""
    if known.date and known.named:
        return
    signs = DATES if known.named else SIGNS
    for text, element, tells, *last in telling(nodes, most, signs, known.marked, plain):
        if known.aside.holds(element):
            continue
        known.last = last
        if tells == IS_TIME:
            _read_time(text, element, known, day_first=day_first)
        else:
            _read(plain(text[:_PROSE]), element, tells, known, day_first=day_first)
        if known.date and known.named:
            return


def _end(text: str) -> str:
    """Returns the end of a text, which may be a label for the next text."""
    return plain(text[:_PROSE])[-LABELS:]


def _read_time(stated: str, time: Node, known: ShownMetadata, *, day_first: bool) -> None:
    """Reads a `<time>`. If its text has another day, takes that one: the attribute is in another time zone."""
    if date := dates.iso(plain(stated)):
        text = plain(text_of(time))
        seen = dates.iso(text, day_first=day_first)
        day = seen if seen and not dates.may_be_same(seen, date) else date
        _dated(day, f"{_end(known.last[1])} {text}", known)
        if not (known.named or known.beside):
            _look_beside(time, known)


def _read(text: str, element: Node, tells: int, known: ShownMetadata, *, day_first: bool) -> None:
    """Reads a line that may have names or a date."""
    if len(text) > LONGEST_LINE:
        return
    if tells & MAY_NAME and not known.named:
        if is_byline(text, _end(known.last[1]), element):
            known.people = authors.people(text)
            known.named = bool(known.people)
        if not (known.named or known.linked) and authors.is_person(text) and is_linked(element):
            known.linked = text
    if tells & MAY_DATE and dates.MAY_BE.search(text):
        _date_in(text, element, known, day_first=day_first)


def _date_in(text: str, element: Node, known: ShownMetadata, *, day_first: bool) -> None:
    """Reads the date in a text, which may be split over several elements."""
    earlier, before = map(_end, known.last)
    pieces = [text]
    if len(text) < _LONGEST_PIECE and len(before) < _LONGEST_PIECE:
        pieces.append(f"{earlier} {before} {text}")
    for piece in pieces:
        match = dates.search(piece, day_first=day_first)
        if match and len(piece) - (match[1] - match[0]) <= LABELS:
            _dated(match[2], f"{before} {piece[: match[0]]}", known)
            if not (known.named or known.beside) and len(text) - (match[1] - match[0]) <= _LONGEST_PIECE:
                _look_beside(element, known)
            return


def _look_beside(element: Node, known: ShownMetadata) -> None:
    """Stores the name of a person that is the text before or after a date. A linked one is rather a section."""
    before, after = reversed(list(nodes_before(element, NODES_BESIDE))), islice(following(element), NODES_BESIDE)
    for nodes in (before, after):
        said = ((node, plain(text_of(node)[:_PROSE])) for node in nodes if is_text(node))
        node, text = next((pair for pair in said if pair[1]), (element, ""))
        if authors.is_name(text) and not link_around(parent_of(node) or node, _LEVELS):
            known.beside = known.beside or text[authors.after_label(text) :]


def _dated(date: str, label: str, known: ShownMetadata) -> None:
    """Stores a date as published or modified, or ignores it, by the label before it."""
    if is_other(label):
        return
    if is_change(label):
        known.modified = known.modified or date
    else:
        known.date = known.date or date
