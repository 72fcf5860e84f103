"""From bytes to a document: tests whether bytes are a page, finds their charset, and parses them.

Also closes elements that would swallow the rest of the page.
"""

import codecs
import mimetypes
import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

import turbohtml
from turbohtml import Document
from turbohtml.detect import EncodingMatch, detect_all

from dehusk.base.packing import GZIP
from dehusk.base.tags import SWALLOWING
from dehusk.kernels import starts as scan

LARGEST = 50_000_000
"""Maximum size of a page in bytes. A thousand times a usual page, and far below the memory of a small machine."""

# Only Python's own types: with those of the machine, a folder could be read differently elsewhere.
_TYPES = mimetypes.MimeTypes(filenames=())
for _suffix in (".husk", ".store", ".jsonl", ".ndjson"):  # ours, which have no type: beside pages they are none
    _TYPES.add_type("application/json", _suffix)
# Python 3.14 has a type for `.php`, older ones have none.
_PAGE_TYPES = ("text/html", "application/xhtml+xml", "application/x-httpd-php", None)

# A file with one of these near its start that does not begin with a tag is binary (mimesniff, "binary data byte").
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SNIFF_BYTES = 1445
# Declared UTF-8 is trusted unless more than this share of the characters beyond ASCII cannot be decoded.
_BROKEN_UTF8 = 0.1
_SURE = 0.7
_DECLARATION = re.compile(rb"(?i)charset|encoding")
_DECLARED = re.compile(rb"(?i)<(?:meta|\?xml)\s[^<>]*(?:charset|encoding)[^<>]*>?")
_HEAD_BYTES = 16_384
_FIRST_BYTES = 300  # enough for the document type and the root tag
# Detecting a charset takes 15 times as long as parsing the same bytes. This much text, and later texts with new bytes,
# gave the same result as whole pages, for news in ten charsets.
_TEXT_BYTES = 1000
_ASCII = bytes(range(128))

MOST_ROOTS = 50
"""How many start tags of `html` and `body` are read. Pages have two, and pages in pages a few more."""

# Uncompiled, searching for tags takes a fifth of a parse. In smaller pages, the parser takes at most 0.05 s for them.
_MANY_ROOTS = 30_000
_ROOTS = re.compile(r"(?i)<(?=html|body)")
_BYTE_ROOTS = re.compile(rb"(?i)<(?=html|body)")
_STARTS = re.compile(r"(?i)<(?=ht|bo|if|te|ti)")  # as `scan.starts` finds them
_BYTE_STARTS = re.compile(rb"(?i)<(?=ht|bo|if|te|ti)")
_QUICK = not str(scan.__file__).endswith(".py")  # uncompiled, regular expressions are faster

# XML tools write empty elements without an end tag. HTML would read the rest of the page as their text.
_SWALLOWING = tuple(sorted(SWALLOWING))
_EMPTY = re.compile(rb"(?i)<(%b)((?:\s[^<>]*[\s\"'])?)/>" % "|".join(_SWALLOWING).encode())
_MENTIONED = re.compile(rb"(?i)<(/?)(%b)" % "|".join(_SWALLOWING).encode())
_TAGS = [
    (tag, re.compile(rb"(?i)(<%b(?:\s[^<>]*)?>)" % tag), re.compile(rb"(?i)</%b" % tag))
    for tag in map(str.encode, _SWALLOWING)
]
_XML_ENDS = tuple((f"<{tag}", f"></{tag}>") for tag in ("iframe", "textarea", "title"))  # the common ones
_AS_TEXT: tuple[Any, ...] = ("<html", "<!DOCTYPE", "/", ">", " \t\n\r\"'", _XML_ENDS)
_AS_BYTES: tuple[Any, ...] = (
    *(word.encode() for word in _AS_TEXT[:5]),
    tuple((start.encode(), end.encode()) for start, end in _XML_ENDS),
)


