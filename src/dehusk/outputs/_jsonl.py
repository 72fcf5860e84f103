"""Pages as rows of text: JSON Lines (one object per line), a JSON array, or CSV."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from dehusk.base.packing import gzipped, is_gzip
from dehusk.outputs.target import Stream, Target
from dehusk.page import Page
from dehusk.templates.cleaned import Cleaned, fields_with


@dataclass(frozen=True, slots=True)
class Row:
    """Turns a page into a row with site, metadata and content. See `dehusk.templates.cleaned`."""

    markdown: bool = False
    """Whether the content is Markdown instead of text."""
    parts: bool = False
    """Whether to add all parts of the page with their roles, removed parts included."""

    @property
    def asked(self) -> tuple[str, ...]:
        """The optional fields of the row."""
        return ("markdown" if self.markdown else "text", *(["parts"] if self.parts else []))


@dataclass(frozen=True, slots=True)
class JsonLine(Row):
    """Turns a page into a line. A packed line is a gzip member of its own, so any process can make it."""

    packed: bool = False

    def __call__(self, cleaned: Cleaned, site: str, /) -> bytes:
        """Returns the line. Bytes of a file name that are not Unicode are escaped."""
        line = json.dumps(cleaned.to_dict(self.asked, site=site), ensure_ascii=False) + "\n"
        data = line.encode("utf-8", "backslashreplace")
        return gzipped(data) if self.packed else data


@contextmanager
def opened(_: str, target: Target, *, markdown: bool = False, parts: bool = False) -> Iterator[Stream]:
    """Opens a file of lines. If the file name ends in `.gz`, each line is packed separately."""
    with target.open(target.written) as file:
        yield Stream(file, JsonLine(markdown=markdown, parts=parts, packed=is_gzip(target.name)))


class Lines(Stream):
    """Writes rows between the start and the end of a file, with separators between them."""

    def __init__(
        self, file: IO[bytes], encode: "JsonRow | CsvRow", marks: tuple[str, str, str], *, begun: bool
    ) -> None:
        """`marks` are the start of the file, the separator and the end; `begun` is whether there are rows already."""
        super().__init__(file, encode)
        self._start, self._between, self._end = (mark.encode() for mark in marks)
        self._begun = begun

    def write(self, page: Page, piece: bytes) -> None:
        """Writes a row, after the start of the file or a separator."""
        self._file.write(self._between if self._begun else self._start)
        self._begun = True
        super().write(page, piece)

    def close(self) -> None:
        """Writes the end of the file; also the start, if there were no rows."""
        self._file.write(self._end if self._begun else self._start + self._end)


@dataclass(frozen=True, slots=True)
class JsonRow(Row):
    """Turns a page into an element of a JSON array."""

    def __call__(self, cleaned: Cleaned, site: str, /) -> bytes:
        """Returns the element, on one line."""
        return json.dumps(cleaned.to_dict(self.asked, site=site), ensure_ascii=False).encode(
            "utf-8", "backslashreplace"
        )


@dataclass(frozen=True, slots=True)
class CsvRow(Row):
    """Turns a page into a line of CSV as RFC 4180 has it. Lists and parts of a page are JSON in their cells."""

    def __call__(self, cleaned: Cleaned, site: str, /) -> bytes:
        """Returns the line."""
        cells = map(_cell, cleaned.to_dict(self.asked, site=site).values())
        return _csv_line(cells).encode("utf-8", "backslashreplace")


def _cell(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def _csv_line(cells: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


@contextmanager
def opened_array(_: str, target: Target, *, markdown: bool = False, parts: bool = False) -> Iterator[Lines]:
    """Opens a file with one JSON array, an element on each line."""
    with target.open(target.written) as file:
        yield Lines(file, JsonRow(markdown, parts), ("[\n", ",\n", "\n]\n"), begun=target.written > 0)


@contextmanager
def opened_csv(_: str, target: Target, *, markdown: bool = False, parts: bool = False) -> Iterator[Lines]:
    """Opens a CSV file whose first line names the columns."""
    row = CsvRow(markdown, parts)
    head = _csv_line(field.name for field in fields_with(row.asked))
    with target.open(target.written) as file:
        yield Lines(file, row, (head, "", ""), begun=target.written > 0)
