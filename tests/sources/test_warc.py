"""WARC files as sources: written by other tools, and broken in many ways."""

import gzip
import random
import tracemalloc
import zlib
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
import zstandard
from fastwarc.stream_io import GzipWriter, ZstdWriter
from fastwarc.warc import WarcRecord, WarcRecordType
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from archives import HTML, PAGE, http, record, zipped
from dehusk.base.errors import Skipped, SourceError
from dehusk.page import LARGEST, Page
from dehusk.sources.warc import WarcSource, archived

FOUR = [record(name) for name in "abcd"]


def read(tmp_path: Path, data: bytes, *, limit: int = LARGEST) -> list[Page | Skipped]:
    file = tmp_path / "crawl.warc"
    file.write_bytes(data)
    return list(WarcSource(file, limit=limit))


def outcome(items: list[Page | Skipped]) -> list[str]:
    """The last letter of each page's URL, or what was skipped and why."""
    return [
        item.name.removeprefix("http://site.example/") + (f": {item.reason}" if isinstance(item, Skipped) else "")
        for item in items
    ]


def alone(tmp_path: Path, block: bytes, **options: int) -> Page | Skipped:
    """The result of one record between two good ones."""
    before, item, after = read(tmp_path, zipped(FOUR[0], record("x", block), FOUR[1]), **options)
    assert isinstance(before, Page)
    assert isinstance(after, Page)
    return item


def why(item: Page | Skipped) -> str:
    assert isinstance(item, Skipped)
    assert item.name == "http://site.example/x"
    return item.reason


@pytest.mark.parametrize(
    "pack",
    [b"".join, lambda records: zipped(*records), lambda records: b"".join(map(zstandard.compress, records))],
    ids=["plain", "gzip", "zstd"],
)
def test_a_page_has_its_url_charset_record_and_date(tmp_path: Path, pack: Callable[[list[bytes]], bytes]) -> None:
    items = read(tmp_path, pack(FOUR))
    assert outcome(items) == ["a", "b", "c", "d"]
    page = items[1]
    assert isinstance(page, Page)
    assert page.html == PAGE
    assert page.url == page.name == "http://site.example/b"
    assert page.encoding == "utf-8"
    assert page.origin == {"record": "<urn:uuid:b>", "date": "2024-05-06T07:08:09Z"}


@pytest.mark.parametrize("compressed", [True, False])
def test_archives_of_warcio_are_read(tmp_path: Path, compressed: bool) -> None:
    out = BytesIO()
    writer = WARCWriter(out, gzip=compressed)
    writer.write_record(writer.create_warcinfo_record("crawl.warc.gz", {"software": "warcio"}))
    for name in "ab":
        uri = f"http://site.example/{name}"
        asked = StatusAndHeaders("GET / HTTP/1.1", [("Host", "site.example")], is_http_request=True)
        writer.write_record(writer.create_warc_record(uri, "request", http_headers=asked))
        headers = StatusAndHeaders("200 OK", list(HTML.items()), protocol="HTTP/1.1")
        answer = writer.create_warc_record(uri, "response", payload=BytesIO(PAGE), http_headers=headers)
        writer.write_record(answer)
        writer.write_record(writer.create_revisit_record(uri, "sha1:ABC", uri, "2020-01-01T00:00:00Z"))
    items = read(tmp_path, out.getvalue())
    assert outcome(items) == ["a", "b"]
    assert all(isinstance(item, Page) and item.html == PAGE for item in items)


@pytest.mark.parametrize("packer", [GzipWriter, ZstdWriter])
def test_archives_of_fastwarc_are_read(tmp_path: Path, packer: type[GzipWriter] | type[ZstdWriter]) -> None:
    out = BytesIO()
    writer = packer(out)
    for name in "ab":
        one = WarcRecord()
        one.init_headers(WarcRecordType.response)
        one.headers["WARC-Target-URI"] = f"http://site.example/{name}"
        one.is_http = True
        one.set_bytes_content(http())
        one.write(writer)
        writer.finish()
    writer.flush()
    assert outcome(read(tmp_path, out.getvalue())) == ["a", "b"]


