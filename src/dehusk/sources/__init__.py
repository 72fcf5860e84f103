"""Where pages come from. A source can be read more than once: to learn, then to clean."""

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from dehusk.page import Page
from dehusk.sources.item import Skipped
from dehusk.sources.paths import Paths
from dehusk.sources.stdin import Stdin

__all__ = ["Skipped", "Source", "open_source"]


class Source(Protocol):
    """Pages one after the other, and in their places what could not be read, each under a name of its own."""

    @property
    def names(self) -> Sequence[str]:
        """What is in it, before it is read."""

    @property
    def files(self) -> Collection[Path]:
        """The files that it reads, which nothing may be written to."""

    def __iter__(self) -> Iterator[Page | Skipped]: ...


def open_source(places: Sequence[str | os.PathLike[str]], *, leave_out: Collection[Path] = ()) -> Source:
    """A folder or files; `-` for one page on standard input. `leave_out` are folders and files that are not read."""
    if list(map(str, places)) == ["-"]:
        return Stdin()
    return Paths([Path(place) for place in places], leave_out=leave_out)
