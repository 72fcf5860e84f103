"""Versions of pages over time: compare two versions, store the last ones, visit sources repeatedly."""

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

from dehusk import render
from dehusk.base import packing
from dehusk.base.errors import Skipped, SlowError, SourceError, TemplateError, UsageError
from dehusk.base.files import destination, writing, written_whole
from dehusk.base.sqlite import SqliteFile, SqliteFormat
from dehusk.base.system import time_limit
from dehusk.base.urls import on_the_web
from dehusk.comparing import Diff, Verdict, diff
from dehusk.core import Learning
from dehusk.jobs.checking import SiteStates
from dehusk.jobs.site_templates import Templates, learn_source
from dehusk.outputs.target import refuse_sources, refuse_twice
from dehusk.page import Page
from dehusk.sources import STDIN, Reading, open_source, pages_of
from dehusk.sources.web.fetching import Fetching
from dehusk.templates.drift import SiteState
from dehusk.templates.site_names import site_of
from dehusk.templates.template import LARGEST, Template

FORMATS = (".html", ".json")
"""Allowed suffixes of the output."""

REPORTS = (".html", ".htm")
"""Allowed suffixes of the report of a visit."""


@dataclass(frozen=True, slots=True)
class Versions:
    """Two versions of a page: files, URLs, or - for standard input. `output` is the file to write, if any."""

    old: str
    new: str
    template: Path | None = None
    output: Path | None = None
    fetching: Fetching = field(default_factory=Fetching)

    def __post_init__(self) -> None:
        if self.old == self.new == STDIN:
            raise UsageError("standard input is one page; give a file for the other version")
        if self.output is None:
            return
        if self.output.suffix.lower() not in FORMATS:
            raise UsageError(f"{self.output}: the name must end with {' or '.join(FORMATS)}")
        read = [Path(place) for place in (self.old, self.new) if place != STDIN and not on_the_web(place)]
        refuse_sources([self.output], [*read, *([self.template] if self.template else [])])

    def diff(self) -> Diff:
        """Compares the versions. Raises SourceError if one of them is not a page."""
        templates = Templates.load(self.template) if self.template is not None else None
        with ExitStack() as stack:
            reading = Reading(fetcher=lambda: stack.enter_context(self.fetching.open()))
            old, new = (_page(place, reading) for place in (self.old, self.new))
        dates = _made(self.old), _made(self.new)
        if templates is None:
            return diff(old, new, dates=dates)
        site, template = templates.of(new)
        if template is None:
            raise TemplateError(f"{self.template}: no template for {site or new.name}; give the file of its site")
        return diff(old, new, template, dates=dates)

    def text(self, compared: Diff) -> str:
        """Returns the comparison as JSON or HTML, depending on the suffix of the output."""
        return compared.json if self.output is not None and self.output.suffix.lower() == ".json" else compared.html


def _made(place: str) -> str:
    """Returns when a version was made: the time of its file, else now (UTC)."""
    file = Path(place)
    if on_the_web(place) or not file.is_file():
        return f"{_time(_now())}Z"
    return f"{_time(datetime.fromtimestamp(file.stat().st_mtime, UTC))}Z"


def _page(place: str, reading: Reading) -> Page:
    """Returns the page of a source. Raises SourceError if it has several."""
    pages = list(islice(pages_of(open_source([place], reading)), 2))
    if len(pages) > 1:
        raise SourceError(f"{place}: several pages; give one version of one page")
    return pages[0]


KEPT = SqliteFormat(
    "made by dehusk watch",
    0x77617463,  # "watc"
    "CREATE TABLE page (name BLOB PRIMARY KEY, encoding TEXT NOT NULL, html BLOB NOT NULL, bytes INTEGER NOT NULL, "
    "seen TEXT NOT NULL)",
    advice="choose another file for --store",
    error=UsageError,
)
ENOUGH_KEPT = 500
"""How many stored pages of a site are read to learn its template: Learning looks at a quarter of them."""

_PRAGMAS = ("secure_delete = ON", "auto_vacuum = FULL")  # deleted pages are overwritten, and the file shrinks


class KeptVersion(NamedTuple):
    """A stored version: the name of the page, when it was seen (UTC), and its size in bytes."""

    name: str
    seen: str
    size: int


