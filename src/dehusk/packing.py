"""Compression: which suffixes and first bytes say that something is packed."""

from pathlib import PurePath

SUFFIXES = (".gz", ".zst")
"""What a packed file's name ends with."""


def kind(name: str) -> tuple[str, str]:
    """What the end of a name says: the suffix of what is inside, and that of the packing, or "" where there is none."""
    path = PurePath(name.lower())
    packed = path.suffix if path.suffix in SUFFIXES else ""
    return PurePath(path.name.removesuffix(packed)).suffix, packed
