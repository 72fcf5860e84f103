"""Compares methods on pages without gold: how much each removes, how far it agrees with the first, and its time.

rows = compared(pages, [Tried.of("evidence", learn), Tried.of("rtdm", learn)])
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from dehusk.base.errors import DehuskError, Skipped, SlowError
from dehusk.base.system import time_limit
from dehusk.base.tree import letters
from dehusk.page import Page
from dehusk.sources import pages_of
from dehusk.templates.template import Template


@dataclass(frozen=True, slots=True)
class Tried:
    """A method that has learned, or why it could not."""

    name: str
    template: Template | None
    problem: str
    seconds: float
    """How long learning took."""

    @classmethod
    def of(cls, name: str, learn: Callable[[], Template]) -> Self:
        """Lets a method learn. An error is kept as its problem, so that other methods go on."""
        start = time.perf_counter()
        try:
            return cls(name, learn(), "", time.perf_counter() - start)
        except DehuskError as error:
            return cls(name, None, str(error), time.perf_counter() - start)


@dataclass(slots=True)
class MethodRow:
    """What a method did to the pages. Shares are of the letters of all pages that it cleaned."""

    name: str
    problem: str = ""
    """Why it could not learn; "" if it could."""
    learning: float = 0.0
    """Seconds of learning."""
    cleaning: float = 0.0
    """Seconds of processor time for cleaning all pages, which are parsed already."""
    pages: int = 0
    """Pages that it cleaned."""
    failed: int = 0
    """Pages that it could not clean, or not within the time limit."""
    length: int = 0
    removed: int = 0
    compared: int = 0
    """Letters on pages that the first method cleaned, too."""
    same: int = 0
    """Letters of these on which both agree: kept by both, or removed by both."""

    @property
    def share_removed(self) -> float | None:
        """The share of the text that it removed, from 0 to 1; None without text."""
        return self.removed / self.length if self.length else None

    @property
    def agreement(self) -> float | None:
        """The share of the text on which it agrees with the first method, from 0 to 1; None if it is not known."""
        return self.same / self.compared if self.compared else None


def compared(
    items: Iterable[Page | Skipped],
    tried: Sequence[Tried],
    *,
    page_seconds: float = 0,
    measured: Callable[[int], object] = lambda _: None,
) -> list[MethodRow]:
    """Cleans each page by each method; returns a row for each. The first method is the one that others agree with.

    A page that takes a method longer than `page_seconds` is a failed page of that method. `measured` is called with the
    number of pages done.
    """
    rows = [MethodRow(one.name, one.problem, one.seconds) for one in tried]
    for done, page in enumerate(pages_of(items), 1):
        sizes = _sizes(page, page_seconds)
        first: bytearray | None = None
        for number, (row, one) in enumerate(zip(rows, tried, strict=True)):
            if sizes is None:
                row.failed += one.template is not None
                continue
            flags = None if one.template is None else _flags(row, one.template, page, page_seconds)
            first = flags if number == 0 else first
            if flags is not None:
                _count(row, sizes, flags, first)
        measured(done)
    return rows


def _sizes(page: Page, page_seconds: float) -> list[int] | None:
    """Returns the letters of each text of a page; None if it cannot be read."""
    try:
        with time_limit(page_seconds):
            return [letters(text) for text in page.tree.text]
    except (SlowError, MemoryError):
        return None


def _flags(row: MethodRow, template: Template, page: Page, page_seconds: float) -> bytearray | None:
    """Returns a flag for each node, 1 for template; None if the page cannot be cleaned."""
    start = time.process_time()
    try:
        with time_limit(page_seconds):
            cleaned = template.clean(page)
            cleaned.text  # noqa: B018  # part of the time
            flags = cleaned.marking.flags
    except Exception:  # noqa: BLE001  # takes too long, too much memory; other pages and methods go on
        row.failed += 1
        return None
    row.cleaning += time.process_time() - start
    row.pages += 1
    return flags


def _count(row: MethodRow, sizes: Sequence[int], flags: bytearray, first: bytearray | None) -> None:
    length = sum(sizes)
    row.length += length
    row.removed += sum(size for size, flag in zip(sizes, flags, strict=True) if flag)
    if first is not None:
        row.compared += length
        row.same += sum(size for size, flag, other in zip(sizes, flags, first, strict=True) if flag == other)
