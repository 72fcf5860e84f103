"""Takes values that are too large out of the pages of a Parquet file, so that pyarrow can read the others.

pyarrow unpacks a page as a whole. So a page with a bomb is unpacked here, piece by piece: a value above the limit is
replaced by a short one, and the page is packed again. The new page takes the place of the old one in a view of the
file. Its header is filled up, because the places of all other pages must stay as they are.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from dehusk.sources._file_view import FileView
from dehusk.sources._parquet_headers import ColumnChunk, Sizes

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BYTES = 6  # the type of columns of texts and bytes
_CODECS = {2: "gzip", 4: "brotli", 6: "zstd"}  # those that can be unpacked piece by piece; the others make no bombs
_PLAIN, _PLAIN_DICTIONARY, _LEVELS = 0, 2, 3  # encodings: of values, of values in old dictionaries, of levels

_PIECE = 1 << 20
_MOST_VALUES = 1_000_000  # values of a page; usual pages have at most 20,000
_LARGEST_HEADER = 15_000_000  # pyarrow reads headers up to 16 MB

_INT, _BINARY, _STRUCT = 5, 8, 12  # types of Thrift
_WIDTH = 4  # bytes for the length of the filling
_FILLING = 15  # the number of a field that no header has; readers pass over it


def shortened(
    file: IO[bytes], page: Sizes, chunk: ColumnChunk, marker: bytes, *, limit: int, most: int, levels: bool
) -> tuple[bytes, int] | None:
    """The bytes of a page with `marker` in place of values above the limit, and their size when unpacked.

    `levels` says whether the column may have empty values. None if the page cannot be changed, or would still unpack to
    more than `most` bytes.
    """
    import pyarrow as pa

    codec = _CODECS.get(chunk.codec)
    plain = page.encoding == _PLAIN or (page.repeated and page.encoding == _PLAIN_DICTIONARY)
    if codec is None or chunk.type_number != _BYTES or not plain or not 0 <= page.values <= _MOST_VALUES:
        return None
    file.seek(page.content)
    source = pa.CompressedInputStream(pa.BufferReader(file.read(page.packed)), codec)
    values = _values(source, marker, limit, most, levels=levels and not page.repeated)
    if values is None:
        return None
    packed = pa.compress(values, codec=codec, asbytes=True)
    header = _header(page, len(values), len(packed), page.content + page.packed - page.start - len(packed))
    return None if header is None else (header + packed, len(values))


def _values(source: Any, marker: bytes, limit: int, most: int, *, levels: bool) -> bytes | None:
    """The values of a page without those that are too large; None if the rest is too large, or damaged."""
    out = bytearray()
    if levels:
        size = source.read(4)
        length = int.from_bytes(size, "little")
        if length > most:
            return None
        out += size + source.read(length)
    for _ in range(_MOST_VALUES + 1):
        size = source.read(4)
        if not size:
            return bytes(out)
        length = int.from_bytes(size, "little")
        if length > limit:
            _pass_over(source, length)
            out += len(marker).to_bytes(4, "little") + marker
        else:
            out += size + source.read(length)
        if len(out) > most:
            return None
    return None


def _pass_over(source: Any, length: int) -> None:
    while length and (piece := source.read(min(length, _PIECE))):
        length -= len(piece)


def _header(page: Sizes, unpacked: int, packed: int, size: int) -> bytes | None:
    """The header of a page, filled up to `size` bytes; None if that is not possible."""
    inner = _field(1, _INT, page.values) + _field(1, _INT, page.encoding)
    if not page.repeated:
        inner += _field(1, _INT, _LEVELS) * 2
    sizes = _field(1, _INT, unpacked) + _field(1, _INT, packed)
    kind, place = (2, 7) if page.repeated else (0, 5)
    start = _field(1, _INT, kind) + sizes + bytes([(place - 3) << 4 | _STRUCT]) + inner + b"\0"
    left = size - len(start) - 2 - _WIDTH  # without the bytes around the filling
    if left < 0 or size > _LARGEST_HEADER:
        return None
    length = bytes([*(left >> 7 * part & 127 | 128 for part in range(_WIDTH - 1)), left >> 7 * (_WIDTH - 1)])
    return start + bytes([(_FILLING - place) << 4 | _BINARY]) + length + bytes(left) + b"\0"


def _field(step: int, type_id: int, number: int) -> bytes:
    """A number, in a field whose own number is higher than the last one by `step`."""
    return bytes([step << 4 | type_id]) + _varint(number << 1)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


class PatchedFile(FileView):
    """A file with other bytes at some places."""

    def __init__(self, path: Path, patches: Mapping[int, bytes]) -> None:
        """`patches` has the new bytes by their position."""
        super().__init__(path)
        self._patches = sorted(patches.items())

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        self._file.seek(self._at)
        data = self._file.read(len(view))
        view[: len(data)] = data
        end = self._at + len(data)
        for start, patch in self._patches:
            first, last = max(start, self._at), min(start + len(patch), end)
            if first < last:
                view[first - self._at : last - self._at] = patch[first - start : last - start]
        self._at = end
        return len(data)
