"""Cleans pages and makes them ready to be written: one by one or in batches, in this process or in others."""

import os
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from dehusk.errors import Skipped
from dehusk.jobs.result import Done
from dehusk.outputs import Encode
from dehusk.page import Page
from dehusk.template import Template

if TYPE_CHECKING:
    from dehusk.jobs.workers import Pool

BATCH_PAGES = 64
BATCH_BYTES = 2_000_000
"""What goes to a process at once: enough that sending costs little, and not too much for the memory of many workers."""

PATIENCE = 0.5
"""Seconds after which a batch goes out as it is: a source that is fetched from the web is slower than any cleaning."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A page that only has to be written: what became of it, and its piece of the output."""

    done: Done
    piece: Any


@dataclass(frozen=True, slots=True)
class How:
    """How pages are cleaned: what makes the pieces of the output, and the roles of parts that stay or go."""

    encode: Encode
    keep: Sequence[str] = ()
    drop: Sequence[str] = ()


def clean_page(page: Page, site: str, template: Template, how: How) -> Finished | Skipped:
    """Cleans and encodes one page, or says why that failed. No page stops the ones that follow."""
    try:
        cleaned = template.clean(page, keep=how.keep, drop=how.drop)
        piece = how.encode(cleaned, site)
        return Finished(Done(page.name, cleaned.length, cleaned.share_removed, cleaned.warnings), piece)
    except Exception as error:  # noqa: BLE001  # see above
        return Skipped(page.name, f"could not be cleaned: {type(error).__name__}: {error}")


def no_template(site: str) -> str:
    """Why a page of a site that nothing was learned of is skipped."""
    return f"no template for {site or 'pages without a URL'}"


Outcome = tuple[Page | Skipped, Finished | Skipped]
"""An item of the source, and what became of it."""


class Lookup(Protocol):
    """The templates of sites."""

    def of(self, page: Page) -> tuple[str, Template | None]:
        """The site of a page, and its template if there is one."""


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def clean_all(items: Iterable[Page | Skipped], learned: Lookup, how: How, jobs: int) -> Generator[Outcome, None, None]:
    """Each item of a source and what became of it, in order. `jobs` is how many processes clean.

    Processes are started when a batch is full: a handful of pages is done before they would be ready.
    """
    with ExitStack() as stack:
        pool: Pool | None = None
        for batch in _batches(items, learned, BATCH_PAGES if jobs > 1 else 1):
            if pool is None and jobs > 1 and batch.full:
                from dehusk.jobs import workers

                pool = stack.enter_context(workers.Pool(jobs, how))
            yield from pool.add(batch) if pool else batch.here(how)
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
            self.done[number] = Skipped(item.name, no_template(site))
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

    def here(self, how: How) -> Iterator[Outcome]:
        """Cleans the pages in this process, one at a time."""
        to_do = {number: (site, template) for number, site, template in self.to_do}
        for number, item in enumerate(self.items):
            if number in to_do:
                self.done[number] = clean_page(self._page(number), *to_do[number], how)
            yield item, self.done[number]

    def results(self) -> Iterator[Outcome]:
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
