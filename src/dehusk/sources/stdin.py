"""One page on standard input."""

import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from dehusk.errors import SourceError
from dehusk.page import Page, unusable
from dehusk.sources.item import Skipped


class Stdin:
    """Standard input as a source of one page."""

    names = ("standard input",)
    files: tuple[Path, ...] = ()

    @cached_property
    def _data(self) -> bytes:
        if sys.stdin is None:
            raise SourceError("standard input is closed; give a page on it")
        return sys.stdin.buffer.read()

    def __iter__(self) -> Iterator[Page | Skipped]:
        why = unusable(self._data)
        yield Skipped(self.names[0], why) if why else Page(self._data, name=self.names[0])
