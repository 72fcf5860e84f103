"""Pages cleaned and made ready to be written, one by one or in batches, in this process or in others."""

import os
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from dehusk.errors import PageWarning, Skipped
from dehusk.outputs import Encode
from dehusk.page import Page
from dehusk.template import Template

if TYPE_CHECKING:
    from dehusk.jobs.workers import Pool

WARNINGS = 20
"""So many are remembered."""

BATCH_PAGES = 64
BATCH_BYTES = 2_000_000
"""What goes out at once: enough that the way there and back costs little, no more than memory has for many workers."""

PATIENCE = 0.5
"""Seconds after which a batch goes out as it is: a source that is fetched from the web is slower than any cleaning."""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one page: how long its text was, how much of it went, and what a person should know."""

    name: str
    length: int
    share_removed: float
    warnings: list[PageWarning]


@dataclass(slots=True)
class Tally:
    """What became of all pages: how many there were, how much of their text went, and the first warnings.

    `strange` are those that do not look like the pages their template was learned from.
    """

    cleaned: int = 0
    length: int = 0
    removed: float = 0.0
    odd: int = 0
    strange: int = 0
    warnings: list[str] = field(default_factory=list)

    def add(self, done: Done) -> None:
        """One more page."""
        self.cleaned += 1
        self.length += done.length
        self.removed += done.length * done.share_removed
        self.odd += len(done.warnings)
        self.strange += PageWarning.OTHER_SITE in done.warnings
        if len(self.warnings) < WARNINGS:
            self.warnings += [f"{done.name}: {warning}" for warning in done.warnings]


@dataclass(frozen=True, slots=True)
class Finished:
    """A page that only has to be put down: what became of it, and the piece of the output that it is."""

    done: Done
    piece: Any


def clean_page(page: Page, site: str, template: Template, encode: Encode) -> Finished | Skipped:
    """Cleans and encodes one page, or says why that failed: whatever a page does to us, the next is to be cleaned."""
    try:
        cleaned = template.clean(page)
        piece = encode(cleaned, site)
        return Finished(Done(page.name, cleaned.length, cleaned.share_removed, cleaned.warnings), piece)
    except Exception as error:  # noqa: BLE001  # see above
        return Skipped(page.name, f"could not be cleaned: {type(error).__name__}: {error}")


Result = tuple[Page | Skipped, Finished | Skipped]
"""An item of the source, and what became of it."""


class Lookup(Protocol):
    """The templates of sites."""

    def of(self, page: Page) -> tuple[str, Template | None]:
        """The site of a page, and its template if there is one."""


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def clean_all(
    items: Iterable[Page | Skipped], learned: Lookup, encode: Encode, jobs: int
) -> Generator[Result, None, None]:
    """Each item of a source and what became of it, in order, by so many processes.

    Processes are started when a batch is full: a handful of pages is done before they would be there.
    """
    with ExitStack() as stack:
        pool: Pool | None = None
        for batch in _batches(items, learned, BATCH_PAGES if jobs > 1 else 1):
            if pool is None and jobs > 1 and batch.full:
                from dehusk.jobs import workers

                pool = stack.enter_context(workers.Pool(jobs, encode))
            yield from pool.add(batch) if pool else batch.here(encode)
        if pool:
            yield from pool.rest()


class Batch:
    """Some items of a source, in order, and what became of them."""

    def __init__(self, pages: int) -> None:
        """`pages` is how many it may have."""
        self.items: list[Page | Skipped] = []
        self.to_do: list[tuple[int, str, Template]] = []
        self.done: dict[int, Finished | Skipped] = {}
        self._most = pages
        self.size = 0
        self._started = time.monotonic()

    def add(self, item: Page | Skipped, learned: Lookup) -> None:
        """One more item; pages of a site without a template are skipped."""
        number = len(self.items)
        self.items.append(item)
        if isinstance(item, Skipped):
            self.done[number] = item
            return
        site, template = learned.of(item)
        if template is None:
            self.done[number] = Skipped(item.name, f"no template for {site or 'pages without a URL'}")
        else:
            self.to_do.append((number, site, template))
            self.size += len(item.html)

    @property
    def full(self) -> bool:
        """Whether it is worth a process."""
        return len(self.items) >= self._most or self.size >= BATCH_BYTES

    @property
    def late(self) -> bool:
        """Whether it has waited long enough for more."""
        return time.monotonic() - self._started > PATIENCE

    def skip(self, which: int, why: str) -> None:
        """Gives up one of the pages that are to do."""
        number, *_ = self.to_do.pop(which)
        self.done[number] = Skipped(self._page(number).name, why)

    def take(self, results: Sequence[Finished | Skipped]) -> None:
        """What became of the pages that were to do."""
        self.done.update(zip((number for number, *_ in self.to_do), results, strict=True))
        self.to_do = []

    def here(self, encode: Encode) -> Iterator[Result]:
        """Cleans the pages in this process, one at a time."""
        to_do = {number: (site, template) for number, site, template in self.to_do}
        for number, item in enumerate(self.items):
            if number in to_do:
                self.done[number] = clean_page(self._page(number), *to_do[number], encode)
            yield item, self.done[number]

    def results(self) -> Iterator[Result]:
        """The items and what became of them."""
        for number, item in enumerate(self.items):
            yield item, self.done[number]

    def sent(self) -> Iterator[tuple[Page, str, Template]]:
        """The pages that are to do, with their sites and templates."""
        return ((self._page(number), site, template) for number, site, template in self.to_do)

    def _page(self, number: int) -> Page:
        page = self.items[number]
        assert isinstance(page, Page)  # noqa: S101  # no other is to do
        return page


def _batches(items: Iterable[Page | Skipped], learned: Lookup, pages: int) -> Iterator[Batch]:
    batch = Batch(pages)
    for item in items:
        batch.add(item, learned)
        if batch.full or batch.late:
            yield batch
            batch = Batch(pages)
    if batch.items:
        yield batch
