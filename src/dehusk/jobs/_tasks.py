"""Tasks for workers: batches of pages to clean, and sites to learn. They can also run in this process."""

import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Protocol

from dehusk.base import system
from dehusk.base.errors import DehuskError, Skipped, SlowError, TemplateError
from dehusk.core import Learning
from dehusk.jobs.result import Done
from dehusk.jobs.workers import BATCH_BYTES, Crew, Task
from dehusk.metadata.languages import not_asked_for
from dehusk.outputs import Encode
from dehusk.page import Page
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.templates.sampling import Sample
from dehusk.templates.template import Template

BATCH_PAGES = 64
"""Maximum number of pages in a batch."""

LARGE, SLOW = 500_000, 100_000
"""A page is cleaned in a worker if it has more than LARGE bytes, or more than SLOW bytes per second of the time limit.

The slowest known pages are cleaned at more than twice the speed SLOW, so smaller pages need no time limit.
"""

_FORKED = 16  # forks start fast: they pay off at a 16th of the work
_LEAST_LOAD = 1 / 16  # minimum load of a site

BATCH_SECONDS = 0.5
"""Seconds after which an incomplete batch is sent: fetching pages from the web is slower than cleaning them."""


@dataclass(frozen=True, slots=True)
class Cleaning:
    """How pages are cleaned: `encode` turns a cleaned page into its piece of the output."""

    encode: Encode
    writing: Writing = AS_LEARNED
    languages: tuple[str, ...] = ()
    """Pages in other languages are skipped; empty for none."""

    def each(self, item: "Sent", template: Template | None, /) -> Done | Skipped:
        """Cleans one page in a worker."""
        assert template is not None  # noqa: S101  # only pages with a template are sent
        return clean_page(unpacked(item[0]), item[1], template, self)

    def finish(self) -> None:
        """Does nothing: pages are independent."""

    def afterwards(self) -> Iterable[None]:
        """Returns nothing: there is no further work."""
        return ()


Packed = tuple[bytes | str, str | None, str, str | None, dict[str, str]]
"""A page in the form that is sent to a worker."""

Sent = tuple[Packed, str]
"""A page and its site."""


def packed(page: Page) -> Packed:
    """Returns a page in the form that is sent to a worker."""
    return page.html, page.url, page.name, page.encoding, dict(page.origin)


def unpacked(made: Packed) -> Page:
    """Returns the page that `packed` was given."""
    html, url, name, encoding, origin = made
    return Page(html, url=url, name=name, encoding=encoding, origin=origin)


def _copy(page: Page) -> Page:
    """Returns an unparsed copy of a page, with its hash if that is computed."""
    copy = unpacked(packed(page))
    if "digest" in vars(page):
        copy.digest = page.digest
    return copy


def clean_page(page: Page, site: str, template: Template, cleaning: Cleaning) -> Done | Skipped:
    """Cleans and encodes one page. Returns the reason if that fails; never raises, so that other pages go on."""
    try:
        cleaned = template.clean(page, writing=cleaning.writing)
        if cleaning.languages and (why := not_asked_for(cleaned.metadata.language, cleaning.languages)):
            return Skipped(page.name, why)
        piece = cleaning.encode(cleaned, site)
        return Done(page.name, cleaned.length, cleaned.share_removed, cleaned.warnings, piece)
    except SlowError as error:
        return Skipped(page.name, str(error))
    except MemoryError:
        return Skipped(page.name, "could not be cleaned: takes too much memory")
    except Exception as error:  # noqa: BLE001  # see above
        return Skipped(page.name, f"could not be cleaned: {type(error).__name__}: {error}")


def clean_within(seconds: float, page: Page, site: str, template: Template, cleaning: Cleaning) -> Done | Skipped:
    """Cleans one page in this process, within a limit of processor time."""
    try:
        with system.time_limit(seconds):
            return clean_page(page, site, template, cleaning)
    except SlowError as error:  # at the end of the block
        return Skipped(page.name, str(error))


