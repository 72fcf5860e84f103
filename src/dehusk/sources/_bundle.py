"""Pages in a zip or tar file, which hold a site as a folder does."""

import tarfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from io import BufferedIOBase
from pathlib import Path
from typing import IO, Self, cast
from zipfile import BadZipFile, ZipFile

from dehusk.base import packing
from dehusk.base.errors import DAMAGED, TOO_LARGE, Skipped, SourceError
from dehusk.base.files import reason
from dehusk.page import LARGEST, Page
from dehusk.sources._paths import file_page, is_page_file
from dehusk.sources.wacz import MOST_TIMES, PACKED_ERRORS

_Member = tuple[str, int, Callable[[], IO[bytes]]]
"""The name of a member, its size, and a function that opens it, valid until the next member is read."""

MOST_MEMBERS = 1_000_000
"""Maximum number of members. Their names are held in memory."""

_LARGEST_HEADER = 1 << 13
"""Maximum size of what stands before a member: its long name and attributes. Some versions of tarfile take four times
as long for one that is twice as large."""

_BEFORE_MEMBERS = (
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
)

_DAMAGE = (*PACKED_ERRORS, *packing.PackingError, tarfile.TarError, NotImplementedError, RuntimeError, ValueError)


class Bundle(ABC):
    """The pages of an archive, in its order, one in memory at a time.

    Names are relative and have no dot segments, so that no output leaves its folder. As in a folder, hidden files and
    files of other types are left out. A name that is there twice is read once.
    """

    def __init__(self, path: Path) -> None:
        self.files = [path]
        self._path = path
        self._damaged = False
        members = dict.fromkeys(name for member, _, _ in self._members() if (name := _wanted(member)))
        self.names = list(members)
        if not self.names:
            raise SourceError(f"{path}: {'a damaged archive' if self._damaged else 'no pages in this archive'}")

    def __iter__(self) -> Iterator[Page | Skipped]:
        left = dict.fromkeys(self.names)
        for member, size, opened in self._members():
            name = _wanted(member)
            if name not in left:
                continue
            del left[name]
            if size > LARGEST:
                yield Skipped(name, TOO_LARGE)
                continue
            try:
                data = opened().read(LARGEST + 1)
            except (*_DAMAGE, OSError):
                yield Skipped(name, DAMAGED)
                continue
            yield Skipped(name, TOO_LARGE) if len(data) > LARGEST else file_page(data, name)
        if self._damaged:
            yield Skipped(self._path.name, DAMAGED)

    def _members(self) -> Iterator[_Member]:
        """Yields the members up to the first damage."""
        self._damaged = False
        try:
            for number, member in enumerate(self._read(), 1):
                if number > MOST_MEMBERS:
                    limit = f"more than {MOST_MEMBERS:,} members"
                    raise SourceError(f"{self._path}: {limit}; unpack it, and give the folder")
                yield member
        except _DAMAGE:
            self._damaged = True
        except OSError as error:
            if error.errno:
                raise SourceError(f"{self._path}: {reason(error)}") from error
            self._damaged = True  # damaged zstd

    @abstractmethod
    def _read(self) -> Iterator[_Member]:
        """Yields the members."""


class Zip(Bundle):
    """The pages of a zip file."""

    def _read(self) -> Iterator[_Member]:
        with ZipFile(self._path) as archive:
            members = archive.infolist()
            if sum(member.compress_size for member in members) > self._path.stat().st_size:
                raise BadZipFile  # members overlap: a small file could take hours
            for member in members:
                if not member.is_dir():
                    bomb = member.file_size > MOST_TIMES * max(member.compress_size, 1000)
                    yield member.filename, LARGEST + 1 if bomb else member.file_size, partial(archive.open, member)


class _Header(tarfile.TarInfo):
    """The header of a member, or of what stands before one.

    For tarfile, a damaged one after the first is the end of the archive: here it is an error.
    """

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            header = super().frombuf(buf, encoding, errors)
        except (tarfile.EmptyHeaderError, tarfile.EOFHeaderError):  # type: ignore[attr-defined]  # the end
            raise
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(DAMAGED) from error
        if header.type in _BEFORE_MEMBERS and header.size > _LARGEST_HEADER:
            header.type, header.name = tarfile.REGTYPE, ""  # passed over, as a file that is no page
        return header


class Tar(Bundle):
    """The pages of a tar file, compressed or not. It is read as a stream: links and devices are left out."""

    def _read(self) -> Iterator[_Member]:
        with (
            packing.opened(self._path) as file,
            tarfile.open(fileobj=_Bounded(file, self._path.stat().st_size), mode="r|", tarinfo=_Header) as archive,
        ):
            for member in archive:
                archive.members = []  # type: ignore[attr-defined]  # tarfile would keep them all
                if member.isfile():
                    opened = cast("Callable[[], IO[bytes]]", partial(archive.extractfile, member))
                    yield member.name, member.size, opened


class _Bounded(BufferedIOBase):
    """A stream that ends with an error if it grows by more than MOST_TIMES when unpacked."""

    def __init__(self, file: BufferedIOBase, size: int) -> None:
        self._file = file
        self._left = max(LARGEST, MOST_TIMES * size)

    def read(self, size: int | None = -1, /) -> bytes:
        data = self._file.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise tarfile.ReadError(TOO_LARGE)
        return data


def _wanted(member: str) -> str:
    """The name of a page; "" for anything else."""
    steps = [step for step in member.replace("\\", "/").split("/") if step not in ("", ".", "..")]
    hidden = any(step.startswith(".") for step in steps) or "__MACOSX" in steps
    return "" if not steps or hidden or not is_page_file(steps[-1]) else "/".join(steps)