def test_a_source_can_be_read_twice(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(zipped(*FOUR))
    source = WarcSource(tmp_path / "a.warc")
    assert source.names is None
    assert outcome(list(source)) == outcome(list(source)) == ["a", "b", "c", "d"]


def test_only_responses_are_pages(tmp_path: Path) -> None:
    others = [record(kind, b"some: thing\r\n", kind=kind) for kind in ("warcinfo", "request", "metadata", "revisit")]
    looked_up = record("dns", b"20240506 127.0.0.1", content_type="text/dns")
    picture = record("thumbnail", b"\x89PNG\r\n\x1a\n", kind="resource", content_type="image/png")
    page = record("kept", PAGE, kind="resource", content_type="text/html; charset=koi8-r")
    items = read(tmp_path, zipped(*others, looked_up, picture, page))
    assert outcome(items) == ["kept"]
    assert isinstance(items[0], Page)
    assert items[0].encoding == "koi8-r"


@pytest.mark.parametrize("status", ["404 Not Found", "301 Moved Permanently", "500 Oops"])
def test_errors_and_redirects_are_skipped_by_status(tmp_path: Path, status: str) -> None:
    assert why(alone(tmp_path, http(status=status))) == f"HTTP {status[:3]}"


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (http(b"\x89PNG\r\n\x1a\n\0\0", {"Content-Type": "image/png"}), "not HTML (image/png)"),
        (http(b"{}", {"content-type": "Application/JSON; charset=utf-8"}), "not HTML (application/json)"),
        (http(b"%PDF-1.7 ..."), "a PDF, not HTML"),
        (http(b"\x00\x01\x02"), "binary data, not HTML"),
        (http(b""), "empty"),
        (http(b" \r\n"), "empty"),
        (b"", "empty"),
        (b"no HTTP at all", "damaged"),
    ],
)
def test_a_response_that_is_not_a_page_is_skipped_with_a_reason(tmp_path: Path, block: bytes, reason: str) -> None:
    assert why(alone(tmp_path, block)) == reason


@pytest.mark.parametrize("headers", [{}, {"Content-Type": "TEXT/HTML"}, {"Content-Type": "application/xhtml+xml"}])
def test_a_page_may_have_no_type_or_charset(tmp_path: Path, headers: dict[str, str]) -> None:
    page = alone(tmp_path, http(headers=headers))
    assert isinstance(page, Page)
    assert page.encoding is None


def test_headers_with_bare_line_feeds_or_of_unusual_length_are_read(tmp_path: Path) -> None:
    assert isinstance(alone(tmp_path, http().replace(b"\r\n", b"\n")), Page)
    assert isinstance(alone(tmp_path, http(headers={"Set-Cookie": "x" * 100_000, **HTML})), Page)


def test_bodies_are_decoded_in_both_layers(tmp_path: Path) -> None:
    packed = gzip.compress(PAGE)
    sent = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    headers = {**HTML, "Transfer-Encoding": "chunked", "Content-Encoding": "gzip"}
    for body in (sent, packed, PAGE):  # crawlers undo one or both encodings and keep the headers
        page = alone(tmp_path, http(body, headers))
        assert isinstance(page, Page)
        assert page.html == PAGE


@pytest.mark.parametrize(
    ("body", "header", "reason"),
    [
        (b"5\r\n<html>and more\r\n0\r\n\r\n", ("Transfer-Encoding", "chunked"), "damaged"),
        (gzip.compress(PAGE)[:-20], ("Content-Encoding", "gzip"), "truncated"),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + PAGE, ("Content-Encoding", "gzip"), "damaged"),
        (gzip.compress(b"<p>" + bytes(60_000_000), 1), ("Content-Encoding", "gzip"), "too large"),
        (b"\x00\x01\x02\x03", ("Content-Encoding", "sdch"), "unknown encoding (sdch)"),
    ],
)
def test_a_body_that_cannot_be_decoded_costs_only_that_page(
    tmp_path: Path, body: bytes, header: tuple[str, str], reason: str
) -> None:
    assert why(alone(tmp_path, http(body, {**HTML, header[0]: header[1]}))) == reason


