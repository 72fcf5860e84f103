"""How a job says how far it is, and what it skips: through callbacks, since nothing in the library prints."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from dehusk.base.errors import Skipped


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
