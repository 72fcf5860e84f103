"""Pages from WARC files, the archives of crawlers: plain, gzip or zstd, as Common Crawl and others write them."""

import re
import zlib
from collections.abc import Generator, Iterator, Sequence
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple
from zipfile import BadZipFile

from dehusk.base.errors import DAMAGED, TOO_LARGE, TRUNCATED, Skipped, SourceError
from dehusk.base.files import reason
from dehusk.base.packing import GZIP, GZIP_WINDOW, ZSTD
from dehusk.page import LARGEST, Page, unusable
from dehusk.sources.web.bodies import BodyError, decompressed, unchunked

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

_HTML = ("", "text/html", "application/xhtml+xml")
_AFTER_TYPE = re.compile("[;,]")
_CHARSET = re.compile(r"""(?i)charset\s*=\s*["']?([^\s"';,]+)""")
_HEADERS = 1 << 20  # bytes of HTTP headers; long cookies and policies exceed fastwarc's limit of 32 kB

# How a record begins: plain, or in a gzip member, in a zstd frame, or after a zstd dictionary.
_START = re.compile(rb"WARC/1\.\d\r\n[A-Za-z]|\x1f\x8b\x08[\x00-\x1f]|\x28\xb5\x2f\xfd|\x5d\x2a\x4d\x18")
_LONGEST_START = 16
_LENGTH = re.compile(rb"(?i)\r\nContent-Length: *(\d{1,18})\r")
_END = b"\r\n\r\n"
_BLOCK = 1 << 20
_HEAD = 1 << 16  # bytes that hold the headers of a record
_GLANCE = 1 << 12  # bytes of a gzip member, enough to unpack its first few
_PEEK = 1 << 18  # enough for a zstd block, which is unpacked as a whole and has at most 128 kB

# Records with a declared length up to this are read without a check. A larger length is checked first: otherwise each
# record of a hostile archive could be read to the end of the archive.
_BELIEVED = 1 << 19
_MOST_WRONG = 3  # large lengths that could not be checked and were wrong; after these, no such record is read

READ_ERRORS = (OSError, EOFError, BadZipFile, zlib.error)
"""Errors of reading a damaged archive, plain or inside a zip file."""


class WarcSource:
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
    """The pages of an open WARC called `name`. A damaged record is skipped, and reading continues with the next."""
    start = _next_start(file, 0)
    if start is None:
        yield Skipped(name, "not a WARC file" if _holds_bytes(file) else "empty")
        return
    if start:
        yield Skipped(f"{name} at byte 0", DAMAGED)
    told, wrong = False, 0
    while start is not None:
        after, told, wrong = yield from _run(file, start, name, limit, told=told, wrong=wrong)
        start = None if after is None else _next_start(file, after)


def _run(
    file: IO[bytes], start: int, name: str, limit: int, *, told: bool, wrong: int
) -> Generator[Page | Skipped, None, tuple[int | None, bool, int]]:
    """Yields pages up to the end, or up to damage; then returns where to search for the next record.

    A page is yielded only after the next record has begun. A page with a wrong length runs into the next record or ends
    before it, and is not trusted. `told` says whether damage to the next record has been reported. `wrong` counts large
    lengths that could not be checked and were wrong. Both are passed in and returned.
    """
    from fastwarc.warc import ArchiveIterator

    file.seek(start)
    at = None
    waiting: Page | Skipped | None = None
    unsure = False
    try:
        # Strict mode: the lenient mode also recovers, but does not report lost records.
        for record in ArchiveIterator(file, parse_http=False):
            if waiting:
                yield waiting
            at = record.stream_pos
            name_at = f"{name} at byte {at}"
            waiting, whole, unsure = _item(record, file, name_at, limit, trusting=wrong < _MOST_WRONG)
            if not whole:
                yield waiting or Skipped(name_at, TRUNCATED)
                return _judged(file, at).after, False, wrong + unsure
    except READ_ERRORS:
        if at is None:
            if not told:
                yield Skipped(f"{name} at byte {start}", DAMAGED)
            return _judged(file, start).after, False, wrong
        judged = _judged(file, at)
        if judged.fault:
            yield Skipped(waiting.name if waiting else f"{name} at byte {at}", DAMAGED)
            return judged.after, False, wrong + unsure
        if waiting:
            yield waiting
        yield Skipped(f"{name} after byte {at}", DAMAGED)
        return _past_head(file, judged.after), True, wrong + unsure
    if waiting:
        yield waiting
    return None, False, wrong


class _Judged(NamedTuple):
    """What is wrong with a record, and the position from which to search for the next one.

    `after` is the end of the record, if known. A search inside the record could find records that its content quotes.
    `length` is the length that the record declares, if it can be read.
    """

    fault: str | None
    after: int
    length: int | None = None