def test_a_decompression_bomb_is_refused(tmp_path: Path) -> None:
    bomb = http(gzip.compress(bytes(100_000_000), 1), {**HTML, "Content-Encoding": "gzip"})
    tracemalloc.start()
    assert why(alone(tmp_path, bomb, limit=1_000_000)) == "too large"
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20_000_000


def test_a_page_above_the_limit_is_not_even_read(tmp_path: Path) -> None:
    assert why(alone(tmp_path, http(PAGE * 100), limit=1000)) == "too large"


def test_a_page_truncated_by_its_crawler_is_a_page(tmp_path: Path) -> None:
    (page,) = read(tmp_path, zipped(record("a", more="WARC-Truncated: length\r\n")))
    assert isinstance(page, Page)
    assert page.origin["truncated"] == "length"


def test_brackets_around_a_url_are_removed_and_a_page_without_url_is_named_by_its_position(tmp_path: Path) -> None:
    bracketed = FOUR[0].replace(b"http://site.example/a", b"<http://site.example/a>")
    bare = FOUR[1].replace(b"WARC-Target-URI: http://site.example/b\r\n", b"")
    first, second = read(tmp_path, bracketed + bare)
    assert isinstance(first, Page)
    assert isinstance(second, Page)
    assert first.url == "http://site.example/a"
    assert second.url is None
    assert second.name == f"crawl.warc at byte {len(bracketed)}"


@pytest.mark.parametrize("pack", [b"".join, lambda records: zipped(*records)], ids=["plain", "gzip"])
@pytest.mark.parametrize(
    ("length", "reason"),
    [(30, "damaged"), (700, "damaged"), (10**6, "truncated"), (10**12, "truncated"), ("x", "damaged")],
)
def test_a_wrong_length_costs_only_that_record(
    tmp_path: Path, pack: Callable[[list[bytes]], bytes], length: object, reason: str
) -> None:
    records = [FOUR[0], record("x", length=length), *FOUR[1:]]
    assert outcome(read(tmp_path, pack(records))) == ["a", f"x: {reason}", "b", "c", "d"]


def test_a_wrong_length_of_another_record_costs_no_page(tmp_path: Path) -> None:
    wrong = record("r", b"GET / HTTP/1.1\r\n\r\n", kind="request", length=10**6)
    assert outcome(read(tmp_path, zipped(FOUR[0], wrong, FOUR[1]))) == ["a", "r: truncated", "b"]


@pytest.mark.parametrize("pack", [b"".join, lambda records: zipped(*records)], ids=["plain", "gzip"])
def test_an_archive_cut_anywhere_gives_all_records_before_the_cut(
    tmp_path: Path, pack: Callable[[list[bytes]], bytes]
) -> None:
    whole = pack(FOUR)
    ends = [len(pack(FOUR[:count])) for count in range(5)]
    for cut in range(0, len(whole), 7):
        items = read(tmp_path, whole[:cut])
        complete = sum(end <= cut for end in ends) - 1
        assert outcome(items)[:complete] == ["a", "b", "c", "d"][:complete]
        assert len(items) <= complete + 1
        assert all(item.html == PAGE for item in items if isinstance(item, Page))


def damaged(member: bytes) -> bytes:
    middle = len(member) // 2
    return member[:middle] + b"\xff" * 8 + member[middle + 8 :]


@pytest.mark.parametrize("size", [1, 40_000], ids=["small", "large"])
@pytest.mark.parametrize("spoil", [damaged, lambda member: member[:-40], lambda member: b"??" + member[2:]])
def test_a_damaged_gzip_member_costs_only_that_record(
    tmp_path: Path, size: int, spoil: Callable[[bytes], bytes]
) -> None:
    noise = random.Random(4).randbytes(size).hex().encode()
    records = [record(name, http(PAGE + noise)) for name in "abcd"]
    members = [zipped(one) for one in records]
    members[1] = spoil(members[1])
    found = outcome(read(tmp_path, b"".join(members)))
    assert [one for one in found if len(one) == 1] == ["a", "c", "d"]
    assert len(found) == 4
    assert found[1].endswith((": damaged", ": truncated"))


