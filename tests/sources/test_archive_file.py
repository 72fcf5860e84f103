"""WARC files that are packed with a zstd dictionary."""

import random
import resource
import struct
import time
from io import BytesIO

import pytest
import zstandard

from archives import http, record
from dehusk.base.errors import Skipped
from dehusk.page import Page
from dehusk.sources import _archive_file
from dehusk.sources._archive_file import DICTIONARY, ArchiveFile
from dehusk.sources.warc import archived

SAMPLES: list[bytes | bytearray | memoryview] = [
    record(str(number), http(b"<p>%d" % (number * 7919) * 20)) for number in range(200)
]
TRAINED = zstandard.train_dictionary(2000, SAMPLES)
PACKER = zstandard.ZstdCompressor(dict_data=TRAINED, write_checksum=True)
FRAMES = [PACKER.compress(record(name)) for name in "abcd"]


def framed(dictionary: bytes) -> bytes:
    """The frame of a dictionary."""
    return DICTIONARY + struct.pack("<I", len(dictionary)) + dictionary


PLAIN, PACKED = framed(TRAINED.as_bytes()), framed(zstandard.compress(TRAINED.as_bytes()))


def outcome(data: bytes) -> list[str]:
    items = archived(BytesIO(data), "x")
    return [item.reason if isinstance(item, Skipped) else item.name[-1] for item in items]


@pytest.mark.parametrize("head", [PLAIN, PACKED], ids=["plain", "packed"])
def test_damage_in_an_archive_with_a_dictionary_costs_only_that_record(head: bytes) -> None:
    a, b, c, d = FRAMES
    middle = len(b) // 2
    assert outcome(head + a + b + c + d) == ["a", "b", "c", "d"]
    for bad in (b[:middle] + bytes([b[middle] ^ 255]) + b[middle + 1 :], b"junk" * 5, b[:-20], a[:9]):
        assert outcome(head + a + bad + c + d) == ["a", "damaged", "c", "d"]
        assert outcome(head + bad + c + d)[-2:] == ["c", "d"]
    false = b"junk" * 5 + framed(b"jjjj")
    assert outcome(head + a + false + b + c + d) == ["a", "damaged", "b", "c", "d"]


def test_records_have_their_positions_in_the_file() -> None:
    data = PLAIN + b"".join(FRAMES)
    third = len(PLAIN) + len(FRAMES[0]) + len(FRAMES[1])
    file = ArchiveFile(BytesIO(data))
    assert [at for at, _ in file.records(0)][2:] == [third, third + len(FRAMES[2])]
    assert [at for at, _ in file.records(third)] == [third, third + len(FRAMES[2])]


def test_the_length_of_a_large_record_is_checked_with_the_dictionary() -> None:
    large = record("b", http(b"<p>" + bytes(random.Random(7).choices(b"abcdefghi klmno", k=900_000))))
    lying = [PACKER.compress(record(name, length=10**9)) for name in "wxyz"]
    assert outcome(PLAIN + FRAMES[0] + PACKER.compress(large) + FRAMES[2]) == ["a", "b", "c"]
    assert outcome(PLAIN + b"".join(lying) + FRAMES[2]) == ["truncated"] * 4 + ["c"]


def test_two_archives_with_dictionaries_of_their_own_in_one_file_are_read() -> None:
    other = zstandard.train_dictionary(3000, [bytes(reversed(bytes(sample))) for sample in SAMPLES])
    second = zstandard.ZstdCompressor(dict_data=other).compress(record("e"))
    found = outcome(PLAIN + b"".join(FRAMES) + framed(other.as_bytes()) + second)
    assert [one for one in found if len(one) == 1] == ["a", "b", "c", "d", "e"]


def test_a_dictionary_that_unpacks_to_gigabytes_is_not_unpacked() -> None:
    bomb = zstandard.ZstdCompressor().compressobj()
    zeros = b"".join(bomb.compress(piece) for piece in (TRAINED.as_bytes(), *([bytes(10**7)] * 300)))
    packed = zeros + bomb.flush()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert outcome(framed(packed) + zstandard.compress(record("a")))[-1] == "a"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kilobytes


@pytest.mark.parametrize("bad", [b"", b"no dictionary", TRAINED.as_bytes()[:50], zstandard.compress(bytes(20_000_000))])
def test_a_frame_that_is_no_dictionary_is_passed_over(bad: bytes) -> None:
    good = zstandard.compress(record("a"))
    assert outcome(framed(bad) + good)[-1] == "a"


@pytest.mark.parametrize("length", [0, 200, 10**8])
def test_bytes_that_look_like_a_dictionary_hide_no_record(length: int) -> None:
    decoy = DICTIONARY + struct.pack("<I", length)
    for look in (b"", b"\x37\xa4\x30\xec", b"\x28\xb5\x2f\xfd"):
        assert outcome(record("a") + decoy + look + b"x" * 50 + record("b") * 2)[-2:] == ["b", "b"]


def test_loading_dictionaries_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_archive_file, "_LOADED", 20 * len(TRAINED.as_bytes()))
    monkeypatch.setattr(_archive_file, "_LOADED_TIMES", 0)
    decoy = FRAMES[0][:12]
    assert outcome(PLAIN + FRAMES[0] + decoy + FRAMES[1]) == ["a", "damaged", "b"]
    started = time.process_time()
    assert outcome(PLAIN + FRAMES[0] + decoy * 20_000 + FRAMES[1]) == ["a", "damaged"]
    assert time.process_time() - started < 5


def test_a_page_of_such_an_archive_is_whole() -> None:
    (page,) = archived(BytesIO(PLAIN + FRAMES[0]), "x")
    assert isinstance(page, Page)
    assert page.url == "http://site.example/a"
