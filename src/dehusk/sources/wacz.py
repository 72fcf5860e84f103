"""Pages from a WACZ: a zip file with WARC files in its folder `archive`."""

import lzma
import zlib
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from struct import unpack
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from dehusk.base.errors import DAMAGED, TOO_LARGE, TRUNCATED, Skipped
from dehusk.base.files import reason, writing
from dehusk.page import Page
from dehusk.sources._file_view import FileView
from dehusk.sources.warc import WarcSource, archived

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MOST_TIMES = 100
"""A member that grows by more than this when unpacked is a bomb. HTML shrinks to a tenth."""

_READ_BYTES = 1 << 16  # bytes to unpack at a time: damage loses all bytes of one read
_LENGTHS = 26  # where the header of a member has the lengths of its name and extra field, which are before its content

PACKED_ERRORS = (BadZipFile, EOFError, zlib.error, lzma.LZMAError, MemoryError)
"""Errors of unpacking a damaged member. LZMA asks for up to 4 GB before it reads anything."""

_OPEN_ERRORS = (BadZipFile, NotImplementedError, RuntimeError, ValueError, OSError)
"""Errors of opening a member that is damaged or encrypted, or whose compression is unknown."""


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
            except _OPEN_ERRORS:
                yield Skipped(whole, DAMAGED)
                continue
            with file:
                yield from self._pages(file, whole, inside[name])

    def _pages(self, file: IO[bytes], whole: str, info: ZipInfo) -> Iterator[Page | Skipped]:
        """The pages of a member. It is unpacked to a temporary file first, so that seeking back costs nothing."""
        if info.compress_type == ZIP_STORED:
            with BufferedReader(_Stored(self._path, info)) as stored:
                yield from archived(stored, whole, limit=self._limit, read=self._read)
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


class _Stored(FileView):
    """A member that is not compressed. A file of zipfile would be read again from its beginning to seek back."""

    def __init__(self, path: Path, info: ZipInfo) -> None:
        """`info` is of a member that could be opened."""
        super().__init__(path)
        self._file.seek(info.header_offset + _LENGTHS)
        self._start = self._file.tell() + 4 + sum(unpack("<HH", self._file.read(4)))
        self._length = info.compress_size

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        self._file.seek(self._start + self._at)
        count = self._file.readinto(view[: max(0, self._length - self._at)])
        self._at += count
        return count


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
