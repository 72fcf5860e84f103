"""Pages from a Parquet file with a column of addresses and one of HTML. Needs pyarrow, an extra."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.errors import DAMAGED, Skipped, SourceError
from dehusk.files import reason
from dehusk.page import LARGEST, Page
from dehusk.sources.rows import missing, row_page

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

_ROWS = 16  # in memory at a time: pages are large, but reading very few at a time would cost more than it saves
_BUFFER = 1 << 20  # bytes read at a time; without it a column of a whole row group is read at once


class Parquet:
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
                for batch in file.iter_batches(_ROWS, columns=[self._url, self._html], use_threads=False):
                    for url, html in zip(batch.column(self._url), batch.column(self._html), strict=True):
                        number += 1
                        yield row_page(url.as_py(), html.as_py(), f"{self._path.name} row {number}", self._limit)
        except (ArrowException, OSError):
            yield Skipped(f"{self._path.name} after row {number}", DAMAGED)

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
        except ArrowException:
            raise SourceError(f"{self._path}: not a Parquet file, or damaged") from None