def no_template(site: str) -> str:
    """Returns the skip reason for pages of a site without a template."""
    return f"no template for {site or 'pages without a URL'}"


Outcome = tuple[Page | Skipped, Done | Skipped]
"""An item of the source and its result."""


class Lookup(Protocol):
    """Finds the template for a page."""

    def of(self, page: Page) -> tuple[str, Template | None]:
        """Returns the site of a page and its template, if any. Raises TemplateError if the template is unusable."""


@dataclass(frozen=True, slots=True)
class Early:
    """Pages that are cleaned right after their site is learned, in the same process, which has already parsed them."""

    cleaning: Cleaning
    done: dict[Page, Done] = field(default_factory=dict)
    """Their results. A page that failed is not included: it is cleaned again later, with all others."""


def clean_all(
    items: Iterable[Page | Skipped],
    learned: Lookup,
    cleaning: Cleaning,
    crew: Crew,
    done: Mapping[Page, Done] | None = None,
) -> Generator[Outcome, None, None]:
    """Yields each item of a source with its result, in order. `done` has the results of pages that are already cleaned.

    Where a process is a fork, all pages go to processes. Elsewhere they are started for full batches and large pages
    only: a few small pages take less time than a start.
    """
    batches = _batches(items, learned, cleaning, done or {})
    for batch in batches:
        if crew.can_start and (crew.started or crew.at_once or batch.full or batch.is_large(crew.seconds)):
            for finished in crew.run(chain([batch], batches)):
                yield from finished.results()
        else:
            yield from batch.here(crew.seconds)


_NOTHING: Mapping[Page, Done] = {}


class Batch(Task):
    """Consecutive items of a source, and their results."""

    trade: Cleaning

    def __init__(self, cleaning: Cleaning) -> None:
        self.trade = cleaning
        self.items: list[Page | Skipped] = []
        self.to_do: dict[int, tuple[Page, str, Template]] = {}  # by number
        self.done: dict[int, Done | Skipped] = {}
        self._largest = 0
        self._started = time.monotonic()

    def add(self, item: Page | Skipped, learned: Lookup, done: Mapping[Page, Done] = _NOTHING) -> None:
        """Adds an item. Pages of a site without a template are skipped."""
        number = len(self.items)
        self.items.append(item)
        if isinstance(item, Skipped) or item in done:
            self.done[number] = item if isinstance(item, Skipped) else done[item]
            return
        try:
            site, template = learned.of(item)
        except TemplateError as error:
            self.done[number] = Skipped(item.name, str(error))
            return
        if template is None:
            self.done[number] = Skipped(item.name, no_template(site))
        else:
            self.to_do[number] = (item, site, template)
            self.size += len(item.html)
            self._largest = max(self._largest, len(item.html))

    @property
    def full(self) -> bool:
        """Whether the batch has reached its maximum size."""
        return len(self.items) >= BATCH_PAGES or self.size >= BATCH_BYTES

    def is_large(self, seconds: float) -> bool:
        """Whether a page is so large that it may take `seconds`, or much memory."""
        return self._largest > _unwatched(seconds)

    @property
    def late(self) -> bool:
        """Whether the batch has waited `BATCH_SECONDS` for more items."""
        return time.monotonic() - self._started > BATCH_SECONDS

    @property
    def is_open(self) -> bool:
        """Whether there are pages left to clean."""
        return bool(self.to_do)

    def sent(self) -> Iterator[tuple[Sent, Template]]:
        """Yields the pages left to clean, with their sites and templates."""
        return (((packed(page), site), template) for page, site, template in self.to_do.values())

    def take(self, results: Sequence[Any]) -> None:
        """Stores the results of all pages that were left."""
        self.rescue(results[:-1])

    def rescue(self, results: Sequence[Any]) -> int:
        """Stores the results of the first pages that were left; returns their number."""
        first = dict(zip(self.to_do, results, strict=False))
        self.done |= first
        for number in first:
            del self.to_do[number]
        return len(first)

    def drop(self, which: int, why: str) -> None:
        """Skips one of the pages left to clean."""
        number = list(self.to_do)[which]
        self.done[number] = Skipped(self.to_do.pop(number)[0].name, why)

    def here(self, seconds: float = 0) -> Iterator[Outcome]:
        """Cleans the pages in this process, one at a time, each within `seconds`."""
        for number, item in enumerate(self.items):
            if number in self.to_do:
                self.done[number] = clean_within(seconds, *self.to_do[number], self.trade)
            yield item, self.done[number]

    def results(self) -> Iterator[Outcome]:
        """Yields the items with their results."""
        for number, item in enumerate(self.items):
            yield item, self.done[number]


