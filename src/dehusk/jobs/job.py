"""A whole job: read a source, learn its templates, clean its pages, write them.

    from dehusk import Job
    result = Job("crawl.warc.gz", "text.jsonl").run()
    print(result.cleaned, result.skipped, result.share_removed)

The command line calls this, and so does whatever else runs a job on one machine. Nothing here prints: `run` tells how
far it is through one callback, and what it skips through another.
"""

import hashlib
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import KW_ONLY, dataclass, field, fields
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from dehusk.base.errors import DehuskError, Skipped, UsageError
from dehusk.base.system import cores
from dehusk.base.urls import on_the_web
from dehusk.jobs._batches import Finished, How, Lookup, clean_all
from dehusk.jobs._one_site import OneSite
from dehusk.jobs._unfinished import Unfinished, beside, open_unfinished
from dehusk.jobs.progress import Phase, Progress, Skip, Tell
from dehusk.jobs.result import Result, Skips, Tally
from dehusk.jobs.site_templates import Templates, learn_source
from dehusk.jobs.store import Added, Store, Stored
from dehusk.jobs.workers import PAGE_SECONDS, Crew
from dehusk.marking.edits import Edit
from dehusk.outputs import STDOUT, Output, chosen, open_output
from dehusk.outputs.target import refuse_pages, refuse_sources
from dehusk.page import Page
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.sources import STDIN, Reading, Source, fetched, open_source, pages_of, to_learn_from
from dehusk.sources.web.fetching import Fetching
from dehusk.templates.site_names import site_of
from dehusk.templates.template import Template

Place = str | os.PathLike[str]
"""A path, a URL, or "-" for standard input or output."""

_Item = TypeVar("_Item")
_LEARNING = ("method", "sample", "dedupe")
_NO_MATTER = {"jobs", "leave_out", "fetching"}  # the output does not depend on these


