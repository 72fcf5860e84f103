"""One page on standard input."""

import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from dehusk.base.errors import TOO_LARGE, Skipped, SourceError
from dehusk.page import LARGEST, Page, unusable


class Stdin:
    """Standard input as a source of one page."""

    names = ("standard input",)
    files: tuple[Path, ...] = ()

    @cached_property
    def _data(self) -> bytes:
        if sys.stdin is None:
            raise SourceError("standard input is closed; give a page on it")
        data = sys.stdin.buffer.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise SourceError(f"standard input: {TOO_LARGE}; one page is at most {LARGEST // 10**6} MB")
        return data

    def __iter__(self) -> Iterator[Page | Skipped]:
        why = unusable(self._data)
        yield Skipped(self.names[0], why) if why else Page(self._data, name=self.names[0])
