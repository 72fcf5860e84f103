"""A page as viewer and extension show it: what it says, its regions, and itself, sealed, with its style sheets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from dehusk import render
from dehusk.marking.marking import Marking
from dehusk.page.places import Naming
from dehusk.render import Sheets
from dehusk.templates.cleaned import MEASURES, Cleaned
from dehusk.templates.parts import pieces_of

LARGEST_SHEET = 1_000_000
"""A style sheet with more bytes than this is left out."""


class Beside:
    """The style sheets in a folder, each read once. Pages are named by their path in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._read: dict[Path, str | None] = {}

    def of(self, name: str) -> Sheets:
        """The style sheets that this page links to."""
        return partial(self._sheet, (self._folder / name).parent)

    def _sheet(self, start: Path, address: str) -> str | None:
        try:
            parts = urlsplit(address.strip())
        except ValueError:  # such as a bracket that does not close
            return None
        if parts.scheme or parts.netloc or not parts.path:
            return None
        path = unquote(parts.path)
        file = self._folder / path.lstrip("/") if path.startswith("/") else start / path
        # A mirror may have put the query into the name of the file.
        names = [file, file.with_name(f"{file.name}?{parts.query}")] if parts.query else [file]
        return next(filter(None, map(self._css, names)), None)

    def _css(self, path: Path) -> str | None:
        """The text of a style sheet in the folder; None of any other file."""
        try:
            file = path.resolve()
        except (OSError, ValueError, RuntimeError):  # no such name, or links in a circle
            return None
        if file not in self._read:
            self._read[file] = self._text(file)
        return self._read[file]

    def _text(self, file: Path) -> str | None:
        if not file.is_relative_to(self._folder) or ".css" not in file.name.lower():
            return None
        try:
            fits = file.is_file() and file.stat().st_size <= LARGEST_SHEET
            return file.read_text("utf-8", "replace") if fits else None
        except OSError:
            return None


LONGEST_TEXT = 160
"""Letters of a region's text that are told."""

LARGEST_VIEW = 50_000
MOST_NAMED = 5_000_000
"""Nodes of a page that is still shown, and letters of all its places: many that are deep inside take many.

Of a larger page only what it says is told: a browser would take too long.
"""

TOO_LARGE = "too large to be shown"

SHOWN = ("text", "markdown", *MEASURES)
"""The fields on demand that a view has."""

KEPT = "kept as content"
HIDDEN = "the page itself does not show it"

_PAGES = re.compile(r"\bon (?:at least )?\d+ of \d+ (?:pages|others)\b")


@dataclass(frozen=True, slots=True)
class _Region:
    """An element or a text of a page that is kept or goes as a whole."""

    node: int
    removed: bool
    role: str
    reason: str
    confidence: float


def page_view(cleaned: Cleaned, sheets: render.Sheets = render.no_sheets, *, site: str = "") -> dict[str, Any]:
    """All that is shown of a page, ready to be written as JSON: what its row has, its regions, and itself.

    `regions` are all parts of the page in their order, by number. In `tinted`, which is the whole page as sealed HTML,
    the element of region 3 has `data-husk="3"`, and `data-husk-removed` if it goes. Both are empty if the page is too
    large. `sheets` gives the style sheets that the page links to, where they are at hand.
    """
    looked_at = _looked_at(cleaned, sheets) if len(cleaned.page.tree) <= LARGEST_VIEW else None
    view = cleaned.to_dict(SHOWN, site=site) | (looked_at or {"regions": [], "tinted": ""})
    if looked_at is None:
        view["warnings"] = [*view["warnings"], TOO_LARGE]
    return view


def _looked_at(cleaned: Cleaned, sheets: render.Sheets) -> dict[str, Any] | None:
    """The regions of a page, and the page with their numbers on it; None where their places are too long.

    Roles and reasons are most of the work.
    """
    marking, naming = cleaned.marking, Naming(cleaned.page.tree)
    regions = sorted(_regions(cleaned), key=lambda region: region.node)
    shown: list[dict[str, Any]] = []
    named = 0
    for number, region in enumerate(regions):
        shown.append(_region_view(marking, naming, number, region))
        named += len(shown[-1]["path"]) + len(shown[-1]["kind"])
        if named > MOST_NAMED:
            return None
    numbered = [(region.node, region.removed) for region in regions]
    return {"regions": shown, "tinted": render.numbered_html(marking, numbered, sheets)}


def _regions(cleaned: Cleaned) -> Iterator[_Region]:
    """What goes by its topmost nodes; what stays, and what is hidden, by the largest nodes that hold one part of it."""
    marking = cleaned.marking
    for node in marking.topmost:
        role = marking.role(node)
        why, sure = marking.reason(node), marking.confidence(node)
        yield _Region(node, removed=True, role=str(role or "picture"), reason=why, confidence=sure)
    for piece in pieces_of(marking, cleaned.unseen):
        why = KEPT if piece.kept else HIDDEN
        for node in piece.nodes:
            if not marking.flags[node]:
                edit = marking.edit(node) if piece.kept else None
                reason = edit.reason if edit is not None and edit.keep else why
                yield _Region(node, not piece.kept, piece.role, f"{piece.role}, {reason}", piece.confidence)


def _region_view(marking: Marking, naming: Naming, number: int, region: _Region) -> dict[str, Any]:
    tree = marking.page.tree
    edit = marking.edit(region.node)
    pages = _PAGES.search(region.reason)
    texts = filter(None, tree.text[region.node : region.node + tree.size[region.node]])
    return {
        "n": number,
        "path": naming.path(region.node),
        "kind": naming.kind(region.node),
        "removed": region.removed,
        "role": region.role,
        "reason": region.reason,
        "confidence": region.confidence,
        "pages": pages[0] if pages else None,
        "text": shortened(texts),
        "edit": edit.id if edit is not None else None,
    }


def shortened(texts: Iterator[str]) -> str:
    """The first letters of what these texts say."""
    said = ""
    for text in texts:
        said += f" {text}" if said else text
        if len(said) > LONGEST_TEXT:
            return f"{said[: LONGEST_TEXT - 1]}…"
    return said
