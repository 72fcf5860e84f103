"""Where the columns of a Parquet file are, and how large their pages are when unpacked, before anything unpacks them.

A "page" of Parquet is a run of values. Its header, and the list of columns at the end of the file, are Thrift
structures in the compact protocol, of which what is needed is read here and all else is passed over. pyarrow would tell
the places, too, but ends the process where what a column says of itself is damaged.
"""

from collections.abc import Callable, Iterator, Mapping
from io import SEEK_CUR, SEEK_END, BytesIO
from typing import IO, Any, NamedTuple

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
    found: list[RowGroup] = _structure(BytesIO(file.read(length)), {_GROUPS: _list_of(_group)}).get(_GROUPS, [])
    return found


def _group(file: IO[bytes], kind: int) -> RowGroup:
    fields = _inner(file, kind, {_CHUNKS: _list_of(_chunk), _ROWS: _long})
    if not fields.keys() >= {_CHUNKS, _ROWS}:
        raise ValueError("a group without rows")
    return RowGroup(fields[_ROWS], fields[_CHUNKS])


def _chunk(file: IO[bytes], kind: int) -> ColumnChunk:
    place = _inner(file, kind, {_CHUNK: _place}).get(_CHUNK)
    if place is None:
        raise ValueError("a column without a place")
    return ColumnChunk(*place)


def _place(file: IO[bytes], kind: int) -> tuple[int, int]:
    fields = _inner(file, kind, {_PACKED_LENGTH: _long, _DATA: _long, _NUMBERED: _long})
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
    found: dict[int, Any] = {}
    field = 0
    while head := _byte(file):
        field = field + (head >> 4) if head >> 4 else _signed(file)
        if field in found:
            raise ValueError("a header with a field that is there twice")
        if field in wanted:
            found[field] = wanted[field](file, head & 15)
        elif head & 15 not in _BOOLEANS:  # which are their type
            _pass_over(file, head & 15, depth)
    return found


def _inner(file: IO[bytes], kind: int, wanted: Mapping[int, _Reader]) -> dict[int, Any]:
    if kind != _STRUCT:
        raise ValueError("not a structure")
    return _structure(file, wanted)


def _list_of(one: _Reader) -> _Reader:
    """Reads a list."""

    def read(file: IO[bytes], kind: int) -> list[Any]:
        if kind != _LIST:
            raise ValueError("not a list")
        head = _byte(file)
        return [one(file, head & 15) for _ in range(_count(file, head))]

    return read


def _int(file: IO[bytes], kind: int) -> int:
    return _number(file, kind, _INT, 32)


def _long(file: IO[bytes], kind: int) -> int:
    return _number(file, kind, _LONG, 64)


def _number(file: IO[bytes], kind: int, right: int, bits: int) -> int:
    """A number of the right kind. Others would pass over one of another kind, and cut one of more bits."""
    number = _signed(file) if kind == right else -1 << bits
    if not -1 << bits - 1 <= number < 1 << bits - 1:
        raise ValueError("not the number of a header")
    return number


def _count(file: IO[bytes], head: int) -> int:
    """How many there are in a list that begins so."""
    return head >> 4 if head >> 4 < 15 else _varint(file)


def _pass_over(file: IO[bytes], kind: int, depth: int) -> None:
    if kind == _STRUCT:
        _structure(file, {}, depth + 1)
    elif kind in _NUMBERS:
        _varint(file)
    elif kind in (_BYTE, *_BOOLEANS):
        _byte(file)
    elif kind == _DOUBLE:
        for _ in range(8):  # to seek would go on past the end, as often as a list says
            _byte(file)
    elif kind == _BINARY:
        file.seek(_varint(file), SEEK_CUR)
    elif kind in (_LIST, _SET) and depth < _DEEPEST:
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
