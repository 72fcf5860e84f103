"""One WARC file with a conversion record a page: the page's HTML without its template.

Ids are derived from those of the source's records and dates are theirs, so that the same pages give the same bytes.
"""

import re
import string
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import IO
from urllib.parse import quote

from dehusk.files import writing, written_whole_bytes
from dehusk.template import Cleaned

UNDATED = "1970-01-01T00:00:00Z"
"""The date of what came from no record: one is required, and the time of writing would be another one every time."""

_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?=\.\d+Z|Z)")
_ID = re.compile(r"<[\x21-\x7e]+>")
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "dehusk:conversion")


class Warc(AbstractContextManager["Warc"]):
    """Writes cleaned pages as conversion records behind a warcinfo record; gzip, a member each, if the name says so.

    A file takes its name when the last record is written.
    """

    def __init__(
        self,
        place: Path | IO[bytes],
        *,
        media_type: str = "text/html",
        render: Callable[[Cleaned], str] = lambda cleaned: cleaned.html,
    ) -> None:
        self._stack = ExitStack()
        self._file = self._stack.enter_context(written_whole_bytes(place)) if isinstance(place, Path) else place
        self._records = Records(self._file, gzip=isinstance(place, Path) and place.suffix == ".gz")
        self._place = place if isinstance(place, Path) else "standard output"
        self._name = place.name if isinstance(place, Path) else ""
        self._media_type = media_type
        self._render = render
        self._begun = False

    def write(self, cleaned: Cleaned, *, site: str = "") -> None:  # noqa: ARG002  # the URL says it
        """The page as a record that refers to the one it came from."""
        page = cleaned.page
        content = self._render(cleaned).encode("utf-8", "replace")
        date = _date(page.origin.get("date", ""))
        source = page.origin.get("record", "")
        url = page.url or cleaned.metadata.canonical_url or f"file:{page.name}"
        fields = {
            "WARC-Type": "conversion",
            "WARC-Target-URI": as_header(url),
            "WARC-Date": date,
            "WARC-Record-ID": derived_id(source or f"{url} {page.digest}", self._media_type),
            "Content-Type": self._media_type,
        }
        if _ID.fullmatch(source):
            fields["WARC-Refers-To"] = source
        with writing(self._place):
            self._begin(date)
            self._records.write(fields, content)

    def _begin(self, date: str) -> None:
        """The record that says what wrote the file, dated as the first page."""
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
        self._records.write(fields, b"software: dehusk\r\nformat: WARC File Format 1.0\r\n")

    def __exit__(self, *exception: object) -> bool | None:
        if exception[0] is None:
            with self._stack:
                self._begin(UNDATED)
                self._file.flush()
            return None
        return self._stack.__exit__(*exception)  # type: ignore[arg-type]  # what __exit__ is called with, handed on


class Records:
    """Writes WARC records with their block digests, each a gzip member of its own if asked for."""

    def __init__(self, file: IO[bytes], *, gzip: bool) -> None:
        from fastwarc.stream_io import GzipWriter

        self._gzip = GzipWriter(file, compression_level=6) if gzip else None
        self._file = file

    def write(self, fields: dict[str, str], content: bytes) -> None:
        """One record. Fields are written as they are: see `as_header`."""
        from fastwarc.warc import WarcRecord

        record = WarcRecord()
        record.headers.status_line = "WARC/1.0"
        for name, value in fields.items():
            record.headers.append(name, value)
        record.set_bytes_content(content)
        record.write(self._gzip or self._file, checksum_data=True)
        if self._gzip:
            self._gzip.finish()  # else the members run together


def derived_id(*parts: str) -> str:
    """A record id that is the same for the same parts."""
    return f"<urn:uuid:{uuid.uuid5(_NAMESPACE, ' '.join(parts))}>"


def as_header(text: str) -> str:
    """An address or name on one line of ASCII: what may not stand in a URL is percent-encoded."""
    return quote(text, safe=string.punctuation, errors="replace")


def _date(text: str) -> str:
    """A date as WARC 1.0 has it, to the second."""
    found = _DATE.match(text)
    return f"{found[0]}Z" if found else UNDATED
