"""Tasks for the crew: batches of pages to clean, sites to learn; in this process or in others."""

import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Protocol

from dehusk.base import system
from dehusk.base.errors import DehuskError, Skipped, TemplateError
from dehusk.core import Learning
from dehusk.jobs.result import Done
from dehusk.jobs.workers import BATCH_BYTES, Crew, Task
from dehusk.outputs import Encode
from dehusk.page import Page
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.templates.sampling import Sample
from dehusk.templates.template import Template

BATCH_PAGES = 64
"""Pages that go to a process at once, if they are small."""

LARGE, SLOW = 500_000, 100_000
"""A page with more bytes goes to a process of its own, or with more than this for each second that it may take.

The most hostile pages that we know are cleaned at more than twice this speed, so a smaller one needs no clock.
"""

_FORKED = 16  # a process that is forked is ready in a fraction of the time
_LEAST_LOAD = 1 / 16  # of a very small site

BATCH_SECONDS = 0.5
"""Seconds after which a batch goes out as it is: a source that is fetched from the web is slower than any cleaning."""


@dataclass(frozen=True, slots=True)
class Cleaning:
    """How pages are cleaned: what makes the pieces of the output, and how they are written."""

    encode: Encode
    writing: Writing = AS_LEARNED

    def each(self, item: "Sent", template: Template | None, /) -> Done | Skipped:
        """What a worker does with a page."""
        assert template is not None  # noqa: S101  # without one it is not sent
        return clean_page(unpacked(item[0]), item[1], template, self)

    def finish(self) -> None:
        """Each page is by itself."""

    def afterwards(self) -> Iterable[None]:
        """Nothing is left to do."""
        return ()


Packed = tuple[bytes | str, str | None, str, str | None, dict[str, str]]
"""A page as it is sent to a worker."""

Sent = tuple[Packed, str]
"""A page and its site."""


def packed(page: Page) -> Packed:
    """What a page is made of."""
    return page.html, page.url, page.name, page.encoding, dict(page.origin)


def unpacked(made: Packed) -> Page:
    """The page that is made of it."""
    html, url, name, encoding, origin = made
    return Page(html, url=url, name=name, encoding=encoding, origin=origin)


def _copy(page: Page) -> Page:
    """A page that is not parsed, as far as it is known."""
    copy = unpacked(packed(page))
    if "digest" in vars(page):
        copy.digest = page.digest
    return copy


def clean_page(page: Page, site: str, template: Template, cleaning: Cleaning) -> Done | Skipped:
    """Cleans and encodes one page, or says why that failed. No page stops the ones that follow."""
    try:
        cleaned = template.clean(page, writing=cleaning.writing)
        piece = cleaning.encode(cleaned, site)
        return Done(page.name, cleaned.length, cleaned.share_removed, cleaned.warnings, piece)
    except MemoryError:
        return Skipped(page.name, "could not be cleaned: takes too much memory")
    except Exception as error:  # noqa: BLE001  # see above
        return Skipped(page.name, f"could not be cleaned: {type(error).__name__}: {error}")


def no_template(site: str) -> str:
    """Why a page of a site that nothing was learned of is skipped."""
    return f"no template for {site or 'pages without a URL'}"


Outcome = tuple[Page | Skipped, Done | Skipped]
"""An item of the source, and what became of it."""


class Lookup(Protocol):
    """The templates of sites."""

    def of(self, page: Page) -> tuple[str, Template | None]:
        """The site of a page, and its template if there is one. Raises TemplateError, saying why, if it is lost."""


@dataclass(frozen=True, slots=True)
class Early:
    """Pages that are cleaned as soon as their site is learned, by the same process: it has parsed them already."""

    cleaning: Cleaning
    done: dict[Page, Done] = field(default_factory=dict)
    """What became of them. One that fails is not here: it is cleaned again, like all others."""


