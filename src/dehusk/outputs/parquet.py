"""One Parquet file, a row a page with the same columns as JSON Lines. Needs pyarrow, an extra."""

from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import IO

from dehusk.errors import OutputError
from dehusk.files import writing, written_whole_bytes
from dehusk.outputs.jsonl import record
from dehusk.template import Cleaned

_GROUP = 16_000_000  # characters of content in a row group: all that is held in memory before it is written

# What is worth a dictionary. Content is not, and whoever reads it would have to hold a row group's at once.
_REPEATED = ["site", "family", "language"]


class Parquet(AbstractContextManager["Parquet"]):
    """Writes what is known of each page as a row; a file takes its name when the last row is written."""

    def __init__(self, place: Path | IO[bytes], *, markdown: bool = False) -> None:
        try:
            import pyarrow as pa
            from pyarrow.parquet import ParquetWriter
        except ImportError:
            raise OutputError("writing Parquet needs pyarrow; pip install dehusk[parquet]") from None
        self._content = "markdown" if markdown else "text"
        words = ("name", "url", "site", "family", "title", "author", "date", "language", "description", self._content)
        self._schema = pa.schema(
            [
                *((word, pa.string()) for word in words),
                ("share_removed", pa.float64()),
                ("warnings", pa.list_(pa.string())),
            ]
        )
        self._rows: list[dict[str, object]] = []
        self._held = 0
        self._place = place if isinstance(place, Path) else "standard output"
        self._stack = ExitStack()
        file = self._stack.enter_context(written_whole_bytes(place)) if isinstance(place, Path) else place
        writer = ParquetWriter(file, self._schema, compression="zstd", use_dictionary=_REPEATED)
        self._writer = self._stack.enter_context(writer)

    def write(self, cleaned: Cleaned, *, site: str = "") -> None:
        """The page as one row."""
        row = record(cleaned, site=site, markdown=self._content == "markdown")
        self._rows.append({name: _unicode(value) for name, value in row.items()})
        self._held += len(str(row[self._content]))
        if self._held > _GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        with writing(self._place):
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
        self._rows.clear()
        self._held = 0

    def __exit__(self, *exception: object) -> bool | None:
        if exception[0] is None:
            with self._stack:
                self._flush()
            return None
        return self._stack.__exit__(*exception)  # type: ignore[arg-type]  # what __exit__ is called with, handed on


def _unicode(value: object) -> object:
    """A value without halves of characters, which a file name may hold and Parquet may not."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
