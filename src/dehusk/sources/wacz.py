"""Pages from a WACZ: a zip file with WARC files in its folder `archive`."""

from collections.abc import Iterator
from zipfile import BadZipFile, ZipFile

from dehusk.errors import DAMAGED, Skipped
from dehusk.files import reason
from dehusk.page import Page
from dehusk.sources.warc import Warc, archived


class Wacz(Warc):
    """The HTML responses of the WARC files in a WACZ, in the order of their names, one page in memory at a time."""

    def __iter__(self) -> Iterator[Page | Skipped]:
        try:
            with ZipFile(self._path) as outer:
                yield from self._archives(outer)
        except OSError as error:
            yield Skipped(self._path.name, reason(error))
        except BadZipFile:
            yield Skipped(self._path.name, "not a WACZ file")

    def _archives(self, outer: ZipFile) -> Iterator[Page | Skipped]:
        inside = sorted(name for name in outer.namelist() if name.startswith("archive/") and ".warc" in name)
        if not inside:
            yield Skipped(self._path.name, "no WARC file in its folder archive")
        for name in inside:
            whole = f"{self._path.name}/{name}"
            try:
                file = outer.open(name)
            except (BadZipFile, NotImplementedError, RuntimeError):  # damaged, or compressed or encrypted otherwise
                yield Skipped(whole, DAMAGED)
                continue
            with file:
                yield from archived(file, whole, limit=self._limit)
