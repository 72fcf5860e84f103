"""What changed in the content of pages since the last visit. The last version of each page is kept in a file."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from dehusk.base.errors import Skipped, SourceError
from dehusk.comparing import Diff, Verdict
from dehusk.jobs.kept import open_kept
from dehusk.jobs.site_templates import Templates
from dehusk.outputs.target import refuse_sources, refuse_twice
from dehusk.sources import Reading, open_source
from dehusk.sources.web.fetching import Fetching


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
