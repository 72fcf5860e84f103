"""The data of a page for viewer and extension: its row, its regions, and its sealed HTML with style sheets."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from dehusk import render
from dehusk.base.urls import PICTURES, data_url, joined, split
from dehusk.jobs.tables import columns_of
from dehusk.marking.edits import Edit, Scope
from dehusk.marking.marking import Marking
from dehusk.page import Page
from dehusk.page.places import Finder, Naming
from dehusk.render import Files
from dehusk.sources.beside import LARGEST_FILE
from dehusk.tables.columns import Column
from dehusk.templates.cleaned import MEASURES, Cleaned
from dehusk.templates.parts import pieces_of
from dehusk.templates.template import Template


def archived(found: Callable[[str], str | None], page: str) -> Files:
    """The files of the page with this URL, by their addresses on it. `found` has them by URL."""

    def file(address: str) -> str | None:
        whole = joined(page, address.strip())
        return None if whole is None else found(whole.partition("#")[0])

    return file


class Beside:
    """Finds style sheets and pictures in a folder, and caches the sheets. Pages are named by their paths in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._sheets: dict[Path, str | None] = {}

    def of(self, name: str) -> Files:
        """The files of this page, by their addresses on it."""
        return partial(self._file, (self._folder / name).parent)

    def _file(self, start: Path, address: str) -> str | None:
        parts = split(address.strip())
        if parts is None or parts.scheme or parts.netloc or not parts.path:
            return None
        path = unquote(parts.path)
        file = self._folder / path.lstrip("/") if path.startswith("/") else start / path
        # Mirroring tools may put the query into the file name.
        names = [file, file.with_name(f"{file.name}?{parts.query}")] if parts.query else [file]
        return next(filter(None, map(self._read, names)), None)

    def _read(self, path: Path) -> str | None:
        """The text of a style sheet, or a picture as a data URL; None if it is neither, or not in the folder."""
        try:
            file = path.resolve()
        except (OSError, ValueError, RuntimeError):  # invalid name, or a loop of links
            return None
        if file in self._sheets:
            return self._sheets[file]
        picture, is_sheet = PICTURES.get(file.suffix.lower()), ".css" in file.name.lower()
        if not file.is_relative_to(self._folder) or not (picture or is_sheet):
            return None
        try:
            data = file.read_bytes() if file.is_file() and file.stat().st_size <= LARGEST_FILE else None
        except OSError:
            data = None
        if data is not None and picture:
            return data_url(picture, data)
        self._sheets[file] = None if data is None else data.decode("utf-8", "replace")
        return self._sheets[file]


MOST_PICTURES = 4_000_000
"""Maximum letters of all pictures in one view of a page. A picture may be many times on a page."""


def _limited(files: Files) -> Files:
    """The same files, but no more pictures than one view may have."""
    left = MOST_PICTURES

    def file(address: str) -> str | None:
        nonlocal left
        found = files(address)
        if found is not None and found.startswith("data:"):
            left -= len(found)
            return found if left >= 0 else None
        return found

    return file


LONGEST_TEXT = 160
"""Maximum length of the text shown for a region."""

LARGEST_VIEW = 50_000
MOST_NAMED = 5_000_000
"""Maximum number of nodes of a page, and of letters of all paths of its regions (deeply nested pages have long paths).

Of a larger page only the text is shown: a browser would take too long.
"""

TOO_LARGE = "too large to be shown"

SHOWN = ("text", "markdown", "html", *MEASURES)
"""The optional fields of a row that a view includes."""

KEPT = "kept as content"
HIDDEN = "the page itself does not show it"

_PAGES = re.compile(r"\bon (?:at least )?\d+ of \d+ (?:pages|others)\b")


@dataclass(frozen=True, slots=True)
class _Region:
    """An element or text of a page that is kept or removed as a whole."""

    node: int
    removed: bool
    role: str
    reason: str
    confidence: float


def page_view(cleaned: Cleaned, files: render.Files = render.no_files, *, site: str = "") -> dict[str, Any]:
    """The view of a page as a JSON object: its row, its regions, and its HTML.

    `regions` lists all regions in page order. In `tinted`, the whole page as sealed HTML, the element of region 3 has
    `data-husk="3"`, and `data-husk-removed` if it is removed. Both are empty if the page is too large. `files` returns
    style sheets and pictures of the page, if available.
    """
    looked_at = _looked_at(cleaned, _limited(files)) if len(cleaned.page.tree) <= LARGEST_VIEW else None
    view = cleaned.to_dict(SHOWN, site=site) | (looked_at or {"regions": [], "tinted": ""})
    view["html"] = cleaned.html_with(_limited(files))
    if looked_at is None:
        view["warnings"] = [*view["warnings"], TOO_LARGE]
    return view


def _looked_at(cleaned: Cleaned, files: render.Files) -> dict[str, Any] | None:
    """The regions of a page, and its HTML with their numbers; None if their paths are too long.

    Most of the time is spent on roles and reasons.
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
    return {"regions": shown, "tinted": render.numbered_html(marking, numbered, files)}


def _regions(cleaned: Cleaned) -> Iterator[_Region]:
    """The removed regions, by topmost nodes, then the kept and hidden ones, by the largest nodes within one part."""
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
    """The texts joined with spaces and cut at LONGEST_TEXT."""
    said = ""
    for text in texts:
        said += f" {text}" if said else text
        if len(said) > LONGEST_TEXT:
            return f"{said[: LONGEST_TEXT - 1]}…"
    return said


MOST_SEARCHED = 40
"""Number of pages that are searched for the texts of corrections. Most are on the first."""


def edited_texts(edits: Sequence[Edit], pages: Iterable[Page]) -> dict[str, str]:
    """The text at the place of each edit on the first page that has it, by the id of the edit."""
    found: dict[str, str] = {}
    for page in pages if edits else ():
        finder, tree = Finder(page), page.tree
        for edit in edits:
            if edit.id in found or (edit.scope is Scope.PAGE and edit.page not in (page.name, page.url)):
                continue
            for node in edit.on(finder)[:1]:
                number = page.numbers[node]
                found[edit.id] = shortened(filter(None, tree.text[number : number + tree.size[number]]))
        if len(found) == len(edits):
            break
    return found


def cell_paths(cleaned: Cleaned) -> list[tuple[str, str]]:
    """Where a page shows the values of its columns: the name of a column, and the path of an element."""
    tree, naming = cleaned.page.tree, Naming(cleaned.page.tree)
    paths = [(name, naming.path(tree.parent[node])) for name, nodes in cleaned.cells.items() for node in nodes]
    return list(dict.fromkeys(paths))


def table_heads(template: Template) -> list[dict[str, Any]]:
    """The tables of a template by the names that records have, each with its columns."""
    names = [
        f"{number}.{which}" if which > 1 else str(number)
        for number, family in enumerate(template.families, 1)
        for which in range(1, len(family.tables.tables) + 1)
    ]
    return [{"name": name, "columns": list(map(column_out, columns_of(template, name)))} for name in names]


def column_out(column: Column) -> dict[str, Any]:
    """Returns a column as in answers."""
    names = ("name", "place", "label", "type", "many", "share")
    return {name: getattr(column, name) for name in names} | {"type": column.type.value}