def clean_all(
    items: Iterable[Page | Skipped],
    learned: Lookup,
    cleaning: Cleaning,
    crew: Crew,
    done: Mapping[Page, Done] | None = None,
) -> Generator[Outcome, None, None]:
    """Each item of a source and what became of it, in order. `done` are the pages that are cleaned already.

    Processes are started when a batch is full: a handful of small pages is done before they would be ready.
    """
    batches = _batches(items, learned, cleaning, done or {})
    for batch in batches:
        if crew.started or batch.full or batch.is_large(crew.seconds):
            for finished in crew.run(chain([batch], batches)):
                yield from finished.results()
        else:
            yield from batch.here()


_NOTHING: Mapping[Page, Done] = {}


class Batch(Task):
    """Some items of a source, in order, and what became of them."""

    trade: Cleaning

    def __init__(self, cleaning: Cleaning) -> None:
        self.trade = cleaning
        self.items: list[Page | Skipped] = []
        self.to_do: dict[int, tuple[Page, str, Template]] = {}  # by number
        self.done: dict[int, Done | Skipped] = {}
        self._largest = 0
        self._started = time.monotonic()

    def add(self, item: Page | Skipped, learned: Lookup, done: Mapping[Page, Done] = _NOTHING) -> None:
        """One more item; pages of a site without a template are skipped."""
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
        """Whether it is worth a process."""
        return len(self.items) >= BATCH_PAGES or self.size >= BATCH_BYTES

    def is_large(self, seconds: float) -> bool:
        """Whether a page of it may take this long, or much memory."""
        return self._largest > _unwatched(seconds)

    @property
    def late(self) -> bool:
        """Whether it has waited long enough for more."""
        return time.monotonic() - self._started > BATCH_SECONDS

    @property
    def is_open(self) -> bool:
        """Whether there are pages to do."""
        return bool(self.to_do)

    def sent(self) -> Iterator[tuple[Sent, Template]]:
        """The pages that are to do, with their sites and templates."""
        return (((packed(page), site), template) for page, site, template in self.to_do.values())

    def take(self, results: Sequence[Any]) -> None:
        """What became of the pages that were to do."""
        self.rescue(results[:-1])

    def rescue(self, results: Sequence[Any]) -> int:
        """What became of the first of them."""
        first = dict(zip(self.to_do, results, strict=False))
        self.done |= first
        for number in first:
            del self.to_do[number]
        return len(first)

    def drop(self, which: int, why: str) -> None:
        """Gives up one of the pages that are to do."""
        number = list(self.to_do)[which]
        self.done[number] = Skipped(self.to_do.pop(number)[0].name, why)

    def here(self) -> Iterator[Outcome]:
        """Cleans the pages in this process, one at a time."""
        for number, item in enumerate(self.items):
            if number in self.to_do:
                self.done[number] = clean_page(*self.to_do[number], self.trade)
            yield item, self.done[number]

    def results(self) -> Iterator[Outcome]:
        """The items and what became of them."""
        for number, item in enumerate(self.items):
            yield item, self.done[number]


def _unwatched(seconds: float) -> float:
    """Bytes of a page that needs no clock where a page may take so many seconds."""
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
"""Sites, and the pages of each that are looked at, in the order of their hashes."""


def learn_sites(
    sites: Sites, by: str, learning: Learning, crew: Crew | None = None, early: Early | None = None
) -> Iterator[Template | TemplateError]:
    """The template of each site, or why there is none. The pages of small sites are cleaned as well, if asked for.

    Processes are started for a large site, or for many: a few small ones are done before they would be ready.
    """
    tasks = (_Site(site, by, pages, learning, early) for site, pages in sites)
    few = BATCH_BYTES // _FORKED if system.can_fork() else BATCH_BYTES
    done = 0
    for task in tasks:
        done += task.size
        if crew is None or not (crew.started or task.is_large or done > few):
            yield task.here(crew.seconds if crew else 0)
        else:
            yield from (finished.here(crew.seconds) for finished in crew.run(chain([task], tasks)))


