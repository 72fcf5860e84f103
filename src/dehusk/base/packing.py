"""Compression: detecting gzip and zstd by name or first bytes, compressing and opening."""

import gzip
import zlib
from io import BufferedIOBase, BufferedReader, RawIOBase
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SUFFIXES = (".gz", ".zst")
"""File name suffixes of compressed files."""

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
"""First bytes of compressed data."""

GZIP_WINDOW = 31
"""The `wbits` value that makes zlib use the gzip format."""

PackingError = (gzip.BadGzipFile, EOFError, zlib.error)
"""Exceptions for damaged compressed data. Damaged zstd raises OSError without errno."""


def suffixes(name: str) -> tuple[str, str]:
    """The suffix of the content and the suffix of the compression, each "" if there is none."""
    path = PurePath(name.lower())
    packed = path.suffix if path.suffix in SUFFIXES else ""
    return PurePath(path.name.removesuffix(packed)).suffix, packed


def is_gzip(name: str) -> bool:
    """Whether a file of this name is compressed with gzip."""
    return suffixes(name)[1] == ".gz"


def gzipped(data: bytes, level: int = 6) -> bytes:
    """Compresses to a gzip member without a timestamp, so that equal content gives equal bytes."""
    return zlib.compress(data, level, GZIP_WINDOW)


def inflated(data: bytes, limit: int) -> bytes:
    """Decompresses zlib data. Raises PackingError if it is damaged, or if the result exceeds `limit` bytes."""
    inflater = zlib.decompressobj()
    content = inflater.decompress(data, limit + 1)
    if len(content) > limit:
        raise zlib.error("too large")
    if not inflater.eof:
        raise zlib.error("truncated")
    return content


def opened(path: Path) -> BufferedIOBase:
    """Opens a file, decompressing it if its first bytes say so, regardless of its name."""
    with path.open("rb") as file:
        start = file.read(len(ZSTD))
    if start.startswith(GZIP):
        return gzip.open(path)
    if start == ZSTD:
        return BufferedReader(_Zstd(path))
    return path.open("rb")


class _Zstd(RawIOBase):
    """The content of a zstd file as a raw stream."""

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
