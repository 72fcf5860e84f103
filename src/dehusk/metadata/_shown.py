"""What a page shows people about itself, by labels and by where it stands."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from dehusk.metadata import _wording as authors
from dehusk.metadata import dates
from dehusk.metadata._habits import Habits
from dehusk.metadata._wording import is_byline, is_change, is_linked, is_other
from dehusk.metadata.stated import plain
from dehusk.page import Node
from dehusk.page.elements import (
    ShownNode,
    at,
    shown_after,
    shown_before,
    shown_in,
    text_of,
    texts_in,
)

AFTER, BEFORE = 150, 80
"""How many nodes after and before the title are looked at, elements and texts."""

FURTHER = 100
"""How many more nodes are looked at for a byline. A date as far away is often that of a comment or a teaser."""

ANYWHERE = 4000
"""How many nodes of a page are looked at for a date where none is near the title."""

LABELS = 60
"""A text with a date has no more characters besides: in prose, a date is one that is written about."""

LONGEST = 160
"""A longer text is prose."""

_PROSE = 400
_SHORT = 16


@dataclass(slots=True)
class ShownMetadata:
    """What was found; `last` are the texts before the one that is looked at."""

    date: str | None = None
    modified: str | None = None
    people: list[str] = field(default_factory=list)
    linked: str = ""
    named: bool = False
    last: tuple[str, str] = ("", "")


def around(heading: Node | None, body: Node, habits: Habits, *, named: bool, day_first: bool) -> ShownMetadata:
    """What is shown where the pages of the site show it, after the title, and before it.

    Without a title, what is shown at the beginning of the page. `named` says that the author is known, `day_first` how
    3/4/2025 is read.
    """
    found = ShownMetadata(named=named)
    for path in filter(None, (habits.date, habits.byline)):
        for element in at(body, path):
            _look(shown_in(element), found, day_first=day_first)
    after = shown_after(heading if heading is not None else body)
    _look(islice(after, AFTER), found, day_first=day_first)
    if heading is not None and not (found.date and found.named):
        _look(shown_before(heading, BEFORE), found, day_first=day_first)
    if not found.named:
        further = ShownMetadata()
        _look(islice(after, FURTHER), further, day_first=day_first)
        found.people = further.people
    return found


def anywhere(body: Node, *, day_first: bool) -> str | None:
    """The first date of a page that stands by itself."""
    found = ShownMetadata(named=True)
    for text, node in texts_in(body, ANYWHERE):
        if len(text) <= LONGEST and dates.MAY_BE.search(text):
            _look(shown_in(node), found, day_first=day_first)
            if found.date:
                return found.date
    return found.modified


def signed(body: Node) -> list[str]:
    """The names after a label that says who wrote the page, such as "Written by", wherever it is."""
    if not authors.may_have_signature(text_of(body)):
        return []
    before = ""
    for data, _ in texts_in(body, ANYWHERE):
        if data.isspace():
            continue
        text = plain(data) if len(data) <= LONGEST else ""
        label = authors.after_signature(text)
        if label or before:
            name = text[label:].strip()
            if authors.is_person(name.partition(",")[0]):
                return authors.people(name)
        before = text if 0 < label == len(text) else ""
    return []


def _look(nodes: Iterable[ShownNode], found: ShownMetadata, *, day_first: bool) -> None:
    """Reads what is not known yet from what nodes show, in the order of the page."""
    found.last = ("", "")
    done = bool(found.date and found.named)
    for shown in nodes:
        if shown is not None:
            text, element, is_time = shown
            if is_time:
                _read_time(text, element, found, day_first=day_first)
            elif text := plain(text[:_PROSE]):
                _read(text, element, found, day_first=day_first)
            done = bool(found.date and found.named)
        if done:
            return


def _read_time(stated: str, time: Node, found: ShownMetadata, *, day_first: bool) -> None:
    """Reads a `<time>`: where people see another day, that one, since the other is of another time zone."""
    if date := dates.iso(plain(stated)):
        text = plain(text_of(time))
        seen = dates.iso(text, day_first=day_first)
        day = seen if seen and not dates.may_be_same(seen, date) else date
        _dated(day, f"{found.last[1]} {text}", found)


def _read(text: str, element: Node, found: ShownMetadata, *, day_first: bool) -> None:
    before = found.last[1]
    if len(text) <= LONGEST:
        if not found.named and is_byline(text, before, element):
            found.people = authors.people(text)
            found.named = bool(found.people)
        if not (found.named or found.linked) and authors.is_person(text) and is_linked(element):
            found.linked = text
        if dates.MAY_BE.search(text):
            _date_in(text, found, day_first=day_first)
    found.last = (before, text[-LABELS:])


def _date_in(text: str, found: ShownMetadata, *, day_first: bool) -> None:
    """The date of a text, or of a date that is written in several elements."""
    pieces = [text]
    if len(text) < _SHORT and len(found.last[1]) < _SHORT:
        pieces.append(" ".join((*found.last, text)))
    for piece in pieces:
        match = dates.search(piece, day_first=day_first)
        if match and len(piece) - (match[1] - match[0]) <= LABELS:
            _dated(match[2], f"{found.last[1]} {piece[: match[0]]}", found)
            return


def _dated(date: str, label: str, found: ShownMetadata) -> None:
    """Takes a date for what the words before it say."""
    if is_other(label):
        return
    if is_change(label):
        found.modified = found.modified or date
    else:
        found.date = found.date or date
