"""Versions of pages over time: pairs to compare, the last version of each page in a file, and visits."""

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

from dehusk.base.errors import Skipped, SourceError, TemplateError, UsageError
from dehusk.base.files import destination, writing
from dehusk.base.sqlite import SqliteFile, SqliteFormat
from dehusk.base.urls import on_the_web
from dehusk.comparing import Diff, Verdict, diff
from dehusk.jobs.site_templates import Templates
from dehusk.outputs.target import refuse_sources, refuse_twice
from dehusk.page import Page
from dehusk.sources import STDIN, Reading, open_source, pages_of
from dehusk.sources.web.fetching import Fetching
from dehusk.templates.template import Template

FORMATS = (".html", ".json")
"""What the name of an output ends with."""


@dataclass(frozen=True, slots=True)
class Versions:
    """Two versions of a page: files, URLs, or - for standard input. `output` is a file to write, and may be none."""

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
            raise UsageError(f"{self.output}: its name should end with {' or '.join(FORMATS)}")
        read = [Path(place) for place in (self.old, self.new) if place != STDIN and not on_the_web(place)]
        refuse_sources([self.output], [*read, *([self.template] if self.template else [])])

    def diff(self) -> Diff:
        """What changed. Raises SourceError where one of them is no page."""
        templates = Templates.load(self.template) if self.template is not None else None
        with ExitStack() as stack:
            reading = Reading(fetcher=lambda: stack.enter_context(self.fetching.open()))
            old, new = (_page(place, reading) for place in (self.old, self.new))
        if templates is None:
            return diff(old, new)
        site, template = templates.of(new)
        if template is None:
            raise TemplateError(f"{self.template}: no template for {site or new.name}; give the file of its site")
        return diff(old, new, template)

    def text(self, compared: Diff) -> str:
        """What is written to the output."""
        return compared.json if self.output is not None and self.output.suffix.lower() == ".json" else compared.html


def _page(place: str, reading: Reading) -> Page:
    """The only page of a place."""
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
_PRAGMAS = ("secure_delete = ON", "auto_vacuum = FULL")  # the file shrinks with what it holds


class KeptVersion(NamedTuple):
    """What is kept of a page: its name, when it was seen (UTC), and how many bytes it had."""

    name: str
    seen: str
    size: int


