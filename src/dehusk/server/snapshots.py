"""Snapshots: the last version of each page that a person visited, so that the next visit can tell what changed.

They are kept for a time and up to a size, in a file that only its owner can read. What is deleted is overwritten.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dehusk.comparing import Diff, diff
from dehusk.jobs.watch import KeptVersion, open_kept
from dehusk.page import Page
from dehusk.templates.template import Template

DAYS = 90
"""How long a snapshot is kept."""

MEGABYTES = 200
"""How large all of them may be, compressed."""


@dataclass(frozen=True, slots=True)
class VisitSeen:
    """What a visit found: when the last one was, and what changed since; None where this is the first.

    `kept` tells whether there is a snapshot of it now: none of a private visit, nor of a page larger than all may be.
    """

    since: str | None
    diff: Diff | None
    kept: bool


@dataclass(frozen=True, slots=True)
class Snapshots:
    """The file of snapshots, and how long and how large they may be."""

    path: Path
    days: float = DAYS
    megabytes: float = MEGABYTES

    def visit(self, page: Page, template: Template | None, *, private: bool = False) -> VisitSeen:
        """Compares a page with its snapshot, then keeps the page instead. Of a private visit nothing is kept."""
        if private and not self.path.exists():
            return VisitSeen(None, None, kept=False)
        with open_kept(self.path) as kept:
            last, since = kept.last(page), kept.seen(page.name)
            if not private:
                kept.keep(page)
            kept.trim(self._oldest, self._most)
            is_kept = not private and kept.seen(page.name) is not None
        return VisitSeen(since, None if last is None else diff(last, page, template), is_kept)

    def listed(self) -> list[KeptVersion]:
        """What is kept, the newest first."""
        if not self.path.exists():
            return []
        with open_kept(self.path) as kept:
            kept.trim(self._oldest, self._most)
            return kept.versions()

    def forget(self, url: str | None = None) -> int:
        """Deletes the snapshot of an address, or all of them; how many there were."""
        if not self.path.exists():
            return 0
        with open_kept(self.path) as kept:
            return kept.forget(url)

    @property
    def _oldest(self) -> datetime:
        return datetime.now(UTC) - timedelta(days=self.days)

    @property
    def _most(self) -> int:
        return int(self.megabytes * 1_000_000)


def beside(store: Path, days: float = DAYS, megabytes: float = MEGABYTES) -> Snapshots:
    """The snapshots that lie beside a store."""
    return Snapshots(store.with_name(f"{store.name}.snapshots"), days, megabytes)
