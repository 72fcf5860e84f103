"""One file, one JSON object a line."""

import json
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import IO

from dehusk.files import writing, written_whole
from dehusk.template import Cleaned


class JsonLines(AbstractContextManager["JsonLines"]):
    """Writes what is known of each page as a line; a file takes its name when the last line is written."""

    def __init__(self, place: Path | IO[str], *, markdown: bool = False) -> None:
        self._stack = ExitStack()
        self._file = self._stack.enter_context(written_whole(place)) if isinstance(place, Path) else place
        self._place = place if isinstance(place, Path) else "standard output"
        self._markdown = markdown

    def write(self, cleaned: Cleaned, *, site: str = "") -> None:
        """The page as one line."""
        row = record(cleaned, site=site, markdown=self._markdown)
        line = json.dumps(row, ensure_ascii=False) + "\n"
        with writing(self._place):
            self._file.write(line)

    def __exit__(self, *exception: object) -> bool | None:
        return self._stack.__exit__(*exception)  # type: ignore[arg-type]  # what __exit__ is called with, handed on


def record(cleaned: Cleaned, *, site: str = "", markdown: bool = False) -> dict[str, object]:
    """A cleaned page as JSON: which site and family of pages it belongs to, what it states, and its content."""
    stated = cleaned.metadata
    return {
        "name": cleaned.page.name,
        "url": cleaned.page.url or stated.canonical_url,
        "site": site,
        "family": cleaned.family,
        "title": stated.title,
        "author": stated.author,
        "date": stated.date,
        "language": stated.language,
        "description": stated.description,
        **({"markdown": cleaned.markdown} if markdown else {"text": cleaned.text}),
        "share_removed": round(cleaned.share_removed, 4),
        "warnings": cleaned.warnings,
    }
