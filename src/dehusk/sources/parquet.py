"""Pages from a Parquet file with a column of addresses and one of HTML. Needs pyarrow, an extra."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.base.errors import DAMAGED, TOO_LARGE, Skipped, SourceError
from dehusk.base.files import reason
from dehusk.page import LARGEST, Page
from dehusk.sources._parquet_pages import RowGroup, groups, sizes
from dehusk.sources.rows import missing, row_page

if TYPE_CHECKING:
    from pyarrow import Scalar
    from pyarrow.parquet import ParquetFile

MOST_TIMES = 100
"""What is packed and would grow by more than this is a bomb. Pages shrink to a tenth, and some to a fiftieth."""

_ROWS = 16  # in memory at a time: pages are large, but reading very few at a time would cost more than it saves
_BUFFER = 1 << 20  # bytes read at a time; without it a column of a whole row group is read at once


class ParquetSource:
    """The pages of a Parquet file, a few rows in memory at a time. A row group with a dictionary is held as a whole."""

    names: Sequence[str] | None = None

    def __init__(self, path: Path, *, url_column: str = "url", html_column: str = "html", limit: int = LARGEST) -> None:
        self._path = path
        self.files = [path]
        self._url = url_column
        self._html = html_column
        self._limit = limit
        with self._open() as file:
            there = file.schema_arrow.names
        if why := missing((url_column, html_column), there):
            raise SourceError(f"{path}: {why}")

    def __iter__(self) -> Iterator[Page | Skipped]:
        from pyarrow import ArrowException

        number = 0
        try:
            with self._open() as file:
                for place, group in enumerate(self._groups(file)):
                    if not group.rows:  # its columns have no place
                        continue
                    if not (at_once := self._rows(group)):
                        yield Skipped(f"{self._path.name} rows {number + 1} to {number + group.rows}", TOO_LARGE)
                        number += group.rows
                        continue
                    for batch in file.iter_batches(
                        at_once, row_groups=[place], columns=[self._url, self._html], use_threads=False
                    ):
                        for url, html in zip(batch.column(self._url), batch.column(self._html), strict=True):
                            number += 1
                            yield self._page(url, html, f"{self._path.name} row {number}")
        except (ArrowException, OSError, ValueError):
            yield Skipped(f"{self._path.name} after row {number}", DAMAGED)

    def _groups(self, file: "ParquetFile") -> Iterator[RowGroup]:
        """The row groups, with what is read of them. Raises ValueError where they share their bytes.

        A small file could take hours.
        """
        paths = [column.path for column in file.schema]
        read = [path.partition(".")[0] in (self._url, self._html) for path in paths]
        left = self._path.stat().st_size
        with self._path.open("rb") as plain:
            found = groups(plain)
        for rows, chunks in found:
            group = RowGroup(rows, [chunk for chunk, wanted in zip(chunks, read, strict=True) if wanted])
            left -= sum(chunk.length for chunk in group.chunks)
            if left < 0:
                raise ValueError("more bytes than there are")
            yield group

    def _page(self, url: "Scalar", html: "Scalar", place: str) -> Page | Skipped:
        try:
            return row_page(url.as_py(), html.as_py(), place, self._limit)
        except UnicodeDecodeError:  # in what the file calls text
            return Skipped(place, DAMAGED)

    def _rows(self, group: RowGroup) -> int:
        """How many rows of a group to hold at once; 0 if its pages are small and would fill the memory.

        A page is unpacked as a whole: so its size is looked at before. Rows may repeat what stands in a dictionary.
        """
        repeated = 1
        with self._path.open("rb") as file:
            for chunk in group.chunks:
                for one in sizes(file, chunk):
                    if one.unpacked > max(self._limit, MOST_TIMES * one.packed):
                        return 0
                    repeated = max(repeated, one.unpacked * one.repeated)
        return max(1, min(_ROWS, self._limit // repeated))

    def _open(self) -> "ParquetFile":
        try:
            from pyarrow import ArrowException
            from pyarrow.parquet import ParquetFile
        except ImportError:
            raise SourceError(f"{self._path}: reading Parquet needs pyarrow; pip install dehusk[parquet]") from None
        try:
            return ParquetFile(self._path, buffer_size=_BUFFER, pre_buffer=False)
        except FileNotFoundError:
            raise SourceError(f"{self._path}: no such file") from None
        except OSError as error:
            raise SourceError(f"{self._path}: {reason(error)}") from error
        except (ArrowException, UnicodeDecodeError):  # of the name of a column
            raise SourceError(f"{self._path}: not a Parquet file, or damaged") from None
