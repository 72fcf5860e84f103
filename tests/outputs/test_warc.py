"""WET and WARC output, read by other libraries."""

import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastwarc.warc import ArchiveIterator
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

import dehusk
import demo_site
from archives import http, record, zipped
from dehusk.base.errors import OutputError
from dehusk.outputs import open_output
from dehusk.outputs.warc import UNDATED
from dehusk.page import Page
from dehusk.sources import warc as source
from dehusk.templates.cleaned import Cleaned

TEMPLATE = dehusk.learn([html for name, html in demo_site.pages().items() if name.startswith("shop/")])
NAMES = ["shop/harbour-mug.html", "shop/pier-lantern.html"]


@pytest.fixture
def cleaned(tmp_path: Path) -> list[Cleaned]:
    """Two pages of the demo site, read from an archive."""
    pages = demo_site.pages()
    (tmp_path / "in.warc.gz").write_bytes(zipped(*(record(name, http(pages[name].encode())) for name in NAMES)))
    return [TEMPLATE.clean(page) for page in source.WarcSource(tmp_path / "in.warc.gz") if isinstance(page, Page)]


def write(file: Path | None, pages: Iterable[Cleaned], form: str = "wet") -> bytes:
    """Writes pages to the output that the command line would open; without a file, to standard output."""
    stdout = io.TextIOWrapper(io.BytesIO())
    with open_output(str(file or "-"), form, stdout=stdout) as output:
        for page in pages:
            output.write(page.page, output.encode(page, ""))
    return file.read_bytes() if file else stdout.buffer.getvalue()


def by_warcio(data: bytes) -> Iterator[tuple[dict[str, str], bytes]]:
    for one in WarcioIterator(io.BytesIO(data), check_digests="raise"):
        yield dict(one.rec_headers.headers), one.content_stream().read()


def by_fastwarc(data: bytes) -> Iterator[tuple[dict[str, str], bytes]]:
    for one in ArchiveIterator(io.BytesIO(data), parse_http=False, verify_digests=True):
        yield one.headers.to_dict(), one.reader.read()


@pytest.mark.parametrize("reader", [by_warcio, by_fastwarc])
@pytest.mark.parametrize("name", ["out.wet", "out.wet.gz"])
def test_other_readers_find_what_common_crawl_would_write(
    tmp_path: Path, cleaned: list[Cleaned], name: str, reader: Any
) -> None:
    (info, _), *records = reader(write(tmp_path / name, cleaned))
    assert info["WARC-Type"] == "warcinfo"
    assert info["WARC-Filename"] == name
    assert info["Content-Type"] == "application/warc-fields"
    assert len(records) == 2
    for (headers, content), page, path in zip(records, cleaned, NAMES, strict=True):
        assert content.decode() == page.text
        assert headers["WARC-Type"] == "conversion"
        assert headers["Content-Type"] == "text/plain"
        assert headers["WARC-Target-URI"] == f"http://site.example/{path}"
        assert headers["WARC-Refers-To"] == f"<urn:uuid:{path}>"
        assert headers["WARC-Date"] == info["WARC-Date"] == "2024-05-06T07:08:09Z"
        assert headers["WARC-Block-Digest"].startswith("sha1:")
        assert int(headers["Content-Length"]) == len(content)
    assert len({headers["WARC-Record-ID"] for headers, _ in records} | {info["WARC-Record-ID"]}) == 3


def test_the_same_pages_give_the_same_bytes(tmp_path: Path, cleaned: list[Cleaned]) -> None:
    first = write(tmp_path / "a" / "out.wet.gz", cleaned)
    assert write(tmp_path / "b" / "out.wet.gz", cleaned) == first
    assert write(tmp_path / "c" / "out.wet.gz", cleaned[::-1]) != first


def test_every_record_is_a_gzip_member_without_a_time(tmp_path: Path, cleaned: list[Cleaned]) -> None:
    data = write(tmp_path / "out.wet.gz", cleaned)
    members = []
    while data:
        assert data[4:8] == bytes(4)
        inflater = zlib.decompressobj(31)
        members.append(inflater.decompress(data))
        assert inflater.eof
        data = inflater.unused_data
    assert len(members) == 3
    assert all(member.startswith(b"WARC/1.0\r\n") and member.endswith(b"\r\n\r\n") for member in members)


