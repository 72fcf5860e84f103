"""One Parquet file, a row a page with the same columns as JSON Lines. Needs pyarrow, an extra."""

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from dehusk.errors import OutputError
from dehusk.outputs.jsonl import record
from dehusk.page import Page
from dehusk.template import Cleaned

if TYPE_CHECKING:
    from pyarrow import Schema

_GROUP = 16_000_000  # characters of content in a row group: all that is held in memory before it is written

# What is worth a dictionary. Content is not, and whoever reads it would have to hold a row group's at once.
_REPEATED = ["site", "family", "language"]


@dataclass(frozen=True, slots=True)
class Row:
    """Makes a page into a row."""

    markdown: bool = False

    @property
    def content(self) -> str:
        """The column of the content."""
        return "markdown" if self.markdown else "text"

    @property
    def schema(self) -> "Schema":
        """All columns."""
        import pyarrow as pa

        words = ("name", "url", "site", "family", "title", "author", "date", "language", "description", self.content)
        numbers_and_lists = [("share_removed", pa.float64()), ("warnings", pa.list_(pa.string()))]
        return pa.schema([*((word, pa.string()) for word in words), *numbers_and_lists])

    def __call__(self, cleaned: Cleaned, site: str, /) -> dict[str, object]:
        """What is known of the page, by column."""
        row = record(cleaned, site=site, markdown=self.markdown)
        return {name: _unicode(value) for name, value in row.items()}


class Parquet:
    """Writes rows into a file that somebody else opened and will close, in groups as they come."""

    def __init__(self, file: IO[bytes], *, markdown: bool = False) -> None:
        self.encode = Row(markdown=markdown)
        try:
            from pyarrow.parquet import ParquetWriter

            self._schema = self.encode.schema
        except ImportError:
            raise OutputError("writing Parquet needs pyarrow; pip install dehusk[parquet]") from None
        self._rows: list[dict[str, object]] = []
        self._held = 0
        self._writer = ParquetWriter(file, self._schema, compression="zstd", use_dictionary=_REPEATED)

    def write(self, page: Page, piece: dict[str, object]) -> None:  # noqa: ARG002  # the row says it all
        """The page as one row."""
        self._rows.append(piece)
        self._held += len(str(piece[self.encode.content]))
        if self._held > _GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
        self._rows.clear()
        self._held = 0

    def close(self) -> None:
        """The last rows, and what tells readers where the others are."""
        self._flush()
        self._writer.close()


def _unicode(value: object) -> object:
    """A value without halves of characters, which a file name may hold and Parquet may not."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