def _judged(file: IO[bytes], at: int) -> _Judged:
    """Checks that the record at this position ends where it declares. It is not kept in memory, so it may be long.

    Records in the middle of a compressed stream, and those that need a dictionary, cannot be checked. They count as
    valid.
    """
    try:
        file.seek(at)
        start = file.read(_HEAD)
        if start.startswith(b"WARC/"):
            end = at + _content_end(start)
            if _is_end(file, end):
                return _Judged(None, end + len(_END), _length(start))
            fault = TRUNCATED if end > file.seek(0, SEEK_END) else DAMAGED
            return _Judged(fault, _plain_end(file, at) or at + 1, _length(start))
        if start.startswith(GZIP):
            file.seek(at)
            return _judged_member(file, at)
        if start.startswith(ZSTD):
            file.seek(at)
            return _judged_frame(file, at)
    except READ_ERRORS:
        return _Judged(DAMAGED, at + 1)
    return _Judged(None, at + 1)


def _judged_member(file: IO[bytes], at: int) -> _Judged:
    """Checks that the first record of a gzip member ends where it declares, and the checksum of the member."""
    inflater = zlib.decompressobj(GZIP_WINDOW)
    block = inflater.decompress(file.read(_HEAD), _BLOCK)
    left, length = _content_end(block), _length(block)
    after = b""
    while block:
        after += block[left : left + len(_END) - len(after)]
        left = max(0, left - len(block))
        block = inflater.decompress(inflater.unconsumed_tail or file.read(_HEAD), _BLOCK)
    end = file.tell() - len(inflater.unused_data) if inflater.eof else at + 1
    if not inflater.eof or left or not after:
        return _Judged(TRUNCATED, end, length)
    return _Judged(None if after == _END else DAMAGED, end, length)


def _judged_frame(file: IO[bytes], at: int) -> _Judged:
    """Checks that the first record of a zstd frame does not continue in later frames, as far as that is known."""
    from fastwarc.stream_io import ZstdReader

    reader = ZstdReader(file)
    frame = reader.frame_start_position()
    length = None
    try:
        block = reader.read(_GLANCE)
        while _END not in block and len(block) < _HEAD and (more := reader.read(_GLANCE)):
            block += more
        left, length = _content_end(block), _length(block)
        while block and left > len(block):
            if reader.frame_start_position() != frame:
                return _Judged(TRUNCATED, at + 1, length)
            left -= len(block)
            block = reader.read(_GLANCE)
    except OSError:
        return _Judged(None, at + 1, length)
    return _Judged(None if block else TRUNCATED, at + 1, length)


def _plain_end(file: IO[bytes], at: int) -> int | None:
    """The end of a plain record with damaged headers, by the lengths it declares; None if no length leads to a record.

    The HTTP Content-Length is tried too, because the crawler has read that many bytes.
    """
    file.seek(at)
    start = file.read(_HEAD)
    head = start.find(_END) + len(_END)
    inside = start.find(_END, head) + len(_END)
    for first, last in ((0, head), (head, inside)):
        length = _LENGTH.search(start, first, last)
        if length and last >= len(_END) and _is_end(file, end := at + last + int(length[1]), before_record=True):
            return end + len(_END)
    return None


def _past_head(file: IO[bytes], at: int) -> int:
    """Where to search for a record that should begin here. A record with a damaged first line is skipped."""
    file.seek(at)
    start = file.read(_LONGEST_START)
    if start.startswith(GZIP):
        return at if _begins_record(file, at) else _judged(file, at).after
    return at if _START.match(start) else _plain_end(file, at) or at


def _is_end(file: IO[bytes], at: int, *, before_record: bool = False) -> bool:
    """Whether a plain record may end here. With `before_record`, another record or the end of the file must follow."""
    file.seek(at)
    after = file.read(len(_END) + _LONGEST_START)
    return after.startswith(_END) and not (before_record and after[4:] and not _START.match(after, len(_END)))


def _content_end(record: bytes) -> int:
    """The end of a record's content, relative to the beginning of the record."""
    length = _length(record)
    return 0 if length is None else record.find(_END) + len(_END) + length


def _length(record: bytes) -> int | None:
    """The content length that a record declares."""
    match = record.startswith(b"WARC/") and _LENGTH.search(record, 0, record.find(_END) + len(_END))
    return int(match[1]) if match else None


def _holds_bytes(file: IO[bytes]) -> bool:
    try:
        file.seek(0)
        return bool(file.read(1))
    except READ_ERRORS:
        return True