def _unwatched(seconds: float) -> float:
    """Returns the maximum size of a page that is safe to clean without limits, if it may take `seconds`."""
    return min(LARGE, seconds * SLOW if seconds else LARGE)


def _batches(
    items: Iterable[Page | Skipped], learned: Lookup, cleaning: Cleaning, done: Mapping[Page, Done]
) -> Iterator[Batch]:
    batch = Batch(cleaning)
    for item in items:
        batch.add(item, learned, done)
        if batch.full or batch.late:
            yield batch
            batch = Batch(cleaning)
    if batch.items:
        yield batch


Sites = Iterable[tuple[str, Iterable[Page]]]
"""Sites, each with the pages to learn from, in hash order."""


def learn_sites(
    sites: Sites, by: str, learning: Learning, crew: Crew | None = None, early: Early | None = None, seconds: float = 0
) -> Iterator[Template | TemplateError]:
    """Yields the template of each site, or the error. With `early`, the pages of small sites are cleaned too.

    `seconds` is the limit of processor time for a page where there is no crew.

    Where a process is a fork, all sites go to processes. Elsewhere they are started for large pages or many sites only:
    a few small sites take less time than a start.
    """
    tasks = (_Site(site, by, pages, learning, early) for site, pages in sites)
    few = BATCH_BYTES // _FORKED if system.can_fork() else BATCH_BYTES
    done = 0
    for task in tasks:
        done += task.size
        if not (crew and crew.can_start and (crew.started or crew.at_once or task.is_large or done > few)):
            yield task.here(crew.seconds if crew else seconds)
        else:
            yield from (finished.here(crew.seconds) for finished in crew.run(chain([task], tasks)))


class _Learner:
    """Learns a site in a worker, and cleans its pages if `cleaning` is given."""

    def __init__(self, site: str, by: str, learning: Learning, cleaning: Cleaning | None) -> None:
        self._site, self._by, self._learning, self._cleaning = site, by, learning, cleaning
        self._pages: list[Page] = []
        self._template: Template | str = ""

    def each(self, item: Packed, _: Template | None, /) -> None:
        """Parses one page. Pages are parsed one by one, so that it is known which page takes too long."""
        page = unpacked(item)
        page.tree  # noqa: B018  # builds the tree, which is cached
        self._pages.append(page)

    def finish(self) -> dict[str, Any] | str:
        """Returns the template as JSON, or an error message."""
        self._template = self.learned(self._pages)
        return self._template if isinstance(self._template, str) else self._template.to_json()

    def afterwards(self) -> Iterator[Done | Skipped]:
        """Yields the results of cleaning the pages."""
        return self.cleaned(self._pages, self._template)

    def learned(self, pages: Sequence[Page]) -> Template | str:
        """Returns the template of these pages, or an error message; never raises, so that other sites go on."""
        try:
            return self._learning.template(Sample(pages), self._site, self._by)
        except MemoryError:
            return "takes too much memory"
        except Exception as error:  # noqa: BLE001  # see above
            return str(error) if isinstance(error, DehuskError) else f"{type(error).__name__}: {error}"

    def cleaned(self, pages: Iterable[Page], template: Template | str, seconds: float = 0) -> Iterator[Done | Skipped]:
        """Yields the result of each page; nothing if there is no template, or if pages are cleaned later.

        `seconds` is the limit for each page in this process; workers have their own.
        """
        if self._cleaning is not None and isinstance(template, Template):
            for page in pages:
                yield clean_within(seconds, page, self._site, template, self._cleaning)


