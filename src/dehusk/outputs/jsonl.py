"""One file, one JSON object a line."""

import json
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import IO

from dehusk.files import written_whole
from dehusk.template import Cleaned


class JsonLines(AbstractContextManager["JsonLines"]):
    """Writes what is known of each page as a line; a file takes its name when the last line is written."""

    def __init__(self, place: Path | IO[str]) -> None:
        self._stack = ExitStack()
        self._file = self._stack.enter_context(written_whole(place)) if isinstance(place, Path) else place

    def write(self, cleaned: Cleaned) -> None:
        """The page as one line."""
        self._file.write(json.dumps(record(cleaned), ensure_ascii=False) + "\n")

    def __exit__(self, *exception: object) -> bool | None:
        return self._stack.__exit__(*exception)  # type: ignore[arg-type]  # what __exit__ is called with, handed on


def record(cleaned: Cleaned) -> dict[str, object]:
    """A cleaned page as JSON."""
    stated = cleaned.metadata
    return {
        "name": cleaned.page.name,
        "url": cleaned.page.url or stated.canonical_url,
        "title": stated.title,
        "author": stated.author,
        "date": stated.date,
        "language": stated.language,
        "description": stated.description,
        "text": cleaned.text,
        "share_removed": round(cleaned.share_removed, 4),
        "warnings": cleaned.warnings,
    }
