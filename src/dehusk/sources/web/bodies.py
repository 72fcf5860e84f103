"""Tolerant decoding of HTTP bodies.

Headers are often wrong: servers make mistakes, and crawlers decode a body but keep its header. So the bytes count more
than the headers. Only a body that cannot be a whole page is refused.
"""

import re
import zlib
from collections.abc import Callable, Iterable
from io import BytesIO

from dehusk.base.errors import DAMAGED, TOO_LARGE, TRUNCATED
from dehusk.base.packing import GZIP, GZIP_WINDOW, ZSTD
from dehusk.page import unusable

MOST_ENCODINGS = 8
"""Maximum number of encodings. A header has room for thousands, and each costs as much as decoding a whole body."""

MOST_MEMBERS = 10_000
"""Maximum number of gzip members or zstd frames in a body. A page has one, and each costs time even if it is empty."""

_MEMBERS = (b"\x1f\x8b\x08", ZSTD, b"\x2a\x4d\x18")  # how members and frames begin; the last is a skippable frame
_LINE_END = re.compile(rb"\r?\n")
_PIECE = 4096  # bytes at a time; small, because zlib copies the bytes after the end of a member
_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")


class BodyError(Exception):
    """A body that is not a page, or not a whole one. The message is the reason to skip it."""


def unchunked(body: bytes) -> bytes:
    """Joins the chunks of a body. A body that does not begin with a chunk was already joined.

    If the connection ended before the last chunk, the rest is returned. A chunk with a wrong length raises BodyError.
    """
    whole = bytearray()  # a list of one-byte chunks would take 200 times the memory
    at = 0
    while size := _CHUNK.match(body, at):
        end = size.end() + int(size[1], 16)
        if end == size.end():
            break
        whole += body[size.end() : end]
        if not (after := _LINE_END.match(body, end)):
            if end < len(body):
                raise BodyError(DAMAGED)
            break
        at = after.end()
    else:
        if not at:
            return body
        if at < len(body):
            raise BodyError(DAMAGED)
    return bytes(whole)


def decompressed(
    body: bytes, encodings: Iterable[str], limit: int, *, before_each: Callable[[], object] = lambda: None
) -> bytes:
    """Undoes the content encodings, which are given in the order they were applied. Returns at most `limit` bytes.

    `before_each` is called before each decoding, and may raise an exception to stop.
    """
    names = [encoding.strip().lower().removeprefix("x-") for encoding in encodings]
    if len(names) > MOST_ENCODINGS:
        raise BodyError("too many encodings")
    for name in reversed(names):
        before_each()
        if decode := _DECODERS.get(name):
            if any(body.count(start) > MOST_MEMBERS for start in _MEMBERS):
                raise BodyError("too many members")
            body = decode(body, limit)
        elif name not in ("", "identity") and unusable(body):
            # Some servers send uncompressed pages with an encoding such as "utf-8" or "none".
            raise BodyError(f"unknown encoding ({name[:40]})")
    return body


def _gunzip(body: bytes, limit: int) -> bytes:
    return _inflate(body, limit, GZIP_WINDOW) if body.startswith(GZIP) else body


def _deflated(body: bytes, limit: int) -> bytes:
    """Inflates zlib data, as the standard requires, or raw deflate data, as many servers send."""
    if not unusable(body):
        return body
    wrapped = len(body) > 1 and body[0] & 15 == 8 and (body[0] << 8 | body[1]) % 31 == 0
    return _inflate(body, limit, 15 if wrapped else -15)


def _inflate(body: bytes, limit: int, window: int) -> bytes:
    pieces = []
    left, at = limit, 0
    while at < len(body):
        inflater = zlib.decompressobj(window)
        while not inflater.eof:
            data = inflater.unconsumed_tail or body[at : at + _PIECE]
            if not data:
                raise BodyError(TRUNCATED)
            at += 0 if inflater.unconsumed_tail else len(data)
            try:
                piece = inflater.decompress(data, left + 1)
            except zlib.error:
                raise BodyError(DAMAGED) from None
            if len(piece) > left:
                raise BodyError(TOO_LARGE)
            if piece:
                pieces.append(piece)
                left -= len(piece)
        at -= len(inflater.unused_data)
        if not body.startswith(GZIP, at):  # padding
            break
    return b"".join(pieces)


def _brotli(body: bytes, limit: int) -> bytes:
    """Decodes Brotli. It has no magic number, so a body that cannot be decoded and looks like a page is returned."""
    from fastwarc.stream_io import BrotliReader

    try:
        return _read(BrotliReader(BytesIO(body)).read, limit)
    except OSError:
        if unusable(body) or not body.lstrip().startswith(b"<"):
            raise BodyError(DAMAGED) from None
        return body


def _zstd(body: bytes, limit: int) -> bytes:
    from fastwarc.stream_io import ZstdReader

    if not body.startswith(ZSTD):
        return body
    try:
        return _read(ZstdReader(BytesIO(body)).read, limit)
    except OSError:
        raise BodyError(DAMAGED) from None


def _read(read: Callable[[int], bytes], limit: int) -> bytes:
    """Reads everything, up to the limit."""
    pieces = []
    left = limit
    while piece := read(left + 1):
        left -= len(piece)
        if left < 0:
            raise BodyError(TOO_LARGE)
        pieces.append(piece)
    return b"".join(pieces)


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gunzip,
    "deflate": _deflated,
    "br": _brotli,
    "zstd": _zstd,
}
