"""Snapshots: the last version of each visited page, so that the next visit can show what changed.

They are kept up to an age and a total size, in a file that only its owner can read. Deleted data is overwritten.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dehusk.base import files
from dehusk.comparing import Diff, diff
from dehusk.jobs.watch import KeptVersion, open_kept
from dehusk.page import Page
from dehusk.templates.template import Template

DAYS = 90
"""How long a snapshot is kept."""

MEGABYTES = 200
"""Maximum size of all snapshots together, compressed."""


@dataclass(frozen=True, slots=True)
class VisitSeen:
    """The time of the last visit and the changes since then; both None on the first visit.

    `kept` tells whether the page was saved: not on a private visit, nor if it is larger than the limit for all.
    """

    since: str | None
    diff: Diff | None
    kept: bool


@dataclass(frozen=True, slots=True)
class Snapshots:
    """The file of snapshots, with their maximum age and total size."""

    path: Path
    days: float = DAYS
    megabytes: float = MEGABYTES

    def visit(self, page: Page, template: Template | None, *, private: bool = False) -> VisitSeen:
        """Compares a page with its snapshot, then replaces the snapshot. A private visit saves nothing."""
        if private and not self.path.exists():
            return VisitSeen(None, None, kept=False)
        with open_kept(self.path) as kept:
            last, since = kept.last(page), kept.seen(page.name)
            if not private:
                kept.keep(page)
            kept.trim(self._oldest, self._most)
            is_kept = not private and kept.seen(page.name) is not None
        return VisitSeen(since, None if last is None else diff(last, page, template), is_kept)

    def last(self, page: Page) -> tuple[Page, str] | None:
        """The snapshot of a page, and when it was seen; None if there is none."""
        if not self.path.exists():
            return None
        with open_kept(self.path) as kept:
            kept.trim(self._oldest, self._most)
            last, seen = kept.last(page), kept.seen(page.name)
        return None if last is None or seen is None else (last, seen)

    def listed(self) -> list[KeptVersion]:
        """The snapshots, the newest first; deletes those beyond the limits."""
        if not self.path.exists():
            return []
        with open_kept(self.path) as kept:
            kept.trim(self._oldest, self._most)
            return kept.versions()

    def forget(self, url: str | None = None) -> int:
        """Deletes the snapshot of a URL, or all snapshots; returns their number."""
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
    """The snapshots in a file beside the store."""
    return Snapshots(files.beside(store, ".snapshots"), days, megabytes)