def _nobody(_: object) -> None:
    """Tells nobody."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to read, how to learn, and where to write. `run` does it all; `learn` and `add_to_store` only learn."""

    source: Place | Sequence[Place] | Source
    """Folders, files, archives, tables, sitemaps, URLs; or a source that is open."""
    output: Place | None = None
    """A folder or a file; "-", and for a single page None, is standard output."""
    _: KW_ONLY
    format: str | None = None
    """One of `dehusk.outputs.FORMATS`. None: the one that the output's suffix names, else text."""
    output_options: Mapping[str, Any] = field(default_factory=dict)
    """The format's own options, such as {"markdown": True}: see `dehusk.outputs.OPTIONS`."""
    template: Place | Template | Templates | None = None
    """What was learned before, or the file or folder it was saved to. None: learn from the source."""
    store: Place | None = None
    """A store of templates. It learns the sites that it lacks."""
    store_version: int | None = None
    """With a store: the version of each site's template, or the last one before it. None: the newest."""
    by: str | None = None
    """What is one site: host or domain. None: host, or what the store or the templates were learned by."""
    method: str | None = None
    """One of `dehusk.methods.METHODS`. None: the default, or the store's."""
    sample: int | None = None
    """How many pages of each family to learn from. None: the default, or the store's."""
    dedupe: bool | None = None
    """Whether copies of a page count once while learning. None: they do, or as the store does."""
    method_options: Mapping[str, Any] = field(default_factory=dict)
    """The method's own options, such as {"favor": "recall"}."""
    writing: Writing = AS_LEARNED
    """How pages are written: roles of parts that stay or go, whatever was learned, and more."""
    site: str | None = None
    """Only the pages of this site."""
    source_options: Mapping[str, Any] = field(default_factory=dict)
    """The source's own options, such as {"url_column": "address"}: see `dehusk.sources.OPTIONS`."""
    fetching: Fetching = field(default_factory=Fetching)
    """How pages from the web are fetched."""
    jobs: int | None = None
    """Processes that learn and clean. None: one for each core."""
    page_seconds: float = PAGE_SECONDS
    """Processor time that a page may take. One that takes longer is skipped. 0: no limit."""
    leave_out: Sequence[Place] = ()
    """Other files of the caller, such as a log: never read as pages, and never the same as the output."""

    def __post_init__(self) -> None:
        if self.template is not None and self.store is not None:
            raise UsageError("a template and a store (-t and --store) both hold templates; leave one of them out")
        if self.template is not None and (given := self.learning):
            raise UsageError(f"the template is learned already; leave out {', '.join(given)}")
        if self.store_version is not None and self.store is None:
            raise UsageError("--store-version is a version in a store; name it with --store")

    @property
    def learning(self) -> dict[str, Any]:
        """How to learn, as far as it was said."""
        said = {name: value for name in _LEARNING if (value := getattr(self, name)) is not None}
        return said | dict(self.method_options)

    @property
    def places(self) -> list[str]:
        """The places of the source; none if it was given open."""
        if isinstance(self.source, str | os.PathLike):
            return [os.fspath(self.source)]
        return [os.fspath(place) for place in self.source] if isinstance(self.source, Sequence) else []

    def run(self, *, progress: Tell = _nobody, skipped: Skip = _nobody) -> Result:
        """Does the whole job. One that was killed while it wrote a single file continues where it was."""
        with self.open(progress=progress, skipped=skipped) as work:
            return work.clean()

    def learn(
        self,
        *,
        edits: Mapping[str, tuple[Edit, ...]] | None = None,
        progress: Tell = _nobody,
        skipped: Skip = _nobody,
    ) -> Templates:
        """Only learns: a template for each site of the source. `edits` are those of sites that were learned before."""
        with self.open(progress=progress, skipped=skipped) as work:
            return work.learn(edits)

    def add_to_store(self, *, update: bool = False, progress: Tell = _nobody, skipped: Skip = _nobody) -> Added:
        """Only learns, into the store. `update` begins a new version of each site: for sites that were redesigned."""
        with self.open(progress=progress, skipped=skipped) as work:
            return work.add_to_store(update=update)

    @contextmanager
    def open(self, *, progress: Tell = _nobody, skipped: Skip = _nobody) -> Iterator["Work"]:
        """The job with its source open, for callers that use what it learns in another way."""
        with ExitStack() as stack:
            yield Work(self, self._source(stack), stack, progress, skipped)

    def _source(self, stack: ExitStack) -> Source:
        own = self._own_places()
        if isinstance(self.source, str | os.PathLike | Sequence):
            fetcher = lambda: stack.enter_context(self.fetching.open())  # noqa: E731
            reading = Reading(fetcher=fetcher, leave_out=own, options=self.source_options)
            source = open_source(self.places, reading)
            written = [place for place in own if place != self._template_file]
            refuse_sources(written, source.files)
            refuse_pages(written, [Path(place) for place in self.places if Path(place).is_dir()])
        else:
            source = self.source
        return source if self.site is None else OneSite(source, self.site, self.by or "host")

    @property
    def _template_file(self) -> Path | None:
        return Path(self.template) if isinstance(self.template, str | os.PathLike) else None

    def _own_places(self) -> list[Path]:
        """The places that are not read as pages; none of them may be used for two things."""
        unfinished = None if self.output in (None, STDOUT) else beside(Path(self.output))
        given = (self.output, unfinished, self._template_file, self.store, self.fetching.keep, *self.leave_out)
        places = [Path(place) for place in given if place is not None and place != STDOUT]
        twice = [place for place, times in Counter(place.resolve() for place in places).items() if times > 1]
        if twice:
            raise UsageError(f"{twice[0]} is given for two different things; choose another place for one")
        return places

    def identity(self, source: Source) -> str | None:
        """What tells this job from others: all that its output depends on. None if that cannot be known."""
        from importlib.metadata import version

        if not self.places or STDIN in self.places or any(map(fetched, self.places)):
            return None
        given = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in _NO_MATTER}
        given |= {"template": _plain(self.template), "source": self.places}
        read = [Path(place) for place in (self.template, self.store) if isinstance(place, str | os.PathLike)]
        files = [file for place in read for file in (sorted(place.iterdir()) if place.is_dir() else [place])]
        states = [(str(file), *_state(file)) for file in (*source.files, *files)]
        words = repr((version("dehusk"), sorted(given.items()), states))
        return hashlib.blake2b(words.encode("utf-8", "replace")).hexdigest()


