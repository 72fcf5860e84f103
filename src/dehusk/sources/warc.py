"""Pages from WARC files, the archives of crawlers: plain, gzip or zstd, as Common Crawl and others write them."""

import re
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple
from zipfile import BadZipFile

from dehusk.base.errors import DAMAGED, TRUNCATED, Skipped, SourceError
from dehusk.base.files import reason
from dehusk.base.packing import GZIP, GZIP_WINDOW, ZSTD
from dehusk.page import LARGEST, Page
from dehusk.sources._archive_file import DICTIONARY, ArchiveFile
from dehusk.sources._record_page import page_of

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

    ReadRecord = Callable[..., Page | Skipped | None]
    """`page_of`, or another function that makes an item of a record: of its URL, its name, and the `limit` of bytes."""
    _Read = Callable[[WarcRecord, str, str], Page | Skipped | None]


# How a record begins: plain, or in a gzip member, in a zstd frame, or after a zstd dictionary.
_PLAIN = re.compile(rb"WARC/1\.\d\r\n[A-Za-z]")
_START = re.compile(_PLAIN.pattern + rb"|\x1f\x8b\x08[\x00-\x1f]|\x28\xb5\x2f\xfd|\x5d\x2a\x4d\x18")
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

    def __init__(self, path: Path, *, limit: int = LARGEST, read: "ReadRecord" = page_of) -> None:
        """`read` makes an item of a record. Items of more bytes than `limit` are skipped."""
        if not path.is_file():
            raise SourceError(f"{path}: no such file")
        self._path = path
        self.files = [path]
        self._limit = limit
        self._read = read

    def __iter__(self) -> Iterator[Page | Skipped]:
        try:
            with self._path.open("rb") as file:
                yield from archived(file, self._path.name, limit=self._limit, read=self._read)
        except OSError as error:
            yield Skipped(self._path.name, reason(error))


def archived(
    file: IO[bytes], name: str, *, limit: int = LARGEST, read: "ReadRecord" = page_of
) -> Iterator[Page | Skipped]:
    """The pages of an open WARC called `name`. A damaged record is skipped, and reading continues with the next."""
    archive = ArchiveFile(file)
    start = _next_start(archive, 0)
    if start is None:
        yield Skipped(name, "not a WARC file" if _holds_bytes(archive) else "empty")
        return
    if start:
        yield Skipped(f"{name} at byte 0", DAMAGED)
    told, wrong = False, 0
    while start is not None:
        after, told, wrong = yield from _run(archive, start, name, partial(read, limit=limit), told=told, wrong=wrong)
        start = None if after is None else _next_start(archive, after)


def _run(
    file: ArchiveFile, start: int, name: str, read: "_Read", *, told: bool, wrong: int
) -> Generator[Page | Skipped, None, tuple[int | None, bool, int]]:
    """Yields pages up to the end, or up to damage; then returns where to search for the next record.

    A page is yielded only after the next record has begun. A page with a wrong length runs into the next record or ends
    before it, and is not trusted. `told` says whether damage to the next record has been reported. `wrong` counts large
    lengths that could not be checked and were wrong. Both are passed in and returned.
    """
    at = None
    waiting: Page | Skipped | None = None
    unsure = False
    try:
        for at, record in file.records(start):
            if waiting:
                yield waiting
            name_at = f"{name} at byte {at}"
            waiting, whole, unsure = _item(record, file, at, name_at, read, trusting=wrong < _MOST_WRONG)
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


def _judged(file: ArchiveFile, at: int) -> _Judged:
    """Checks that the record at this position ends where it declares. It is not kept in memory, so it may be long.

    Records in the middle of a compressed stream cannot be checked. They count as valid.
    """
    try:
        file.seek(at)
        start = file.read(_HEAD)
        if start.startswith(b"WARC/"):
            return _judged_plain(file, at, start)
        if start.startswith(GZIP):
            file.seek(at)
            return _judged_member(file, at)
        if start.startswith(ZSTD):
            file.seek(at)
            return _judged_frame(file, at)
    except READ_ERRORS:
        return _Judged(DAMAGED, at + 1)
    return _Judged(None, at + 1)


