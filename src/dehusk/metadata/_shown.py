"""What a page shows around its title: the date and the byline that people read."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from dehusk.base.tags import NOT_CONTENT
from dehusk.metadata import _authors as authors
from dehusk.metadata import dates
from dehusk.metadata._habits import Habits, at
from dehusk.metadata._labels import is_byline, is_change, is_linked, is_other
from dehusk.metadata.stated import plain
from dehusk.page import Element, Text

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
_SILENT = NOT_CONTENT | {"option"}


@dataclass(slots=True)
class ShownMetadata:
    """What was found; `last` are the texts before the one that is looked at."""

    date: str | None = None
    modified: str | None = None
    people: list[str] = field(default_factory=list)
    linked: str = ""
    named: bool = False
    last: tuple[str, str] = ("", "")


def around(heading: Element | None, body: Element, habits: Habits, *, named: bool, day_first: bool) -> ShownMetadata:
    """What is shown where the pages of the site show it, after the title, and before it.

    Without a title, what is shown at the beginning of the page. `named` says that the author is known, `day_first` how
    3/4/2025 is read.
    """
    found = ShownMetadata(named=named)
    for path in filter(None, (habits.date, habits.byline)):
        for element in at(path, body):
            _look(chain([element], element.descendants), found, day_first=day_first)
    after = iter(chain(heading.descendants, heading.following) if heading is not None else body.descendants)
    _look(islice(after, AFTER), found, day_first=day_first)
    if heading is not None and not (found.date and found.named):
        _look(list(islice(heading.preceding, BEFORE))[::-1], found, day_first=day_first)
    if not found.named:
        further = ShownMetadata()
        _look(islice(after, FURTHER), further, day_first=day_first)
        found.people = further.people
    return found


def anywhere(body: Element, *, day_first: bool) -> str | None:
    """The first date of a page that stands by itself."""
    found = ShownMetadata(named=True)
    for node in islice(body.descendants, ANYWHERE):
        if type(node) is Text and len(node.data) <= LONGEST and dates.MAY_BE.search(node.data):
            _look([node], found, day_first=day_first)
            if found.date:
                return found.date
    return found.modified


def signed(body: Element) -> list[str]:
    """The names after a label that says who wrote the page, such as "Written by", wherever it is."""
    if not authors.may_have_signature(body.text):
        return []
    before = ""
    for node in islice(body.descendants, ANYWHERE):
        if type(node) is not Text or (data := node.data).isspace():
            continue
        text = plain(data) if len(data) <= LONGEST else ""
        label = authors.after_signature(text)
        if label or before:
            name = text[label:].strip()
            if authors.is_person(name.partition(",")[0]):
                return authors.people(name)
        before = text if 0 < label == len(text) else ""
    return []


def _look(nodes: Iterable[Any], found: ShownMetadata, *, day_first: bool) -> None:
    """Reads what is not known yet from nodes in the order of the page."""
    found.last = ("", "")
    for node in nodes:
        if isinstance(node, Element):
            if node.tag == "time" and (stated := dates.iso(plain(node.attr("datetime")))):
                _dated(_day_of(node, stated, day_first=day_first), f"{found.last[1]} {plain(node.text)}", found)
        elif type(node) is Text and not (data := node.data).isspace() and (text := plain(data[:_PROSE])):
            parent = node.parent
            if isinstance(parent, Element) and parent.tag not in _SILENT:
                _read(text, parent, found, day_first=day_first)
        if found.date and found.named:
            return


def _day_of(time: Element, stated: str, *, day_first: bool) -> str:
    """The date of a `<time>`: where people read another day, that one, since the other is of another time zone."""
    read = dates.iso(plain(time.text), day_first=day_first)
    return read if read and not dates.may_be_same(read, stated) else stated


def _read(text: str, parent: Element, found: ShownMetadata, *, day_first: bool) -> None:
    before = found.last[1]
    if len(text) <= LONGEST:
        if not found.named and is_byline(text, before, parent):
            found.people = authors.people(text)
            found.named = bool(found.people)
        if not (found.named or found.linked) and authors.is_person(text) and is_linked(parent):
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