def test_two_damaged_members_in_a_row_are_two_skipped(tmp_path: Path) -> None:
    members = [zipped(one) for one in FOUR]
    found = outcome(read(tmp_path, members[0] + damaged(members[1]) + damaged(members[2]) + members[3]))
    assert [one.rpartition(": ")[2] for one in found] == ["a", "damaged", "damaged", "d"]


def test_a_wrong_checksum_is_damage(tmp_path: Path) -> None:
    members = [zipped(one) for one in FOUR]
    members[0] = members[0][:-8] + bytes(8)
    found = outcome(read(tmp_path, b"".join(members)))
    assert [one.rpartition(": ")[2] for one in found] == ["damaged", "b", "c", "d"]


def test_a_gzip_header_over_plain_records_does_not_hide_them(tmp_path: Path) -> None:
    found = outcome(read(tmp_path, b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + b"".join(FOUR)))
    assert found == ["crawl.warc at byte 0: damaged", "a", "b", "c", "d"]


def test_plain_records_among_members_are_read(tmp_path: Path) -> None:
    found = outcome(read(tmp_path, zipped(FOUR[0]) + FOUR[1] + zipped(FOUR[2])))
    assert [one for one in found if len(one) == 1] == ["a", "b", "c"]


def test_one_stream_over_all_records_is_read(tmp_path: Path) -> None:
    noise = random.Random(4).randbytes(1000).hex().encode()
    whole = gzip.compress(b"".join(record(name, http(PAGE + noise)) for name in "abcd"))
    assert outcome(read(tmp_path, whole)) == ["a", "b", "c", "d"]
    assert outcome(read(tmp_path, whole[:-30]))[:3] == ["a", "b", "c"]


class Counted(BytesIO):
    """Counts the bytes that are read."""

    count = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """Reads up to this many bytes."""
        found = super().read(size)
        self.count += len(found)
        return found


def test_lying_lengths_in_zstd_are_not_followed_to_the_end_of_the_archive() -> None:
    def read_of(records: int) -> int:
        draw = random.Random(7)
        pages = (http(PAGE + draw.randbytes(20_000).hex().encode()) for _ in range(records))
        lying = (record("a", page, length=10**8) for page in pages)
        file = Counted(b"".join(map(zstandard.compress, lying)))
        assert {item.reason for item in archived(file, "x") if isinstance(item, Skipped)} == {"truncated"}
        return file.count

    assert read_of(80) < 2.5 * read_of(40)


@pytest.mark.parametrize("packed", [gzip.compress, zstandard.compress])
def test_lying_lengths_of_later_records_in_a_stream_are_believed_a_few_times_only(
    packed: Callable[[bytes], bytes],
) -> None:
    def read_of(streams: int) -> int:
        draw = random.Random(7)
        pages = (http(PAGE + draw.randbytes(5_000).hex().encode()) for _ in range(streams))
        file = Counted(b"".join(packed(FOUR[0] + record("x", page, length=10**12)) for page in pages))
        found = list(archived(file, "x"))
        assert sum(isinstance(item, Page) for item in found) >= streams - 4
        return file.count

    assert read_of(160) < 2.5 * read_of(80)


def test_large_records_that_continue_in_later_members_are_read(tmp_path: Path) -> None:
    noise = random.Random(4).randbytes(200_000).hex().encode()
    whole = b"".join([FOUR[0], *(record(name, http(PAGE + noise)) for name in "bcd")])
    members = [gzip.compress(whole[place : place + 60_000]) for place in range(0, len(whole), 60_000)]
    assert outcome(read(tmp_path, b"".join(members))) == ["a", "b", "c", "d"]


def test_a_truncated_zstd_archive_gives_its_complete_records(tmp_path: Path) -> None:
    frames = [zstandard.compress(one) for one in FOUR]
    found = outcome(read(tmp_path, b"".join(frames)[:-20]))
    assert found[:3] == ["a", "b", "c"]
    assert len(found) == 4
    found = outcome(read(tmp_path, frames[0] + frames[1][:-20] + frames[2] + frames[3]))
    assert [one for one in found if len(one) == 1] == ["a", "c", "d"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"", "empty"), (b"<html>a page", "not a WARC file"), (zlib.compress(FOUR[0]), "not a WARC file")],
)
def test_a_file_that_is_not_a_warc_is_skipped_as_a_whole(tmp_path: Path, data: bytes, reason: str) -> None:
    assert read(tmp_path, data) == [Skipped("crawl.warc", reason)]


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none\.warc"):
        WarcSource(tmp_path / "none.warc")


