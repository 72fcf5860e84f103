"""Pages from a WACZ: a zip file with WARC files in its folder `archive`."""

import lzma
import zlib
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from dehusk.base.errors import DAMAGED, TOO_LARGE, TRUNCATED, Skipped
from dehusk.base.files import reason, writing
from dehusk.page import Page
from dehusk.sources.warc import WarcSource, archived

MOST_TIMES = 100
"""A member that grows by more than this when unpacked is a bomb. HTML shrinks to a tenth."""

_READ_BYTES = 1 << 16  # bytes to unpack at a time: damage loses all bytes of one read
PACKED_ERRORS = (BadZipFile, EOFError, zlib.error, lzma.LZMAError)


class Wacz(WarcSource):
    """The HTML responses of the WARC files in a WACZ, in the order of their names, one page in memory at a time."""

    def __iter__(self) -> Iterator[Page | Skipped]:
        try:
            with ZipFile(self._path) as outer:
                yield from self._archives(outer)
        except OSError as error:
            yield Skipped(self._path.name, reason(error))
        except (BadZipFile, NotImplementedError, UnicodeDecodeError):  # the name of a member may be invalid
            yield Skipped(self._path.name, "not a WACZ file")

    def _archives(self, outer: ZipFile) -> Iterator[Page | Skipped]:
        inside = {member.filename: member for member in outer.infolist() if _is_warc(member.filename)}
        if not inside:
            yield Skipped(self._path.name, "no WARC file in its folder archive")
        if sum(member.compress_size for member in inside.values()) > self._path.stat().st_size:
            # Members overlap. Each would be read, so a small file could take hours.
            yield Skipped(self._path.name, "not a WACZ file")
            return
        for name in sorted(inside):
            whole = f"{self._path.name}/{name}"
            try:
                file = outer.open(name)
            except (BadZipFile, NotImplementedError, RuntimeError):  # damaged, encrypted, or an unknown compression
                yield Skipped(whole, DAMAGED)
                continue
            with file:
                yield from self._pages(file, whole, inside[name])

    def _pages(self, file: IO[bytes], whole: str, info: ZipInfo) -> Iterator[Page | Skipped]:
        """The pages of a member. It is unpacked to a temporary file first, so that seeking back costs nothing."""
        if info.compress_type == ZIP_STORED:
            yield from archived(file, whole, limit=self._limit, read=self._read)
            return
        if info.file_size > max(self._limit, MOST_TIMES * info.compress_size):
            yield Skipped(whole, TOO_LARGE)
            return
        with TemporaryFile() as unpacked:
            damaged = not _copied(file, unpacked)
            told = False
            for item in archived(unpacked, whole, limit=self._limit, read=self._read):
                if damaged and item.name == whole:  # not a WARC; the damage is reported below
                    continue
                yield item
                told = isinstance(item, Skipped) and item.reason in (DAMAGED, TRUNCATED)
            if damaged and not told:
                yield Skipped(whole, DAMAGED)


def _is_warc(name: str) -> bool:
    return name.startswith("archive/") and ".warc" in name


def _copied(file: IO[bytes], unpacked: IO[bytes]) -> bool:
    """Unpacks a member. Returns whether all of it could be unpacked."""
    try:
        while piece := file.read(_READ_BYTES):
            with writing("a temporary file"):
                unpacked.write(piece)
                unpacked.flush()
    except PACKED_ERRORS:
        return False
    except OSError as error:
        if error.errno:  # an error of the disk; damaged bzip2 data raises OSError without a number
            raise
        return False
    return True
