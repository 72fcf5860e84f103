"""Pages from JSON Lines: one object a line, with the page's address and its HTML; plain, gzip or zstd."""

import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from io import BufferedIOBase, BufferedReader, RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.errors import Skipped, SourceError
from dehusk.files import reason
from dehusk.page import Page, unusable
from dehusk.web.bodies import DAMAGED, LARGEST, TOO_LARGE

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"


class JsonLines:
    """The pages of a JSON Lines file, one in memory at a time. A line above `limit` bytes is too large."""

    names: Sequence[str] | None = None

    def __init__(self, path: Path, *, url: str = "url", html: str = "html", limit: int = LARGEST) -> None:
        """`url` and `html` are the names of the columns."""
        if not path.is_file():
            raise SourceError(f"{path}: no such file")
        self._path = path
        self.files = [path]
        self._url = url
        self._html = html
        self._limit = limit

    def __iter__(self) -> Iterator[Page | Skipped]:
        number = 0
        try:
            with _open(self._path) as file:
                while line := file.readline(self._limit):
                    number += 1
                    name = f"{self._path.name} line {number}"
                    if len(line) == self._limit and not line.endswith(b"\n"):
                        _skip_line(file)
                        yield Skipped(name, TOO_LARGE)
                    elif line.strip():
                        yield self._item(line, name)
        except (gzip.BadGzipFile, EOFError, zlib.error):
            yield Skipped(f"{self._path.name} after line {number}", DAMAGED)
        except OSError as error:
            # The zstd reader's errors are the operating system's too, but without its number.
            yield Skipped(f"{self._path.name} after line {number}", reason(error) if error.errno else DAMAGED)

    def _item(self, line: bytes, name: str) -> Page | Skipped:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            return Skipped(name, "not JSON")
        if not isinstance(row, dict):
            return Skipped(name, "not a JSON object")
        for column in (self._url, self._html):
            if column not in row:
                return Skipped(name, f"no column {column}")
        return row_page(row[self._url], row[self._html], name, self._limit)


def row_page(url: object, html: object, place: str, limit: int) -> Page | Skipped:
    """The page of a row, which need not have an address; `place` is its name if it has none."""
    address = url if isinstance(url, str) and url else None
    name = address or place
    if html is None:
        return Skipped(name, "empty")
    if not isinstance(html, str | bytes):
        return Skipped(name, "not HTML")
    data = html.encode("utf-8", "replace") if isinstance(html, str) else html
    if len(data) > limit:
        return Skipped(name, TOO_LARGE)
    if why := unusable(data):
        return Skipped(name, why)
    return Page(html, url=address, name=name)


def _skip_line(file: BufferedIOBase) -> None:
    """Reads to the end of a line without keeping it."""
    while (piece := file.readline(1 << 20)) and not piece.endswith(b"\n"):
        pass


def _open(path: Path) -> BufferedIOBase:
    """The file's lines, whatever its suffix says."""
    with path.open("rb") as file:
        start = file.read(4)
    if start.startswith(_GZIP):
        return gzip.open(path)
    if start == _ZSTD:
        return BufferedReader(_Zstd(path))
    return path.open("rb")


class _Zstd(RawIOBase):
    """What a zstd file holds, as the standard library reads files."""

    def __init__(self, path: Path) -> None:
        from fastwarc.stream_io import ZstdReader

        self._reader = ZstdReader(path)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer)
        data = self._reader.read(len(view))
        view[: len(data)] = data
        return len(data)