def test_headers_that_are_not_unicode_are_read(tmp_path: Path) -> None:
    odd = FOUR[1].replace(b"site.example/b", b"site.example/\xff\xe9")
    block = http(headers={"X-Odd": "\xe9", **HTML}).replace("\xe9".encode(), b"\xff\xe9")
    items = read(tmp_path, zipped(FOUR[0], odd, record("x", block), FOUR[2]))
    assert [type(item) for item in items] == [Page] * 4
    assert outcome(items)[2:] == ["x", "c"]


@pytest.mark.parametrize("length", ["9" * 30, "9" * 5000])
def test_a_huge_length_is_damage(tmp_path: Path, length: str) -> None:
    found = outcome(read(tmp_path, zipped(FOUR[0], record("x", length=length), *FOUR[1:])))
    assert [one for one in found if len(one) == 1] == ["a", "b", "c", "d"]
    assert len(found) == 5


def test_random_damage_never_ends_the_reading(tmp_path: Path) -> None:
    draw = random.Random(11)
    records = [record(str(number), http(PAGE * draw.randint(1, 20))) for number in range(30)]
    counts: Counter[int] = Counter()
    for pack in (b"".join, lambda records: zipped(*records)):
        whole = pack(records)
        for _ in range(60):
            broken = bytearray(whole)
            place = draw.randrange(len(broken))
            for offset in range(draw.choice([1, 4, 50])):
                broken[(place + offset) % len(broken)] = draw.randrange(256)
            pages = [item for item in read(tmp_path, bytes(broken)) if isinstance(item, Page)]
            counts[30 - len(pages)] += 1
    assert max(counts) <= 3, counts


QUOTED = record("quoted", http(b"<p>A record that a page quotes.</p>"))
QUOTING = {**HTML, "Content-Length": str(len(PAGE + QUOTED))}


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda _, following: [_, b"?" + following[1:]], id="the next record is damaged"),
        pytest.param(lambda quoting, _: [b"?" + quoting[1:], _], id="its first line is damaged"),
        pytest.param(
            lambda quoting, _: [quoting.replace(b"Content-Length: ", b"Content-Length: 1", 1), _],
            id="its length is wrong",
        ),
    ],
)
@pytest.mark.parametrize("inside", [lambda one: one, lambda one: gzip.compress(one, 0)], ids=["plain", "gzip"])
def test_a_record_that_a_page_quotes_is_not_a_page(
    tmp_path: Path, inside: Callable[[bytes], bytes], spoil: Callable[[bytes, bytes], list[bytes]]
) -> None:
    quoting = record("q", http(PAGE + QUOTED, QUOTING))
    whole = b"".join(map(inside, [FOUR[0], *spoil(quoting, FOUR[1]), FOUR[2]]))
    found = [one for one in outcome(read(tmp_path, whole)) if len(one) == 1 or one.startswith("quoted")]
    assert "quoted" not in found
    assert {"a", "c"} <= set(found)


@pytest.mark.parametrize("pack", [b"".join, lambda records: zipped(*records)], ids=["plain", "gzip"])
def test_a_length_that_is_wrong_is_not_read_to_the_end_of_the_archive(pack: Callable[[list[bytes]], bytes]) -> None:
    data = pack([record(str(number), length=10**12) for number in range(200)])
    file = CountedReads(data)
    assert [item.reason for item in archived(file, "x") if isinstance(item, Skipped)] == ["truncated"] * 200
    assert file.count < 200 * 4 * 65536


class CountedReads(BytesIO):
    """A file that counts the bytes that are read."""

    count = 0

    def read(self, size: int | None = -1) -> bytes:
        """Reads and counts."""
        data = super().read(size)
        self.count += len(data)
        return data
