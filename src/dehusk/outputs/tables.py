"""Tables as files: CSV, JSON Lines, a JSON array, or Parquet."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from dehusk.base.errors import OutputError, UsageError
from dehusk.base.files import escaped, written_whole_bytes

if TYPE_CHECKING:
    from pyarrow import DataType

Row = Mapping[str, Any]

GROUP = 10_000
"""Rows of a Parquet group, which are in memory until they are written."""


def write_rows(path: Path, columns: Mapping[str, Any], rows: Iterable[Row], suffix: str = "") -> None:
    """Writes rows to a file, whole or not at all. The format is that of `suffix`, or else of its own.

    `columns` has the type of each column in order: str, float, or a list of one of them.
    """
    writer = form_of(suffix or path.suffix)
    with written_whole_bytes(path) as file:
        writer(file, columns, rows)


def form_of(suffix: str) -> "_Writer":
    """Returns the writer for a suffix. Raises UsageError if no table is written with it."""
    writer = _WRITERS.get(suffix.lower())
    if writer is None:
        raise UsageError(f"{suffix}: no format of tables; choose one of {', '.join(_WRITERS)}, or name a folder")
    return writer


def _csv(file: IO[bytes], columns: Mapping[str, Any], rows: Iterable[Row]) -> None:
    text = TextIOWrapper(file, "utf-8", errors="backslashreplace", newline="", write_through=True)
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row.get(name)) for name in columns])
    text.detach()


def _cell(value: object) -> object:
    """Returns a value for CSV: a list is JSON, as in rows of pages; an empty one is an empty cell."""
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False) if value else ""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _jsonl(file: IO[bytes], columns: Mapping[str, Any], rows: Iterable[Row]) -> None:
    for row in rows:
        file.write(_object(columns, row) + b"\n")


def _json(file: IO[bytes], columns: Mapping[str, Any], rows: Iterable[Row]) -> None:
    before = b"[\n"
    for row in rows:
        file.write(before + _object(columns, row))
        before = b",\n"
    file.write(b"[]\n" if before == b"[\n" else b"\n]\n")


def _object(columns: Mapping[str, Any], row: Row) -> bytes:
    values = {name: row.get(name) for name in columns}
    return json.dumps(values, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _parquet(file: IO[bytes], columns: Mapping[str, Any], rows: Iterable[Row]) -> None:
    try:
        import pyarrow as pa
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise OutputError("writing Parquet needs pyarrow; pip install dehusk[parquet]") from None
    schema = pa.schema([(name, _arrow_type(kind)) for name, kind in columns.items()])
    with ParquetWriter(file, schema, compression="zstd") as writer:
        for group in _grouped(rows):
            values = [{name: _fitted(row.get(name), kind) for name, kind in columns.items()} for row in group]
            writer.write_table(pa.Table.from_pylist(values, schema=schema))


def _fitted(value: Any, kind: Any) -> Any:
    """Returns a value in the type of its column, which may be wider than its own: a list, or text."""
    if value is None:
        return None
    if isinstance(kind, list):
        return [_fitted(one, kind[0]) for one in (value if isinstance(value, list) else [value])]
    if kind is float:
        return value
    return escaped(str(_cell(value)))


def _arrow_type(kind: Any) -> "DataType":
    import pyarrow as pa

    if isinstance(kind, list):
        return pa.list_(_arrow_type(kind[0]))
    return pa.float64() if kind is float else pa.string()


def _grouped(rows: Iterable[Row]) -> Iterator[Sequence[Row]]:
    group: list[Row] = []
    for row in rows:
        group.append(row)
        if len(group) == GROUP:
            yield group
            group = []
    if group:
        yield group


_Writer = Callable[[IO[bytes], Mapping[str, Any], Iterable[Row]], None]

_WRITERS: Mapping[str, _Writer] = {".csv": _csv, ".jsonl": _jsonl, ".json": _json, ".parquet": _parquet}
FORMS = tuple(_WRITERS)
"""The suffixes of files of tables."""
