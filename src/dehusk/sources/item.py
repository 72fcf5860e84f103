"""What a source yields besides pages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in a source that is no page, and why."""

    name: str
    reason: str
