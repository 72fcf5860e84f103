"""The headers of a Parquet file: row groups, columns and pages (Thrift, compact protocol).

pyarrow allocates whatever size a page header declares, so they are read here first.
"""

from collections.abc import Callable, Iterator, Mapping
from io import SEEK_CUR, SEEK_END, BytesIO
from typing import IO, Any, NamedTuple

_DEEPEST = 8  # levels of nested structures; headers have two or three

_BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 3, 7, 8, 9, 10, 12
_INT, _LONG = 5, 6
_BOOLEANS = (1, 2)
_NUMBERS = (4, _INT, _LONG)

_KIND, _UNPACKED, _PACKED, _OF_DATA, _OF_DICTIONARY = 1, 2, 3, 5, 7  # fields of a header: 5 and 7 are structures
_DICTIONARY = 2  # the type of a dictionary page
_COUNT, _ENCODING = 1, 2  # fields of these structures

_GROUPS = 4  # field of the file
_CHUNKS, _ROWS = 1, 3  # fields of a row group
_CHUNK = 3  # field of a column chunk: its metadata
_TYPE, _CODEC, _PACKED_LENGTH, _DATA, _NUMBERED = 1, 4, 7, 9, 11  # fields of that metadata
_MAGIC = b"PAR1"

_Reader = Callable[[IO[bytes], int], Any]


class Sizes(NamedTuple):
    """The size of a Parquet page in the file and uncompressed, and whether it is a dictionary that rows may repeat.

    Its header is at `start`, its content at `content`. `values` is the number of its values, and `encoding` how they
    are encoded; both are -1 unless it is a dictionary or a page of the first version.
    """

    packed: int
    unpacked: int
    repeated: bool
    start: int = 0
    content: int = 0
    values: int = -1
    encoding: int = -1


class ColumnChunk(NamedTuple):
    """The place in the file of one column of one row group, with the numbers of its type and compression."""

    start: int
    length: int
    type_number: int = -1
    codec: int = -1


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


def _chunk_bounds(file: IO[bytes], type_id: int) -> tuple[int, int, int, int]:
    wanted = {_TYPE: _int, _CODEC: _int, _PACKED_LENGTH: _long, _DATA: _long, _NUMBERED: _long}
    fields = _inner(file, type_id, wanted)
    start, length, numbered = fields.get(_DATA, -1), fields.get(_PACKED_LENGTH, -1), fields.get(_NUMBERED, 0)
    if start < 0 or length < 0:
        raise ValueError("a column without a place")
    start = numbered if 0 < numbered < start else start
    return start, length, fields.get(_TYPE, -1), fields.get(_CODEC, -1)


def sizes(file: IO[bytes], chunk: ColumnChunk) -> Iterator[Sizes]:
    """The sizes of all pages of a chunk. Raises ValueError if a header is invalid or declares too many bytes."""
    size = file.seek(0, SEEK_END)
    file.seek(chunk.start)
    while file.tell() < chunk.start + chunk.length:
        start = file.tell()
        wanted = {_KIND: _int, _PACKED: _int, _UNPACKED: _int, _OF_DATA: _values, _OF_DICTIONARY: _values}
        fields = _structure(file, wanted)
        packed, unpacked = fields.get(_PACKED, -1), fields.get(_UNPACKED, -1)
        if not 0 <= packed <= size - file.tell() or unpacked < 0:
            raise ValueError("not the header of a page")
        repeated = fields.get(_KIND) == _DICTIONARY
        values, encoding = fields.get(_OF_DICTIONARY if repeated else _OF_DATA, (-1, -1))
        yield Sizes(packed, unpacked, repeated, start, file.tell(), values, encoding)
        file.seek(packed, SEEK_CUR)


def _values(file: IO[bytes], type_id: int) -> tuple[int, int]:
    fields = _inner(file, type_id, {_COUNT: _int, _ENCODING: _int})
    return fields.get(_COUNT, -1), fields.get(_ENCODING, -1)


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
