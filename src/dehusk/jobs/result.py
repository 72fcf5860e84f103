"""What a job tells: how far it is, and what became of it."""

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
    """Continues what an earlier run of the same job has begun. Items are those that it has done."""
    RESTARTING = "restarting"
    """Drops what a different job left unfinished in the same place."""
    LOOKING = "looking"
    """Reads pages to learn from. Items are pages."""
    LEARNING = "learning"
    """Learns templates. Items are sites."""
    CLEANING = "cleaning"
    """Cleans. Items are pages."""
    WRITING = "writing"
    """Brings the output to its end. Items are outputs."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is: items of the phase that are done, and how many there are, if that is known."""

    phase: Phase
    done: int
    total: int | None = None


Tell = Callable[[Progress], object]
"""Is told of every step."""

Skip = Callable[[Skipped], object]
"""Is told of everything that is skipped."""


NAMED = 100
"""Skipped pages that are remembered by name."""

REASONS = 10_000
"""Different reasons that are counted apart. A reason may name a site, and an archive has millions of those."""

OTHER_REASONS = "other reasons"
"""What all further reasons are counted as."""

WARNED = 20
"""Warnings that are remembered with the names of their pages."""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one page: how long its text was, how much of it was removed, and what a person should know.

    `piece` is its piece of the output, which only has to be written.
    """

    name: str
    length: int
    share_removed: float
    warnings: list[PageWarning]
    piece: Any = None


@dataclass(slots=True)
class Tally:
    """The pages that were cleaned: how many, how much of their text was removed, their warnings by kind."""

    cleaned: int = 0
    length: int = 0
    removed: float = 0.0
    warnings: Counter[PageWarning] = field(default_factory=Counter)
    first: list[tuple[str, PageWarning]] = field(default_factory=list)

    def add(self, done: Done) -> None:
        """One more page."""
        self.cleaned += 1
        self.length += done.length
        self.removed += done.length * done.share_removed
        self.warnings.update(done.warnings)
        if len(self.first) < WARNED:
            self.first += [(done.name, warning) for warning in done.warnings]

    def to_json(self) -> dict[str, Any]:
        """The tally as it is noted on disk; warnings by the names of their kinds."""
        return {
            "cleaned": self.cleaned,
            "length": self.length,
            "removed": self.removed,
            "warnings": {warning.name: pages for warning, pages in self.warnings.items()},
            "first": [(name, warning.name) for name, warning in self.first],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """What `to_json` gave."""
        warnings = Counter({PageWarning[warning]: pages for warning, pages in data["warnings"].items()})
        first = [(name, PageWarning[warning]) for name, warning in data["first"]]
        return cls(data["cleaned"], data["length"], data["removed"], warnings, first)


@dataclass(slots=True)
class Skips:
    """The pages that were skipped: counted by reason, the first ones by name."""

    reasons: Counter[str] = field(default_factory=Counter)
    first: list[Skipped] = field(default_factory=list)

    def add(self, skipped: Skipped) -> None:
        """One more page."""
        known = skipped.reason in self.reasons or len(self.reasons) < REASONS
        self.reasons[skipped.reason if known else OTHER_REASONS] += 1
        if len(self.first) < NAMED:
            self.first.append(skipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a job."""

    cleaned: int
    """Pages that were cleaned and written."""
    skipped: int
    """Pages that were not cleaned, and things in the source that are not pages."""
    reasons: Mapping[str, int]
    """How many were skipped for each reason."""
    first_skipped: tuple[Skipped, ...]
    """The first of them; a callback given to `Job.run` gets all."""
    warnings: Mapping[PageWarning, int]
    """How many warnings of each kind there were."""
    first_warnings: tuple[tuple[str, PageWarning], ...]
    """The first of them, with the names of their pages."""
    share_removed: float
    """How much of the text of all pages was removed, from 0 to 1."""
    outputs: tuple[str, ...]
    """The files or folders that were written; "-" is standard output."""
    seconds: float
    resumed: int
    """Items of the source that an earlier run had done already; they are counted above, too."""
    templates: "Templates | None"
    """What the pages were cleaned with; None for a store, which may hold more than memory does."""

    @property
    def read(self) -> int:
        """All items of the source."""
        return self.cleaned + self.skipped

    @property
    def families(self) -> dict[str, int]:
        """How many families of pages each site has, each with rules of its own."""
        by_site = self.templates.by_site if self.templates else {}
        return {site: len(template.families) for site, template in by_site.items()}

    @property
    def outliers(self) -> list[str]:
        """The pages that share no template with the others and were not learned from."""
        return self.templates.outliers if self.templates else []