class _Site(Task):
    """A site to learn."""

    trade: _Learner

    def __init__(self, site: str, by: str, pages: Iterable[Page], learning: Learning, early: Early | None) -> None:
        self._site = site
        self.learned: Template | TemplateError | None = None
        sample = Sample(())
        try:
            sample = Sample.of(pages)
        except TemplateError as error:  # such as a damaged store
            self.learned = error
        self._pages, self._left_out = list(sample.pages), list(sample.left_out)
        self.size = sum(len(page.html) for page in self._pages)
        self.load = min(1.0, max(_LEAST_LOAD, self.size / BATCH_BYTES)) if BATCH_BYTES else 1.0
        # The pages of a large site are cleaned later, by all processes.
        self._early = early if self.size <= BATCH_BYTES else None
        self.trade = _Learner(site, by, learning, self._early.cleaning if self._early else None)

    @property
    def is_large(self) -> bool:
        """Whether a page is so large that it may take long, or much memory."""
        return any(len(page.html) > LARGE for page in self._pages)

    @property
    def is_open(self) -> bool:
        """Whether the site is not learned yet."""
        return self.learned is None

    def sent(self) -> Iterator[tuple[Packed, None]]:
        """Yields the pages to learn from."""
        return ((packed(page), None) for page in self._pages)

    def take(self, results: Sequence[Any]) -> None:
        """Stores the template, and the results of pages that were cleaned."""
        outcome = results[len(self._pages)]
        self._keep(results[len(self._pages) + 1 :])
        self._settle(outcome if isinstance(outcome, str) else Template.from_json(outcome))

    def rescue(self, results: Sequence[Any]) -> int:
        """Stores the template if the worker had learned it; the remaining pages are cleaned later. Else starts over."""
        if len(results) <= len(self._pages):
            return 0
        self.take(results)
        return len(results)

    def drop(self, which: int, why: str) -> None:
        """Leaves out one page. Fails the site if it is the only page, or if learning itself failed."""
        if which < len(self._pages) > 1:
            gone = self._pages.pop(which)
            self._left_out.append(gone.name or gone.digest)
        else:
            self._settle(why)

    def here(self, seconds: float) -> Template | TemplateError:
        """Returns the template or the error; learns here if needed. Pages that need a time limit are cleaned later."""
        if self.is_open:
            copies = [_copy(page) for page in self._pages]  # so that parsed trees are freed afterwards
            outcome = self._learned_within(seconds * len(copies), copies)
            watched = next((n for n, page in enumerate(copies) if len(page.html) > _unwatched(seconds)), None)
            self._keep(self.trade.cleaned(copies[:watched], outcome, seconds))
            self._settle(outcome)
        assert self.learned is not None  # noqa: S101  # set by _settle
        return self.learned

    def _learned_within(self, seconds: float, pages: Sequence[Page]) -> Template | str:
        """Learns in this process, within a limit of processor time."""
        try:
            with system.time_limit(seconds):
                return self.trade.learned(pages)
        except SlowError as error:  # at the end of the block
            return str(error)

    def _keep(self, outcomes: Iterable[Done | Skipped]) -> None:
        """Stores the results of the first pages that were cleaned."""
        for page, outcome in zip(self._pages, outcomes, strict=False):
            if self._early and isinstance(outcome, Done):
                self._early.done[page] = outcome

    def _settle(self, outcome: Template | str) -> None:
        """Stores the template or the error."""
        if isinstance(outcome, str):
            self.learned = TemplateError(f"{self._site or 'pages without a URL'} could not be learned: {outcome}")
        else:
            self.learned = replace(outcome, left_out=(*self._left_out, *outcome.left_out))
        self._pages = []
