"""Whether what was learned of a site still holds for its pages: the alarm for redesigns."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from statistics import fmean, median
from typing import Any

from dehusk.base.errors import PageWarning
from dehusk.page import Page
from dehusk.tables.columns import Columns
from dehusk.tables.lines import Read
from dehusk.tables.matching import ColumnState, states
from dehusk.templates.families import sayings
from dehusk.templates.template import Family, Template

FITS = 0.65
"""A page with a smaller fit does not look like the pages that the template was learned from."""

FEW, MOST = 0.2, 0.8
"""If fewer pages than this share fit, a site was redesigned; if fewer than the second share fit, it drifts.

`experiments/redesigns.py` has the figures: no page of a redesigned news site fits, and in all but a few halves of the
same site most pages do.
"""

DRIFTING = 0.85
"""Below this median fit a site drifts, even if most pages fit."""

MOST_COLUMNS = 0.5
"""If this share of the columns is gone, the site was redesigned, even if its menus are the same."""

MOST_NAMED = 20
"""Maximum number of places and pages that are named."""

_EMPTY = frozenset({PageWarning.NEARLY_ALL, PageWarning.NO_TEXT})


class State(StrEnum):
    """How much of what was learned still holds."""

    HOLDS = "holds"
    DRIFTING = "drifting"
    REDESIGNED = "redesigned"


@dataclass(frozen=True, slots=True)
class Moved:
    """A text of the template that stands elsewhere now."""

    text: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class FamilyState:
    """A family of pages: how well new pages fit it, and what of its template is gone or stands elsewhere."""

    family: str
    state: State
    pages: int
    fit: float
    """The median fit of its pages; 0 if there are none."""
    vanished: tuple[str, ...] = ()
    """Places of the template, with their texts, that no page has."""
    moved: tuple[Moved, ...] = ()
    known: int = 0
    """How many places of the template were looked for."""
    columns: tuple[ColumnState, ...] = ()
    """Columns that pages no longer have where they were, with their new places."""


@dataclass(frozen=True, slots=True)
class SiteState:
    """A site: the state of its families, and pages that fit none of them or were left without content."""

    site: str
    state: State
    pages: int
    fit: float
    """The median fit of all pages."""
    families: tuple[FamilyState, ...]
    strange: tuple[str, ...] = field(default=())
    """Pages that fit no family."""
    strange_pages: int = 0
    empty: tuple[str, ...] = ()
    """Pages without content of their own."""
    empty_pages: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Returns the state as JSON data."""
        return asdict(self)

    def __str__(self) -> str:
        """One line for people."""
        parts = [f"{self.pages} page{'s' * (self.pages != 1)}", f"median fit {self.fit:.2f}"]
        parts += [f"{self.strange_pages} fit no family"] if self.strange_pages else []
        parts += [f"{self.empty_pages} without content"] if self.empty_pages else []
        gone = sum(len(family.vanished) for family in self.families)
        moved = sum(len(family.moved) for family in self.families)
        parts += [f"{gone} place{'s' * (gone != 1)} gone"] if gone else []
        parts += [f"{moved} place{'s' * (moved != 1)} moved"] if moved else []
        lost = [column for family in self.families for column in family.columns]
        again = sum(bool(column.new_place) for column in lost)
        parts += [f"{len(lost)} column{'s' * (len(lost) != 1)} gone, {again} found again"] if lost else []
        return f"{self.site or 'pages without a URL'}: {self.state} ({', '.join(parts)})"


