"""One page cleaned and made ready to be written, in whatever process."""

from dataclasses import dataclass, field
from typing import Any

from dehusk.outputs import Encode
from dehusk.page import Page
from dehusk.sources import Skipped
from dehusk.template import STRANGER, Template

WARNINGS = 20
"""So many are remembered."""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one page: how long its text was, how much of it went, and what a person should know."""

    name: str
    length: int
    share_removed: float
    warnings: list[str]


@dataclass(slots=True)
class Tally:
    """What became of all pages: how many there were, how much of their text went, and the first warnings.

    `strange` are those that do not look like the pages their template was learned from.
    """

    cleaned: int = 0
    length: int = 0
    removed: float = 0.0
    odd: int = 0
    strange: int = 0
    warnings: list[str] = field(default_factory=list)

    def add(self, done: Done) -> None:
        """One more page."""
        self.cleaned += 1
        self.length += done.length
        self.removed += done.length * done.share_removed
        self.odd += len(done.warnings)
        self.strange += STRANGER in done.warnings
        if len(self.warnings) < WARNINGS:
            self.warnings += [f"{done.name}: {warning}" for warning in done.warnings]


@dataclass(frozen=True, slots=True)
class Finished:
    """A page that only has to be put down: what became of it, and the piece of the output that it is."""

    done: Done
    piece: Any


def clean_page(page: Page, site: str, template: Template, encode: Encode) -> Finished | Skipped:
    """Cleans and encodes one page, or says why that failed: whatever a page does to us, the next is to be cleaned."""
    try:
        cleaned = template.clean(page)
        piece = encode(cleaned, site)
        return Finished(Done(page.name, cleaned.length, cleaned.share_removed, cleaned.warnings), piece)
    except Exception as error:  # noqa: BLE001  # see above
        return Skipped(page.name, f"could not be cleaned: {type(error).__name__}: {error}")
