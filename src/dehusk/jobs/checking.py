"""Checks whether the templates of sites still hold for pages of a source."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dehusk.base.errors import Skipped, SourceError, TemplateError, UsageError
from dehusk.base.system import time_limit
from dehusk.core import Learning
from dehusk.jobs.clock import in_time
from dehusk.jobs.site_templates import Templates
from dehusk.jobs.store import Store
from dehusk.outputs.target import refuse_sources, refuse_twice
from dehusk.page import Page
from dehusk.sources import Reading, open_source
from dehusk.sources.web.fetching import Fetching
from dehusk.templates.drift import SiteState, state_of
from dehusk.templates.site_names import site_of
from dehusk.templates.template import Template

MOST_PAGES = 50
"""How many pages of a site are looked at: enough to tell, and few enough to hold in memory."""

Lookup = Callable[[Page], tuple[str, Template | None]]


@dataclass(frozen=True, slots=True)
class Check:
    """Sources to check, and where the templates are: a file or folder of `dehusk learn`, or a store."""

    sources: Sequence[str]
    template: Path | None = None
    store: Path | None = None
    leave_out: Sequence[Path] = ()
    source_options: Mapping[str, Any] = field(default_factory=dict)
    fetching: Fetching = field(default_factory=Fetching)
    relearn: bool = False
    """Whether to learn columns from the pages, to find those again that are gone."""
    page_seconds: float = 0
    """Maximum processor time for a page, in seconds; a page that takes longer is skipped. 0: no limit."""

    def __post_init__(self) -> None:
        if self.template is None and self.store is None:
            raise UsageError("check against what? give a template with -t, or a store with --store")
        if self.template is not None and self.store is not None:
            raise UsageError("check against a template or a store; leave out -t or --store")

    def run(self, skipped: Callable[[Skipped], object]) -> list[SiteState]:
        """Returns the states of all sites that have a template, in the order of the source."""
        refuse_twice([place for place in (self.template, self.store, *self.leave_out) if place])
        with ExitStack() as stack:
            lookup = self._lookup(stack)
            reading = Reading(
                fetcher=lambda: stack.enter_context(self.fetching.open()),
                leave_out=self.leave_out,
                options=self.source_options,
            )
            source = open_source(self.sources, reading)
            refuse_sources(self.leave_out, source.files, self.sources)
            states = SiteStates(lookup, self.page_seconds, skipped, relearn=self.relearn)
            for item in source:
                if isinstance(item, Skipped):
                    skipped(item)
                elif not states.add(item):
                    skipped(Skipped(item.name, "its site has no template"))
            found = states.found()
        if not found:
            raise SourceError("no page of a site that has a template could be read; nothing was checked")
        return found

    def _lookup(self, stack: ExitStack) -> Lookup:
        if self.template is not None:
            return Templates.load(self.template).of
        assert self.store is not None  # noqa: S101  # checked at construction
        if not self.store.exists():
            raise TemplateError(f"{self.store}: no such store; make one with dehusk learn --store")
        store = stack.enter_context(Store(self.store))

        def stored(page: Page) -> tuple[str, Template | None]:
            site = site_of(page, store.by)
            return site, store.template(site) if store.versions(site) else None

        return stored


class SiteStates:
    """Collects some pages of each site, and compares them with its template.

    A page may take `page_seconds` of processor time, and is skipped if it takes more; 0 for no limit.
    """

    def __init__(
        self, lookup: Lookup, page_seconds: float, skipped: Callable[[Skipped], object], *, relearn: bool = False
    ) -> None:
        self._lookup, self._relearn = lookup, relearn
        self._seconds, self._skipped = page_seconds, skipped
        self._pages: dict[str, list[Page]] = {}
        self._templates: dict[str, Template] = {}

    def add(self, page: Page) -> bool:
        """Adds a page. Returns False if its site has no template."""
        site, template = self._lookup(page)
        if template is None:
            return False
        self._templates.setdefault(site, template)
        some = self._pages.setdefault(site, [])
        if len(some) < MOST_PAGES:
            some.append(Page(page.html, url=page.url, name=page.name, encoding=page.encoding))  # without its document
        return True

    def found(self) -> list[SiteState]:
        """Returns the states of the sites that have a template. Raises SlowError if a site takes too long."""
        states = (self._state(site, pages) for site, pages in self._pages.items())
        return [state for state in states if state is not None]

    def _state(self, site: str, pages: list[Page]) -> SiteState | None:
        template = self._templates[site]
        read = list(in_time(pages, self._seconds, lambda page: template.mark(page).flags, self._skipped))
        if not read:
            return None
        has_columns = any(family.tables.tables for family in template.families)
        with time_limit(self._seconds * len(read)):
            relearned = Learning(columns=True).learn(read) if self._relearn and has_columns else None
            return state_of(template, read, site, relearned)