class Work:
    """A job under way."""

    def __init__(self, job: Job, source: Source, stack: ExitStack, progress: Tell, skipped: Skip) -> None:
        self.job = job
        self.source = source
        self._stack = stack
        self._crew = stack.enter_context(Crew(job.jobs or cores(), job.page_seconds))
        self._progress = progress
        self._skipped = skipped

    def learn(self, edits: Mapping[str, tuple[Edit, ...]] | None = None) -> Templates:
        """The templates that were given, or else those of the source, with the edits of their sites."""
        templates = self._templates(self._skipped, edits)
        self._tell_failed(templates.failed)
        return templates

    def add_to_store(self, *, update: bool = False, nameless: str = "") -> Added:
        """Adds the pages of the source to the store, which learns from them. Pages without a URL are of `nameless`."""
        pages = pages_of(self._noted(self._to_learn_from(), self._skipped))
        store = self._store()
        nameless = nameless or self._nameless(store)
        added = store.add(
            pages,
            update=update,
            site=lambda page: site_of(page, store.by) or nameless,
            learned=partial(self._tell, Phase.LEARNING),
        )
        self._tell_failed(added.failed)
        return added

    def _tell_failed(self, failed: Mapping[str, str]) -> None:
        for site, why in failed.items():
            self._skipped(Skipped(site or "pages without a URL", why))

    def clean(self) -> Result:
        """Learns where that is still to do, cleans page after page, and writes them."""
        started = time.perf_counter()
        place, form = self._output()
        skips = Skips()
        with ExitStack() as stack:
            identity = self.job.identity(self.source)
            unfinished = open_unfinished(stack, place, form, self.source.files, identity)
            tally = self._resumed(unfinished, skips)
            stack.enter_context(_resumable(unfinished))
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
            templates = self._lookup(unfinished)
            self._clean_all(templates, output, unfinished, tally, skips)
            self._tell(Phase.WRITING, 0, 1)
        self._tell(Phase.WRITING, 1, 1)
        return Result(
            cleaned=tally.cleaned,
            skipped=len(skips),
            reasons=dict(skips.reasons),
            first_skipped=tuple(skips.first),
            warnings=dict(tally.warnings),
            first_warnings=tuple(tally.first),
            share_removed=tally.removed / tally.length if tally.length else 0.0,
            outputs=(place,),
            seconds=time.perf_counter() - started,
            resumed=resumed,
            templates=templates if isinstance(templates, Templates) else None,
        )

    def _output(self) -> tuple[str, str]:
        """Where to write, and in which format."""
        job = self.job
        one_page = self.source.names is not None and len(self.source.names) == 1
        if job.output is None and not one_page:
            raise UsageError("several pages need a folder or a file to be written to; give an output with -o")
        place = STDOUT if job.output is None else os.fspath(job.output)
        same = [read for read in job.places if place != STDOUT and Path(read).resolve() == Path(place).resolve()]
        if same:
            raise UsageError(f"{same[0]} is both source and output; choose another output")
        return place, chosen(place, job.format)

    def _resumed(self, unfinished: Unfinished | None, skips: Skips) -> Tally:
        """What an earlier run of this job has done."""
        if unfinished is None:
            return Tally()
        if unfinished.restarted:
            self._tell(Phase.RESTARTING, 0)
        if unfinished.items:
            self._tell(Phase.RESUMING, unfinished.items, self._known())
        for one in unfinished.skipped():
            skips.add(one)
            self._skipped(one)
        return unfinished.tally

    def _lookup(self, unfinished: Unfinished | None) -> Templates | Stored:
        """The templates to clean with: those of the store, of an earlier run, or what `learn` gives."""
        unread: list[Skipped] = []
        try:
            if self.job.store is not None:
                stored = self._stored(partial(_few, unread))
                if unfinished:
                    unfinished.job = self.job.identity(self.source)  # the store may have been added to
                return stored
            if unfinished and (known := unfinished.templates()):
                templates, failed = known
                return Templates({one.site: one for one in templates}, self.job.by or "host", failed=failed)
            learned = self._templates(partial(_few, unread))
        except DehuskError:
            for one in unread:  # without an error, they are reported when the pages are cleaned
                self._skipped(one)
            raise
        if unfinished and self.job.template is None:
            unfinished.keep(list(learned.by_site.values()), learned.failed)
        return learned

    def _templates(self, skipped: Skip, edits: Mapping[str, tuple[Edit, ...]] | None = None) -> Templates:
        job = self.job
        if isinstance(job.template, Templates):
            return job.template
        if isinstance(job.template, Template):
            return Templates({"": job.template}, job.by or "host")
        if job.template is not None:
            return Templates.load(Path(job.template), job.by)
        items = self._noted(self._to_learn_from(), skipped)
        told = partial(self._tell, Phase.LEARNING)
        return learn_source(items, by=job.by or "host", edits=edits, learned=told, crew=self._crew, **job.learning)

    def _stored(self, skipped: Skip) -> Stored:
        """The templates of the store, which learns those that it lacks."""
        store = self._store()
        stored = Stored(store, self.job.store_version, self._nameless(store))
        looked = self._counted(self.source, Phase.LOOKING, self._known())
        # A single page is compared with others, which may have to be fetched: not where its site is known.
        if any(stored.site(page) not in store for page in looked if isinstance(page, Page)):
            items = self._noted(self._to_learn_from(), skipped)
            pages = (item for item in items if isinstance(item, Page))
            store.add(pages, only_new=True, site=stored.site, learned=partial(self._tell, Phase.LEARNING))
        return stored

    def _nameless(self, store: Store) -> str:
        """The site of pages without a URL: the innermost folder around them that the store knows by name, else ""."""
        if len(self.job.places) != 1 or on_the_web(self.job.places[0]):
            return ""
        place = Path(self.job.places[0]).resolve()
        return next((path.name for path in (place, *place.parents) if path.name and path.name in store), "")

    def _store(self) -> Store:
        if self.job.store is None:
            raise UsageError("no store to add to; name one with store=")
        return self._stack.enter_context(Store(self.job.store, by=self.job.by, crew=self._crew, **self.job.learning))

    def _clean_all(
        self, templates: Lookup, output: Output, unfinished: Unfinished | None, tally: Tally, skips: Skips
    ) -> None:
        """Cleans and writes each page. A page that fails costs that page alone."""
        done, total = unfinished.items if unfinished else 0, self._known()
        left = islice(self.source, done, None)
        how = How(output.encode, self.job.writing)
        with closing(clean_all(left, templates, how, self._crew)) as outcomes:
            for number, (item, result) in enumerate(outcomes, done + 1):
                if isinstance(result, Skipped):
                    skips.add(result)
                    self._skipped(result)
                elif isinstance(item, Page):
                    output.write(item, result.piece)
                    tally.add(result.done)
                if unfinished:
                    unfinished.add(result.done if isinstance(result, Finished) else result, output)
                self._tell(Phase.CLEANING, number, total)

    def _to_learn_from(self) -> Iterator[Page | Skipped]:
        items = to_learn_from(self.source)
        return self._counted(items, Phase.LOOKING, self._known() if items is self.source else None)

    def _counted(self, items: Iterable[_Item], phase: Phase, total: int | None) -> Iterator[_Item]:
        for number, item in enumerate(items, 1):
            yield item
            self._tell(phase, number, total)

    def _noted(self, items: Iterable[Page | Skipped], skipped: Skip) -> Iterator[Page | Skipped]:
        for item in items:
            if isinstance(item, Skipped):
                skipped(item)
            yield item

    def _known(self) -> int | None:
        """How many items the source has, where it knows that."""
        return None if self.source.names is None else len(self.source.names)

    def _tell(self, phase: Phase, done: int, total: int | None = None) -> None:
        self._progress(Progress(phase, done, total))


@contextmanager
def _resumable(unfinished: Unfinished | None) -> Iterator[None]:
    """Says, when a person interrupts, that the work so far is not lost."""
    try:
        yield
    except KeyboardInterrupt:
        if unfinished and unfinished.resumable:
            raise KeyboardInterrupt("run the same command again to continue from here") from None
        raise


def _few(unread: list[Skipped], one: Skipped) -> None:
    if len(unread) < 1000:
        unread.append(one)


def _plain(template: Place | Template | Templates | None) -> object:
    """What tells a template from others."""
    if isinstance(template, Templates):
        return {site: one.to_json() for site, one in template.by_site.items()}
    return template.to_json() if isinstance(template, Template) else template


def _state(file: Path) -> tuple[int, int]:
    """The size of a file and when it was changed; zeros for one that cannot be read."""
    try:
        state = file.stat()
    except OSError:
        return (0, 0)
    return state.st_size, state.st_mtime_ns
