"""Good records of a WARC are read, whatever is before and after them."""

import random
from io import BytesIO

import pytest
import zstandard

from archives import http, record, zipped
from dehusk.page import Page
from dehusk.sources.warc import archived

FOUR = [record(name) for name in "abcd"]


def pages(data: bytes) -> str:
    """The last letters of the URLs of all pages."""
    return "".join(item.name[-1] for item in archived(BytesIO(data), "x") if isinstance(item, Page))


@pytest.mark.parametrize(
    "junk",
    [
        b"junk",
        b"junk\r\n\r\n",
        b"\0" * 100,
        b"x" * 100_000,
        b"one: 1\r\ntwo: 2\r\n",
        b"a\r\n\r\nb\r\n\r\n",
        b"Content-Length: 5\r\n\r\nabcde\r\n\r\n",
        b"WARC",
    ],
)
def test_junk_between_plain_records_costs_no_record(junk: bytes) -> None:
    assert pages(FOUR[0] + junk + b"".join(FOUR[1:])) == "abcd"
    assert pages(junk + FOUR[0] + junk + FOUR[1]) == "ab"


def test_a_plain_record_that_is_cut_anywhere_costs_no_other() -> None:
    for cut in range(1, len(FOUR[0]) - 4):
        assert pages(FOUR[0][:cut] + FOUR[1] + FOUR[2]) == "bc", cut


def test_a_record_that_the_headers_of_a_page_quote_is_no_page_if_a_length_leads_past_it() -> None:
    body = b"<p>Text"
    quoting = http(body, {"Content-Length": str(len(body)), "X": f"1\r\n{FOUR[3].partition(b'HTTP')[0].decode()[:-4]}"})
    assert pages(record("a", quoting, length="7" * 5) + FOUR[1]) == "b"


def large(name: str, size: int = 900_000) -> bytes:
    draw = random.Random(7)
    return record(name, http(b"<p>" + bytes(draw.choices(b"abcdefghi klmno", k=size))))


@pytest.mark.parametrize("pieces", [2, 3, 40])
@pytest.mark.parametrize("pack", ["gzip", "zstd"])
def test_a_large_record_may_continue_in_later_members(pieces: int, pack: str) -> None:
    whole = large("b")
    size = len(whole) // pieces + 1
    split = [whole[at : at + size] for at in range(0, len(whole), size)]
    parts = [FOUR[0], *split, FOUR[2]]
    assert pages(zipped(*parts) if pack == "gzip" else b"".join(map(zstandard.compress, parts))) == "abc"


def test_a_length_that_leads_over_members_to_another_record_is_wrong() -> None:
    lying = [record(name, b"HTTP/1.1 200 OK\r\n\r\n<p>", length=10**7) for name in "wxyz" * 50]
    filled = [part for one in lying for part in (one, b"filler " * 100, b"")]
    assert pages(zipped(*filled, FOUR[0])) == "a"


def test_an_encoding_of_the_transfer_is_undone() -> None:
    import gzip

    body = gzip.compress(b"<p>" + b"Ebb and flood. " * 20)
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    for transfer, sent in (("gzip, chunked", chunked), ("gzip,Chunked", chunked), ("gzip", body), ("chunked", chunked)):
        headers = {"Content-Type": "text/html", "Transfer-Encoding": transfer}
        headers |= {} if "gzip" in transfer else {"Content-Encoding": "gzip"}
        (page,) = archived(BytesIO(record("a", http(sent, headers))), "x")
        assert isinstance(page, Page), transfer
        assert page.html == b"<p>" + b"Ebb and flood. " * 20
    both = {"Content-Type": "text/html", "Content-Encoding": "gzip", "Transfer-Encoding": "gzip"}
    (page,) = archived(BytesIO(record("a", http(gzip.compress(body), both))), "x")
    assert isinstance(page, Page)
