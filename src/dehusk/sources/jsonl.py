"""Rows with a URL and HTML, and files of them in JSON Lines and JSON."""

from collections.abc import Collection, Iterator, Sequence
from io import BufferedIOBase
from pathlib import Path

from dehusk.base import fields, packing
from dehusk.base.errors import DAMAGED, TOO_LARGE, Skipped, SourceError, listed
from dehusk.base.files import reason
from dehusk.page import LARGEST, Page, unusable

_OPTIONS = "--url-column and --html-column"
_NAMED, _LONGEST_NAME = 20, 60  # columns to name in a message, and their length; a table may have hundreds


def missing(wanted: Collection[str], there: Collection[str]) -> str | None:
    """The error message if a table lacks a wanted column: which it lacks, and which it has. Otherwise None."""
    lacking = [column for column in wanted if column not in there]
    if not lacking:
        return None
    named = listed([name[:_LONGEST_NAME] for name in there], _NAMED) or "none"
    return f"no column {' and no column '.join(lacking)}; it has {named}: name the ones to read with {_OPTIONS}"


def row_page(url: object, html: object, fallback: str, limit: int) -> Page | Skipped:
    """The page of a row. Without a URL it is named `fallback`."""
    address = url if isinstance(url, str) and url else None
    name = address or fallback
    if html is None:
        return Skipped(name, "empty")
    if not isinstance(html, str | bytes):
        return Skipped(name, "not HTML")
    data = html.encode("utf-8", "replace") if isinstance(html, str) else html
    if len(data) > limit:
        return Skipped(name, TOO_LARGE)
    if why := unusable(data):
        return Skipped(name, why)
    return Page(html, url=address, name=name)


MOST_VALUES = 100_000
"""Maximum number of values in a line. A normal row has a few."""


class JsonLines:
    """The pages of a JSON Lines file, one in memory at a time. Lines of more than `limit` bytes are skipped."""

    names: Sequence[str] | None = None

    def __init__(self, path: Path, *, url_column: str = "url", html_column: str = "html", limit: int = LARGEST) -> None:
        if not path.is_file():
            raise SourceError(f"{path}: no such file")
        self._path = path
        self.files = [path]
        self._url = url_column
        self._html = html_column
        self._limit = limit

    def __iter__(self) -> Iterator[Page | Skipped]:
        number = 0
        try:
            with packing.opened(self._path) as file:
                while line := file.readline(self._limit):
                    number += 1
                    name = f"{self._path.name} line {number}"
                    if len(line) == self._limit and not line.endswith(b"\n"):
                        _skip_line(file)
                        yield Skipped(name, TOO_LARGE)
                    elif line.strip():
                        yield self._item(line, name)
        except packing.PackingError:
            yield Skipped(f"{self._path.name} after line {number}", DAMAGED)
        except OSError as error:
            yield Skipped(f"{self._path.name} after line {number}", reason(error) if error.errno else DAMAGED)

    def _item(self, line: bytes, name: str) -> Page | Skipped:
        try:
            row = fields.parsed(line, MOST_VALUES)
        except fields.TooManyValuesError:
            return Skipped(name, TOO_LARGE)
        except ValueError:
            return Skipped(name, "not JSON")
        return self._row(row, name)

    def _row(self, row: object, name: str) -> Page | Skipped:
        if not isinstance(row, dict):
            return Skipped(name, "not a JSON object")
        if why := missing((self._url, self._html), row):
            return Skipped(name, why)
        return row_page(row[self._url], row[self._html], name, self._limit)


MOST_IN_ARRAY = 5_000_000
"""Maximum number of values in a JSON file, which is held in memory as a whole."""


class JsonFile(JsonLines):
    """The pages of a JSON file: an array of objects, or one object. JSON Lines with this suffix are read, too."""

    def __iter__(self) -> Iterator[Page | Skipped]:
        name = self._path.name
        try:
            with packing.opened(self._path) as file:
                data = file.read(self._limit + 1)
            if len(data) > self._limit:
                advice = "write it as JSON Lines, an object on each line"
                yield Skipped(name, f"larger than {self._limit // 10**6} MB; {advice}")
                return
            rows = fields.parsed(data, MOST_IN_ARRAY)
        except packing.PackingError:
            yield Skipped(name, DAMAGED)
        except OSError as error:
            yield Skipped(name, reason(error) if error.errno else DAMAGED)
        except fields.TooManyValuesError:
            yield Skipped(name, TOO_LARGE)
        except (ValueError, RecursionError):
            yield from self._lines(name)
        else:
            many = rows if isinstance(rows, list) else [rows]
            yield from (self._row(row, f"{name} item {number}") for number, row in enumerate(many, 1))

    def _lines(self, name: str) -> Iterator[Page | Skipped]:
        """The pages of JSON Lines; one Skipped for the file if its first line is not JSON either."""
        for number, item in enumerate(super().__iter__()):
            if number == 0 and isinstance(item, Skipped) and item.reason == "not JSON":
                yield Skipped(name, "not JSON")
                return
            yield item


def _skip_line(file: BufferedIOBase) -> None:
    """Reads to the end of a line without keeping it."""
    while (piece := file.readline(1 << 20)) and not piece.endswith(b"\n"):
        pass
