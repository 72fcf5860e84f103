"""Pages from Parquet files, read with bounded memory.

The sizes that its pages declare are checked before pyarrow reads them. A value that is too large is taken out first.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from secrets import token_hex
from typing import IO, TYPE_CHECKING, NamedTuple

from dehusk.base.errors import DAMAGED, TOO_LARGE, Skipped, SourceError
from dehusk.base.files import reason
from dehusk.page import LARGEST, Page
from dehusk.sources._parquet_headers import ColumnChunk, RowGroup, Sizes, groups, sizes
from dehusk.sources._parquet_values import PatchedFile, shortened
from dehusk.sources.jsonl import missing, row_page

if TYPE_CHECKING:
    from pyarrow import Scalar
    from pyarrow.parquet import ParquetFile


MOST_TIMES = 100
"""A page that grows by more than this when uncompressed is a bomb. HTML shrinks to a tenth, sometimes to a fiftieth."""

_ROWS_AT_ONCE = 16  # rows in memory; fewer would be slower, and save little
_UNPACKED = 1 << 32  # bytes of bombs to unpack, or MOST_TIMES the file if that is more: some seconds
_BUFFER = 1 << 20  # bytes to read at a time; without it pyarrow reads a column of a whole row group

_VALUE_ERRORS = (ValueError, ArithmeticError, LookupError)
"""Errors of a value that Python does not have: other bytes in a text, a date beyond the year 9999, an unknown zone."""


class _Reading(NamedTuple):
    """How to read a row group: how many rows to hold at once, and pages that were changed, by their position."""

    at_once: int
    patches: Mapping[int, bytes]


class ParquetSource:
    """The pages of a Parquet file, a few rows in memory at a time. A row group with a dictionary is held as a whole."""

    names: Sequence[str] | None = None

    def __init__(self, path: Path, *, url_column: str = "url", html_column: str = "html", limit: int = LARGEST) -> None:
        self._path = path
        self.files = [path]
        self._url = url_column
        self._html = html_column
        self._limit = limit
        self._marker = f"too large: {token_hex(16)}".encode()  # in place of values that are too large
        self._left: int | None = None
        with self._open() as file:
            there = file.schema_arrow.names
        if why := missing((url_column, html_column), there):
            raise SourceError(f"{path}: {why}")
        for name in (url_column, html_column):
            if there.count(name) > 1:
                raise SourceError(f"{path}: more than one column {name}; rename one of them")

    def __iter__(self) -> Iterator[Page | Skipped]:
        from pyarrow import ArrowException

        number = 0
        try:
            with self._open() as file:
                for index, group in enumerate(self._groups(file)):
                    yield from self._rows(file, index, group, number)
                    number += group.rows
        except (ArrowException, OSError, ValueError):
            yield Skipped(f"{self._path.name} after row {number}", DAMAGED)

    def _rows(self, file: "ParquetFile", index: int, group: RowGroup, number: int) -> Iterator[Page | Skipped]:
        """The pages of a row group, after `number` rows. Damage costs the rest of this group, not those after it."""
        from pyarrow import ArrowException

        if not group.rows:  # its columns have no offset
            return
        end, why = number + group.rows, TOO_LARGE
        try:
            if (reading := self._reading(group)) is not None:
                for url, html in self._values(file, index, reading):
                    number += 1
                    yield self._page(url, html, f"{self._path.name} row {number}")
                return
        except (ArrowException, OSError, ValueError):
            why = DAMAGED
        yield Skipped(f"{self._path.name} rows {number + 1} to {end}", why)

    def _values(self, file: "ParquetFile", index: int, reading: "_Reading") -> Iterator[tuple["Scalar", "Scalar"]]:
        """The URLs and HTML of a row group."""
        columns = [self._url, self._html]
        with self._open(reading.patches) if reading.patches else nullcontext(file) as opened:
            for batch in opened.iter_batches(reading.at_once, row_groups=[index], columns=columns, use_threads=False):
                yield from zip(batch.column(self._url), batch.column(self._html), strict=True)

    def _groups(self, file: "ParquetFile") -> Iterator[RowGroup]:
        """The row groups with the chunks to read. Raises ValueError if chunks overlap: reading could take hours."""
        paths = [column.path for column in file.schema]
        read = [path.partition(".")[0] in (self._url, self._html) for path in paths]
        self._levels = [column.max_definition_level for column, wanted in zip(file.schema, read, strict=True) if wanted]
        left = self._path.stat().st_size
        with self._path.open("rb") as plain:
            row_groups = groups(plain)
        for rows, chunks in row_groups:
            group = RowGroup(rows, [chunk for chunk, wanted in zip(chunks, read, strict=True) if wanted])
            left -= sum(chunk.length for chunk in group.chunks)
            if left < 0:
                raise ValueError("more bytes than there are")
            yield group

    def _page(self, url: "Scalar", html: "Scalar", name: str) -> Page | Skipped:
        try:
            address, content = url.as_py(), html.as_py()
        except _VALUE_ERRORS:
            return Skipped(name, DAMAGED)
        taken_out = (self._marker, self._marker.decode())
        if address in taken_out or content in taken_out:
            return Skipped(address if isinstance(address, str) and address not in taken_out else name, TOO_LARGE)
        return row_page(address, content, name, self._limit)

    def _reading(self, group: RowGroup) -> "_Reading | None":
        """How to read a row group; None if its pages are bombs that cannot be changed.

        A Parquet page is uncompressed as a whole, so its size is checked first. Rows may repeat dictionary values.
        """
        repeated = 1
        patches: dict[int, bytes] = {}
        with self._path.open("rb") as file:
            for chunk, levels in zip(group.chunks, self._levels, strict=True):
                for page in list(sizes(file, chunk)):
                    size = page.unpacked
                    if size > max(self._limit, MOST_TIMES * page.packed):
                        short = self._shortened(file, page, chunk, levels)
                        if short is None:
                            return None
                        patches[page.start], size = short
                    repeated = max(repeated, size * page.repeated)
        return _Reading(max(1, min(_ROWS_AT_ONCE, self._limit // repeated)), patches)

    def _shortened(self, file: IO[bytes], page: Sizes, chunk: ColumnChunk, levels: int) -> tuple[bytes, int] | None:
        """A page without values that are too large, and its new size; None if it cannot be changed."""
        if self._left is None:
            self._left = max(_UNPACKED, MOST_TIMES * self._path.stat().st_size)
        self._left -= page.unpacked
        if self._left < 0 or levels > 1:
            return None
        most = max(self._limit, MOST_TIMES * page.packed)
        return shortened(file, page, chunk, self._marker, limit=self._limit, most=most, levels=levels == 1)

    def _open(self, patches: Mapping[int, bytes] | None = None) -> "ParquetFile":
        """Opens the file, with other bytes at some places."""
        try:
            from pyarrow import ArrowException
            from pyarrow.parquet import ParquetFile
        except ImportError:
            raise SourceError(f"{self._path}: reading Parquet needs pyarrow; pip install dehusk[parquet]") from None
        try:
            file = PatchedFile(self._path, patches) if patches else self._path
            return ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
        except FileNotFoundError:
            raise SourceError(f"{self._path}: no such file") from None
        except OSError as error:
            raise SourceError(f"{self._path}: {reason(error)}") from error
        except (ArrowException, UnicodeDecodeError):  # the name of a column may be invalid
            raise SourceError(f"{self._path}: not a Parquet file, or damaged") from None
