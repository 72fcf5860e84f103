"""Makes valid and damaged WARC archives for tests."""

import gzip
from collections.abc import Mapping

PAGE = b"<html><body><h1>A page</h1><p>It says something.</p></body></html>"
HTML = {"Content-Type": "text/html; charset=utf-8"}


def http(body: bytes = PAGE, headers: Mapping[str, str] = HTML, status: str = "200 OK") -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body


def record(
    path: str,
    block: bytes | None = None,
    *,
    kind: str = "response",
    content_type: str = "application/http; msgtype=response",
    length: object = None,
    more: str = "",
) -> bytes:
    """A WARC record. Its Content-Length is right unless `length` is given."""
    block = http() if block is None else block
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{path}>\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n"
        f"WARC-Target-URI: http://site.example/{path}\r\n{more}Content-Type: {content_type}\r\n"
        f"Content-Length: {len(block) if length is None else length}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def zipped(*records: bytes) -> bytes:
    """Compresses each record as a separate gzip member."""
    return b"".join(gzip.compress(one, mtime=0) for one in records)
