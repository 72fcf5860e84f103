"""The page of a WARC record: HTTP headers, encodings, and what of it is HTML."""

import re
from typing import TYPE_CHECKING

from dehusk.base.errors import DAMAGED, TOO_LARGE, Skipped
from dehusk.base.urls import PICTURES, data_url
from dehusk.page import Page, unusable
from dehusk.sources.web.bodies import BodyError, decompressed, unchunked

if TYPE_CHECKING:
    from fastwarc.warc import HeaderMap, WarcRecord

_CSS = "text/css"
_CHUNKED = "chunked"
_HTML = ("", "text/html", "application/xhtml+xml")
_AFTER_TYPE = re.compile("[;,]")
_CHARSET = re.compile(r"""(?i)charset\s*=\s*["']?([^\s"';,]+)""")
_HEADERS = 1 << 20  # bytes of HTTP headers; long cookies and policies exceed fastwarc's limit of 32 kB


def page_of(record: "WarcRecord", url: str, name: str, limit: int) -> Page | Skipped | None:
    """The page of a response or resource, the reason why it is skipped, or None if it is not meant to be a page."""
    try:
        declared, encodings, chunked = _declared(record)
        media_type = _media_type(declared)
        if media_type not in _HTML and not record.is_http:
            return None  # crawlers store DNS look-ups, screenshots and lists of links as resources
        html = _html(record, media_type, encodings, limit, chunked=chunked)
    except BodyError as why:
        return Skipped(name, str(why))
    charset = _CHARSET.search(declared)
    return Page(html, url=url or None, name=name, encoding=charset[1] if charset else None, origin=_origin(record))


def _declared(record: "WarcRecord") -> tuple[str, list[str], bool]:
    """What a record declares about its body: content type, encodings in their order, and whether it is chunked."""
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
    encodings = _listed(headers, "Content-Encoding")
    transfer = _listed(headers, "Transfer-Encoding")  # such as "gzip, chunked": applied after the content encodings
    encodings += [name for name in transfer if _CHUNKED not in name]
    return content_type, encodings, any(_CHUNKED in name for name in transfer)


def _listed(headers: "HeaderMap", name: str) -> list[str]:
    """The items of a header, in lower case."""
    return [item.strip().lower() for item in ",".join(headers.get_multiple(name)).split(",")]


def _html(record: "WarcRecord", media_type: str, encodings: list[str], limit: int, *, chunked: bool) -> bytes:
    """The decoded body, if it is HTML."""
    if media_type not in _HTML:
        raise BodyError(f"not HTML ({media_type[:40]})")
    html = _body(record, encodings, limit, chunked=chunked)
    if why := unusable(html):
        raise BodyError(why)
    return html


def _body(record: "WarcRecord", encodings: list[str], limit: int, *, chunked: bool) -> bytes:
    """The decoded body."""
    if record.content_length > limit:
        raise BodyError(TOO_LARGE)
    body = record.reader.read()
    return decompressed(unchunked(body) if chunked else body, encodings, limit)


def _media_type(declared: str) -> str:
    return _AFTER_TYPE.split(declared)[0].strip().lower()


def file_of(record: "WarcRecord", url: str, name: str, limit: int) -> Page | Skipped | None:
    """The style sheet or picture of a response or resource, as the text of a page; None if it is neither.

    A picture is a data URL.
    """
    try:
        declared, encodings, chunked = _declared(record)
        kind = _media_type(declared)
        if kind != _CSS and kind not in PICTURES.values():
            return None
        body = _body(record, encodings, limit, chunked=chunked)
        # Style sheets are ASCII, but for some comments and names.
        return Page(
            body.decode("utf-8", "replace") if kind == _CSS else data_url(kind, body), url=url or None, name=name
        )
    except BodyError as why:
        return Skipped(name, str(why))


def _origin(record: "WarcRecord") -> dict[str, str]:
    """The record's id and date, for outputs. A page that the crawler truncated is still a page."""
    fields = {"record": "WARC-Record-ID", "date": "WARC-Date", "truncated": "WARC-Truncated"}
    return {name: value for name, field in fields.items() if (value := record.headers.get(field))}
