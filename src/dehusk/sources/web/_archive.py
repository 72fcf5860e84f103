"""The cache of fetched pages: a WARC, written record by record and read later, so that no page is fetched twice."""

import io
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import IO

import httpx
from fastwarc.stream_io import GzipWriter
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from dehusk.base.errors import OutputError
from dehusk.base.files import unwritable
from dehusk.base.packing import GZIP_WINDOW
from dehusk.base.system import lock
from dehusk.sources.web._network import Answer

_SOFTWARE = b"software: dehusk/"
_PIECE = 16384
_HEAD = 65536  # bytes at the beginning of a record that hold its WARC headers
# The body is stored decoded, so headers about its encoding are renamed, as Common Crawl does.
_RENAMED = (b"content-encoding", b"transfer-encoding", b"content-length")


class Archive:
    """Responses by requested URL, in the given file or in a temporary one.

    An incomplete last record, left by a killed process, is removed. Nothing else in an existing file is changed.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._places: dict[str, tuple[int, int]] = {}
        self._file: IO[bytes]
        if path is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115  # closed by close()
        else:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._file = path.open("a+b")
            except OSError as error:
                raise OutputError(f"cannot write {path}: {unwritable(error)}") from error
            if not lock(self._file.fileno()):
                self._file.close()
                raise OutputError(f"{path}: another process keeps pages there; wait, or keep them in another file")
        try:
            self._end = self._find()
            if not self._end:
                self._append(_information())
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Closes the file."""
        with suppress(OSError):  # a full disk was reported when it happened
            self._file.close()

    def get(self, url: str) -> Answer | None:
        """The stored response to a URL, if there is one."""
        if url not in self._places:
            return None
        start, end = self._places[url]
        self._file.seek(start)
        data = zlib.decompress(self._file.read(end - start), GZIP_WINDOW)
        for record in ArchiveIterator(io.BytesIO(data), WarcRecordType.response, auto_decode="none"):
            http = record.http_headers
            headers = httpx.Headers([(name, value) for name, value in http.items_bytes()])
            date = record.headers.get("WARC-Date") or ""
            return Answer(url, http.status_code or 0, headers, record.reader.read(), record.record_id or "", date)
        return None

    def add(self, answer: Answer) -> None:
        """Appends a response. It is in the file when this returns."""
        start = self._end
        self._append(_packed(_response(answer)))
        self._places[answer.url] = (start, self._end)

    def _append(self, data: bytes) -> None:
        try:
            self._file.seek(0, os.SEEK_END)
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            raise OutputError(f"cannot write {self._path or 'a temporary file'}: {unwritable(error)}") from error
        self._end += len(data)

    def _find(self) -> int:
        """Indexes the records, and returns the end of the last complete one."""
        end = 0
        try:
            for start, stop, head in _members(self._file):
                if not start and _SOFTWARE not in head:
                    break
                if url := _asked(head):
                    self._places[url] = (start, stop)
                end = stop
        except zlib.error as error:
            raise OutputError(f"{self._path}: damaged; keep pages in another file") from error
        size = self._file.seek(0, os.SEEK_END)
        if size and not end:
            raise OutputError(f"{self._path}: not a WARC that dehusk wrote; keep pages in another file")
        self._file.truncate(end)
        return end


def _members(file: IO[bytes]) -> Iterator[tuple[int, int, bytes]]:
    """The start and end of each complete gzip member, and the first bytes of its content."""
    start = 0
    while True:
        file.seek(start)
        unzip = zlib.decompressobj(GZIP_WINDOW)
        head = b""
        while not unzip.eof:
            data = unzip.unconsumed_tail or file.read(_PIECE)
            if not data:
                return
            piece = unzip.decompress(data, _PIECE)
            head += piece[: _HEAD - len(head)]
        stop = file.tell() - len(unzip.unused_data)
        yield start, stop, head
        start = stop


def _asked(head: bytes) -> str | None:
    """The URL of a response record."""
    for record in ArchiveIterator(io.BytesIO(head), WarcRecordType.response, parse_http=False):
        return record.headers.get("WARC-Target-URI")
    return None


def _information() -> bytes:
    record = WarcRecord()
    record.init_headers(WarcRecordType.warcinfo)
    record.headers["Content-Type"] = "application/warc-fields"
    record.set_bytes_content(_SOFTWARE + version("dehusk").encode() + b"\r\nformat: WARC File Format 1.1\r\n")
    return _packed(record)


def _response(answer: Answer) -> WarcRecord:
    record = WarcRecord()
    record.init_headers(WarcRecordType.response)
    record.headers["WARC-Record-ID"] = answer.record
    record.headers["WARC-Date"] = answer.date
    record.headers["WARC-Target-URI"] = answer.url
    record.headers["Content-Type"] = "application/http; msgtype=response"
    record.set_bytes_content(_http(answer))
    return record


def _http(answer: Answer) -> bytes:
    lines = [b"HTTP/1.1 %d" % answer.status]
    for name, value in answer.headers.raw:
        lines.append((b"X-Crawl-" if name.lower() in _RENAMED else b"") + name + b": " + value)
    lines += [b"Content-Length: %d" % len(answer.body), b"", answer.body]
    return b"\r\n".join(lines)


def _packed(record: WarcRecord) -> bytes:
    packed = io.BytesIO()
    writer = GzipWriter(packed)
    record.write(writer, checksum_data=True)
    writer.finish()  # otherwise all records end up in one gzip member
    return packed.getvalue()
