"""Progress and results of jobs."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self

from dehusk.base.errors import PageWarning, Skipped

if TYPE_CHECKING:
    from dehusk.jobs.site_templates import Templates


class Phase(StrEnum):
    """What a job is doing."""

    RESUMING = "resuming"
    """Continues an earlier run of the same job. Items are those that it had done."""
    RESTARTING = "restarting"
    """Drops the unfinished output of a different job."""
    LOOKING = "looking"
    """Reads pages to learn from. Items are pages."""
    LEARNING = "learning"
    """Learns templates. Items are sites."""
    CLEANING = "cleaning"
    """Cleans pages. Items are pages."""
    WRITING = "writing"
    """Completes the output. Items are outputs."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a job: how many items of the phase are done, and their total number if known."""

    phase: Phase
    done: int
    total: int | None = None


Tell = Callable[[Progress], object]
"""Callback for progress."""

Skip = Callable[[Skipped], object]
"""Callback for skipped items."""


NAMED = 100
"""Maximum number of kinds of reasons that are kept with the name of their first page."""

REASONS = 10_000
"""Maximum number of different reasons that are counted. Reasons may name a site; archives have millions of sites."""

OTHER_REASONS = "other reasons"
"""The reason under which all others are counted when `REASONS` is reached."""


@dataclass(frozen=True, slots=True)
class Done:
    """The result of one page: the length of its text, the share that was removed, and warnings.

    `piece` is its encoded piece of the output, ready to be written.
    """

    name: str
    length: int
    share_removed: float
    warnings: list[PageWarning]
    piece: Any = None


@dataclass(slots=True)
class Tally:
    """Counts of cleaned pages: their number, length of text, removed text, and warnings."""

    cleaned: int = 0
    length: int = 0
    removed: float = 0.0
    warnings: Counter[PageWarning] = field(default_factory=Counter)
    first: list[tuple[str, PageWarning]] = field(default_factory=list)
    """The first page of each kind of warning."""

    def add(self, done: Done) -> None:
        """Counts a cleaned page."""
        self.cleaned += 1
        self.length += done.length
        self.removed += done.length * done.share_removed
        self.warnings.update(done.warnings)
        self.first += [(done.name, warning) for warning in done.warnings if self.warnings[warning] == 1]

    def to_json(self) -> dict[str, Any]:
        """Returns the tally as JSON data; warnings are stored by name."""
        return {
            "cleaned": self.cleaned,
            "length": self.length,
            "removed": self.removed,
            "warnings": {warning.name: pages for warning, pages in self.warnings.items()},
            "first": [(name, warning.name) for name, warning in self.first],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Reads the result of `to_json`."""
        warnings = Counter({PageWarning[warning]: pages for warning, pages in data["warnings"].items()})
        first = [(name, PageWarning[warning]) for name, warning in data["first"]]
        return cls(data["cleaned"], data["length"], data["removed"], warnings, first)


_IN_NAMES = re.compile(r"[./:\d]")  # in a word: it is a host, a file name or a number


def kind_of(reason: str) -> str:
    """Returns the kind of a reason: the reason without hosts, file names and numbers."""
    return " ".join("..." if _IN_NAMES.search(word) else word for word in reason.split())


@dataclass(slots=True)
class Skips:
    """Counts of skipped pages by reason, and the first page of each kind of reason."""

    reasons: Counter[str] = field(default_factory=Counter)
    first: list[Skipped] = field(default_factory=list)
    _kinds: set[str] = field(default_factory=set)

    def add(self, skipped: Skipped) -> None:
        """Counts a skipped item."""
        known = skipped.reason in self.reasons or len(self.reasons) < REASONS
        self.reasons[skipped.reason if known else OTHER_REASONS] += 1
        kind = kind_of(skipped.reason)
        if kind not in self._kinds and len(self.first) < NAMED:
            self._kinds.add(kind)
            self.first.append(skipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a job."""

    cleaned: int
    """Pages that were cleaned and written."""
    skipped: int
    """Pages that were not cleaned, and things in the source that are not pages."""
    reasons: Mapping[str, int]
    """Number of skipped items by reason."""
    first_skipped: tuple[Skipped, ...]
    """The first skipped item of each kind of reason; the callback of `Job.run` gets all of them."""
    warnings: Mapping[PageWarning, int]
    """Number of warnings by type."""
    first_warnings: tuple[tuple[str, PageWarning], ...]
    """Each kind of warning once, with the name of the first page that has it."""
    share_removed: float
    """The share of the text of all pages that was removed, from 0 to 1."""
    outputs: tuple[str, ...]
    """The files or folders that were written; "-" is standard output. Empty if no page was cleaned."""
    seconds: float
    resumed: int
    """Number of items that an earlier run had done; they are included in the counts above."""
    templates: "Templates | None"
    """The templates used; None for a store, which may not fit in memory."""

    @property
    def read(self) -> int:
        """Number of all items of the source."""
        return self.cleaned + self.skipped

    @property
    def families(self) -> dict[str, int]:
        """Number of page families by site. Each family has its own rules."""
        by_site = self.templates.by_site if self.templates else {}
        return {site: len(template.families) for site, template in by_site.items()}

    @property
    def outliers(self) -> list[str]:
        """Names of pages that share no template with the others and were not learned from."""
        return self.templates.outliers if self.templates else []
