"""The columns of a family of pages: learned from some pages, applied to any."""

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from statistics import fmean
from typing import Any, Self

from dehusk.base import fields
from dehusk.base.shared import Shared
from dehusk.kernels.walking import folded
from dehusk.tables import _labels as labels
from dehusk.tables import _naming as naming
from dehusk.tables._choosing import Candidate, Key, choose, keys_of, words
from dehusk.tables._labels import Vocabulary
from dehusk.tables._stated import STATED, stated_values
from dehusk.tables._types import Type, type_of, typed
from dehusk.tables._values import Value, used, values_of
from dehusk.tables.lines import LINK, Read

LONG = 200
"""A column whose values have more characters than this, in the mean, is a long text, and comes last."""

TITLE = "title"
TITLED = 0.7
"""A place is the title if this share of the pages have it, and this share of its words are in their `<title>`."""

HEADED, DISTINCT, LATER = 0.5, 0.3, 0.5
"""What being the main heading and being different on all pages add to the share of the `<title>` that a text has.

A text at the end of the page loses as much as the last figure.
"""

SHARED = 0.8
"""Words on this share of the pages belong to the place; a text of such words and the title's says nothing."""

SEEN = 32
"""How many values of a column are remembered, as hashes."""

_HEADINGS = {"h1": 1.0, "h2": 0.5, "h3": 0.3}

MOST_OF = 0.6
RESERVED = ("page", "url", "site", "family")
"""The first columns of every table."""

