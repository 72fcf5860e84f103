"""What changed in the content of pages since the last visit. The last version of each page is kept in a file."""

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from dehusk.comparing import Diff, Verdict, diff
from dehusk.errors import DehuskError, OutputError, Skipped, SourceError, UsageError
from dehusk.files import destination
from dehusk.jobs.templates import Templates
from dehusk.page import Page
from dehusk.sources import Reading, open_source
from dehusk.template import Template
from dehusk.web.fetching import Fetching

PATIENCE = 60.0
"""How long to wait for another visit to finish, in seconds."""

_APPLICATION = 0x77617463  # "watc": how a file says whose it is
_SCHEMA = "CREATE TABLE page (name BLOB PRIMARY KEY, encoding TEXT NOT NULL, html BLOB NOT NULL)"


@dataclass(slots=True)
class Visit:
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

    def visit(self, output: AbstractContextManager[IO[str]], skipped: Callable[[Skipped], object]) -> Visit:
        """Writes a line of JSON for each page whose content changed. A page that is met for the first time is kept.

        What is there now is kept once all is written, else nothing is: then the next visit tells it again.
        """
        templates = Templates.load(self.template) if self.template is not None else None
        done = Visit()
        with ExitStack() as stack:
            reading = Reading(
                fetcher=lambda: stack.enter_context(self.fetching.open()),
                leave_out=[self.store, *self.leave_out],
                options=self.source_options,
            )
            source = open_source(self.sources, reading)
            if self.store.resolve() in [file.resolve() for file in source.files]:
                raise UsageError(f"{self.store} is one of the pages; choose another file for --store")
            kept = stack.enter_context(_open(self.store))
            out = stack.enter_context(output)  # left before the store is
            for item in source:
                if isinstance(item, Skipped):
                    skipped(item)
                    continue
                found = kept.compared(item, templates.of(item)[1] if templates is not None else None)
                done.read, done.new = done.read + 1, done.new + (found is None)
                if found is not None and found.verdict in (Verdict.CONTENT, Verdict.REDESIGNED):
                    done.changed += 1
                    out.write(_line(found) + "\n")
                    out.flush()
            if not done.read:
                raise SourceError("no page could be read; nothing is kept of this visit")
        return done


def _line(found: Diff) -> str:
    """What is told of a page."""
    changes = [one.to_json() for one in found.content]
    row = {"name": found.new.name, "url": found.new.url, "verdict": found.verdict, "changes": changes}
    return json.dumps(row, ensure_ascii=False)


class _Kept:
    """The last versions of pages."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def compared(self, page: Page, template: Template | None) -> Diff | None:
        """What changed on a page since it was last kept, None for a page that is new; then its new version is kept."""
        name = page.name.encode("utf-8", "surrogateescape")  # a file name may not be Unicode
        row = self._db.execute("SELECT encoding, html FROM page WHERE name = ?", [name]).fetchone()
        if isinstance(page.html, str):
            encoding, html = "utf-8", page.html.encode("utf-8", "surrogatepass")
        else:
            encoding, html = page.encoding or "", page.html
        values = (name, encoding, zlib.compress(html))
        if row != values[1:]:
            self._db.execute("INSERT OR REPLACE INTO page (name, encoding, html) VALUES (?, ?, ?)", values)
        if row is None:
            return None
        return diff(
            Page(zlib.decompress(row[1]), url=page.url, name=page.name, encoding=row[0] or None), page, template
        )


@contextmanager
def _open(path: Path) -> Iterator[_Kept]:
    """The file, which is made if it is not there. All that is kept is written at the end, or nothing."""
    path = destination(path)
    try:
        with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            _ours(db, path)
            yield _Kept(db)
            db.execute("COMMIT")
    except sqlite3.Error as error:
        raise _explained(path, error) from error
    finally:
        if path.exists() and not path.stat().st_size:  # a first visit that failed
            path.unlink()


def _ours(db: sqlite3.Connection, path: Path) -> None:
    """Makes the table of an empty file; refuses a file that is not ours."""
    if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        db.execute(f"PRAGMA application_id = {_APPLICATION}")
        db.execute(_SCHEMA)
    elif db.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
        raise UsageError(f"{path}: not made by dehusk watch; choose another file for --store")


def _explained(path: Path, error: sqlite3.Error) -> DehuskError:
    if isinstance(error, sqlite3.DatabaseError) and "not a database" in str(error):
        return UsageError(f"{path}: not made by dehusk watch; choose another file for --store")
    if "locked" in str(error):
        return OutputError(f"{path}: another visit is under way; wait for it to end")
    return OutputError(f"cannot write {path}: {error}; choose a place you may write to")
