"""The file of a WARC: its bytes, its records from any position on, and the dictionary that its zstd frames may need.

A zstd archive may begin with a dictionary, in a skippable frame, plain or compressed
(https://iipc.github.io/warc-specifications/specifications/warc-zstd/). Without it no later frame can be read. So it is
kept, to go on after damage.
"""

from collections.abc import Iterator
from io import SEEK_END, SEEK_SET, BytesIO
from typing import IO, TYPE_CHECKING

from dehusk.base.packing import ZSTD

if TYPE_CHECKING:
    from fastwarc.stream_io import ZstdReader
    from fastwarc.warc import WarcRecord

DICTIONARY = b"\x5d\x2a\x4d\x18"
"""How the frame of a dictionary begins. Four bytes of length follow."""

_HEAD = 8
_MAGIC = b"\x37\xa4\x30\xec"  # how a dictionary begins that is not compressed
_EMPTY = ZSTD + bytes.fromhex("2000010000")  # a zstd frame without content
_LARGEST = 16_000_000  # bytes of a dictionary; usual ones have 100 kB, and rarely more than a megabyte

# A dictionary is loaded for each look at what may be a frame. A hostile archive could ask for a look at every tenth
# byte, so all looks together may load this many bytes, and this many times the size of the archive.
_LOADED, _LOADED_TIMES = 1 << 30, 100


class ArchiveFile:
    """An open WARC file. It is read and searched like a file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._dictionary = b""  # with its frame
        self._left: int | None = None

    def seek(self, position: int, whence: int = SEEK_SET) -> int:
        """Moves to a position."""
        return self._file.seek(position, whence)

    def tell(self) -> int:
        """The current position."""
        return self._file.tell()

    def read(self, size: int) -> bytes:
        """Reads at most this many bytes."""
        return self._file.read(size)

    def records(self, start: int) -> Iterator[tuple[int, "WarcRecord"]]:
        """The records from a position on, each with its own position, until the end or an error of reading."""
        from fastwarc.warc import ArchiveIterator

        self._file.seek(start)
        before = self._file.read(len(DICTIONARY))
        if before == DICTIONARY:
            found, start = self._dictionary_at(start)
            self._dictionary = found or self._dictionary  # other bytes may look like a dictionary
        self._file.seek(start)
        dictionary = self._dictionary if before in (ZSTD, DICTIONARY) else b""
        stream = _Joined(dictionary, self._file) if dictionary else self._file
        # Strict mode: the lenient mode also recovers, but does not report lost records.
        for record in ArchiveIterator(stream, parse_http=False):  # type: ignore[arg-type]  # it only reads
            yield record.stream_pos + (start - len(dictionary) if dictionary else 0), record

    def leads_to_frames(self, at: int) -> bool:
        """Whether what looks like a dictionary at this position is one, or at least ends where a zstd frame begins.

        Other bytes could declare any length, and so hide the records after them.
        """
        frame, end = self._dictionary_at(at)
        self._file.seek(end)
        return bool(frame) or self._file.read(len(ZSTD)) == ZSTD

    def unpacking(self, file: IO[bytes] | None = None) -> tuple["ZstdReader", int]:
        """A reader of zstd frames: of this file from the current position on, or of another one.

        Also returns what to add to its positions.
        """
        from fastwarc.stream_io import ZstdReader

        inner = file or self._file
        if not self._dictionary or not self._may_load(len(self._dictionary)):
            return ZstdReader(inner), 0
        start = inner.tell()
        return ZstdReader(_Joined(self._dictionary, inner)), start - len(self._dictionary)  # type: ignore[arg-type]

    def _dictionary_at(self, start: int) -> tuple[bytes, int]:
        """The dictionary at this position, with its frame, and its end. It is empty if it is none, or too large."""
        self._file.seek(start)
        head = self._file.read(_HEAD)
        length = int.from_bytes(head[len(DICTIONARY) :], "little")
        frame = head + self._file.read(len(_MAGIC))
        if frame[_HEAD:] in (_MAGIC, ZSTD) and length <= _LARGEST and self._may_load(length):
            frame += self._file.read(max(0, length - len(_MAGIC)))
            if len(frame) == _HEAD + length and self._is_dictionary(frame):
                return frame, start + len(frame)
        return b"", start + _HEAD + length

    def _is_dictionary(self, frame: bytes) -> bool:
        """Whether this is a dictionary. A packed one is unpacked here first, because fastwarc has no limit."""
        from fastwarc.stream_io import ZstdReader

        content = frame[_HEAD:]
        try:
            if content.startswith(ZSTD):
                content = ZstdReader(BytesIO(content)).read(_LARGEST + 1)
            if not content.startswith(_MAGIC) or len(content) > _LARGEST or not self._may_load(len(content)):
                return False
            ZstdReader(BytesIO(frame + _EMPTY)).read(1)  # with a damaged one nothing can be read
        except OSError:
            return False
        return True

    def _may_load(self, size: int) -> bool:
        """Whether dictionaries of this many bytes more may be loaded."""
        if self._left is None:
            here = self._file.tell()
            self._left = _LOADED + _LOADED_TIMES * self._file.seek(0, SEEK_END)
            self._file.seek(here)
        self._left -= size
        return self._left >= 0


class _Joined:
    """A dictionary, and then the rest of a file, as one stream: fastwarc reads a dictionary at position 0 only."""

    def __init__(self, first: bytes, file: IO[bytes]) -> None:
        self._first = first
        self._file = file
        self._at = 0

    def read(self, size: int = -1) -> bytes:
        data = self._first[self._at : self._at + size if size >= 0 else None] or self._file.read(size)
        self._at += len(data)
        return data

    def tell(self) -> int:
        return self._at

    def seek(self, position: int, whence: int = SEEK_SET) -> int:
        raise OSError(f"cannot seek to {position} from {whence}")
