"""Pages as rows of a Parquet file, with the columns of JSON Lines. Needs pyarrow (`dehusk[parquet]`)."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import IO, TYPE_CHECKING, Any, Self, get_args, get_origin, get_type_hints

from dehusk.base.errors import OutputError
from dehusk.base.files import escaped, settled, sync_folder
from dehusk.outputs._jsonl import Row
from dehusk.outputs.target import Target
from dehusk.page import Page
from dehusk.templates.cleaned import Cleaned, fields_with

if TYPE_CHECKING:
    from pyarrow import DataType, Schema, Table
    from pyarrow.parquet import ParquetWriter

NEEDED = "writing Parquet needs pyarrow; pip install dehusk[parquet]"
"""The error if pyarrow is missing."""

_GROUP = 16_000_000  # characters of content in a row group, which is held in memory until it is written
_ROW = 500  # characters added for each row, so that a group of empty pages also ends

# Columns to encode with a dictionary. Content is not one of them: readers would need memory for a whole row group.
_REPEATED = ["site", "family", "language"]


@dataclass(frozen=True, slots=True)
class ParquetRow(Row):
    """Turns a page into a row of a table."""

    @property
    def schema(self) -> "Schema":
        """All columns."""
        import pyarrow as pa

        return pa.schema([(field.name, arrow_type(field.type)) for field in fields_with(self.asked)])

    def __call__(self, cleaned: Cleaned, site: str, /) -> dict[str, object]:
        """Returns the values by column."""
        return {name: _arrow(value) for name, value in cleaned.to_dict(self.asked, site=site).items()}


def arrow_type(declared: Any) -> "DataType":
    """The Arrow type for a Python type. All columns are nullable."""
    import pyarrow as pa

    origin, inner = get_origin(declared), [arrow_type(arg) for arg in get_args(declared) if arg not in (NoneType, ...)]
    if origin is UnionType:
        return inner[0]
    if origin is Mapping:
        return pa.map_(*inner)
    if origin in (list, tuple):
        return pa.list_(inner[0])
    if is_dataclass(declared):
        return pa.struct([(name, arrow_type(hint)) for name, hint in get_type_hints(declared).items()])
    plain = {bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    return pa.string() if issubclass(declared, str) else plain[declared]


class ParquetOutput:
    """Writes rows in groups: all into one open file, or each into a part file. Part files are joined at the end."""

    def __init__(self, target: "IO[bytes] | Parts", *, markdown: bool = False, parts: bool = False) -> None:
        self.encode = ParquetRow(markdown=markdown, parts=parts)
        try:
            schema = self.encode.schema
        except ImportError:
            raise OutputError(NEEDED) from None
        self._grouped = _Grouped(target if isinstance(target, Parts) else _Whole(target, schema), schema)

    def write(self, page: Page, piece: dict[str, object]) -> None:  # noqa: ARG002  # the row is complete
        """Adds the page as a row."""
        self._grouped.add(piece, sum(len(str(piece[name])) for name in self.encode.asked))

    def settle(self) -> int | None:
        """The number of parts; None while rows are still in memory."""
        return self._grouped.settled()

    def close(self) -> None:
        """Writes the last rows and the footer of the file."""
        self._grouped.close()


@contextmanager
def opened(_: str, target: Target, *, markdown: bool = False, parts: bool = False) -> Iterator[ParquetOutput]:
    """Opens a file of row groups. If the job can be continued, they are part files until the end."""
    if target.parts:
        yield ParquetOutput(Parts(target.parts, target), markdown=markdown, parts=parts)
    else:
        with target.open(0) as file:
            yield ParquetOutput(file, markdown=markdown, parts=parts)


class ParquetTable:
    """Writes rows that are no pages into one open file, in groups."""

    def __init__(self, file: IO[bytes], columns: Mapping[str, Any]) -> None:
        """`columns` are their names and Python types."""
        try:
            import pyarrow as pa
        except ImportError:
            raise OutputError(NEEDED) from None
        schema = pa.schema([(name, arrow_type(declared)) for name, declared in columns.items()])
        self._grouped = _Grouped(_Whole(file, schema), schema)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._grouped.close()

    def add(self, row: Mapping[str, object]) -> None:
        """Adds a row."""
        self._grouped.add(dict(row), sum(len(value) for value in row.values() if isinstance(value, str)))


class _Grouped:
    """Holds rows in memory until they are a row group."""

    def __init__(self, groups: "_Whole | Parts", schema: "Schema") -> None:
        self._groups, self._schema = groups, schema
        self._rows: list[dict[str, object]] = []
        self._held = 0

    def add(self, row: dict[str, object], size: int) -> None:
        """Adds a row whose content has so many characters."""
        self._rows.append(row)
        self._held += _ROW + size
        if self._held > _GROUP:
            self._flush()

    def settled(self) -> int | None:
        return None if self._rows else self._groups.number

    def close(self) -> None:
        if self._rows:
            self._flush()
        self._groups.close(self._schema)

    def _flush(self) -> None:
        import pyarrow as pa

        self._groups.add(pa.Table.from_pylist(self._rows, schema=self._schema))
        self._rows.clear()
        self._held = 0


class _Whole:
    """Row groups in one open file, which is valid only when it is closed."""

    number = None

    def __init__(self, file: IO[bytes], schema: "Schema") -> None:
        self._writer = _writer(file, schema)

    def add(self, table: "Table") -> None:
        self._writer.write_table(table)

    def close(self, _: "Schema") -> None:
        self._writer.close()


class Parts:
    """Row groups in separate files, joined at the end."""

    def __init__(self, folder: Path, whole: Target) -> None:
        """`folder` holds the parts. `whole` is the file to make from them; `whole.written` parts are valid."""
        self.number = whole.written
        self._folder = folder
        self._whole = whole
        folder.mkdir(exist_ok=True)

    def add(self, table: "Table") -> None:
        """Writes a part to the disk."""
        with self._file(self.number).open("wb") as file:
            with _writer(file, table.schema) as writer:
                writer.write_table(table)
            settled(file)
        sync_folder(self._folder)
        self.number += 1

    def close(self, schema: "Schema") -> None:
        """Joins all parts into one file."""
        from pyarrow.parquet import ParquetFile

        with self._whole.open(0) as file, _writer(file, schema) as writer:
            for number in range(self.number):
                # Without threads: where memory or processes are limited, none may be had.
                with ParquetFile(self._file(number), pre_buffer=False) as part:
                    writer.write_table(part.read(use_threads=False))

    def _file(self, number: int) -> Path:
        return self._folder / f"{number:06d}.parquet"


def _writer(file: IO[bytes], schema: "Schema") -> "ParquetWriter":
    from pyarrow.parquet import ParquetWriter

    return ParquetWriter(file, schema, compression="zstd", use_dictionary=_REPEATED)


def _arrow(value: object) -> object:
    """Converts a value for Arrow: a dict becomes pairs, and bytes of file names that are not Unicode are escaped."""
    if isinstance(value, dict):
        return list(value.items())
    return escaped(value) if isinstance(value, str) else value
