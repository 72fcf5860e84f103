"""Runs a job: learns, cleans and writes, step by step."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.base.errors import DehuskError, Skipped, UsageError
from dehusk.base.system import cores
from dehusk.base.urls import on_the_web
from dehusk.core import Learning
from dehusk.jobs._tasks import Cleaning, Early, Lookup, clean_all
from dehusk.jobs._unfinished import Unfinished, open_unfinished
from dehusk.jobs.result import Phase, Progress, Result, Skip, Skips, Tally, Tell
from dehusk.jobs.site_templates import Templates, learn_source
from dehusk.jobs.store import Added, Store, Stored
from dehusk.jobs.workers import Crew
from dehusk.marking.edits import Edit
from dehusk.outputs import STDOUT, Output, chosen, open_output
from dehusk.page import Page
from dehusk.sources import Source, pages_of, to_learn_from
from dehusk.templates.sampling import room, size
from dehusk.templates.site_names import site_of
from dehusk.templates.template import Template

if TYPE_CHECKING:
    from dehusk.jobs.job import Job

_SKIPPED_SIZE = 500  # estimated bytes in memory of an item that is not a page


class _NothingCleanedError(Exception):
    """Leaves the outputs, so that they remove what they began."""


class Work:
    """A running job."""

    def __init__(self, job: "Job", source: Source, stack: ExitStack, progress: Tell, skipped: Skip) -> None:
        self.job = job
        self.source = source
        self._stack = stack
        self._crew = stack.enter_context(Crew(job.jobs or cores(), job.page_seconds))
        self._progress = progress
        self._skipped = skipped
        self._kept = Kept(source)
        self._known = None if source.names is None else len(source.names)
        """Number of items of the source, if known before reading."""
        self._counted = self._known
        """The same, if known before or after reading it once."""

    def learn(self, edits: Mapping[str, tuple[Edit, ...]] | None = None) -> Templates:
        """Returns the given templates, or else learns those of the source and adds the edits of their sites."""
        templates = self._templates(self._skipped, edits)
        self._tell_failed(templates.failed)
        return templates

    def add_to_store(
        self, *, update: bool = False, nameless: str = "", read: Callable[[str, Page], object] = lambda *_: None
    ) -> Added:
        """Adds the pages of the source to the store and learns. Pages without a URL belong to the site `nameless`.

        `read` is called with the site of each page, and the page.
        """
        pages = pages_of(self._looked_at(to_learn_from(self.source), self._skipped))
        store = self._store()
        nameless = nameless or self._nameless(store)

        def site(page: Page) -> str:
            name = site_of(page, store.by) or nameless
            read(name, page)
            return name

        added = store.add(pages, update=update, site=site, learned=partial(self._tell, Phase.LEARNING))
        self._tell_failed(added.failed)
        return added

    def _tell_failed(self, failed: Mapping[str, str]) -> None:
        for site, why in failed.items():
            self._skipped(Skipped(site or "pages without a URL", why))

    def clean(self) -> Result:
        """Learns if needed, then cleans and writes all pages."""
        started = time.perf_counter()
        place, form = self._output()
        skips = Skips()
        with suppress(_NothingCleanedError), ExitStack() as stack:
            identity = self.job.identity(self.source)
            unfinished = open_unfinished(stack, place, form, identity)
            tally = self._resumed(unfinished, skips)
            output = stack.enter_context(
                open_output(
                    place,
                    form,
                    names=self.source.names,
                    files=self.source.files,
                    unfinished=unfinished,
                    **self.job.output_options,
                )
            )
            resumed = unfinished.items if unfinished else 0
            early = Early(Cleaning(output.encode, self.job.writing, tuple(self.job.languages)))
            templates = self._lookup(unfinished, early)
            self._clean_all(templates, early, output, unfinished, tally, skips)
            if not tally.cleaned:
                if unfinished:
                    unfinished.forget()
                raise _NothingCleanedError
            self._tell(Phase.WRITING, 0, 1)
        self._tell(Phase.WRITING, 1, 1)
        return Result(
            cleaned=tally.cleaned,
            skipped=skips.reasons.total(),
            reasons=dict(skips.reasons),
            first_skipped=tuple(skips.first),
            warnings=dict(tally.warnings),
            first_warnings=tuple(tally.first),
            share_removed=tally.removed / tally.length if tally.length else 0.0,
            outputs=(place,) if tally.cleaned else (),
            seconds=time.perf_counter() - started,
            resumed=resumed,
            templates=templates if isinstance(templates, Templates) else None,
        )

    def _output(self) -> tuple[str, str]:
        """Returns the output and its format."""
        job = self.job
        if job.output is None and self._known != 1:
            raise UsageError("several pages need a folder or a file to be written to; give an output with -o")
        place = STDOUT if job.output is None else os.fspath(job.output)
        form = chosen(place, job.format)
        job.writing.check("markdown" if job.output_options.get("markdown") else form)
        return place, form

    def _resumed(self, unfinished: Unfinished | None, skips: Skips) -> Tally:
        """Returns the counts of an earlier run of this job, and reports what it skipped."""
        if unfinished is None:
            return Tally()
        if unfinished.restarted:
            self._tell(Phase.RESTARTING, 0)
        if unfinished.items:
            self._tell(Phase.RESUMING, unfinished.items, self._known)
        for skipped in unfinished.skipped():
            skips.add(skipped)
            self._skipped(skipped)
        return unfinished.tally

    def _lookup(self, unfinished: Unfinished | None, early: Early) -> Templates | Stored:
        """Returns the templates to clean with: from the store, from an earlier run, given, or learned now."""
        unread: list[Skipped] = []
        try:
            if self.job.store is not None:
                stored = self._stored(partial(_keep_first, unread))
                if unfinished:
                    unfinished.job = self.job.identity(self.source)  # the store may have changed
                return stored
            if unfinished and (known := unfinished.templates()):
                templates, failed = known
                by_site = {template.site: template for template in templates}
                return Templates(by_site, self.job.by or "host", failed=failed)
            learned = self._templates(partial(_keep_first, unread), early=early)
        except DehuskError:
            for skipped in unread:  # otherwise they are reported during cleaning
                self._skipped(skipped)
            raise
        if unfinished and self.job.template is None:
            unfinished.keep(list(learned.by_site.values()), learned.failed)
        return learned

    def _templates(
        self, skipped: Skip, edits: Mapping[str, tuple[Edit, ...]] | None = None, early: Early | None = None
    ) -> Templates:
        job = self.job
        if isinstance(job.template, Templates):
            return job.template
        if isinstance(job.template, Template):
            return Templates({"": job.template}, job.by or "host")
        if job.template is not None:
            return Templates.load(Path(job.template), job.by)
        items: Iterable[Page | Skipped] = to_learn_from(self.source)
        if items is self.source and early:
            items = self._kept
        else:
            early = None
        return learn_source(
            self._looked_at(items, skipped),
            Learning.of(**job.said),
            by=job.by or "host",
            edits=edits,
            learned=partial(self._tell, Phase.LEARNING),
            crew=self._crew,
            early=early,
        )

    def _stored(self, skipped: Skip) -> Stored:
        """Returns the templates of the store, after learning sites that it does not have."""
        store = self._store()
        stored = Stored(store, self.job.store_version, self._nameless(store))
        # Learning from a single page may fetch others to compare it with: not needed if its site is known.
        if any(stored.site(page) not in store for page in self._looked_at(self.source) if isinstance(page, Page)):
            items = self._looked_at(to_learn_from(self.source), skipped)
            pages = (item for item in items if isinstance(item, Page))
            store.add(pages, only_new=True, site=stored.site, learned=partial(self._tell, Phase.LEARNING))
        return stored

    def _nameless(self, store: Store) -> str:
        """Returns the site of pages without a URL: the innermost folder named like a site of the store, else ""."""
        if len(self.job.places) != 1 or on_the_web(self.job.places[0]):
            return ""
        place = Path(self.job.places[0]).resolve()
        return next((path.name for path in (place, *place.parents) if path.name and path.name in store), "")

    def _store(self) -> Store:
        if self.job.store is None:
            raise UsageError("no store to add to; name one with store=")
        return self._stack.enter_context(Store(self.job.store, by=self.job.by, crew=self._crew, **self.job.said))

    def _clean_all(
        self,
        templates: Lookup,
        early: Early,
        output: Output,
        unfinished: Unfinished | None,
        tally: Tally,
        skips: Skips,
    ) -> None:
        """Cleans and writes each page. A page that fails is skipped."""
        done, total = unfinished.items if unfinished else 0, self._counted
        left = islice(self.source if self._kept.items is None else self._kept.items, done, None)
        with closing(clean_all(left, templates, early.cleaning, self._crew, early.done)) as outcomes:
            for number, (item, result) in enumerate(outcomes, done + 1):
                if isinstance(result, Skipped):
                    skips.add(result)
                    self._skipped(result)
                elif isinstance(item, Page):
                    output.write(item, result.piece)
                    tally.add(result)
                if unfinished:
                    unfinished.add(result, output)
                self._tell(Phase.CLEANING, number, total)

    def _looked_at(self, items: Iterable[Page | Skipped], skipped: Skip | None = None) -> Iterator[Page | Skipped]:
        """Yields items to learn from, and reports progress. Skipped items are passed to `skipped`, if given."""
        whole = items in (self.source, self._kept)
        total = self._known if whole else None
        number = 0
        for number, item in enumerate(items, 1):
            if skipped and isinstance(item, Skipped):
                skipped(item)
            yield item
            self._tell(Phase.LOOKING, number, total)
        if whole:
            self._counted = number

    def _tell(self, phase: Phase, done: int, total: int | None = None) -> None:
        self._progress(Progress(phase, done, total))


class Kept:
    """Keeps the items of a source in memory while they are read for the first time, if there is room."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.items: list[Page | Skipped] | None = None
        """All items in order; None before all are read, or if they do not fit."""

    def __iter__(self) -> Iterator[Page | Skipped]:
        kept: list[Page | Skipped] | None = []
        left = room()
        for item in self._source:
            if kept is not None:
                kept.append(item)
                left -= size(item) if isinstance(item, Page) else _SKIPPED_SIZE
                kept = kept if left >= 0 else None
            yield item
        self.items = kept


def _keep_first(unread: list[Skipped], skipped: Skipped) -> None:
    """Adds a skipped item to the list, up to a limit: a source may have millions of unreadable pages."""
    if len(unread) < 1000:
        unread.append(skipped)
