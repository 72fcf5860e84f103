"""A whole job: read a source, learn its templates, clean its pages, write them.

    from dehusk import Job
    result = Job("crawl.warc.gz", "text.jsonl").run()
    print(result.cleaned, result.skipped, result.share_removed)

The command line and all other callers that run a job on one machine use this. Nothing here prints: `run` reports
progress to one callback, and skipped items to another.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import KW_ONLY, dataclass, field, fields
from pathlib import Path
from typing import Any

from dehusk.base.errors import UsageError
from dehusk.jobs._unfinished import beside
from dehusk.jobs.result import Result, Skip, Tell
from dehusk.jobs.site_templates import OneSite, Templates
from dehusk.jobs.store import Added
from dehusk.jobs.work import Work
from dehusk.jobs.workers import PAGE_SECONDS
from dehusk.marking.edits import Edit
from dehusk.metadata.languages import checked, detector_version
from dehusk.outputs import STDOUT
from dehusk.outputs.target import refuse_sources, refuse_twice
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.sources import STDIN, Reading, Source, expanded, fetched, open_source
from dehusk.sources.web.fetching import Fetching
from dehusk.templates.template import Template

Place = str | os.PathLike[str]
"""A path, a URL, or "-" for standard input or output."""

_NO_MATTER = {"jobs", "leave_out", "fetching"}  # the output does not depend on these


def _ignored(_: object) -> None:
    """Default callback: does nothing."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to read, how to learn, and where to write. `run` does it all; `learn` and `add_to_store` only learn."""

    source: Place | Sequence[Place] | Source
    """Folders, files, archives, tables, sitemaps, URLs; or an open source."""
    output: Place | None = None
    """A folder, a file, or "-" for standard output. None: standard output, for a single page only."""
    _: KW_ONLY
    format: str | None = None
    """One of `dehusk.outputs.FORMATS`. None: chosen by the suffix of the output, else text."""
    output_options: Mapping[str, Any] = field(default_factory=dict)
    """The format's own options, such as {"markdown": True}: see `dehusk.outputs.OPTIONS`."""
    template: Place | Template | Templates | None = None
    """A template, or the file or folder of saved templates. None: learn from the source."""
    store: Place | None = None
    """A store of templates. Sites that it does not have are learned and added."""
    store_version: int | None = None
    """With a store: use this version of each template, or the last one before it. None: the newest."""
    by: str | None = None
    """What separates sites: host or domain. None: as in the store or the templates, else host."""
    method: str | None = None
    """One of `dehusk.methods.METHODS`. None: the method of the store, else the default."""
    sample: int | None = None
    """How many pages of each family to learn from. None: as in the store, else the default."""
    dedupe: bool | None = None
    """Whether copies of a page count once in learning. None: as in the store, else True."""
    columns: bool = False
    """Whether the columns of tables are learned, too."""
    method_options: Mapping[str, Any] = field(default_factory=dict)
    """The method's own options, such as {"favor": "recall"}."""
    writing: Writing = AS_LEARNED
    """How pages are written, including roles of parts that are always kept or removed."""
    site: str | None = None
    """Only the pages of this site."""
    languages: Sequence[str] = ()
    """Write only pages in these languages, such as ["de", "pt-BR"]; others are skipped. All pages are learned from."""
    source_options: Mapping[str, Any] = field(default_factory=dict)
    """The source's own options, such as {"url_column": "address"}: see `dehusk.sources.OPTIONS`."""
    fetching: Fetching = field(default_factory=Fetching)
    """How pages from the web are fetched."""
    jobs: int | None = None
    """Number of worker processes. None: one per core."""
    page_seconds: float = PAGE_SECONDS
    """Maximum processor time for a page, in seconds; a page that takes longer is skipped. 0: no limit."""
    leave_out: Sequence[Place] = ()
    """Other files of the caller, such as a log. They are not read as pages, and must differ from the output."""

    def __post_init__(self) -> None:
        if self.template is not None and self.store is not None:
            raise UsageError("a template and a store (-t and --store) cannot be combined; leave one of them out")
        if self.template is not None and (given := self.said):
            raise UsageError(f"the template is learned already; leave out {', '.join(given)}")
        if self.store_version is not None and self.store is None:
            raise UsageError("--store-version needs a store; name it with --store")
        object.__setattr__(self, "languages", checked(self.languages))

    @property
    def said(self) -> dict[str, Any]:
        """The learning options that were given, as arguments for `Learning.of`."""
        given = {"method": self.method, "sample": self.sample, "dedupe": self.dedupe, "columns": self.columns or None}
        return {name: value for name, value in given.items() if value is not None} | dict(self.method_options)

    @property
    def places(self) -> list[str]:
        """The paths and URLs of the source; empty for an open source."""
        if isinstance(self.source, str | os.PathLike):
            return expanded([self.source])
        return expanded(self.source) if isinstance(self.source, Sequence) else []

    def run(self, *, progress: Tell = _ignored, skipped: Skip = _ignored) -> Result:
        """Runs the whole job. A job with a single output file that was killed continues where it stopped."""
        with self.open(progress=progress, skipped=skipped) as work:
            return work.clean()

    def learn(
        self,
        *,
        edits: Mapping[str, tuple[Edit, ...]] | None = None,
        progress: Tell = _ignored,
        skipped: Skip = _ignored,
    ) -> Templates:
        """Only learns; returns a template for each site. `edits` are earlier edits by site, which are kept."""
        with self.open(progress=progress, skipped=skipped) as work:
            return work.learn(edits)

    def add_to_store(self, *, update: bool = False, progress: Tell = _ignored, skipped: Skip = _ignored) -> Added:
        """Only learns, into the store. `update` creates a new version of each site, for redesigned sites."""
        with self.open(progress=progress, skipped=skipped) as work:
            return work.add_to_store(update=update)

    @contextmanager
    def open(self, *, progress: Tell = _ignored, skipped: Skip = _ignored) -> Iterator[Work]:
        """Opens the source, for callers that do not only run the job."""
        with ExitStack() as stack:
            yield Work(self, self._source(stack), stack, progress, skipped)

    def _source(self, stack: ExitStack) -> Source:
        own = self._own_places()
        if isinstance(self.source, str | os.PathLike | Sequence):
            fetcher = lambda: stack.enter_context(self.fetching.open())  # noqa: E731
            reading = Reading(fetcher=fetcher, leave_out=own, options=self.source_options)
            source = open_source(self.places, reading)
        else:
            source = self.source
        refuse_sources([place for place in own if place != self._template_file], source.files, self.places)
        return source if self.site is None else OneSite(source, self.site, self.by or "host")

    @property
    def _template_file(self) -> Path | None:
        return Path(self.template) if isinstance(self.template, str | os.PathLike) else None

    def _own_places(self) -> list[Path]:
        """Returns the files of the job itself, which are not read as pages. Raises UsageError if two are the same."""
        unfinished = None if self.output in (None, STDOUT) else beside(Path(self.output))
        given = (self.output, unfinished, self._template_file, self.store, self.fetching.keep, *self.leave_out)
        places = [Path(place) for place in given if place is not None and place != STDOUT]
        refuse_twice(places)
        return places

    def identity(self, source: Source) -> str | None:
        """Returns a hash of everything that the output depends on; None if that cannot be known."""
        from importlib.metadata import version

        if not self.places or STDIN in self.places or any(map(fetched, self.places)):
            return None
        given = {option.name: getattr(self, option.name) for option in fields(self) if option.name not in _NO_MATTER}
        given |= {"template": _plain(self.template), "source": self.places}
        read = [Path(place) for place in (self.template, self.store) if isinstance(place, str | os.PathLike)]
        files = [file for place in read for file in (sorted(place.iterdir()) if place.is_dir() else [place])]
        states = [(str(file), *_state(file)) for file in (*source.files, *files)]
        words = repr((version("dehusk"), detector_version(), sorted(given.items()), states))
        return hashlib.blake2b(words.encode("utf-8", "replace")).hexdigest()


def _plain(template: Place | Template | Templates | None) -> object:
    """Returns a template as JSON data, or its path."""
    if isinstance(template, Templates):
        return {site: learned.to_json() for site, learned in template.by_site.items()}
    return template.to_json() if isinstance(template, Template) else template


def _state(file: Path) -> tuple[int, int]:
    """Returns the size and modification time of a file; zeros if it cannot be read."""
    try:
        state = file.stat()
    except OSError:
        return (0, 0)
    return state.st_size, state.st_mtime_ns