class KeptPages:
    """The stored last versions of pages."""

    def __init__(self, file: SqliteFile, db: sqlite3.Connection) -> None:
        self._file = file
        self._db = db

    def compared(
        self,
        page: Page,
        template: Callable[[Page], Template | None],
        seconds: float = 0,
        told: Callable[[Diff], object] = lambda _: None,
    ) -> Diff | None:
        """Compares a page with its stored version, then stores the page if it differs. Returns None for a new page.

        `template` returns the template of a page; it is asked only about pages that differ. `told` gets the result.
        Raises SlowError, and stores nothing, if both take more than `seconds` of processor time.
        """
        last = self.last(page)
        differs = last is None or (last.encoding or "", last.html) != _stored(page)
        compared = None
        if last is not None:
            known = template(page) if differs else None
            with time_limit(seconds):
                compared = diff(last, page, known, dates=(f"{self.seen(page.name)}Z", f"{_time(_now())}Z"))
                compared.content  # noqa: B018  # finds the changes, which are cached
                told(compared)
        if differs:
            self.keep(page)
        return compared

    def of_site(self, site: str) -> Iterator[Page]:
        """Yields the stored pages of a site, up to `ENOUGH_KEPT` of them, spread over their names."""
        rows = self._file.rows(self._db, (bytes,), "SELECT name FROM page ORDER BY name")
        pages = [_named(name.decode("utf-8", "surrogateescape")) for (name,) in rows]
        names = [page for page in pages if site_of(page) == site]
        for named in names[:: max(1, -(-len(names) // ENOUGH_KEPT))]:
            if (page := self.last(named)) is not None:
                yield page

    def last(self, page: Page) -> Page | None:
        """Returns the stored version of a page, if any."""
        query = "SELECT encoding, html FROM page WHERE name = ?"
        rows = self._file.rows(self._db, (str, bytes), query, _key(page.name))
        if not rows:
            return None
        encoding, packed = rows[0]
        try:
            html = packing.inflated(packed, LARGEST)
        except zlib.error as error:
            raise self._file.unusable("damaged") from error
        return Page(html, url=page.url, name=page.name, encoding=encoding or None)

    def seen(self, name: str) -> str | None:
        """Returns when the stored version of a page was seen, if there is one."""
        rows = self._file.rows(self._db, (str,), "SELECT seen FROM page WHERE name = ?", _key(name))
        return rows[0][0] if rows else None

    def keep(self, page: Page) -> None:
        """Stores this version of a page in place of the last one."""
        encoding, html = _stored(page)
        values = (_key(page.name), encoding, zlib.compress(html), len(html), _time(_now()))
        self._db.execute("INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?)", values)

    def versions(self) -> list[KeptVersion]:
        """Returns the stored versions, newest first."""
        query = "SELECT name, seen, bytes FROM page ORDER BY seen DESC, name"
        rows = self._file.rows(self._db, (bytes, str, int), query)
        return [KeptVersion(name.decode("utf-8", "surrogateescape"), seen, size) for name, seen, size in rows]

    def forget(self, name: str | None = None) -> int:
        """Deletes the stored version of a page, or all; returns how many were deleted."""
        if name is None:
            return self._db.execute("DELETE FROM page").rowcount
        return self._db.execute("DELETE FROM page WHERE name = ?", [_key(name)]).rowcount

    def trim(self, before: datetime, most: int) -> None:
        """Deletes versions stored before a time, then the oldest until at most `most` bytes are left."""
        self._db.execute("DELETE FROM page WHERE seen < ?", [_time(before)])
        sums = "SELECT name, sum(length(html)) OVER (ORDER BY seen DESC, name) AS total FROM page"
        self._db.execute(f"DELETE FROM page WHERE name IN (SELECT name FROM ({sums}) WHERE total > ?)", [most])  # noqa: S608


@contextmanager
def open_kept(path: Path) -> Iterator[KeptPages]:
    """Opens or creates the file. Changes are committed at the end; after an error, nothing is changed."""
    path = destination(path)
    with writing(path):
        path.touch(0o600)
    is_new = not path.stat().st_size
    file = SqliteFile(path, KEPT)
    with closing(file.open(*_PRAGMAS)) as db:
        try:
            with file.writing(db):
                yield KeptPages(file, db)
        except BaseException:
            if is_new and not db.execute("SELECT 1 FROM page LIMIT 1").fetchone():  # the first visit failed
                path.unlink()
            raise


def _named(name: str) -> Page:
    """Returns a page without content. The name of a page from the web is its URL."""
    return Page(b"", url=name if on_the_web(name) else None, name=name)


def _key(name: str) -> bytes:
    with suppress(UnicodeEncodeError):
        return name.encode("utf-8", "surrogateescape")  # a file name may not be Unicode
    return name.encode("utf-8", "backslashreplace")  # nor may half a character in JSON


def _stored(page: Page) -> tuple[str, bytes]:
    """Returns the encoding and the bytes of a page as they are stored."""
    if isinstance(page.html, str):
        return "utf-8", page.html.encode("utf-8", "surrogatepass")
    return page.encoding or "", page.html


def _now() -> datetime:
    return datetime.now(UTC)


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").removesuffix("+00:00")


@dataclass(slots=True)
class VisitTally:
    """Counts of a visit: pages read, new pages, and pages whose content changed."""

    read: int = 0
    new: int = 0
    changed: int = 0
    states: list[SiteState] = field(default_factory=list)
    """With a template: whether it still holds, by site."""


class _Learned:
    """Templates of sites, learned from the stored pages when a page of the site has changed."""

    def __init__(self, kept: KeptPages, page_seconds: float) -> None:
        self._kept, self._seconds = kept, page_seconds
        self._by_site: dict[str, Template | None] = {}

    def __call__(self, page: Page) -> Template | None:
        """Returns the template of a page; None if fewer than two pages of its site were seen."""
        site = site_of(page)
        if site not in self._by_site:
            self._by_site[site] = None
            with suppress(TemplateError, SourceError):
                pages = self._kept.of_site(site)
                template = learn_source(pages, Learning(), page_seconds=self._seconds).of(page)[1]
                self._by_site[site] = template if template is not None and template.pages > 1 else None
        return self._by_site[site]


@dataclass(frozen=True, slots=True)
class Watch:
    """Sources to visit repeatedly, and the file that stores the last versions."""

    sources: Sequence[str]
    store: Path
    template: Path | None = None
    leave_out: Sequence[Path] = ()
    source_options: Mapping[str, Any] = field(default_factory=dict)
    fetching: Fetching = field(default_factory=Fetching)
    page_seconds: float = 0
    """Maximum processor time to compare a page, in seconds; a page that takes longer is skipped. 0: no limit."""

    report: Path | None = None
    """A file for a page of what changed."""

    def __post_init__(self) -> None:
        if self.report is not None and self.report.suffix.lower() not in REPORTS:
            raise UsageError(f"{self.report}: the name must end with {' or '.join(REPORTS)}")

    def visit(
        self,
        output: AbstractContextManager[IO[str]],
        skipped: Callable[[Skipped], object],
        written: "Callable[[Diff], str] | None" = None,
    ) -> VisitTally:
        """Writes a line of JSON for each page whose content changed, or what `written` returns. New pages are stored.

        Without a template, those of the sites are learned from the pages that were stored, in this visit or before.
        Versions are stored after all lines are written. After an error nothing is stored, and the next visit reports
        the same changes again.
        """
        places = [place for place in (self.report, *self.leave_out) if place]
        refuse_twice([place for place in (self.store, self.template, *places) if place])
        templates = Templates.load(self.template) if self.template is not None else None
        done = VisitTally()
        visited = SiteStates(templates.of, self.page_seconds, skipped) if templates is not None else None
        entries: list[render.ReportEntry] = []
        changed: list[tuple[str, render.ReportEntry | None]] = []  # what is to be written of the page at hand

        def told(compared: Diff) -> None:
            if compared.verdict in (Verdict.CONTENT, Verdict.REDESIGNED):
                entry = None if self.report is None else _entry(compared)
                changed.append(((written or as_json)(compared) + "\n", entry))

        with ExitStack() as stack:
            places.append(self.store)
            reading = Reading(
                fetcher=lambda: stack.enter_context(self.fetching.open()),
                leave_out=places,
                options=self.source_options,
            )
            source = open_source(self.sources, reading)
            refuse_sources(places, source.files, self.sources)
            kept = stack.enter_context(open_kept(self.store))
            out = stack.enter_context(output)  # closed before the store
            template_of = _Learned(kept, self.page_seconds) if templates is None else lambda page: templates.of(page)[1]
            for item in source:
                if isinstance(item, Skipped):
                    skipped(item)
                    continue
                try:
                    compared = kept.compared(item, template_of, self.page_seconds, told)
                except SlowError as error:
                    changed.clear()
                    skipped(Skipped(item.name, str(error)))
                    continue
                if visited is not None:
                    visited.add(item)
                done.read, done.new = done.read + 1, done.new + (compared is None)
                for line, entry in changed:
                    done.changed += 1
                    out.write(line)
                    out.flush()
                    entries += [entry] if entry else []
                changed.clear()
            if not done.read:
                raise SourceError("no page could be read; nothing was stored")
            done.states = visited.found() if visited is not None else []
            if self.report is not None:
                with written_whole(self.report) as page:
                    page.write(render.changes_report(entries, done.read))
        return done


def _entry(compared: Diff) -> render.ReportEntry:
    return render.ReportEntry.of(site_of(compared.new), compared.overview, compared.new.url, compared.shown)


def as_json(compared: Diff) -> str:
    """Returns the changes of a page as a line of JSON."""
    changes = [change.to_json() for change in compared.content]
    row = {"name": compared.new.name, "url": compared.new.url, "verdict": compared.verdict, "changes": changes}
    return json.dumps(row, ensure_ascii=False)
