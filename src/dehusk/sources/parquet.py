"""Pages from Parquet files, read with bounded memory.

pyarrow allocates whatever size a page header declares. So the headers (Thrift, compact protocol) are read here first.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from io import SEEK_CUR, SEEK_END, BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from dehusk.base.errors import DAMAGED, TOO_LARGE, Skipped, SourceError
from dehusk.base.files import reason
from dehusk.page import LARGEST, Page
from dehusk.sources.jsonl import missing, row_page

if TYPE_CHECKING:
    from pyarrow import Scalar
    from pyarrow.parquet import ParquetFile


_DEEPEST = 8  # levels of nested structures; headers have two or three

_BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 3, 7, 8, 9, 10, 12
_INT, _LONG = 5, 6
_BOOLEANS = (1, 2)
_NUMBERS = (4, _INT, _LONG)

_KIND, _UNPACKED, _PACKED = 1, 2, 3  # fields of a header
_DICTIONARY = 2  # the type of a dictionary page

_GROUPS = 4  # field of the file
_CHUNKS, _ROWS = 1, 3  # fields of a row group
_CHUNK = 3  # field of a column chunk: its metadata
_PACKED_LENGTH, _DATA, _NUMBERED = 7, 9, 11  # fields of that metadata
_MAGIC = b"PAR1"

_Reader = Callable[[IO[bytes], int], Any]


class Sizes(NamedTuple):
    """The size of a Parquet page in the file and uncompressed, and whether it is a dictionary that rows may repeat."""

    packed: int
    unpacked: int
    repeated: bool


class ColumnChunk(NamedTuple):
    """The place in the file of one column of one row group."""

    start: int
    length: int


class RowGroup(NamedTuple):
    """A row group, with a chunk for each column."""

    rows: int
    chunks: list[ColumnChunk]


def groups(file: IO[bytes]) -> list[RowGroup]:
    """The row groups listed in the footer of the file. Raises ValueError if there is no valid footer."""
    size = file.seek(0, SEEK_END)
    file.seek(max(0, size - 8))
    length = int.from_bytes(file.read(4), "little")
    if file.read() != _MAGIC or length > size - 8:
        raise ValueError("not a Parquet file")
    file.seek(size - 8 - length)
    row_groups: list[RowGroup] = _structure(BytesIO(file.read(length)), {_GROUPS: _list_of(_group)}).get(_GROUPS, [])
    return row_groups


def _group(file: IO[bytes], type_id: int) -> RowGroup:
    fields = _inner(file, type_id, {_CHUNKS: _list_of(_chunk), _ROWS: _long})
    if not fields.keys() >= {_CHUNKS, _ROWS}:
        raise ValueError("a group without rows")
    return RowGroup(fields[_ROWS], fields[_CHUNKS])


def _chunk(file: IO[bytes], type_id: int) -> ColumnChunk:
    bounds = _inner(file, type_id, {_CHUNK: _chunk_bounds}).get(_CHUNK)
    if bounds is None:
        raise ValueError("a column without a place")
    return ColumnChunk(*bounds)


def _chunk_bounds(file: IO[bytes], type_id: int) -> tuple[int, int]:
    fields = _inner(file, type_id, {_PACKED_LENGTH: _long, _DATA: _long, _NUMBERED: _long})
    start, length, numbered = fields.get(_DATA, -1), fields.get(_PACKED_LENGTH, -1), fields.get(_NUMBERED, 0)
    if start < 0 or length < 0:
        raise ValueError("a column without a place")
    return (numbered if 0 < numbered < start else start), length


def sizes(file: IO[bytes], chunk: ColumnChunk) -> Iterator[Sizes]:
    """The sizes of all pages of a chunk. Raises ValueError if a header is invalid or declares too many bytes."""
    size = file.seek(0, SEEK_END)
    file.seek(chunk.start)
    while file.tell() < chunk.start + chunk.length:
        fields = _structure(file, {_KIND: _int, _PACKED: _int, _UNPACKED: _int})
        packed, unpacked = fields.get(_PACKED, -1), fields.get(_UNPACKED, -1)
        if not 0 <= packed <= size - file.tell() or unpacked < 0:
            raise ValueError("not the header of a page")
        yield Sizes(packed, unpacked, fields.get(_KIND) == _DICTIONARY)
        file.seek(packed, SEEK_CUR)


def _structure(file: IO[bytes], wanted: Mapping[int, _Reader], depth: int = 0) -> dict[int, Any]:
    """The wanted fields of a structure; other fields are skipped."""
    if depth > _DEEPEST:
        raise ValueError("too deep")
    values: dict[int, Any] = {}
    field = 0
    while head := _byte(file):
        field = field + (head >> 4) if head >> 4 else _signed(file)
        if field in values:
            raise ValueError("a header with a field that is there twice")
        if field in wanted:
            values[field] = wanted[field](file, head & 15)
        elif head & 15 not in _BOOLEANS:  # a boolean is encoded in its type and has no bytes
            _pass_over(file, head & 15, depth)
    return values


def _inner(file: IO[bytes], type_id: int, wanted: Mapping[int, _Reader]) -> dict[int, Any]:
    if type_id != _STRUCT:
        raise ValueError("not a structure")
    return _structure(file, wanted)


def _list_of(read_item: _Reader) -> _Reader:
    """Returns a reader of lists of such items."""

    def read(file: IO[bytes], type_id: int) -> list[Any]:
        if type_id != _LIST:
            raise ValueError("not a list")
        head = _byte(file)
        return [read_item(file, head & 15) for _ in range(_count(file, head))]

    return read


def _int(file: IO[bytes], type_id: int) -> int:
    return _number(file, type_id, _INT, 32)


def _long(file: IO[bytes], type_id: int) -> int:
    return _number(file, type_id, _LONG, 64)


def _number(file: IO[bytes], type_id: int, expected: int, bits: int) -> int:
    """A number of the expected type and size. Other readers would skip another type, and cut off extra bits."""
    number = _signed(file) if type_id == expected else -1 << bits
    if not -1 << bits - 1 <= number < 1 << bits - 1:
        raise ValueError("not the number of a header")
    return number


def _count(file: IO[bytes], head: int) -> int:
    """The length of a list with this first byte."""
    return head >> 4 if head >> 4 < 15 else _varint(file)


def _pass_over(file: IO[bytes], type_id: int, depth: int) -> None:
    if type_id == _STRUCT:
        _structure(file, {}, depth + 1)
    elif type_id in _NUMBERS:
        _varint(file)
    elif type_id in (_BYTE, *_BOOLEANS):
        _byte(file)
    elif type_id == _DOUBLE:
        for _ in range(8):  # seek() would go past the end of the file without an error
            _byte(file)
    elif type_id == _BINARY:
        file.seek(_varint(file), SEEK_CUR)
    elif type_id in (_LIST, _SET) and depth < _DEEPEST:
        head = _byte(file)
        for _ in range(_count(file, head)):
            _pass_over(file, head & 15, depth + 1)
    else:  # headers contain no maps
        raise ValueError("not the header of a page")


def _signed(file: IO[bytes]) -> int:
    number = _varint(file)
    return (number >> 1) ^ -(number & 1)


def _varint(file: IO[bytes]) -> int:
    number = 0
    for shift in range(0, 64, 7):
        byte = _byte(file)
        number |= (byte & 127) << shift
        if byte < 128:
            return number
    raise ValueError("a number without an end")


def _byte(file: IO[bytes]) -> int:
    byte = file.read(1)
    if not byte:
        raise ValueError("ends within a header")
    return byte[0]


MOST_TIMES = 100
"""A page that grows by more than this when uncompressed is a bomb. HTML shrinks to a tenth, sometimes to a fiftieth."""

_ROWS_AT_ONCE = 16  # rows in memory; fewer would be slower, and save little
_BUFFER = 1 << 20  # bytes to read at a time; without it pyarrow reads a column of a whole row group


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
                for index, group in enumerate(self._groups(file)):
                    if not group.rows:  # its columns have no offset
                        continue
                    if not (at_once := self._rows(group)):
                        yield Skipped(f"{self._path.name} rows {number + 1} to {number + group.rows}", TOO_LARGE)
                        number += group.rows
                        continue
                    for batch in file.iter_batches(
                        at_once, row_groups=[index], columns=[self._url, self._html], use_threads=False
                    ):
                        for url, html in zip(batch.column(self._url), batch.column(self._html), strict=True):
                            number += 1
                            yield self._page(url, html, f"{self._path.name} row {number}")
        except (ArrowException, OSError, ValueError):
            yield Skipped(f"{self._path.name} after row {number}", DAMAGED)

    def _groups(self, file: "ParquetFile") -> Iterator[RowGroup]:
        """The row groups with the chunks to read. Raises ValueError if chunks overlap: reading could take hours."""
        paths = [column.path for column in file.schema]
        read = [path.partition(".")[0] in (self._url, self._html) for path in paths]
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
            return row_page(url.as_py(), html.as_py(), name, self._limit)
        except UnicodeDecodeError:  # a text column with other bytes
            return Skipped(name, DAMAGED)

    def _rows(self, group: RowGroup) -> int:
        """How many rows of a group to hold at once; 0 if its pages are bombs.

        A Parquet page is uncompressed as a whole, so its size is checked first. Rows may repeat dictionary values.
        """
        repeated = 1
        with self._path.open("rb") as file:
            for chunk in group.chunks:
                for page in sizes(file, chunk):
                    if page.unpacked > max(self._limit, MOST_TIMES * page.packed):
                        return 0
                    repeated = max(repeated, page.unpacked * page.repeated)
        return max(1, min(_ROWS_AT_ONCE, self._limit // repeated))

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
        except (ArrowException, UnicodeDecodeError):  # the name of a column may be invalid
            raise SourceError(f"{self._path}: not a Parquet file, or damaged") from None
