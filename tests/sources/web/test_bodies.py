"""HTTP bodies are decoded by their bytes, even if their headers are wrong."""

import gzip
import tracemalloc
import zlib
from types import SimpleNamespace

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from dehusk.sources.web.bodies import MOST_MEMBERS, BodyError, decompressed, unchunked

PAGE = b"<html><body>" + b"<p>a paragraph of the page</p>" * 100
LIMIT = 1_000_000


def bare(data: bytes) -> bytes:
    deflater = zlib.compressobj(wbits=-15)
    return deflater.compress(data) + deflater.flush()


ENCODED = {
    "gzip": gzip.compress(PAGE),
    "x-gzip": gzip.compress(PAGE[:50]) + gzip.compress(PAGE[50:]),
    "GZIP ": gzip.compress(PAGE) + b"\0" * 8,
    "deflate": zlib.compress(PAGE),
    " deflate": bare(PAGE),
    "br": brotli.compress(PAGE),
    "zstd": zstandard.compress(PAGE),
    "identity": PAGE,
    "gzip, br": brotli.compress(gzip.compress(PAGE)),
}


@pytest.mark.parametrize("name", ENCODED)
def test_every_encoding_that_browsers_know_is_undone(name: str) -> None:
    assert decompressed(ENCODED[name], name.split(","), LIMIT) == PAGE


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd", "utf-8", "none"])
def test_a_plain_page_is_read_with_any_declared_encoding(name: str) -> None:
    assert decompressed(PAGE, [name], LIMIT) == PAGE


@pytest.mark.parametrize("name", ["gzip", "deflate", " deflate", "br", "zstd"])
def test_no_encoding_makes_more_than_the_limit(name: str) -> None:
    assert decompressed(ENCODED[name], [name], len(PAGE)) == PAGE
    with pytest.raises(BodyError, match=r"^too large$"):
        decompressed(ENCODED[name], [name], len(PAGE) - 1)


@pytest.mark.parametrize("name", ["gzip", "deflate", " deflate"])
def test_a_compressed_body_that_ends_early_is_truncated(name: str) -> None:
    with pytest.raises(BodyError, match=r"^truncated$"):
        decompressed(ENCODED[name][:-12], [name], LIMIT)


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_a_compressed_body_with_wrong_bytes_is_damaged(name: str) -> None:
    body = ENCODED[name][:12] + b"\xff\xfe\xfd\xfc" * 8
    with pytest.raises(BodyError, match=r"^damaged$"):
        decompressed(body, [name], LIMIT)


def test_an_unknown_encoding_is_named() -> None:
    with pytest.raises(BodyError, match=r"^unknown encoding \(sdch\)$"):
        decompressed(b"\x00\x01\x02\x03", ["sdch"], LIMIT)


@given(st.binary(min_size=1), st.lists(st.integers(1, 20)))
def test_chunks_are_joined(body: bytes, sizes: list[int]) -> None:
    sent, rest = b"", body
    for size in [*sizes, len(body)]:
        piece, rest = rest[:size], rest[size:]
        if piece:
            sent += b"%x;name=value\r\n%s\r\n" % (len(piece), piece)
    assert unchunked(sent + b"0\r\n\r\n") == body
    assert unchunked(sent) == body
    assert unchunked(sent[:-2]) == body


def test_a_body_that_was_already_joined_is_not_changed() -> None:
    assert unchunked(PAGE) == PAGE
    assert unchunked(b"") == b""


def test_a_connection_that_ended_in_a_chunk_gives_the_bytes_before() -> None:
    assert unchunked(b"5\r\n<html\r\nff\r\n><body>") == b"<html><body>"


@pytest.mark.parametrize(
    "sent", [b"5\r\n<html><body>\r\n0\r\n\r\n", b"5\r\n<html\r\nno size\r\n<p>", b"5\r\n<html\r\n-1\r\n"]
)
def test_chunks_with_wrong_lengths_are_damage(sent: bytes) -> None:
    with pytest.raises(BodyError, match=r"^damaged$"):
        unchunked(sent)


def test_many_small_members_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    body = gzip.compress(b"", mtime=0) * 3000 + gzip.compress(PAGE)
    given = 0

    def counted(window: int) -> object:
        nonlocal given
        inflater = zlib.decompressobj(window)

        class Counted:
            unconsumed_tail = property(lambda _: inflater.unconsumed_tail)
            unused_data = property(lambda _: inflater.unused_data)
            eof = property(lambda _: inflater.eof)

            def decompress(self, data: bytes, most: int) -> bytes:
                nonlocal given
                given += len(data)
                return inflater.decompress(data, most)

        return Counted()

    fake = SimpleNamespace(decompressobj=counted, error=zlib.error)
    monkeypatch.setattr("dehusk.sources.web.bodies.zlib", fake)
    assert decompressed(body, ["gzip"], LIMIT) == PAGE
    assert given < 4096 * 3002


def test_chunks_of_one_byte_take_no_more_memory_than_the_body() -> None:
    body = b"1\r\nx\r\n" * 20_000
    tracemalloc.start()
    assert unchunked(body) == b"x" * 20_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * len(body)


def test_a_header_of_a_thousand_encodings_is_refused() -> None:
    with pytest.raises(BodyError, match=r"^too many encodings$"):
        decompressed(PAGE, ["gzip"] * 1000, LIMIT)


@pytest.mark.parametrize(
    ("name", "empty"),
    [
        ("gzip", gzip.compress(b"", mtime=0)),
        ("zstd", zstandard.compress(b"")),
        ("zstd", b"\x5f\x2a\x4d\x18\0\0\0\0"),
    ],
    ids=["gzip", "zstd", "zstd, frames to pass over"],
)
@pytest.mark.parametrize("around", ["", "gzip"])
def test_a_body_of_very_many_members_is_not_unpacked(name: str, empty: bytes, around: str) -> None:
    body = ENCODED[name] + empty * (MOST_MEMBERS + 1)
    with pytest.raises(BodyError, match=r"^too many members$"):
        decompressed(gzip.compress(body) if around else body, [name, around], LIMIT)
