"""Compression: which suffixes and first bytes say that something is packed."""

import zlib
from pathlib import PurePath

SUFFIXES = (".gz", ".zst")
"""What a packed file's name ends with."""

GZIP_WINDOW = 31
"""How zlib is told that the format is gzip."""


def kind(name: str) -> tuple[str, str]:
    """What the end of a name says: the suffix of what is inside, and that of the packing, or "" where there is none."""
    path = PurePath(name.lower())
    packed = path.suffix if path.suffix in SUFFIXES else ""
    return PurePath(path.name.removesuffix(packed)).suffix, packed


def is_gzip(name: str) -> bool:
    """Whether a file of this name is packed with gzip."""
    return kind(name)[1] == ".gz"


def gzipped(data: bytes, level: int = 6) -> bytes:
    """A gzip member. Its header has no date, so that the same content gives the same bytes."""
    return zlib.compress(data, level, GZIP_WINDOW)