VALUE, ADDRESS = BESIDE = "_value", "_url"
"""What is added to the name of a column for the typed values and addresses beside it."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name and label, where its values are, what they are, and the share of pages that have it."""

    name: str
    keys: tuple[Key, ...]
    """What its values are found by; the first that a page has counts."""
    place: str
    label: str
    type: Type
    many: bool
    """Whether a page may have several values."""
    share: float
    seen: frozenset[str] = frozenset()
    """Hashes of some of its values, by which it is found again after a redesign."""

    def to_json(self) -> dict[str, Any]:
        """Returns readable JSON."""
        return {
            "name": self.name,
            "keys": [list(key) for key in self.keys],
            "place": self.place,
            "label": self.label,
            "type": self.type.value,
            "many": self.many,
            "share": round(self.share, 3),
            "seen": sorted(self.seen),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the output of `to_json`."""
        return cls(
            fields.text(data, "name"),
            tuple(tuple(fields.texts({"key": key}, "key")) for key in data["keys"]),
            fields.text(data, "place"),
            fields.text(data, "label"),
            Type(fields.text(data, "type")),
            bool(data["many"]),
            fields.decimal(data, "share"),
            frozenset(fields.texts(data, "seen")) if "seen" in data else frozenset(),
        )


@dataclass(frozen=True)
class Columns(Shared):
    """The columns of a family, the labels of its pages, and the places that most of its pages have."""

    columns: tuple[Column, ...]
    known: Vocabulary
    places: frozenset[str]
    pages: int

    @cached_property
    def _is_stated(self) -> bool:
        return any(place.startswith(STATED) for place in self.places) or any(key[0] == "stated" for key in self._by_key)

    @cached_property
    def _by_key(self) -> Mapping[Key, Column]:
        return {key: column for column in self.columns for key in column.keys}

    def fit(self, page: Read) -> float:
        """Returns the share of the family's places that a page has."""
        return len(self.places & places_of(page, stated=self._is_stated)) / len(self.places) if self.places else 0.0

    def values(self, page: Read) -> dict[str, list[tuple[Value, str]]]:
        """Returns the values of each column on a page, by its name."""
        by_key = self._by_key
        found: dict[Key, list[tuple[Value, str]]] = {}
        every = chain(values_of(page, self.known), _stated(page) if self._is_stated else ())
        for value in every:
            for key, text in keys_of(value):
                if key in by_key:
                    found.setdefault(key, []).append((value, text))
        return {
            column.name: next(found[key] for key in column.keys if key in found)
            for column in self.columns
            if any(key in found for key in column.keys)
        }

    def record(self, page: Read) -> dict[str, Any]:
        """Returns the row of a page: for each column the text, and a typed value beside it where there is one."""
        found = self.values(page)
        row: dict[str, Any] = {}
        for column in self.columns:
            pairs = found.get(column.name, [])
            row[column.name] = _cell(column, [text for _, text in pairs])
            if column.type in _BESIDE:
                beside = [_typed(column.type, page, value, text) for value, text in pairs]
                row[column.name + _BESIDE[column.type]] = _cell(column, [one for one in beside if one is not None])
        return row

    def to_json(self) -> dict[str, Any]:
        """Returns readable JSON."""
        return {
            "pages": self.pages,
            "columns": [column.to_json() for column in self.columns],
            "labels": self.known.to_json(),
            "places": sorted(self.places),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the output of `to_json`."""
        return cls(
            tuple(map(Column.from_json, data["columns"])),
            Vocabulary.from_json(data["labels"]),
            frozenset(fields.texts(data, "places")),
            fields.number(data, "pages"),
        )


_BESIDE = {Type.NUMBER: VALUE, Type.PRICE: VALUE, Type.DATE: VALUE, Type.LINK: ADDRESS}


def _cell(column: Column, values: Sequence[Any]) -> Any:
    if column.many:
        return list(values)
    return values[0] if values else None


def _typed(kind: Type, page: Read, value: Value, text: str) -> float | str | None:
    return page.link(value.node) if kind is Type.LINK else typed(kind, text)


def places_of(page: Read, *, stated: bool = True) -> frozenset[str]:
    """Returns the places of the lines of a page, and of what it states for machines."""
    shown = frozenset(page.path(line.block) for line in page.lines)
    return shown.union(value.place for value in _stated(page)) if stated else shown


def learn(pages: Sequence[Read], *, titled: bool = True) -> Columns | None:
    """Learns the columns of some pages of a family, or of items of pages, which are not `titled`; None if none."""
    # Items of a page share more than labels: the posts of a thread are often of a few authors.
    known = used(labels.learn(pages, marked=not titled), pages)
    values = [[*values_of(page, known), *_stated(page)] for page in pages]
    chosen = choose(values)
    title = _title(chosen, pages) if titled else None
    chosen = [one for one in chosen if one is title or not _repeats_title(one, pages)]
    chosen.sort(key=lambda one: (one is not title, _is_long(one), one.position, one.key))
    names = naming.unique((TITLE if one is title else _name(one) for one in chosen), RESERVED)
    columns = tuple(_column(one, name, pages) for one, name in zip(chosen, names, strict=True))
    counted: dict[str, int] = defaultdict(int)
    for page in pages:
        for place in places_of(page):
            counted[place] += 1
    places = frozenset(place for place, count in counted.items() if count >= MOST_OF * len(pages))
    return Columns(columns, known, places, len(pages)) if columns else None


NOTHING = Columns((), Vocabulary(frozenset(), frozenset(), frozenset()), frozenset(), 0)
"""The columns of items that have only a text."""


def _stated(page: Read) -> Iterable[Value]:
    """Returns what a page states for machines. An item of a page has no such values of its own."""
    return stated_values(page.page) if page.first == 0 else ()


def _column(candidate: Candidate, name: str, pages: Sequence[Read]) -> Column:
    texts = [text for page in candidate.values.values() for text in page]
    kind = type_of(texts)
    if kind is Type.TEXT and all(pages[page].link(node) for page, node, _ in candidate.nodes):
        kind = Type.LINK
    ((place, _),) = candidate.places.most_common(1)
    return Column(
        name,
        candidate.keys,
        place,
        candidate.label,
        kind,
        candidate.is_list(),
        candidate.support / len(pages),
        frozenset(sorted(set(map(_hashed, texts)))[:SEEN]),
    )


def _hashed(text: str) -> str:
    return f"{zlib.crc32(folded(text).encode('utf-8', 'surrogatepass')):08x}"


def _is_long(candidate: Candidate) -> bool:
    return fmean(sum(map(len, texts)) for texts in candidate.values.values()) > LONG


def _name(candidate: Candidate) -> str:
    ((place, _),) = candidate.places.most_common(1)
    return naming.of_label(candidate.label) or naming.of_property(candidate.stated) or naming.of_place(place)


def _title(chosen: Sequence[Candidate], pages: Sequence[Read]) -> Candidate | None:
    """Returns the column of the titles: on most pages, like the `<title>`, a heading, early, and mostly different."""
    titles = [words(page.page.title) for page in pages]
    best, most = None, 0.0
    for one in chosen:
        if one.is_list() or one.support < TITLED * len(pages):
            continue
        said = [(words(texts[0]), titles[page]) for page, texts in one.values.items()]
        within = fmean(len(text & title) / len(text) if text else 0.0 for text, title in said)
        whole = fmean(len(text & title) / len(title) if title else 0.0 for text, title in said)
        distinct = len({frozenset(text) for text, _ in said}) / len(said)
        heading = HEADED * max(_HEADINGS.get(tag, 0.0) for tag in _tags(one))
        value = whole + heading + DISTINCT * distinct - LATER * one.position
        if within >= TITLED and value > most:
            best, most = one, value
    return best


def _repeats_title(candidate: Candidate, pages: Sequence[Read]) -> bool:
    """Whether its texts are the same words on all pages around the title of the page: "Photos of the Beacon"."""
    if candidate.label and candidate.near:
        return False
    said = {page: words(" ".join(texts)) for page, texts in candidate.values.items()}
    counted = Counter(word for text in said.values() for word in text)
    shared = {word for word, count in counted.items() if count >= SHARED * len(said)}
    within = [
        bool(shared) and bool(own := text - shared) and own <= words(pages[page].page.title)
        for page, text in said.items()
    ]
    return len(said) > 2 and fmean(within) >= SHARED


def _tags(candidate: Candidate) -> list[str]:
    """Returns the tags around most of its values."""
    ((place, _),) = candidate.places.most_common(1)
    return [step.partition("#")[0].partition(".")[0] for step in place.split(LINK)]
