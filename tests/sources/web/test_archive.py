"""Fetched pages are stored in a WARC and not fetched again."""

import gzip
import io
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator
from warcio.archiveiterator import ArchiveIterator as OtherIterator

from dehusk.base.errors import FetchError, OutputError
from dehusk.sources.web.crawl import Fetcher
from loopback import Server, answer, packed, redirect, serving, trickle

PATHS = ("/", "/a", "/b")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as started:
        started.routes["/"] = answer("<p>home")
        started.routes["/a"] = answer(packed("<p>\xe9"), kind="text/html; charset=utf-8", Content_Encoding="gzip")
        started.routes["/b"] = redirect("/c")
        started.routes["/c"] = answer("<p>c" + "".join(map(str, range(5000))))
        yield started


def run(server: Server, keep: Path | None, paths: tuple[str, ...] = PATHS) -> list[tuple[object, ...]]:
    with Fetcher(allow_private=True, delay=0, keep=keep) as fetcher:
        pages = [fetcher.fetch(server.url(path)) for path in paths]
    return [(page.name, page.url, page.html, page.encoding, page.origin) for page in pages]


def test_a_later_run_reads_stored_pages_from_the_file(server: Server, tmp_path: Path) -> None:
    keep = tmp_path / "new" / "pages.warc.gz"
    first = run(server, keep)
    before = keep.read_bytes()
    server.asked.clear()
    assert run(server, keep) == first
    assert server.asked == []
    assert keep.read_bytes() == before
    server.routes["/d"] = answer("<p>d")
    assert run(server, keep, (*PATHS, "/d"))[:3] == first
    assert server.asked == ["/robots.txt", "/d"]


def test_without_a_file_a_run_fetches_each_page_once(server: Server) -> None:
    assert [item[2] for item in run(server, None, PATHS + PATHS)[3:]] == [item[2] for item in run(server, None)]
    assert len(server.pages_asked) == 8


def test_the_file_is_a_warc_that_others_read(server: Server, tmp_path: Path) -> None:
    keep = tmp_path / "pages.warc.gz"
    first = run(server, keep)
    with keep.open("rb") as file:
        others = [(record.rec_type, record.rec_headers["WARC-Target-URI"]) for record in OtherIterator(file)]
    urls = [server.url(path) for path in ("/", "/a", "/b", "/c")]
    assert others == [("warcinfo", None), *(("response", url) for url in urls)]
    with keep.open("rb") as file:
        records = [
            (record.headers["WARC-Target-URI"], record.http_headers.status_code, record.reader.read())
            for record in ArchiveIterator(file, verify_digests=True, auto_decode="all")
            if record.is_http
        ]
    assert records == [
        (urls[0], 200, first[0][2]),
        (urls[1], 200, "<p>\xe9".encode()),
        (urls[2], 302, b""),
        (urls[3], 200, first[2][2]),
    ]


def test_failures_are_fetched_again_by_a_later_run(server: Server, tmp_path: Path) -> None:
    keep = tmp_path / "pages.warc.gz"
    server.routes["/a"] = answer("", "503 Busy")
    with Fetcher(allow_private=True, delay=0, keep=keep) as fetcher, pytest.raises(FetchError):
        fetcher.fetch(server.url("/a"))
    server.routes["/a"] = answer("<p>up again")
    assert run(server, keep, ("/a",))[0][2] == b"<p>up again"


CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n<p>whole\r\n0\r\n\r\n"


@pytest.mark.parametrize("whole", [answer("<p>whole"), CHUNKED], ids=["with its length", "in chunks"])
@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
def test_a_network_that_drops_at_any_byte_leaves_no_incomplete_page(
    server: Server, tmp_path: Path, whole: bytes, *, reset: bool
) -> None:
    keep = tmp_path / "pages.warc.gz"
    with Fetcher(allow_private=True, delay=0, keep=keep) as fetcher:
        for sent in range(len(whole)):

            def drop(connection: socket.socket, sent: int = sent) -> None:
                connection.sendall(whole[:sent])
                if reset:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    connection.close()

            server.routes[f"/{sent}"] = drop
            with pytest.raises(FetchError, match="broken answer"):
                fetcher.fetch(server.url(f"/{sent}"))
    server.routes |= {f"/{sent}": whole for sent in range(len(whole))}
    paths = tuple(f"/{sent}" for sent in range(len(whole)))
    assert {item[2] for item in run(server, keep, paths)} == {b"<p>whole"}


