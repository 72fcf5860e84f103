"""Columns after a redesign: which are gone, and where they are now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dehusk.kernels.walking import folded
from dehusk.tables.columns import Column, Columns
from dehusk.tables.lines import Read

GONE = 0.25
"""A column is gone if fewer pages have it than this part of the share that had it when it was learned."""

LEAST = 3
"""Fewer pages than this say nothing about columns."""

ALIKE = 0.3
"""Two columns are the same if this share of the values that one remembers are among those of the other."""


@dataclass(frozen=True, slots=True)
class ColumnState:
    """A column that pages no longer have where it was: its old place and, if it was found again, the new one."""

    name: str
    share: float
    """The share of pages that had it when it was learned."""
    now: float
    """The share of pages that have it now."""
    place: str
    new_name: str = ""
    new_place: str = ""


class Likeness(NamedTuple):
    """How much two columns are alike: by their names or labels, and by their values."""

    named: bool
    values: float


def states(table: Columns, pages: Sequence[Read], new: Sequence[Column] = ()) -> list[ColumnState]:
    """Returns the columns of a table that pages no longer have, in their order.

    `new` are the columns learned from pages of today, in which they may be found again.
    """
    if len(pages) < LEAST:
        return []
    found = [table.values(page) for page in pages]
    shares = {column.name: sum(column.name in values for values in found) / len(pages) for column in table.columns}
    gone = [column for column in table.columns if shares[column.name] < GONE * column.share]
    again = found_again(gone, new)
    return [
        ColumnState(
            column.name,
            round(column.share, 3),
            round(shares[column.name], 3),
            column.place,
            again[column.name].name if column.name in again else "",
            again[column.name].place if column.name in again else "",
        )
        for column in gone
    ]


def found_again(old: Sequence[Column], new: Sequence[Column]) -> Mapping[str, Column]:
    """Returns the new column of each old one that has one, by the name of the old one. No column is taken twice."""
    pairs = [
        (likeness, -number, column.name, other)
        for number, column in enumerate(old)
        for other in new
        if (likeness := _likeness(column, other)).named or likeness.values >= ALIKE
    ]
    pairs.sort(key=lambda pair: (pair[0].values + pair[0].named, pair[1]), reverse=True)
    again: dict[str, Column] = {}
    taken: set[str] = set()
    for _, _, name, other in pairs:
        if name not in again and other.name not in taken:
            again[name] = other
            taken.add(other.name)
    return again


def _likeness(column: Column, other: Column) -> Likeness:
    labelled = bool(column.label) and folded(column.label) == folded(other.label)
    both = min(len(column.seen), len(other.seen))
    return Likeness(labelled or column.name == other.name, len(column.seen & other.seen) / both if both else 0.0)