def _next_start(file: IO[bytes], after: int) -> int | None:
    """The position of the next record that is plain or at the start of a compressed stream."""
    size = _HEAD
    try:
        while True:
            file.seek(after)
            block = file.read(size)
            for match in _START.finditer(block):
                if match[0].startswith(b"WARC/") or _begins_record(file, after + match.start()):
                    return after + match.start()
            if len(block) < size:
                return None
            after += size - _LONGEST_START
            size = min(2 * size, _BLOCK)
    except READ_ERRORS:
        return None


def _begins_record(file: IO[bytes], at: int) -> bool:
    """Whether a record begins here, and not only bytes that look like the start of a compressed stream."""
    from fastwarc.stream_io import ZstdReader

    file.seek(at)
    data = file.read(_GLANCE)
    try:
        if data.startswith(GZIP):
            data = zlib.decompressobj(GZIP_WINDOW).decompress(data, 5)
        elif data.startswith(ZSTD):
            data = ZstdReader(BytesIO(data + file.read(_PEEK))).read(5)
    except (OSError, zlib.error):
        return False
    return data.startswith((b"WARC/", b"\x5d\x2a"))


class _Item(NamedTuple):
    """The page of a record, the reason why it was skipped, or None if it is not a response.

    `whole` says whether the whole record could be read. `unsure` says that its length is large and cannot be checked.
    """

    item: Page | Skipped | None
    whole: bool
    unsure: bool = False


def _item(record: "WarcRecord", file: IO[bytes], name_at: str, limit: int, *, trusting: bool) -> _Item:
    """Reads a record. With a large length that cannot be checked, it is read only if `trusting`."""
    from fastwarc.warc import WarcRecordType

    url = (record.headers.get("WARC-Target-URI") or "").strip("<> ")
    if not (record.headers.get("Content-Length") or "").isdecimal():
        return _Item(Skipped(url or name_at, DAMAGED), whole=False)
    unsure = False
    if record.content_length > _BELIEVED:
        judged = _while_reading(file, record.stream_pos)
        unsure = judged.length != record.content_length  # not the first of its stream, or not readable
        if unsure and not trusting:
            return _Item(Skipped(url or name_at, TRUNCATED), whole=False)
        if judged.fault and not unsure:
            return _Item(Skipped(url or name_at, judged.fault), whole=False)
    item: Page | Skipped | None = None
    try:
        if record.record_type in (WarcRecordType.response, WarcRecordType.resource):
            item = _page(record, url, url or name_at, limit)
        record.consume()
        if record.reader.tell() < record.content_length:
            return _Item(Skipped(url or name_at, TRUNCATED), whole=False, unsure=unsure)
    except READ_ERRORS:
        return _Item(Skipped(url or name_at, DAMAGED), whole=False, unsure=unsure)
    return _Item(item, whole=True, unsure=unsure)


def _while_reading(file: IO[bytes], at: int) -> _Judged:
    """Checks a record while it is being read, and restores the position in the file."""
    here = file.tell()
    judged = _judged(file, at)
    file.seek(here)
    return judged


def _page(record: "WarcRecord", url: str, name: str, limit: int) -> Page | Skipped | None:
    try:
        declared, encodings, chunked = _declared(record)
        media_type = _AFTER_TYPE.split(declared)[0].strip().lower()
        if media_type not in _HTML and not record.is_http:
            return None  # crawlers store DNS look-ups, screenshots and lists of links as resources
        html = _html(record, media_type, encodings, limit, chunked=chunked)
    except BodyError as why:
        return Skipped(name, str(why))
    charset = _CHARSET.search(declared)
    return Page(html, url=url or None, name=name, encoding=charset[1] if charset else None, origin=_origin(record))


def _declared(record: "WarcRecord") -> tuple[str, list[str], bool]:
    """What a record declares about its body: content type, content encodings, and whether it is chunked."""
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
    content_type = headers.get("Content-Type") or record.headers.get("WARC-Identified-Payload-Type") or ""
    encodings = ",".join(headers.get_multiple("Content-Encoding")).split(",")
    return content_type, encodings, "chunked" in (headers.get("Transfer-Encoding") or "").lower()


def _html(record: "WarcRecord", media_type: str, encodings: list[str], limit: int, *, chunked: bool) -> bytes:
    """The decoded body, if it is HTML."""
    if media_type not in _HTML:
        raise BodyError(f"not HTML ({media_type[:40]})")
    if record.content_length > limit:
        raise BodyError(TOO_LARGE)
    body = record.reader.read()
    html = decompressed(unchunked(body) if chunked else body, encodings, limit)
    if why := unusable(html):
        raise BodyError(why)
    return html


def _origin(record: "WarcRecord") -> dict[str, str]:
    """The record's id and date, for outputs. A page that the crawler truncated is still a page."""
    fields = {"record": "WARC-Record-ID", "date": "WARC-Date", "truncated": "WARC-Truncated"}
    return {name: value for name, field in fields.items() if (value := record.headers.get(field))}
