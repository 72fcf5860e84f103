"""Parquet files of rows, read within bounds."""

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


_DEEPEST = 8  # structures in each other: headers have two or three

_BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 3, 7, 8, 9, 10, 12
_INT, _LONG = 5, 6
_BOOLEANS = (1, 2)
_NUMBERS = (4, _INT, _LONG)

_KIND, _UNPACKED, _PACKED = 1, 2, 3  # fields of a header
_DICTIONARY = 2  # the kind of page that holds the values which others number

_GROUPS = 4  # of the file
_CHUNKS, _ROWS = 1, 3  # of a group of rows
_CHUNK = 3  # of a part of a column
_PACKED_LENGTH, _DATA, _NUMBERED = 7, 9, 11  # of that
_MAGIC = b"PAR1"

_Reader = Callable[[IO[bytes], int], Any]


class Sizes(NamedTuple):
    """The bytes of a page as it stands in the file, and unpacked; and whether other pages repeat what it holds."""

    packed: int
    unpacked: int
    repeated: bool


class ColumnChunk(NamedTuple):
    """Where the values of a column and of a group of rows are."""

    start: int
    length: int


class RowGroup(NamedTuple):
    """A group of rows, with a chunk for each column."""

    rows: int
    chunks: list[ColumnChunk]


def groups(file: IO[bytes]) -> list[RowGroup]:
    """The groups of rows that the end of a file lists. Raises ValueError where it does not."""
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
    """The pages of a chunk. Raises ValueError where there are none, or where one says that it is longer than the file.

    pyarrow makes room for all that a page says it has.
    """
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
    """The fields of a structure that are wanted; the others are passed over."""
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
        elif head & 15 not in _BOOLEANS:  # which are their type
            _pass_over(file, head & 15, depth)
    return values


def _inner(file: IO[bytes], type_id: int, wanted: Mapping[int, _Reader]) -> dict[int, Any]:
    if type_id != _STRUCT:
        raise ValueError("not a structure")
    return _structure(file, wanted)


def _list_of(read_item: _Reader) -> _Reader:
    """Reads a list."""

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
    """A number of the right kind. Others would pass over one of another kind, and cut one of more bits."""
    number = _signed(file) if type_id == expected else -1 << bits
    if not -1 << bits - 1 <= number < 1 << bits - 1:
        raise ValueError("not the number of a header")
    return number


def _count(file: IO[bytes], head: int) -> int:
    """How many there are in a list that begins so."""
    return head >> 4 if head >> 4 < 15 else _varint(file)


def _pass_over(file: IO[bytes], type_id: int, depth: int) -> None:
    if type_id == _STRUCT:
        _structure(file, {}, depth + 1)
    elif type_id in _NUMBERS:
        _varint(file)
    elif type_id in (_BYTE, *_BOOLEANS):
        _byte(file)
    elif type_id == _DOUBLE:
        for _ in range(8):  # to seek would go on past the end, as often as a list says
            _byte(file)
    elif type_id == _BINARY:
        file.seek(_varint(file), SEEK_CUR)
    elif type_id in (_LIST, _SET) and depth < _DEEPEST:
        head = _byte(file)
        for _ in range(_count(file, head)):
            _pass_over(file, head & 15, depth + 1)
    else:  # a map is in no header
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
"""What is packed and would grow by more than this is a bomb. Pages shrink to a tenth, and some to a fiftieth."""

_ROWS_AT_ONCE = 16  # in memory at a time: pages are large, but reading very few at a time would cost more than it saves
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
                for index, group in enumerate(self._groups(file)):
                    if not group.rows:  # its columns have no place
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
        """The row groups, with what is read of them. Raises ValueError where they share their bytes.

        A small file could take hours.
        """
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
        except UnicodeDecodeError:  # in what the file calls text
            return Skipped(name, DAMAGED)

    def _rows(self, group: RowGroup) -> int:
        """How many rows of a group to hold at once; 0 if its pages are small and would fill the memory.

        A page is unpacked as a whole: so its size is looked at before. Rows may repeat what stands in a dictionary.
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
        except (ArrowException, UnicodeDecodeError):  # of the name of a column
            raise SourceError(f"{self._path}: not a Parquet file, or damaged") from None
