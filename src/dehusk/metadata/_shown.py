"""Metadata in the visible text of a page, found by labels and by position."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from sys import maxsize as ALL  # noqa: N812

from dehusk.kernels.walking import IS_TIME, MAY_DATE, MAY_NAME
from dehusk.metadata import _wording as authors
from dehusk.metadata import dates
from dehusk.metadata._habits import Habits
from dehusk.metadata._wording import DATES, SIGNS, is_byline, is_change, is_linked, is_other
from dehusk.metadata.stated import plain
from dehusk.page import Node
from dehusk.page.elements import at, nodes_after, nodes_before, nodes_in, telling, text_of, texts_in

AFTER, BEFORE = 150, 80
"""How many nodes (elements and texts) after and before the title are searched."""

FURTHER = 100
"""How many more nodes are searched for a byline. A date that far away often belongs to a comment or a teaser."""

ANYWHERE = 4000
"""How many nodes of a page are searched for a date if none is near the title."""

LABELS = 60
"""Maximum number of characters beside a date. In longer texts, in prose, the date is usually not the page's."""

LONGEST_LINE = 160
"""A longer text is prose."""

_PROSE = 400
_LONGEST_PIECE = 16


@dataclass(slots=True)
class ShownMetadata:
    """Metadata found so far.

    `marked` are the elements whose names suggest a byline, `last` the two texts before the current one.
    """

    date: str | None = None
    modified: str | None = None
    people: list[str] = field(default_factory=list)
    linked: str = ""
    named: bool = False
    marked: set[Node] = field(default_factory=set)
    last: Sequence[str] = ("", "")


def around(heading: Node | None, body: Node, habits: Habits, *, named: bool, day_first: bool) -> ShownMetadata:
    """Returns the metadata shown where the site usually has it, after the title, and before it.

    Without a title, searches the beginning of the page. `named` says that the author is known already. With
    `day_first`, 3/4/2025 is the third of April.
    """
    shown = ShownMetadata(named=named)
    for path in filter(None, (habits.date, habits.byline)):
        for element in at(body, path):
            _look(nodes_in(element), ALL, shown, day_first=day_first)
    after = nodes_after(heading if heading is not None else body)
    _look(after, AFTER, shown, day_first=day_first)
    if heading is not None and not (shown.date and shown.named):
        _look(nodes_before(heading, BEFORE), BEFORE, shown, day_first=day_first)
    if not shown.named:
        further = ShownMetadata(marked=shown.marked)
        _look(after, FURTHER, further, day_first=day_first)
        shown.people = further.people
    return shown


def anywhere(body: Node, *, day_first: bool) -> str | None:
    """Returns the first date of a page that is not in prose, or None."""
    shown = ShownMetadata(named=True)
    for text, element, tells, *_ in telling(nodes_in(body), ANYWHERE + 1, DATES, shown.marked, plain):
        if tells & MAY_DATE and len(text) <= LONGEST_LINE and dates.MAY_BE.search(text):
            _read(plain(text), element, MAY_DATE, shown, day_first=day_first)
            if shown.date:
                return shown.date
    return shown.modified


def signed(body: Node) -> list[str]:
    """Returns the names after a label such as "Written by", anywhere on the page."""
    if not authors.may_have_signature(text_of(body)):
        return []
    before = ""
    for data, _ in texts_in(body, ANYWHERE):
        if data.isspace():
            continue
        text = plain(data) if len(data) <= LONGEST_LINE else ""
        label = authors.after_signature(text)
        if label or before:
            name = text[label:].strip()
            if authors.is_person(name.partition(",")[0]):
                return authors.people(name)
        before = text if 0 < label == len(text) else ""
    return []


def _look(nodes: Iterator[Node], most: int, known: ShownMetadata, *, day_first: bool) -> None:
    """Adds missing metadata to `known` from at most `most` nodes, in document order."""
    if known.date and known.named:
        return
    signs = DATES if known.named else SIGNS
    for text, element, tells, *last in telling(nodes, most, signs, known.marked, plain):
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
        _date_in(text, known, day_first=day_first)


def _date_in(text: str, known: ShownMetadata, *, day_first: bool) -> None:
    """Reads the date in a text, which may be split over several elements."""
    earlier, before = map(_end, known.last)
    pieces = [text]
    if len(text) < _LONGEST_PIECE and len(before) < _LONGEST_PIECE:
        pieces.append(f"{earlier} {before} {text}")
    for piece in pieces:
        match = dates.search(piece, day_first=day_first)
        if match and len(piece) - (match[1] - match[0]) <= LABELS:
            _dated(match[2], f"{before} {piece[: match[0]]}", known)
            return


def _dated(date: str, label: str, known: ShownMetadata) -> None:
    """Stores a date as published or modified, or ignores it, by the label before it."""
    if is_other(label):
        return
    if is_change(label):
        known.modified = known.modified or date
    else:
        known.date = known.date or date
