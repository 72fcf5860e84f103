"""The bodies of HTTP answers, decoded with tolerance.

Headers are often wrong about a body: servers make mistakes, and crawlers undo an encoding but keep its header. What a
body is counts more than what its header says. Only what cannot be a whole page is refused.
"""

import re
import zlib
from collections.abc import Callable, Iterable
from io import BytesIO

from dehusk.errors import DAMAGED, TOO_LARGE, TRUNCATED
from dehusk.packing import GZIP, GZIP_WINDOW, ZSTD
from dehusk.page import unusable

_LINE_END = re.compile(rb"\r?\n")
_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")


class BodyError(Exception):
    """A body that is not a page, or not a whole one. The message is the reason to skip it."""


def unchunked(body: bytes) -> bytes:
    """A body sent in chunks, put together. One that does not begin with a chunk was put together before.

    A connection that ended before the last chunk leaves what came; a chunk that is not as long as it says is damage.
    """
    pieces = []
    at = 0
    while size := _CHUNK.match(body, at):
        end = size.end() + int(size[1], 16)
        if end == size.end():
            break
        pieces.append(memoryview(body)[size.end() : end])
        if not (after := _LINE_END.match(body, end)):
            if end < len(body):
                raise BodyError(DAMAGED)
            break
        at = after.end()
    else:
        if not pieces:
            return body
        if at < len(body):
            raise BodyError(DAMAGED)
    return b"".join(pieces)


def decompressed(body: bytes, encodings: Iterable[str], limit: int) -> bytes:
    """A body with its content encodings undone, given in the order they were applied. Makes at most `limit` bytes."""
    for name in reversed([encoding.strip().lower().removeprefix("x-") for encoding in encodings]):
        if decode := _DECODERS.get(name):
            body = decode(body, limit)
        elif name not in ("", "identity") and unusable(body):
            # Some servers send plain pages and call the encoding "utf-8" or "none".
            raise BodyError(f"unknown encoding ({name[:40]})")
    return body


def _gunzip(body: bytes, limit: int) -> bytes:
    return _inflate(body, limit, GZIP_WINDOW) if body.startswith(GZIP) else body


def _deflated(body: bytes, limit: int) -> bytes:
    """The standard asks for zlib data; many servers send bare deflate data."""
    if not unusable(body):
        return body
    wrapped = len(body) > 1 and body[0] & 15 == 8 and (body[0] << 8 | body[1]) % 31 == 0
    return _inflate(body, limit, 15 if wrapped else -15)


def _inflate(body: bytes, limit: int, window: int) -> bytes:
    pieces = []
    left = limit
    while body:
        inflater = zlib.decompressobj(window)
        try:
            piece = inflater.decompress(body, left + 1)
        except zlib.error:
            raise BodyError(DAMAGED) from None
        if len(piece) > left:
            raise BodyError(TOO_LARGE)
        if not inflater.eof:
            raise BodyError(TRUNCATED)
        pieces.append(piece)
        left -= len(piece)
        body = inflater.unused_data if inflater.unused_data.startswith(GZIP) else b""  # else padding
    return b"".join(pieces)


def _brotli(body: bytes, limit: int) -> bytes:
    """Brotli data has no first bytes of its own, so it is recognized by trying."""
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
    """All there is, in as many reads as it takes, up to the limit."""
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
