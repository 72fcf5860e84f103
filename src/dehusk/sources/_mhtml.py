"""The page in an MHTML file, as browsers save it (RFC 2557): a multipart message whose root is the page."""

import binascii
import quopri
import re
from email.message import Message
from email.parser import BytesHeaderParser

MOST_PARTS = 10_000
"""Maximum number of parts to look at. A saved page has one for each picture and style sheet."""

HEADER_BYTES = 65_536
"""Maximum size of the header of a part."""

_END_OF_HEADER = re.compile(rb"\r?\n\r?\n")


def root_page(data: bytes) -> tuple[bytes, str | None, str | None] | None:
    """Returns the HTML of the root page, its URL and its charset; None if there is no page.

    Only the parts of the first level are looked at, so nested messages cost nothing.
    """
    try:
        return _root(data)
    except ValueError:  # a parameter of a header in a charset that cannot be read, or with a number that is too long
        return None


def _root(data: bytes) -> tuple[bytes, str | None, str | None] | None:
    header, body = _split(data)
    if header.get_content_type() == "text/html":
        return _page(header, body, header)
    boundary = header.get_boundary()
    if not boundary:
        return None
    parts = _parts(body, b"--" + boundary.encode("ascii", "replace"))
    pages = [(head, inside) for head, inside in map(_split, parts[1:]) if head.get_content_type() == "text/html"]
    root = header.get_param("start")
    pages.sort(key=lambda part: part[0].get("Content-ID", "") != root)  # stable: else the first is the page
    return _page(*pages[0], header) if pages else None


def _parts(body: bytes, mark: bytes) -> list[bytes]:
    """The text before the first line that is the mark, or the mark and "--", and the parts between such lines."""
    parts: list[bytes] = []
    start = at = 0
    while (at := body.find(mark, at)) >= 0 and len(parts) < MOST_PARTS:
        end = body.find(b"\n", at)
        end = len(body) if end < 0 else end
        begins = not at or body[at - 1 : at] == b"\n"
        if begins and body[at + len(mark) : end].strip(b" \t\r") in (b"", b"--"):
            parts.append(body[start:at].removesuffix(b"\n").removesuffix(b"\r"))
            start = end + 1
        at = max(end, at + 1)
    return [*parts, body[start:]]


def _split(data: bytes) -> tuple[Message, bytes]:
    end = _END_OF_HEADER.search(data, 0, HEADER_BYTES)
    if end is None:
        return Message(), b""
    return BytesHeaderParser().parsebytes(data[: end.end()]), data[end.end() :]


def _page(part: Message, body: bytes, whole: Message) -> tuple[bytes, str | None, str | None]:
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    if encoding == "quoted-printable":
        body = quopri.decodestring(body)
    elif encoding == "base64":
        try:
            body = binascii.a2b_base64(body)
        except binascii.Error:
            body = b""
    address = part.get("Content-Location") or whole.get("Snapshot-Content-Location")
    return body, str(address).strip() if address else None, part.get_content_charset()
