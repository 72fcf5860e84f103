"""Compressed files and bytes: which names and first bytes say so, and how to pack and open them."""

import gzip
import zlib
from io import BufferedIOBase, BufferedReader, RawIOBase
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SUFFIXES = (".gz", ".zst")
"""What a packed file's name ends with."""

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
"""What packed bytes begin with."""

GZIP_WINDOW = 31
"""How zlib is told that the format is gzip."""

PackingError = (gzip.BadGzipFile, EOFError, zlib.error)
"""What reading raises where packed bytes are damaged. Damage in zstd is an OSError without a number."""


def suffixes(name: str) -> tuple[str, str]:
    """What the end of a name says: the suffix of what is inside, and that of the packing, or "" where there is none."""
    path = PurePath(name.lower())
    packed = path.suffix if path.suffix in SUFFIXES else ""
    return PurePath(path.name.removesuffix(packed)).suffix, packed


def is_gzip(name: str) -> bool:
    """Whether a file of this name is packed with gzip."""
    return suffixes(name)[1] == ".gz"


def gzipped(data: bytes, level: int = 6) -> bytes:
    """A gzip member. Its header has no date, so that the same content gives the same bytes."""
    return zlib.compress(data, level, GZIP_WINDOW)


def inflated(data: bytes, limit: int) -> bytes:
    """What zlib packed. Raises PackingError where that is damaged, or more than `limit` bytes."""
    inflater = zlib.decompressobj()
    content = inflater.decompress(data, limit + 1)
    if len(content) > limit:
        raise zlib.error("too large")
    if not inflater.eof:
        raise zlib.error("truncated")
    return content


def opened(path: Path) -> BufferedIOBase:
    """The content of a file, unpacked if its first bytes say that it is packed, whatever its name says."""
    with path.open("rb") as file:
        start = file.read(len(ZSTD))
    if start.startswith(GZIP):
        return gzip.open(path)
    if start == ZSTD:
        return BufferedReader(_Zstd(path))
    return path.open("rb")


class _Zstd(RawIOBase):
    """What a zstd file holds, as the standard library reads files."""

    def __init__(self, path: Path) -> None:
        from fastwarc.stream_io import ZstdReader

        self._reader = ZstdReader(path)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer)
        data = self._reader.read(len(view))
        view[: len(data)] = data
        return len(data)
