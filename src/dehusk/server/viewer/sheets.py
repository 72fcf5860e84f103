"""The style sheets that lie beside the pages of a folder, so that pages look like themselves. Nothing is fetched."""

from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from dehusk.render import Sheets

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
        place = self._folder / path.lstrip("/") if path.startswith("/") else start / path
        # A mirror may have put the query into the name of the file.
        names = [place, place.with_name(f"{place.name}?{parts.query}")] if parts.query else [place]
        return next(filter(None, map(self._css, names)), None)

    def _css(self, place: Path) -> str | None:
        """The text of a style sheet in the folder; None of any other file."""
        try:
            file = place.resolve()
        except (OSError, ValueError, RuntimeError):  # no such name, or links in a circle
            return None
        if file not in self._read:
            self._read[file] = self._text(file)
        return self._read[file]

    def _text(self, file: Path) -> str | None:
        if not file.is_relative_to(self._folder) or ".css" not in file.name.lower():
            return None
        try:
            return file.read_text("utf-8", "replace") if file.is_file() and file.stat().st_size <= LARGEST_SHEET else None
        except OSError:
            return None