def test_html_is_written_as_such_and_under_an_id_of_its_own(tmp_path: Path, cleaned: list[Cleaned]) -> None:
    _, (headers, content), _ = by_warcio(write(tmp_path / "out.warc.gz", cleaned, "warc"))
    _, (others, _), _ = by_warcio(write(tmp_path / "out.wet.gz", cleaned))
    assert headers["Content-Type"] == "text/html"
    assert content.decode() == cleaned[0].html
    assert headers["WARC-Record-ID"] != others["WARC-Record-ID"]


def test_a_page_from_no_archive_has_an_id_by_its_address_and_content(tmp_path: Path) -> None:
    pages = [Page("<p>one", url="http://x/"), Page("<p>two", url="http://x/"), Page("<p>one", name="a ü/b.html")]
    written = list(by_warcio(write(tmp_path / "out.wet", [TEMPLATE.clean(page) for page in pages])))
    headers = [one for one, _ in written[1:]]
    assert len({one["WARC-Record-ID"] for one in headers}) == 3
    assert {one["WARC-Date"] for one in headers} == {UNDATED}
    assert "WARC-Refers-To" not in headers[0]
    assert headers[2]["WARC-Target-URI"] == "file:a%20%C3%BC/b.html"


def test_an_address_cannot_add_lines_to_a_header(tmp_path: Path) -> None:
    page = Page(
        "<p>x", url="http://x/\r\nWARC-Type: response\r\n\r\n", origin={"record": "<a>\r\nX: y", "date": "now\r\nX: y"}
    )
    _, (headers, content) = by_warcio(write(tmp_path / "out.wet", [TEMPLATE.clean(page)]))
    assert headers["WARC-Type"] == "conversion"
    assert "X" not in headers
    assert content == b"x\n"


def test_a_file_name_that_is_not_unicode_names_a_record(tmp_path: Path) -> None:
    ids = set()
    for name in ("\udcff.html", "\ud800.html", "ÿ.html"):
        page = TEMPLATE.clean(Page(demo_site.pages()[NAMES[0]], name=name))
        (_, (headers, _)) = by_warcio(write(tmp_path / "out.wet", [page]))
        ids.add(headers["WARC-Record-ID"])
    assert len(ids) == 3


def test_no_pages_give_an_archive_without_pages(tmp_path: Path) -> None:
    assert [headers["WARC-Type"] for headers, _ in by_warcio(write(tmp_path / "out.wet.gz", []))] == ["warcinfo"]


def test_standard_output_is_written_plain(cleaned: list[Cleaned]) -> None:
    assert [headers["WARC-Type"] for headers, _ in by_warcio(write(None, cleaned[:1]))] == ["warcinfo", "conversion"]


def test_an_error_leaves_no_file(tmp_path: Path, cleaned: list[Cleaned]) -> None:
    def pages() -> Iterator[Cleaned]:
        yield cleaned[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "out.wet.gz", pages())
    assert not [file for file in tmp_path.iterdir() if "out" in file.name]


class Full(io.BytesIO):
    """A full disk."""

    def write(self, _: object) -> int:
        """Fails."""
        raise OSError(28, "No space left on device")


def test_a_full_disk_ends_the_job(cleaned: list[Cleaned]) -> None:
    with (
        pytest.raises(OutputError, match="no space left on device; free some"),
        open_output("-", "wet", stdout=SimpleNamespace(buffer=Full())) as output,  # type: ignore[arg-type]  # it needs nothing else
    ):
        output.write(cleaned[0].page, output.encode(cleaned[0], ""))


def test_the_output_cannot_be_cleaned_further(tmp_path: Path, cleaned: list[Cleaned]) -> None:
    write(tmp_path / "out.wet.gz", cleaned)
    assert list(source.WarcSource(tmp_path / "out.wet.gz")) == []
    assert gzip.decompress((tmp_path / "out.wet.gz").read_bytes()).count(b"WARC/1.0\r\n") == 3
