"""How large the pages of a Parquet column are when unpacked, as their headers say, before anything unpacks them.

A "page" of Parquet is a run of values. Its header is a Thrift structure in the compact protocol, of which the sizes are
read here and all else is passed over.
"""

from collections.abc import Iterator
from io import SEEK_CUR
from typing import IO, NamedTuple

_DEEPEST = 8  # structures in each other: headers have two or three

_BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 3, 7, 8, 9, 10, 12
_BOOLEANS = (1, 2)
_NUMBERS = (4, 5, 6)

_KIND, _UNPACKED, _PACKED = 1, 2, 3  # fields of a header
_DICTIONARY = 2  # the kind of page that holds the values which others number


class Sizes(NamedTuple):
    """The bytes of a page as it stands in the file, and unpacked; and whether other pages repeat what it holds."""

    packed: int
    unpacked: int
    repeated: bool


def sizes(file: IO[bytes], start: int, length: int) -> Iterator[Sizes]:
    """The pages between two places of a file. Raises ValueError where there are none."""
    file.seek(start)
    while file.tell() < start + length:
        fields = _numbers(file)
        packed, unpacked = fields.get(_PACKED, -1), fields.get(_UNPACKED, -1)
        if packed < 0 or unpacked < 0:
            raise ValueError("not the header of a page")
        yield Sizes(packed, unpacked, fields.get(_KIND) == _DICTIONARY)
        file.seek(packed, SEEK_CUR)


def _numbers(file: IO[bytes], depth: int = 0) -> dict[int, int]:
    """The fields of a structure that are whole numbers; the others are passed over."""
    if depth > _DEEPEST:
        raise ValueError("too deep")
    found: dict[int, int] = {}
    field = 0
    while head := _byte(file):
        field = field + (head >> 4) if head >> 4 else _signed(file)
        if head & 15 in _NUMBERS:
            found[field] = _signed(file)
        elif head & 15 not in _BOOLEANS:  # which are their type
            _pass_over(file, head & 15, depth)
    return found


def _pass_over(file: IO[bytes], kind: int, depth: int) -> None:
    if kind == _STRUCT:
        _numbers(file, depth + 1)
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
        for _ in range(head >> 4 if head >> 4 < 15 else _varint(file)):
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
