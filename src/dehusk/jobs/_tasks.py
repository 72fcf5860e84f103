"""Tasks for the crew: batches of pages to clean, sites to learn; in this process or in others."""

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Protocol

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


def clean_all(
    items: Iterable[Page | Skipped], learned: Lookup, cleaning: Cleaning, crew: Crew
) -> Generator[Outcome, None, None]:
    """Each item of a source and what became of it, in order.

    Processes are started when a batch is full: a handful of small pages is done before they would be ready.
    """
    batches = _batches(items, learned, cleaning)
    for batch in batches:
        if crew.started or batch.full or batch.is_large(crew.seconds):
            for finished in crew.run(chain([batch], batches)):
                yield from finished.results()
        else:
            yield from batch.here()


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

    def add(self, item: Page | Skipped, learned: Lookup) -> None:
        """One more item; pages of a site without a template are skipped."""
        number = len(self.items)
        self.items.append(item)
        if isinstance(item, Skipped):
            self.done[number] = item
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
        return self._largest > min(LARGE, seconds * SLOW if seconds else LARGE)

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


def _batches(items: Iterable[Page | Skipped], learned: Lookup, cleaning: Cleaning) -> Iterator[Batch]:
    batch = Batch(cleaning)
    for item in items:
        batch.add(item, learned)
        if batch.full or batch.late:
            yield batch
            batch = Batch(cleaning)
    if batch.items:
        yield batch


Sites = Iterable[tuple[str, Iterable[Page]]]
"""Sites, and the pages of each that are looked at, in the order of their hashes."""


def learn_sites(
    sites: Sites, by: str, learning: Learning, crew: Crew | None = None
) -> Iterator[Template | TemplateError]:
    """The template of each site, or why there is none.

    Processes are started for a large site, or for many: a few small ones are done before they would be ready.
    """
    tasks = (_Site(site, by, pages, learning) for site, pages in sites)
    done = 0
    for task in tasks:
        done += task.size
        if crew is None or not (crew.started or task.is_large or done > BATCH_BYTES):
            yield task.here()
        else:
            yield from (finished.here() for finished in crew.run(chain([task], tasks)))


class _Learner:
    """What a worker does to learn a site."""

    def __init__(self, site: str, by: str, learning: Learning) -> None:
        self._site, self._by, self._learning = site, by, learning
        self._pages: list[Page] = []

    def each(self, item: Packed, _: Template | None, /) -> None:
        """Reads one page as far as it can be read by itself, so that it is known which page takes too long."""
        page = unpacked(item)
        page.tree  # noqa: B018  # what is learned from
        self._pages.append(page)

    def finish(self) -> dict[str, Any] | str:
        """The template as JSON, or what went wrong."""
        learned = self.learned(self._pages)
        return learned if isinstance(learned, str) else learned.to_json()

    def learned(self, pages: Sequence[Page]) -> Template | str:
        """What these pages of the site show, or what went wrong. No site stops the ones that follow."""
        try:
            return self._learning.template(Sample(pages), self._site, self._by)
        except MemoryError:
            return "takes too much memory"
        except Exception as error:  # noqa: BLE001  # see above
            return str(error) if isinstance(error, DehuskError) else f"{type(error).__name__}: {error}"


class _Site(Task):
    """A site to learn."""

    trade: _Learner

    def __init__(self, site: str, by: str, pages: Iterable[Page], learning: Learning) -> None:
        self.trade = _Learner(site, by, learning)
        self._site = site
        self.learned: Template | TemplateError | None = None
        sample = Sample(())
        try:
            sample = Sample.of(pages)
        except TemplateError as error:  # such as a damaged store
            self.learned = error
        self._pages, self._left_out = list(sample.pages), list(sample.left_out)
        self.size = sum(len(page.html) for page in self._pages)

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
        """What was learned from them."""
        outcome = results[-1]
        self._settle(outcome if isinstance(outcome, str) else Template.from_json(outcome))

    def rescue(self, results: Sequence[Any]) -> int:  # noqa: ARG002
        """Nothing: pages are read again."""
        return 0

    def drop(self, which: int, why: str) -> None:
        """Learns without one of the pages; nothing is left where it is the only one, or all of them together."""
        if which < len(self._pages) > 1:
            gone = self._pages.pop(which)
            self._left_out.append(gone.name or gone.digest)
        else:
            self._settle(why)

    def here(self) -> Template | TemplateError:
        """What was learned; in this process, if that is still to do."""
        if self.is_open:
            self._settle(self.trade.learned(self._pages))
        assert self.learned is not None  # noqa: S101  # it is settled
        return self.learned

    def _settle(self, outcome: Template | str) -> None:
        """Keeps the template, or why there is none."""
        if isinstance(outcome, str):
            self.learned = TemplateError(f"{self._site or 'pages without a URL'} could not be learned: {outcome}")
        else:
            self.learned = replace(outcome, left_out=(*self._left_out, *outcome.left_out))
        self._pages = []
