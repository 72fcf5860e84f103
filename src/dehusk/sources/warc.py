"""Pages from a WARC, the archive of crawlers: plain, gzip or zstd, as Common Crawl and others write them."""

import re
import zlib
from collections.abc import Generator, Iterator, Sequence
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING
from zipfile import BadZipFile

from dehusk.errors import DAMAGED, TOO_LARGE, TRUNCATED, Skipped, SourceError
from dehusk.files import reason
from dehusk.packing import GZIP, GZIP_WINDOW, ZSTD
from dehusk.page import LARGEST, Page, unusable
from dehusk.web.bodies import BodyError, decompressed, unchunked

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

_HTML = ("", "text/html", "application/xhtml+xml")
_CHARSET = re.compile(r"""(?i)charset\s*=\s*["']?([^\s"';,]+)""")
_HEADERS = 1 << 20  # bytes of HTTP header: cookies and policies go beyond the reader's own limit of 32 kB

# How a record begins: plain, or in a gzip member, in a zstd frame, or after a zstd dictionary.
_START = re.compile(rb"WARC/1\.\d\r\n[A-Za-z]|\x1f\x8b\x08[\x00-\x1f]|\x28\xb5\x2f\xfd|\x5d\x2a\x4d\x18")
_LONGEST_START = 16
_LENGTH = re.compile(rb"(?i)\r\nContent-Length: *(\d{1,18})\r")
_BLOCK = 1 << 20
_PEEK = 1 << 18  # a zstd block, which comes out whole or not at all, has at most 128 kB

READ_ERRORS = (OSError, EOFError, BadZipFile, zlib.error)
"""What reading a damaged archive raises, by itself or inside a zip file."""


class Warc:
    """The HTML responses of a WARC file, one in memory at a time."""

    names: Sequence[str] | None = None

    def __init__(self, path: Path, *, limit: int = LARGEST) -> None:
        if not path.is_file():
            raise SourceError(f"{path}: no such file")
        self._path = path
        self.files = [path]
        self._limit = limit

    def __iter__(self) -> Iterator[Page | Skipped]:
        try:
            with self._path.open("rb") as file:
                yield from archived(file, self._path.name, limit=self._limit)
        except OSError as error:
            yield Skipped(self._path.name, reason(error))


def archived(file: IO[bytes], name: str, *, limit: int = LARGEST) -> Iterator[Page | Skipped]:
    """The pages of an open WARC called `name`. A damaged record is skipped; reading continues at the next."""
    start = _next_start(file, 0)
    if start is None:
        yield Skipped(name, "not a WARC file" if file.seek(0, SEEK_END) else "empty")
        return
    if start:
        yield Skipped(f"{name} at byte 0", DAMAGED)
    told = False
    while start is not None:
        broken, told = yield from _run(file, start, name, limit, told=told)
        start = None if broken is None else _next_start(file, broken + 1)


def _run(
    file: IO[bytes], start: int, name: str, limit: int, *, told: bool
) -> Generator[Page | Skipped, None, tuple[int | None, bool]]:
    """Pages up to the end, or up to damage: then returns where the last record that could be read begins.

    A page is handed out when the record after it has begun: one whose length is wrong runs into the next or ends short
    of it, and is not to be trusted. `told`, given and returned, is whether damage to the next record has been reported.
    """
    from fastwarc.warc import ArchiveIterator

    file.seek(start)
    at = None
    waiting: Page | Skipped | None = None
    try:
        # Strict: the lenient mode finds its way back too, but does not say that it lost records.
        for record in ArchiveIterator(file, parse_http=False):
            if waiting:
                yield waiting
            at = record.stream_pos
            waiting, whole = _item(record, f"{name} at byte {at}", limit)
            if not whole:
                yield waiting or Skipped(f"{name} at byte {at}", TRUNCATED)
                return at, False
    except READ_ERRORS:
        if at is None:
            if not told:
                yield Skipped(f"{name} at byte {start}", DAMAGED)
            return start, False
        if not _is_sound(file, at):
            yield Skipped(waiting.name if waiting else f"{name} at byte {at}", DAMAGED)
            return at, False
        if waiting:
            yield waiting
        yield Skipped(f"{name} after byte {at}", DAMAGED)
        return at, True
    if waiting:
        yield waiting
    return None, False


def _is_sound(file: IO[bytes], at: int) -> bool:
    """Whether the record that begins here ends where it says. If so, the damage is after it.

    Records in the middle of a compressed stream, and those in zstd, cannot be judged separately. They count as good.
    """
    try:
        file.seek(at)
        start = file.read(_PEEK)
        if start.startswith(b"WARC/"):
            file.seek(at + _content_end(start))
            return file.read(4) == b"\r\n\r\n"
        if start.startswith(GZIP):
            file.seek(at)
            return _member_is_sound(file)
    except READ_ERRORS:
        return False
    return True