def _judged_plain(file: ArchiveFile, at: int, start: bytes) -> _Judged:
    """Checks that a plain record, whose beginning is `start`, ends where it declares."""
    if cut := _cut(start, 1, start.find(_END) + len(_END)):
        return _Judged(DAMAGED, at + cut)
    end = at + _content_end(start)
    if _is_end(file, end):
        return _Judged(None, end + len(_END), _length(start))
    fault = TRUNCATED if end > file.seek(0, SEEK_END) else DAMAGED
    return _Judged(fault, _plain_end(file, at) or at + 1, _length(start))


def _judged_member(file: ArchiveFile, at: int) -> _Judged:
    """Checks that the first record of a gzip member ends where it declares, and the checksum of the member.

    The record may continue in the members after it, up to one that begins a record.
    """
    rest = _Rest()
    end = rest.pass_over(file, at, _HEAD)
    while end is not None and rest.lacks_end and _continues(file, end):
        end = rest.pass_over(file, end, _GLANCE)
    if end is None or rest.left or not rest.after:
        return _Judged(TRUNCATED, at + 1 if end is None else end, rest.length)
    return _Judged(DAMAGED if rest.lacks_end else None, end, rest.length)


class _Rest:
    """What is left of a record that is passed over: how many bytes, and those after them."""

    left = 0
    after = b""
    length: int | None = None
    _begun = False

    @property
    def lacks_end(self) -> bool:
        return self.after != _END

    def pass_over(self, file: ArchiveFile, at: int, size: int) -> int | None:
        """Passes over a gzip member, of which `size` bytes are read first; returns its end, or None if truncated."""
        file.seek(at)
        inflater = zlib.decompressobj(GZIP_WINDOW)
        data = file.read(size)
        while block := inflater.decompress(data, _BLOCK):
            if not self._begun:
                self._begun, self.left, self.length = True, _content_end(block), _length(block)
            self.after += block[self.left : self.left + len(_END) - len(self.after)]
            self.left = max(0, self.left - len(block))
            data = inflater.unconsumed_tail or file.read(_HEAD)
        return file.tell() - len(inflater.unused_data) if inflater.eof else None


def _continues(file: ArchiveFile, at: int) -> bool:
    """Whether a gzip member begins here that does not begin a record."""
    file.seek(at)
    return file.read(len(GZIP)) == GZIP and not _begins_record(file, at)


def _judged_frame(file: ArchiveFile, at: int) -> _Judged:
    """Checks that the first record of a zstd frame does not continue in a frame that begins a record."""
    reader, shift = file.unpacking()
    length = None
    try:
        block = reader.read(_GLANCE)
        while _END not in block and len(block) < _HEAD and (more := reader.read(_GLANCE)):
            block += more
        left, length = _content_end(block), _length(block)
        while block and left > len(block):
            later = reader.frame_start_position()
            if later is not None and later + shift > at:
                if _begins_record(file, later + shift):
                    return _Judged(TRUNCATED, at + 1, length)
                return _Judged(None, at + 1)  # where it ends is known only after reading it: not checked
            left -= len(block)
            block = reader.read(_GLANCE)
    except OSError:
        return _Judged(None, at + 1, length)
    return _Judged(None if block else TRUNCATED, at + 1, length)


def _plain_end(file: ArchiveFile, at: int) -> int | None:
    """The end of a plain record with damaged headers, by the lengths it declares; None if no length leads to a record.

    The HTTP Content-Length is tried too, because the crawler has read that many bytes. A record that begins within the
    headers ends the damaged one: it was cut there, or its bytes are no record at all.
    """
    file.seek(at)
    start = file.read(_HEAD)
    head = start.find(_END) + len(_END)
    if cut := _cut(start, 1, head):
        return at + cut
    inside = start.find(_END, head) + len(_END) if start.startswith(b"HTTP/", head) else 0
    cut = _cut(start, head, inside)
    for first, last, until in ((0, head, head), (head, inside, cut or inside)):
        length = _LENGTH.search(start, first, until)
        if length and last >= len(_END) and _is_end(file, end := at + last + int(length[1]), before_record=True):
            return end + len(_END)
    return at + cut if cut else None