def unusable(data: bytes) -> str | None:
    """Returns why these bytes are not a page, or None if they may be one."""
    if not data.strip():
        return "empty"
    if data.startswith(GZIP):
        return "gzip data, not HTML; name an archive by itself"
    start = data[:_SNIFF_BYTES].lstrip()
    if start.startswith(b"%PDF-"):
        return "a PDF, not HTML"
    if start[:3] == codecs.BOM_UTF8 or start[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return None
    if _BINARY.search(start) and not start.startswith(b"<") and not _utf16(data):
        return "binary data, not HTML"
    return None


def may_be_page(name: str, *, packed: bool = False) -> bool:
    """Returns whether a file with this name may be a page, by its suffix; a compressed one only if `packed`.

    A compressed file of an unknown type, such as an archive (`.warc.gz`), is no page.
    """
    kind, packing = _TYPES.guess_type(name)
    return kind in _PAGE_TYPES and (packing is None or (packed and kind is not None))


def decoded(html: bytes | str, encoding: str | None) -> Document:
    """Parses a page. If the declared charset contradicts the bytes, the bytes decide."""
    html = _few_roots(_xml_closed(html))
    if isinstance(html, str):
        # A lone surrogate could not be written again.
        return turbohtml.parse(html.encode("utf-8", "replace").decode(), positions=False)
    if html.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return turbohtml.parse(html, positions=False)
    if wide := _utf16(html):
        return turbohtml.parse(_few_roots(html.decode(wide, "replace")), positions=False)
    # ISO-2022-JP is valid UTF-8 too, but must not be decoded as such. Searching for two bytes takes a tenth of a parse,
    # for one byte next to nothing.
    if b"\x1b" not in html or b"\x1b$" not in html:
        try:
            # Valid UTF-8 is UTF-8, whatever is declared. The last character may be incomplete.
            return turbohtml.parse(codecs.utf_8_decode(html, "strict", False)[0], positions=False)  # noqa: FBT003
        except UnicodeDecodeError:
            pass
    return turbohtml.parse(html, encoding=_charset(html, _declared(html, encoding)), positions=False)


def _few_roots(html: Any) -> Any:
    """Changes start tags of `html` and `body` after the first MOST_ROOTS into end tags that the parser ignores.

    They can only add attributes to an element that exists. The parser compares each of them with all it has.
    """
    if len(html) < _MANY_ROOTS:
        return html
    if isinstance(html, bytes) and html.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = html.decode("utf-16", "replace")
        changed = _few_roots(text)
        return html if changed is text else changed
    found: tuple[re.Pattern[Any], Any] = (_ROOTS, "</x-") if isinstance(html, str) else (_BYTE_ROOTS, b"</x-")
    start, no_start = found
    if _QUICK and isinstance(html, bytes) and scan.roots(html) <= MOST_ROOTS:  # all usual pages
        return html
    after = next(islice(start.finditer(html), MOST_ROOTS, None), None)
    return html if after is None else html[: after.start()] + start.sub(no_start, html[after.start() :])


def _starts(html: bytes | str) -> list[int]:
    """Returns where the tags begin that a page is searched for, and some others."""
    if isinstance(html, str):
        return [found.start() for found in _STARTS.finditer(html)]
    return scan.starts(html) if _QUICK else [found.start() for found in _BYTE_STARTS.finditer(html)]


def _declared(html: bytes, encoding: str | None) -> str | None:
    """Returns the charset that the transport or else the page declares, by its standard name; None if neither does."""
    if encoding:
        with suppress(LookupError):  # an unknown charset is ignored
            return turbohtml.parse(b"", encoding=encoding).encoding
    ends = [found.end() for found in _DECLARED.finditer(html, 0, _HEAD_BYTES)]  # the parser ignores one in a comment
    return turbohtml.parse(html[: ends[-1]], positions=False).encoding if ends else None


def _charset(html: bytes, declared: str | None) -> str | None:
    """Returns the charset of a page that is not valid UTF-8; None for the standard's default."""
    broken = declared == "UTF-8" and _undecodable(html) > _BROKEN_UTF8
    if declared and not broken and declared != "windows-1252":
        return declared
    # UTF-8 and windows-1252 are often declared wrongly. A detector that is sure of another charset is trusted.
    found = detect_all(_DECLARATION.sub(b"-", _telling(html)))
    if not found or (declared == "windows-1252" and _confidence(found) < _SURE):
        return declared
    return found[0].encoding


def _confidence(found: Sequence[EncodingMatch]) -> float:
    """Returns the confidence of the first match, with that of other charsets of the same language, as for Greek."""
    first = found[0]
    return sum(one.confidence for one in found if one is first or (one.language and one.language == first.language))


def _telling(html: bytes) -> bytes:
    """Returns texts of a page for charset detection: the first that are not ASCII, then those with new bytes."""
    texts, elsewhere, size, seen = [], [], 0, _ASCII
    for piece in html.split(b"<"):
        if piece.isascii():
            continue
        text = piece[piece.rfind(b">") + 1 :]
        if text.isascii():
            elsewhere.append(piece)  # in an attribute
        elif size < _TEXT_BYTES or text.translate(None, seen):
            texts.append(text)
            size += len(text)
            if size >= _TEXT_BYTES:
                seen = bytes({*seen, *b"".join(texts if seen is _ASCII else (text,))})
    return b"\n".join(texts or elsewhere)


def _utf16(data: bytes) -> str | None:
    """Detects UTF-16 without a byte order mark: in markup, every other byte is NUL, always at the same parity."""
    start = data[:_SNIFF_BYTES]
    if 0 not in start:
        return None
    high, low = start[::2].count(0), start[1::2].count(0)
    if max(high, low) < 4 or max(high, low) * 20 < len(start) or min(high, low) * 10 > max(high, low):
        return None
    return "utf-16-le" if low > high else "utf-16-be"


def _undecodable(data: bytes) -> float:
    """Returns the share of characters beyond ASCII that cannot be decoded as UTF-8."""
    decoded = data.decode("utf-8", "replace")
    beyond = len(decoded) - len(decoded.encode("ascii", "ignore"))
    return decoded.count("\ufffd") / beyond if beyond else 0.0


def _xml_closed(html: Any) -> Any:
    """Adds end tags to a page saved as XML for elements that would swallow the rest of it, such as `<iframe/>`.

    Such a page has no document type. To parse the page again would take much longer than to search for tags.
    """
    is_text = isinstance(html, str)
    tag, document_type, slash, greater, ends_value, closing = _AS_TEXT if is_text else _AS_BYTES
    begin = html[:_FIRST_BYTES]
    if tag not in begin or document_type in begin or document_type.lower() in begin:
        return html
    ends: list[tuple[int, Any]] = []
    maybe = _starts(html)
    for start, end in closing:
        stop = 0
        for at in maybe:
            if stop < at and html.startswith(start, at):
                stop = html.find(greater, at)
                if stop < 0:
                    break
                # A slash may also end a URL without quotes.
                before = html[stop - 2 : stop - 1]
                if html[stop - 1 : stop] == slash and (before in ends_value or stop - 1 == at + len(start)):
                    ends.append((stop, end))
    if not ends:
        return html
    pieces: list[Any] = []
    last = 0
    for stop, end in sorted(ends):
        pieces += [html[last : stop - 1], end]
        last = stop + 1
    return html[:0].join([*pieces, html[last:]])


def closed(html: bytes | str) -> bytes | str:
    """Adds an end tag to each swallowing element that is written as XML, or that has no end tag at all."""
    if isinstance(html, str):
        data = closed(html.encode("utf-8", "surrogatepass"))
        return data.decode("utf-8", "surrogatepass") if isinstance(data, bytes) else data
    if _is_closed(html):
        return html
    html = _EMPTY.sub(rb"<\1\2></\1>", html)
    for tag, opens, ends in _TAGS:
        end = max((match.end() for match in ends.finditer(html)), default=0)
        html = html[:end] + opens.sub(rb"\1</%b>" % tag, html[end:])
    return html


def _is_closed(html: bytes) -> bool:
    """Returns whether all swallowing elements are certainly closed: one search, which saves a dozen."""
    left_open: set[bytes] = set()
    stop = 0  # the end of the tag
    for found in _MENTIONED.finditer(html):
        tag = found[2].lower()
        if stop >= 0 and stop < found.end():
            stop = html.find(b">", found.end())
        if found[1]:
            left_open.discard(tag)
        elif html[stop - 1 : stop] == b"/":
            return False
        else:
            left_open.add(tag)
    return not left_open
