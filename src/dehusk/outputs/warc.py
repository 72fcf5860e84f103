"""WARC files with a conversion record for each page: its text, as in the WET files of Common Crawl, or its HTML.

Ids are derived from the ids of the source's records, and dates are copied from them. So the same pages give the same
bytes.
"""

import io
import re
import string
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO
from urllib.parse import quote

from dehusk.base.files import escaped
from dehusk.base.packing import gzipped, is_gzip
from dehusk.outputs.target import Stream, Target
from dehusk.page import Page
from dehusk.templates.cleaned import Cleaned

UNDATED = "1970-01-01T00:00:00Z"
"""The date of a page that is not from a WARC. WARC requires a date, and the current time would differ in each run."""

_MEDIA_TYPES = {"wet": "text/plain", "warc": "text/html"}
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?=\.\d+Z|Z)")
_ID = re.compile(r"<[\x21-\x7e]+>")
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "dehusk:conversion")


@dataclass(frozen=True, slots=True)
class Conversion:
    """Turns a page into a conversion record that refers to its source record."""

    media_type: str
    packed: bool = False

    def __call__(self, cleaned: Cleaned, site: str, /) -> bytes:  # noqa: ARG002  # the URL has the site
        """Returns the record, as a gzip member if `packed`."""
        page = cleaned.page
        content = cleaned.text if self.media_type == "text/plain" else cleaned.html
        source = page.origin.get("record", "")
        url = page.url or page.canonical_url or f"file:{page.name}"
        fields = {
            "WARC-Type": "conversion",
            "WARC-Target-URI": as_header(url),
            "WARC-Date": _date(page),
            "WARC-Record-ID": derived_id(source or f"{url} {page.digest}", self.media_type),
            "Content-Type": self.media_type,
        }
        if _ID.fullmatch(source):
            fields["WARC-Refers-To"] = source
        return record(fields, content.encode("utf-8", "replace"), packed=self.packed)


class WarcOutput(Stream):
    """Writes a warcinfo record and then the records of pages to an open file."""

    def __init__(self, file: IO[bytes], encode: Conversion, name: str = "", *, begun: bool = False) -> None:
        """`name` is the name of the file, `begun` whether it already has records."""
        super().__init__(file, encode)
        self._packed = encode.packed
        self._name = name
        self._begun = begun

    def write(self, page: Page, piece: bytes) -> None:
        """Writes the record of the page."""
        self._begin(_date(page))
        super().write(page, piece)

    def close(self) -> None:
        """Writes the warcinfo record if there were no pages."""
        self._begin(UNDATED)

    def _begin(self, date: str) -> None:
        """Writes the warcinfo record once, with the date of the first page."""
        if self._begun:
            return
        self._begun = True
        fields = {
            "WARC-Type": "warcinfo",
            "WARC-Date": date,
            "WARC-Record-ID": derived_id(self._name, date),
            "Content-Type": "application/warc-fields",
        }
        if self._name:
            fields["WARC-Filename"] = as_header(self._name)
        content = b"software: dehusk\r\nformat: WARC File Format 1.0\r\n"
        self._file.write(record(fields, content, packed=self._packed))


@contextmanager
def opened(form: str, target: Target) -> Iterator[WarcOutput]:
    """Opens a file of records. If the file name ends in `.gz`, each record is packed separately."""
    conversion = Conversion(_MEDIA_TYPES[form], packed=is_gzip(target.name))
    with target.open(target.written) as file:
        yield WarcOutput(file, conversion, target.name, begun=target.written > 0)


def record(fields: dict[str, str], content: bytes, *, packed: bool, level: int = 6) -> bytes:
    """A record with its block digest, packed if asked for. Fields are written unchanged; see `as_header`."""
    from fastwarc.warc import WarcRecord

    made = WarcRecord()
    made.headers.status_line = "WARC/1.0"
    for name, value in fields.items():
        made.headers.append(name, value)
    made.set_bytes_content(content)
    plain = io.BytesIO()
    made.write(plain, checksum_data=True)
    return gzipped(plain.getvalue(), level) if packed else plain.getvalue()


def derived_id(*parts: str) -> str:
    """A record id derived from the parts: equal parts give equal ids."""
    return f"<urn:uuid:{uuid.uuid5(_NAMESPACE, escaped(' '.join(parts)))}>"


def as_header(text: str) -> str:
    """A URL or name as one line of ASCII. Characters that are not allowed in a URL are percent-encoded."""
    return quote(text, safe=string.punctuation, errors="replace")


def _date(page: Page) -> str:
    """The date of the page's record, in seconds as WARC 1.0 requires."""
    match = _DATE.match(page.origin.get("date", ""))
    return f"{match[0]}Z" if match else UNDATED