def _cut(start: bytes, first: int, last: int) -> int | None:
    """Where another record begins within the headers of a plain one."""
    other = _PLAIN.search(start, first, last)
    return other.start() if other else None


def _past_head(file: ArchiveFile, at: int) -> int:
    """Where to search for a record that should begin here. A record with a damaged first line is skipped."""
    file.seek(at)
    start = file.read(_LONGEST_START)
    if start.startswith(GZIP):
        return at if _begins_record(file, at) else _judged(file, at).after
    return at if _START.match(start) else _plain_end(file, at) or at


def _is_end(file: ArchiveFile, at: int, *, before_record: bool = False) -> bool:
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


def _holds_bytes(file: ArchiveFile) -> bool:
    try:
        file.seek(0)
        return bool(file.read(1))
    except READ_ERRORS:
        return True


def _next_start(file: ArchiveFile, after: int) -> int | None:
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


def _begins_record(file: ArchiveFile, at: int) -> bool:
    """Whether a record begins here, and not only bytes that look like the start of a compressed stream."""
    file.seek(at)
    data = file.read(_GLANCE)
    try:
        if data.startswith(DICTIONARY):
            return file.leads_to_frames(at)
        if data.startswith(GZIP):
            data = zlib.decompressobj(GZIP_WINDOW).decompress(data, 5)
        elif data.startswith(ZSTD):
            data = file.unpacking(BytesIO(data + file.read(_PEEK)))[0].read(5)
    except (OSError, zlib.error):
        return False
    return data.startswith(b"WARC/")


class _Item(NamedTuple):
    """The page of a record, the reason why it was skipped, or None if it is not a response.

    `whole` says whether the whole record could be read. `unsure` says that its length is large and cannot be checked.
    """

    item: Page | Skipped | None
    whole: bool
    unsure: bool = False


def _item(record: "WarcRecord", file: ArchiveFile, at: int, name_at: str, read: "_Read", *, trusting: bool) -> _Item:
    """Reads a record. With a large length that cannot be checked, it is read only if `trusting`."""
    from fastwarc.warc import WarcRecordType

    url = (record.headers.get("WARC-Target-URI") or "").strip("<> ")
    lengths = record.headers.get_multiple("Content-Length")  # two if the headers of two records run together
    if len(lengths) != 1 or lengths[0].strip().lstrip("0") != str(record.content_length).lstrip("0"):
        return _Item(Skipped(url or name_at, DAMAGED), whole=False)
    unsure = False
    if record.content_length > _BELIEVED:
        judged = _while_reading(file, at)
        unsure = judged.length != record.content_length  # not the first of its stream, or not readable
        if unsure and not trusting:
            return _Item(Skipped(url or name_at, TRUNCATED), whole=False)
        if judged.fault and not unsure:
            return _Item(Skipped(url or name_at, judged.fault), whole=False)
    item: Page | Skipped | None = None
    try:
        if record.record_type in (WarcRecordType.response, WarcRecordType.resource):
            item = read(record, url, url or name_at)
        record.consume()
        if record.reader.tell() < record.content_length:
            return _Item(Skipped(url or name_at, TRUNCATED), whole=False, unsure=unsure)
    except READ_ERRORS:
        return _Item(Skipped(url or name_at, DAMAGED), whole=False, unsure=unsure)
    return _Item(item, whole=True, unsure=unsure)


def _while_reading(file: ArchiveFile, at: int) -> _Judged:
    """Checks a record while it is being read, and restores the position in the file."""
    here = file.tell()
    judged = _judged(file, at)
    file.seek(here)
    return judged
