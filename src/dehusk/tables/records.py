"""Records: pages of a family that have the same places are the rows of one table."""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

from dehusk.tables import _items as items
from dehusk.tables import columns
from dehusk.tables._items import Items
from dehusk.tables.columns import BESIDE, RESERVED, Column, Columns, places_of
from dehusk.tables.lines import Read

FITS = 0.4
"""A page is a record of a table if it has this share of the places that most of its records have."""

OWN = 0.3
"""And if this share of its own places are among those that any of the records has."""

MOST_OF = 0.6
"""A place is one of most records if this share of them have it."""

FEWEST = 3
"""Minimum number of pages of a table, unless half of the pages have it."""


@dataclass(frozen=True, slots=True)
class Record:
    """A row: the name of its table, and its values by column."""

    name: str
    values: dict[str, Any]
    columns: tuple[Column, ...]

    @property
    def texts(self) -> dict[str, list[str]]:
        """The texts of each column that has some, without typed values."""
        cells = {column.name: self.values[column.name] for column in self.columns}
        return {name: cell if isinstance(cell, list) else [cell] for name, cell in cells.items() if cell}

    @property
    def labels(self) -> dict[str, str]:
        """The visible label of each column; "" if it has none."""
        return {column.name: column.label for column in self.columns}


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a family, those with most pages first."""

    tables: tuple[Columns, ...] = ()
    items: Items | None = None
    """What its pages repeat, if they do."""

    def __bool__(self) -> bool:
        return bool(self.tables or self.items)

    def number(self, page: Read) -> int | None:
        """Returns the number of the table that a page is a record of; None for none."""
        fits = [table.fit(page) for table in self.tables]
        best = max(range(len(fits)), key=fits.__getitem__, default=None)
        return best if best is not None and fits[best] >= FITS else None

    def record(self, page: Read, family: str) -> Record | None:
        """Returns a page of a family as a record; None if it fits no table.

        The first table has the name of its family, the others a number behind it.
        """
        number = self.number(page)
        if number is None:
            return None
        table = self.tables[number]
        return Record(f"{family}.{number + 1}" if number else family, table.record(page), table.columns)

    def cells(self, page: Read) -> dict[str, list[int]]:
        """Returns the text nodes of each column on a page, by the name that the column was learned with.

        Columns whose values the page only states for machines are left out.
        """
        number = self.number(page)
        found = {} if number is None else self.tables[number].values(page)
        cells = {name: [value.node for value, _ in pairs if not value.stated] for name, pairs in found.items()}
        return {name: nodes for name, nodes in cells.items() if nodes}

    def to_json(self) -> dict[str, Any]:
        """Returns readable JSON."""
        items = {"items": self.items.to_json()} if self.items else {}
        return {"pages": [table.to_json() for table in self.tables], **items}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the output of `to_json`."""
        items = Items.from_json(data["items"]) if "items" in data else None
        return cls(tuple(map(Columns.from_json, data["pages"])), items)


def learn(pages: Sequence[Read]) -> Tables:
    """Learns the tables of a family from some of its pages."""
    groups = [group for group in grouped(pages) if len(group) >= min(FEWEST, max(2, (len(pages) + 1) // 2))]
    learned = [columns.learn(group) for group in groups]
    return Tables(tuple(table for table in learned if table is not None), items.learn(pages))


def grouped(pages: Sequence[Read]) -> list[list[Read]]:
    """Returns groups of pages with the same places, the largest first. Does not depend on the order of the pages."""
    ordered = sorted(pages, key=lambda page: (page.page.digest, page.first))
    places = [places_of(page) for page in ordered]
    groups: list[_Group] = []
    for own in places:  # once to find the groups
        best = max(groups, key=lambda group: group.fit(own), default=None)
        if best is None or best.fit(own) == 0:
            groups.append(best := _Group())
        best.add(own)
    members: dict[int, list[Read]] = {}
    for page, own in zip(ordered, places, strict=True):  # and once more to choose among all of them
        fits = [group.fit(own) for group in groups]
        members.setdefault(max(range(len(fits)), key=fits.__getitem__), []).append(page)
    return sorted(members.values(), key=lambda group: (-len(group), group[0].page.digest))


class _Group:
    """Pages that were found to be alike: how many have each place."""

    def __init__(self) -> None:
        self._counted: Counter[str] = Counter()
        self._pages = 0
        self._core: frozenset[str] = frozenset()

    def add(self, own: AbstractSet[str]) -> None:
        self._counted.update(own)
        self._pages += 1
        self._core = frozenset(place for place, count in self._counted.items() if count >= MOST_OF * self._pages)

    def fit(self, own: AbstractSet[str]) -> float:
        """Returns how much a page is like the group; 0 if it is not."""
        if not own or not self._core:
            return float(not own and not self._core)
        has = len(self._core & own) / len(self._core)
        known = sum(place in self._counted for place in own) / len(own)
        if self._pages == 1:  # what the pages share is not known yet
            return has + known if max(has, known) >= OWN else 0.0
        return has + known if has >= FITS and known >= OWN else 0.0


class ColumnEdit(Protocol):
    """A correction of a column: see `dehusk.marking.edits`."""

    @property
    def column(self) -> str:
        """The name of the column."""

    @property
    def keep(self) -> bool:
        """Whether it stays."""

    @property
    def name(self) -> str:
        """Its new name; "" to keep its name."""


def edited_columns(columns: Sequence[Column], edits: Sequence[ColumnEdit]) -> dict[str, Column]:
    """Returns the columns that stay by the names that they were learned with. Of edits of one column the last counts.

    An edit may name a column by its new name, too. A column cannot get the name of another.
    """
    stay = {column.name: column for column in columns}
    names: dict[str, str] = {}
    dropped: set[str] = set()
    for edit in edits:
        own = next((old for old, new in names.items() if new == edit.column), edit.column)
        if own not in stay:
            continue
        (dropped.discard if edit.keep else dropped.add)(own)
        taken = {names.get(other, other) for other in stay if other != own}
        if edit.name and edit.name not in taken and edit.name not in RESERVED:
            names[own] = edit.name
    return {old: replace(column, name=names.get(old, old)) for old, column in stay.items() if old not in dropped}


def is_free(name: str, column: str, columns: Sequence[Column], edits: Sequence[ColumnEdit]) -> bool:
    """Whether a column can get this name: no other column of its table, and no value beside one, has it.

    `column` is its name now, or when it was learned. A table without the column does not matter.
    """
    if name in RESERVED:
        return False
    now = {old: one.name for old, one in edited_columns(columns, [edit for edit in edits if edit.name]).items()}
    own = next((old for old, new in now.items() if new == column), column)
    others = [new for old, new in now.items() if old != own]
    return own not in now or name not in {other + end for other in others for end in ("", *BESIDE)}


def edited(record: Record, edits: Sequence[ColumnEdit]) -> Record:
    """Returns a record with the corrections of its columns."""
    if not edits:
        return record
    stay = edited_columns(record.columns, edits)
    values: dict[str, Any] = {}
    for old, column in stay.items():
        for end in ("", *BESIDE):
            if old + end in record.values and (not end or old + end not in stay):
                values[column.name + end] = record.values[old + end]
    return Record(record.name, values, tuple(stay.values()))
