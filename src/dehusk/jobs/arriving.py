"""Cleans pages outside of a job, for pipelines of other libraries: they bring the pages and take the results.

Pages need a template. It is given, or looked up in a store, or learned from the pages themselves. `clean_all_of` has
them together. An `Arriving` gets them one by one: pages of a site are held until there are enough to learn from.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Generic, TypeVar

from dehusk.base import system
from dehusk.base.errors import Skipped, TemplateError, UsageError
from dehusk.core import Learning
from dehusk.jobs._tasks import Cleaning, Lookup, clean_within, no_template
from dehusk.jobs.result import Done
from dehusk.jobs.site_templates import Templates, learn_source
from dehusk.jobs.store import Store, Stored
from dehusk.jobs.workers import PAGE_SECONDS
from dehusk.outputs import Encode
from dehusk.page import Page
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.templates.site_names import BY, site_of
from dehusk.templates.template import Template

MOST_HELD = 256_000_000
"""Maximum bytes of held pages. Beyond it, the site with the most bytes is learned from what there is."""

Given = str | os.PathLike[str] | Template | Templates
"""A template, or the file or folder of saved ones."""

Note = TypeVar("Note")


class Known(AbstractContextManager["Known"]):
    """Templates that were learned before: `template` or `store`, or none of them. Closes the store."""

    def __init__(
        self, template: Given | None, store: str | os.PathLike[str] | None, learning: Mapping[str, Any]
    ) -> None:
        if template is not None and store is not None:
            raise UsageError("a template and a store cannot be combined; leave one of them out")
        if learning and (template is not None or store is not None):
            raise UsageError(f"the templates are learned already; leave out {', '.join(learning)}")
        self._store = None if store is None else Store(store, create=False)
        self.lookup: Lookup | None = None
        if self._store is not None:
            self.lookup = Stored(self._store)
        elif template is not None:
            self.lookup = _templates(template)

    def __exit__(self, *_: object) -> None:
        if self._store is not None:
            self._store.close()


def _templates(given: Given) -> Templates:
    if isinstance(given, Templates):
        return given
    return Templates({"": given}) if isinstance(given, Template) else Templates.load(Path(given))


def clean_all_of(
    items: Iterable[Page | Skipped],
    encode: Encode,
    *,
    template: Given | None = None,
    store: str | os.PathLike[str] | None = None,
    by: str = "host",
    writing: Writing = AS_LEARNED,
    **learning: Any,
) -> Iterator[tuple[Page | Skipped, Done | Skipped]]:
    """Yields each item with its result, in order, as `dehusk clean` cleans it.

    Without `template` and `store`, templates are learned from the items, which are iterated twice: give a list or a
    source. `learning` has the options of `dehusk.learn`.
    """
    cleaning = Cleaning(encode, writing)
    with Known(template, store, learning) as known:
        lookup = known.lookup
        for item in items:
            if isinstance(item, Skipped):
                yield item, item
                continue
            if lookup is None:  # at the first page: a source without pages is no error here
                lookup = learn_source(items, Learning.of(**learning), by=_checked(by), page_seconds=_seconds())
            yield item, _cleaned(item, lookup, cleaning)


def _checked(by: str) -> str:
    if by not in BY:
        raise UsageError(f"by={by!r}: choose {' or '.join(BY)}")
    return by


def _cleaned(page: Page, lookup: Lookup, cleaning: Cleaning) -> Done | Skipped:
    """Cleans a page; never raises, so that other pages go on."""
    try:
        site, template = lookup.of(page)
    except TemplateError as error:
        return Skipped(page.name, str(error))
    if template is None:
        return Skipped(page.name, no_template(site))
    return clean_within(_seconds(), page, site, template, cleaning)


def _seconds() -> float:
    """Returns the limit of processor time for a page. Only the main thread can limit its time."""
    return PAGE_SECONDS if system.in_main_thread() else 0


class Held(Generic[Note]):
    """Pages by site that wait for others of their site, each with a note. Counts their bytes, to stay below a limit."""

    def __init__(self) -> None:
        self.by_site: dict[str, list[tuple[Page, Note]]] = {}
        self._bytes: dict[str, int] = {}
        self._total = 0

    def __len__(self) -> int:
        return sum(map(len, self.by_site.values()))

    def add(self, site: str, page: Page, note: Note) -> int:
        """Adds a page. Returns how many pages of its site are held."""
        self.by_site.setdefault(site, []).append((page, note))
        self._bytes[site] = self._bytes.get(site, 0) + len(page.html)
        self._total += len(page.html)
        return len(self.by_site[site])

    def too_large(self) -> str | None:
        """Returns the site with the most bytes if all sites together have more than `MOST_HELD`, else None."""
        return max(self._bytes, key=self._bytes.__getitem__) if self._total > MOST_HELD else None

    def pop(self, site: str) -> list[tuple[Page, Note]]:
        """Returns the pages of a site, which are held no longer."""
        self._total -= self._bytes.pop(site)
        return self.by_site.pop(site)


class Arriving(Generic[Note]):
    """Pages that arrive one by one, each with a note of the caller, such as the item of a pipeline.

    With a `template` or `store`, nothing is held. Without, the pages of a site are held until there are `enough`: by
    default as many as learning looks at. What was held can be cleaned when its note is returned.
    """

    def __init__(
        self,
        *,
        template: Given | None = None,
        store: str | os.PathLike[str] | None = None,
        enough: int | None = None,
        by: str = "host",
        **learning: Any,
    ) -> None:
        self._known = Known(template, store, learning)
        self._learning, self._by = Learning.of(**learning), _checked(by)
        self._enough = enough or self._learning.looked_at
        self._learned: dict[str, Template] = {}
        self._failed: dict[str, str] = {}
        self._held: Held[Note] = Held()

    @property
    def learns(self) -> bool:
        """Whether templates are learned from the pages."""
        return self._known.lookup is None

    @property
    def held(self) -> int:
        """Number of pages that wait for others of their site."""
        return len(self._held)

    def add(self, page: Page, note: Note) -> list[Note]:
        """Adds a page. Returns the notes of all pages that can be cleaned now."""
        site = site_of(page, self._by)
        if not self.learns or site in self._learned or site in self._failed:
            return [note]
        if self._held.add(site, page, note) == self._enough:
            return self._learn(site)
        largest = self._held.too_large()
        return [] if largest is None else self._learn(largest)

    def rest(self) -> Iterator[Note]:
        """Learns all sites whose pages are held, and yields their notes."""
        while self._held.by_site:
            yield from self._learn(next(iter(self._held.by_site)))

    def of(self, page: Page) -> tuple[str, Template | None]:
        """Returns the site of a page, and its template if it has one by now."""
        if self._known.lookup is not None:
            return self._known.lookup.of(page)
        site = site_of(page, self._by)
        if site in self._failed:
            raise TemplateError(self._failed[site])
        return site, self._learned.get(site)

    def clean(self, page: Page, encode: Encode, writing: Writing = AS_LEARNED) -> Done | Skipped:
        """Cleans a page; returns the reason if it cannot be cleaned."""
        return _cleaned(page, self, Cleaning(encode, writing))

    def close(self) -> None:
        """Closes the store."""
        self._known.__exit__()

    def _learn(self, site: str) -> list[Note]:
        held = self._held.pop(site)
        try:
            pages = (page for page, _ in held)
            self._learned |= learn_source(pages, self._learning, by=self._by, page_seconds=_seconds()).by_site
        except TemplateError as error:
            self._failed[site] = str(error)
        return [note for _, note in held]