def test_a_last_record_cut_in_half_is_fetched_again(server: Server, tmp_path: Path) -> None:
    keep = tmp_path / "pages.warc.gz"
    first = run(server, keep)
    whole = keep.read_bytes()
    last = whole.rindex(b"\x1f\x8b\x08")
    for size in (last, last + 1, last + 9, (last + len(whole)) // 2, len(whole) - 1):
        keep.write_bytes(whole[:size])
        server.asked.clear()
        again = run(server, keep)
        assert [item[:4] for item in again] == [item[:4] for item in first]
        assert again[:2] == first[:2]
        assert server.asked == ["/robots.txt", "/c"]
        assert keep.read_bytes()[:last] == whole[:last]
        with keep.open("rb") as file:
            assert len(list(OtherIterator(file))) == 5


def test_a_killed_run_keeps_what_it_fetched(server: Server, tmp_path: Path) -> None:
    keep = tmp_path / "pages.warc.gz"
    server.routes["/slow"] = trickle(answer("<p>slow"), 1)
    script = (
        "import sys, pathlib; from dehusk.sources.web.crawl import Fetcher\n"
        "with Fetcher(allow_private=True, delay=0, keep=pathlib.Path(sys.argv[1])) as fetcher:\n"
        "    for url in sys.argv[2:]: fetcher.fetch(url)"
    )
    urls = [server.url(path) for path in ("/", "/a", "/slow")]
    child = subprocess.Popen([sys.executable, "-c", script, str(keep), *urls])
    end = time.monotonic() + 60
    while "/slow" not in server.asked and time.monotonic() < end:
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    server.asked.clear()
    run(server, keep, ("/", "/a"))
    assert server.asked == []


@pytest.mark.parametrize(
    "data",
    [
        b"<p>a page, no archive",
        gzip.compress(b"<p>a page, no archive"),
        gzip.compress(b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"),
        gzip.compress(os.urandom(9999))[:5000],
    ],
    ids=["plain", "gzip", "another's WARC", "cut"],
)
def test_a_file_of_another_program_is_not_changed(tmp_path: Path, data: bytes) -> None:
    keep = tmp_path / "pages.warc.gz"
    keep.write_bytes(data)
    with pytest.raises(OutputError, match=r"pages\.warc\.gz: .*another file"):
        Fetcher(keep=keep)
    assert keep.read_bytes() == data


def test_a_file_damaged_in_the_middle_is_not_changed(server: Server, tmp_path: Path) -> None:
    keep = tmp_path / "pages.warc.gz"
    run(server, keep)
    data = bytearray(keep.read_bytes())
    second = data.index(b"\x1f\x8b\x08", 1)
    data[second + 20 : second + 60] = bytes(40)
    keep.write_bytes(data)
    with pytest.raises(OutputError, match="damaged"):
        Fetcher(keep=keep)
    assert keep.read_bytes() == data


def test_a_place_that_cannot_be_written_is_an_error_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"cannot write .*is a directory"):
        Fetcher(keep=tmp_path)


def test_a_full_disk_ends_the_run_with_the_reason(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.BytesIO):
        def write(self, data: object, /) -> int:
            if self.tell():  # there is still room for the warcinfo record
                raise OSError(28, "No space left on device")
            return super().write(data)  # type: ignore[arg-type]

    monkeypatch.setattr("dehusk.sources.web._archive.tempfile.TemporaryFile", Full)
    with (
        Fetcher(allow_private=True, delay=0) as fetcher,
        pytest.raises(OutputError, match="no space left on device; free some"),
    ):
        fetcher.fetch(server.url("/"))