class _Learner:
    """What a worker does to learn a site, and to clean its pages if there is a way to."""

    def __init__(self, site: str, by: str, learning: Learning, cleaning: Cleaning | None) -> None:
        self._site, self._by, self._learning, self._cleaning = site, by, learning, cleaning
        self._pages: list[Page] = []
        self._template: Template | str = ""

    def each(self, item: Packed, _: Template | None, /) -> None:
        """Reads one page as far as it can be read by itself, so that it is known which page takes too long."""
        page = unpacked(item)
        page.tree  # noqa: B018  # what is learned from
        self._pages.append(page)

    def finish(self) -> dict[str, Any] | str:
        """The template as JSON, or what went wrong."""
        self._template = self.learned(self._pages)
        return self._template if isinstance(self._template, str) else self._template.to_json()

    def afterwards(self) -> Iterator[Done | Skipped]:
        """The pages, cleaned."""
        return self.cleaned(self._pages, self._template)

    def learned(self, pages: Sequence[Page]) -> Template | str:
        """What these pages of the site show, or what went wrong. No site stops the ones that follow."""
        try:
            return self._learning.template(Sample(pages), self._site, self._by)
        except MemoryError:
            return "takes too much memory"
        except Exception as error:  # noqa: BLE001  # see above
            return str(error) if isinstance(error, DehuskError) else f"{type(error).__name__}: {error}"

    def cleaned(self, pages: Iterable[Page], template: Template | str) -> Iterator[Done | Skipped]:
        """What becomes of each page; nothing where nothing was learned, or pages are cleaned later."""
        if self._cleaning is not None and isinstance(template, Template):
            for page in pages:
                yield clean_page(page, self._site, template, self._cleaning)


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
        # The pages of a large site are left to all processes.
        self._early = early if self.size <= BATCH_BYTES else None
        self.trade = _Learner(site, by, learning, self._early.cleaning if self._early else None)

    @property
    def is_large(self) -> bool:
        """Whether a page of it may take long, or much memory."""
        return any(len(page.html) > LARGE for page in self._pages)

    @property
    def is_open(self) -> bool:
        """Whether it is still to be learned."""
        return self.learned is None

    def sent(self) -> Iterator[tuple[Packed, None]]:
        """Its pages."""
        return ((packed(page), None) for page in self._pages)

    def take(self, results: Sequence[Any]) -> None:
        """What was learned from them, and what became of them."""
        outcome = results[len(self._pages)]
        self._keep(results[len(self._pages) + 1 :])
        self._settle(outcome if isinstance(outcome, str) else Template.from_json(outcome))

    def rescue(self, results: Sequence[Any]) -> int:
        """Nothing until the site is learned: pages are read again. Then the pages that are left are cleaned later."""
        if len(results) <= len(self._pages):
            return 0
        self.take(results)
        return len(results)

    def drop(self, which: int, why: str) -> None:
        """Learns without one of the pages; nothing is left where it is the only one, or all of them together."""
        if which < len(self._pages) > 1:
            gone = self._pages.pop(which)
            self._left_out.append(gone.name or gone.digest)
        else:
            self._settle(why)

    def here(self, seconds: float) -> Template | TemplateError:
        """What was learned; in this process, if that is still to do. A page that needs a clock is cleaned later."""
        if self.is_open:
            copies = [_copy(page) for page in self._pages]  # which are parsed, and let go of
            outcome = self.trade.learned(copies)
            watched = next((n for n, page in enumerate(copies) if len(page.html) > _unwatched(seconds)), None)
            self._keep(self.trade.cleaned(copies[:watched], outcome))
            self._settle(outcome)
        assert self.learned is not None  # noqa: S101  # it is settled
        return self.learned

    def _keep(self, outcomes: Iterable[Done | Skipped]) -> None:
        """Remembers what became of the first pages."""
        for page, outcome in zip(self._pages, outcomes, strict=False):
            if self._early and isinstance(outcome, Done):
                self._early.done[page] = outcome

    def _settle(self, outcome: Template | str) -> None:
        """Keeps the template, or why there is none."""
        if isinstance(outcome, str):
            self.learned = TemplateError(f"{self._site or 'pages without a URL'} could not be learned: {outcome}")
        else:
            self.learned = replace(outcome, left_out=(*self._left_out, *outcome.left_out))
        self._pages = []