def state_of(template: Template, pages: Sequence[Page], site: str = "", relearned: Template | None = None) -> SiteState:
    """Compares new pages of a site with its template. There must be at least one page.

    `relearned` is a template learned from pages of today: columns that are gone are looked for in it.
    """
    fits: list[list[float]] = [[] for _ in template.families]
    groups: list[list[Page]] = [[] for _ in template.families]
    strange, empty = [], []
    for page in pages:
        marking = template.mark(page)
        own = [family.fit(page) for family in template.families]
        nearest = own.index(max(own)) if marking.family is None else int(marking.family) - 1
        fits[nearest].append(own[nearest])
        groups[nearest].append(page)
        if marking.family is None:
            strange.append(page.name)
        if _EMPTY.intersection(marking.warnings):
            empty.append(page.name)
    families = tuple(
        _family_state(str(number), family, own_pages, own_fits, _Columns(template, relearned))
        for number, (family, own_pages, own_fits) in enumerate(zip(template.families, groups, fits, strict=True), 1)
    )
    every = [fit for some in fits for fit in some]
    return SiteState(
        site=site or template.site,
        state=max([_state(every), *(family.state for family in families if family.columns)], key=list(State).index),
        pages=len(pages),
        fit=round(median(every), 4),
        families=families,
        strange=tuple(strange[:MOST_NAMED]),
        strange_pages=len(strange),
        empty=tuple(empty[:MOST_NAMED]),
        empty_pages=len(empty),
    )


def _state(fits: Sequence[float]) -> State:
    """Returns the state of pages with these fits."""
    share = fmean(fit >= FITS for fit in fits)
    if share < FEW:
        return State.REDESIGNED
    return State.DRIFTING if share < MOST or median(fits) < DRIFTING else State.HOLDS


def _family_state(
    name: str, family: Family, pages: Sequence[Page], fits: Sequence[float], lookup: "_Columns"
) -> FamilyState:
    if not pages:  # no news is no alarm
        return FamilyState(name, State.HOLDS, 0, 0.0)
    said = Counter(saying for page in pages for saying in sayings(page.tree))
    gone = sorted(family.signature.sayings - said.keys())
    places = _places(said)
    columns = lookup.gone(family, pages)
    moved = [Moved(text, old, places[text]) for old, text in map(_parted, gone) if text in places]
    vanished = [saying for saying in gone if _parted(saying)[1] not in places]
    return FamilyState(
        family=name,
        state=max(_state(fits), _state_of_columns(family, columns), key=list(State).index),
        pages=len(pages),
        fit=round(median(fits), 4),
        vanished=tuple(vanished[:MOST_NAMED]),
        moved=tuple(moved[:MOST_NAMED]),
        known=len(family.signature.sayings),
        columns=columns,
    )


def _state_of_columns(family: Family, gone: Sequence[ColumnState]) -> State:
    known = sum(len(table.columns) for table in family.tables.tables)
    if not gone:
        return State.HOLDS
    return State.REDESIGNED if len(gone) >= MOST_COLUMNS * known else State.DRIFTING


@dataclass(frozen=True, slots=True)
class _Columns:
    """Finds the columns of a template that are gone from pages."""

    template: Template
    relearned: Template | None

    def gone(self, family: Family, pages: Sequence[Page]) -> tuple[ColumnState, ...]:
        """Returns the columns of a family that are gone; of several tables each with its pages."""
        tables = family.tables.tables
        if not tables:
            return ()
        read = [Read(page, page.flagged(self.template.mark(page).gone)) for page in pages]
        nearest = [max(range(len(tables)), key=[table.fit(page) for table in tables].__getitem__) for page in read]
        new = [column for table in self._new for column in table.columns]
        return tuple(
            state
            for number, table in enumerate(tables)
            for state in states(table, [page for page, near in zip(read, nearest, strict=True) if near == number], new)
        )

    @property
    def _new(self) -> Sequence[Columns]:
        families = self.relearned.families if self.relearned else ()
        return [table for family in families for table in family.tables.tables]


def _places(said: Counter[str]) -> dict[str, str]:
    """Returns the place of each text, the most frequent one."""
    places: dict[str, str] = {}
    for saying, _ in said.most_common():
        place, text = _parted(saying)
        places.setdefault(text, place)
    return places


def _parted(saying: str) -> tuple[str, str]:
    place, _, text = saying.partition(": ")
    return place, text
