"""One file, one JSON object a line."""

import gzip
import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO

from dehusk.files import writing, written_whole, written_whole_bytes
from dehusk.template import Cleaned


class JsonLines(AbstractContextManager["JsonLines"]):
    """Writes what is known of each page as a line; a file takes its name when the last line is written."""

    def __init__(self, place: Path | IO[str], *, markdown: bool = False) -> None:
        self._stack = ExitStack()
        self._file = self._stack.enter_context(_opened(place)) if isinstance(place, Path) else place
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


@contextmanager
def _opened(place: Path) -> Iterator[IO[str]]:
    """A file written whole, packed if its name says so; without a date, so that the same rows give the same bytes."""
    if place.suffix != ".gz":
        with written_whole(place) as file:
            yield file
        return
    with (
        written_whole_bytes(place) as packed,
        gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as plain,
        TextIOWrapper(plain, encoding="utf-8", errors="backslashreplace", newline="\n") as text,
    ):
        yield text


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
