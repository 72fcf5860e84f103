"""One Parquet file, a row a page with the same columns as JSON Lines. Needs pyarrow, an extra."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from dehusk.cleaned import Cleaned
from dehusk.errors import OutputError
from dehusk.files import settled, sync_folder
from dehusk.outputs.jsonl import record
from dehusk.outputs.target import Target
from dehusk.page import Page

if TYPE_CHECKING:
    from pyarrow import Schema, Table
    from pyarrow.parquet import ParquetWriter

_GROUP = 16_000_000  # characters of content in a row group: all that is held in memory before it is written
_ROW = 500  # characters that a row is counted for besides, so that a group of empty pages has an end too

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
    """Writes rows in groups as they come: into an open file, or each group into a part, put together at the end."""

    def __init__(self, place: "IO[bytes] | Parts", *, markdown: bool = False) -> None:
        self.encode = Row(markdown=markdown)
        try:
            self._schema = self.encode.schema
        except ImportError:
            raise OutputError("writing Parquet needs pyarrow; pip install dehusk[parquet]") from None
        self._rows: list[dict[str, object]] = []
        self._held = 0
        self._groups = place if isinstance(place, Parts) else _Whole(place, self._schema)

    def write(self, page: Page, piece: dict[str, object]) -> None:  # noqa: ARG002  # the row says it all
        """The page as one row."""
        self._rows.append(piece)
        self._held += _ROW + len(str(piece[self.encode.content]))
        if self._held > _GROUP:
            self._flush()

    def settle(self) -> int | None:
        """How many parts there are, if no row waits for the next."""
        return None if self._rows else self._groups.number

    def _flush(self) -> None:
        import pyarrow as pa

        self._groups.add(pa.Table.from_pylist(self._rows, schema=self._schema))
        self._rows.clear()
        self._held = 0

    def close(self) -> None:
        """The last rows, and what tells readers where the others are."""
        if self._rows:
            self._flush()
        self._groups.close(self._schema)


@contextmanager
def opened(_: str, target: Target, *, markdown: bool = False) -> Iterator[Parquet]:
    """A file of row groups; where a run may be continued, they are parts until the last is written."""
    if target.parts:
        yield Parquet(Parts(target.parts, target), markdown=markdown)
    else:
        with target.open(0) as file:
            yield Parquet(file, markdown=markdown)


class _Whole:
    """Row groups in an open file, which are good when the last is written."""

    number = None

    def __init__(self, file: IO[bytes], schema: "Schema") -> None:
        self._writer = _writer(file, schema)

    def add(self, table: "Table") -> None:
        self._writer.write_table(table)

    def close(self, _: "Schema") -> None:
        self._writer.close()


class Parts:
    """Row groups in files of their own."""

    def __init__(self, folder: Path, whole: Target) -> None:
        """`folder` is theirs, `whole` the file to make of them: it knows how many are there and good."""
        self.number = whole.written
        self._folder = folder
        self._whole = whole
        folder.mkdir(exist_ok=True)

    def add(self, table: "Table") -> None:
        """One more, on the disk."""
        with self._file(self.number).open("wb") as file:
            with _writer(file, table.schema) as writer:
                writer.write_table(table)
            settled(file)
        sync_folder(self._folder)
        self.number += 1

    def close(self, schema: "Schema") -> None:
        """Makes one file of them."""
        from pyarrow.parquet import ParquetFile

        with self._whole.open(0) as file, _writer(file, schema) as writer:
            for number in range(self.number):
                with ParquetFile(self._file(number)) as part:
                    writer.write_table(part.read())

    def _file(self, number: int) -> Path:
        return self._folder / f"{number:06d}.parquet"


def _writer(file: IO[bytes], schema: "Schema") -> "ParquetWriter":
    from pyarrow.parquet import ParquetWriter

    return ParquetWriter(file, schema, compression="zstd", use_dictionary=_REPEATED)


def _unicode(value: object) -> object:
    """A value without halves of characters, which a file name may hold and Parquet may not."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
