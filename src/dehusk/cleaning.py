"""One page cleaned and made ready to be written, in whatever process."""

from dataclasses import dataclass
from typing import Any

from dehusk.outputs import Encode
from dehusk.page import Page
from dehusk.sources import Skipped
from dehusk.template import Template


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one page: how long its text was, how much of it went, and what a person should know."""

    name: str
    length: int
    share_removed: float
    warnings: list[str]


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