def _member_is_sound(file: IO[bytes]) -> bool:
    """Whether the first record of a gzip member ends where it says, and the member's checksum is right."""
    inflater = zlib.decompressobj(GZIP_WINDOW)
    block = inflater.decompress(file.read(_BLOCK), _BLOCK)
    left = _content_end(block)
    after = b""
    while block:
        after += block[left : left + 4 - len(after)]
        left = max(0, left - len(block))
        block = inflater.decompress(inflater.unconsumed_tail or file.read(_BLOCK), _BLOCK)
    return inflater.eof and after == b"\r\n\r\n"


def _content_end(record: bytes) -> int:
    """Where a record's content ends, counted from the record's beginning."""
    head = record.find(b"\r\n\r\n") + 4
    length = _LENGTH.search(record, 0, head)
    return head + int(length[1]) if length else 0


def _next_start(file: IO[bytes], after: int) -> int | None:
    """Where the next record begins that does not share a compressed stream with those before it."""
    try:
        while True:
            file.seek(after)
            block = file.read(_BLOCK)
            for found in _START.finditer(block):
                file.seek(after + found.start())
                if _begins_record(file.read(_PEEK)):
                    return after + found.start()
            if len(block) < _BLOCK:
                return None
            after += _BLOCK - _LONGEST_START
    except READ_ERRORS:
        return None


def _begins_record(data: bytes) -> bool:
    """Whether a record begins here, and not just bytes that look like the head of a compressed stream."""
    from fastwarc.stream_io import ZstdReader

    try:
        if data.startswith(GZIP):
            data = zlib.decompressobj(GZIP_WINDOW).decompress(data, 5)
        elif data.startswith(ZSTD):
            data = ZstdReader(BytesIO(data)).read(5)
    except (OSError, zlib.error):
        return False
    return data.startswith((b"WARC/", b"\x5d\x2a"))


def _item(record: "WarcRecord", place: str, limit: int) -> tuple[Page | Skipped | None, bool]:
    """The page of a record, or why it is not one, or None if it is not an answer; and whether all of it was there."""
    from fastwarc.warc import WarcRecordType

    url = (record.headers.get("WARC-Target-URI") or "").strip("<> ")
    if not (record.headers.get("Content-Length") or "").isdecimal():
        return Skipped(url or place, DAMAGED), False
    item: Page | Skipped | None = None
    try:
        if record.record_type in (WarcRecordType.response, WarcRecordType.resource):
            item = _page(record, url, url or place, limit)
        record.consume()
        if record.reader.tell() < record.content_length:
            return Skipped(url or place, TRUNCATED), False
    except READ_ERRORS:
        return Skipped(url or place, DAMAGED), False
    return item, True


def _page(record: "WarcRecord", url: str, name: str, limit: int) -> Page | Skipped | None:
    try:
        declared, encodings, chunked = _declared(record)
        kind = re.split("[;,]", declared)[0].strip().lower()
        if kind not in _HTML and not record.is_http:
            return None  # crawlers keep name look-ups, pictures of pages and lists of links as resources
        html = _html(record, kind, encodings, limit, chunked=chunked)
    except BodyError as why:
        return Skipped(name, str(why))
    charset = _CHARSET.search(declared)
    return Page(html, url=url or None, name=name, encoding=charset[1] if charset else None, origin=_origin(record))


def _declared(record: "WarcRecord") -> tuple[str, list[str], bool]:
    """What a record says of its body: content type, content encodings, and whether it is in chunks."""
    if not record.content_length:
        raise BodyError("empty")
    if not record.is_http:
        return record.headers.get("Content-Type") or "", [], False
    record.parse_http(quirks_mode=True, max_header_len=_HEADERS)
    headers = record.http_headers
    if headers.status_code is None:
        raise BodyError(DAMAGED)
    if not 200 <= headers.status_code < 300:
        raise BodyError(f"HTTP {headers.status_code}")
    kind = headers.get("Content-Type") or record.headers.get("WARC-Identified-Payload-Type") or ""
    encodings = ",".join(headers.get_multiple("Content-Encoding")).split(",")
    return kind, encodings, "chunked" in (headers.get("Transfer-Encoding") or "").lower()


def _html(record: "WarcRecord", kind: str, encodings: list[str], limit: int, *, chunked: bool) -> bytes:
    """The decoded body, if it is HTML."""
    if kind not in _HTML:
        raise BodyError(f"not HTML ({kind[:40]})")
    if record.content_length > limit:
        raise BodyError(TOO_LARGE)
    body = record.reader.read()
    html = decompressed(unchunked(body) if chunked else body, encodings, limit)
    if why := unusable(html):
        raise BodyError(why)
    return html


def _origin(record: "WarcRecord") -> dict[str, str]:
    """Where a page is from, for outputs to say. A page that its crawler cut short is still a page."""
    fields = {"record": "WARC-Record-ID", "date": "WARC-Date", "truncated": "WARC-Truncated"}
    return {name: value for name, field in fields.items() if (value := record.headers.get(field))}