class KeptPages:
    """The last versions of pages."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def compared(self, page: Page, template: Template | None) -> Diff | None:
        """What changed on a page since it was last kept, None for a page that is new. A new version is kept."""
        last = self.last(page)
        if last is None or (last.encoding or "", last.html) != _stored(page):
            self.keep(page)
        return None if last is None else diff(last, page, template)

    def last(self, page: Page) -> Page | None:
        """The version of a page that was kept."""
        row = self._db.execute("SELECT encoding, html FROM page WHERE name = ?", [_key(page.name)]).fetchone()
        if row is None:
            return None
        return Page(zlib.decompress(row[1]), url=page.url, name=page.name, encoding=row[0] or None)

    def seen(self, name: str) -> str | None:
        """When a page was kept."""
        row = self._db.execute("SELECT seen FROM page WHERE name = ?", [_key(name)]).fetchone()
        return row[0] if row else None

    def keep(self, page: Page) -> None:
        """Keeps this version of a page, and forgets the one before."""
        encoding, html = _stored(page)
        values = (_key(page.name), encoding, zlib.compress(html), len(html), _time(_now()))
        self._db.execute("INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?)", values)

    def versions(self) -> list[KeptVersion]:
        """What is kept, the newest first."""
        rows = self._db.execute("SELECT name, seen, bytes FROM page ORDER BY seen DESC, name")
        return [KeptVersion(name.decode("utf-8", "surrogateescape"), seen, size) for name, seen, size in rows]

    def forget(self, name: str | None = None) -> int:
        """Forgets a page, or all of them; how many there were."""
        if name is None:
            return self._db.execute("DELETE FROM page").rowcount
        return self._db.execute("DELETE FROM page WHERE name = ?", [_key(name)]).rowcount

    def trim(self, before: datetime, most: int) -> None:
        """Forgets pages that were kept before a time, and then the oldest, until no more than `most` bytes are left."""
        self._db.execute("DELETE FROM page WHERE seen < ?", [_time(before)])
        sums = "SELECT name, sum(length(html)) OVER (ORDER BY seen DESC, name) AS total FROM page"
        self._db.execute(f"DELETE FROM page WHERE name IN (SELECT name FROM ({sums}) WHERE total > ?)", [most])  # noqa: S608


@contextmanager
def open_kept(path: Path) -> Iterator[KeptPages]:
    """The file, which is made if it is not there. All that is kept is written at the end, or nothing."""
    path = destination(path)
    with writing(path):
        path.touch(0o600)
    is_new = not path.stat().st_size
    file = SqliteFile(path, KEPT)
    with closing(file.open(*_PRAGMAS)) as db:
        try:
            with file.writing(db):
                yield KeptPages(db)
        except BaseException:
            if is_new and not db.execute("SELECT count(*) FROM page").fetchone()[0]:  # a first visit that failed
                path.unlink()
            raise


def _key(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")  # a file name may not be Unicode


def _stored(page: Page) -> tuple[str, bytes]:
    """The encoding and the bytes of a page as the file has them."""
    if isinstance(page.html, str):
        return "utf-8", page.html.encode("utf-8", "surrogatepass")
    return page.encoding or "", page.html


def _now() -> datetime:
    return datetime.now(UTC)


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").removesuffix("+00:00")


@dataclass(slots=True)
class VisitTally:
    """What a visit came to so far: pages read, of which new, and of which the content changed."""

    read: int = 0
    new: int = 0
    changed: int = 0


@dataclass(frozen=True, slots=True)
class Watch:
    """Sources to visit again and again, and the file that keeps what was there."""

    sources: Sequence[str]
    store: Path
    template: Path | None = None
    leave_out: Sequence[Path] = ()
    source_options: Mapping[str, Any] = field(default_factory=dict)
    fetching: Fetching = field(default_factory=Fetching)

    def visit(self, output: AbstractContextManager[IO[str]], skipped: Callable[[Skipped], object]) -> VisitTally:
        """Writes a line of JSON for each page whose content changed. A page that is met for the first time is kept.

        What is there now is kept once all is written, else nothing is: then the next visit tells it again.
        """
        refuse_twice([place for place in (self.store, self.template, *self.leave_out) if place])
        templates = Templates.load(self.template) if self.template is not None else None
        done = VisitTally()
        with ExitStack() as stack:
            written = [self.store, *self.leave_out]
            reading = Reading(
                fetcher=lambda: stack.enter_context(self.fetching.open()),
                leave_out=written,
                options=self.source_options,
            )
            source = open_source(self.sources, reading)
            refuse_sources(written, source.files, self.sources)
            kept = stack.enter_context(open_kept(self.store))
            out = stack.enter_context(output)  # left before the store is
            for item in source:
                if isinstance(item, Skipped):
                    skipped(item)
                    continue
                compared = kept.compared(item, templates.of(item)[1] if templates is not None else None)
                done.read, done.new = done.read + 1, done.new + (compared is None)
                if compared is not None and compared.verdict in (Verdict.CONTENT, Verdict.REDESIGNED):
                    done.changed += 1
                    out.write(_line(compared) + "\n")
                    out.flush()
            if not done.read:
                raise SourceError("no page could be read; nothing is kept of this visit")
        return done


def _line(compared: Diff) -> str:
    """What is told of a page."""
    changes = [change.to_json() for change in compared.content]
    row = {"name": compared.new.name, "url": compared.new.url, "verdict": compared.verdict, "changes": changes}
    return json.dumps(row, ensure_ascii=False)
