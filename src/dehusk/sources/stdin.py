"""One page on standard input."""

import sys
from collections.abc import Iterator
from functools import cached_property

from dehusk.page import Page, unusable
from dehusk.sources.item import Skipped


class Stdin:
    """Standard input as a source of one page."""

    names = ("standard input",)

    @cached_property
    def _data(self) -> bytes:
        return sys.stdin.buffer.read()

    def __iter__(self) -> Iterator[Page | Skipped]:
        why = unusable(self._data)
        yield Skipped(self.names[0], why) if why else Page(self._data, name=self.names[0])
