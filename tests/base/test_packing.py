"""Compressed files and bytes."""

import gzip
import zlib
from pathlib import Path

import pytest
import zstandard

from dehusk.base.packing import PackingError, gzipped, inflated, is_gzip, opened, suffixes


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.jsonl", (".jsonl", "")),
        ("b/A.WARC.GZ", (".warc", ".gz")),
        ("a.b.zst", (".b", ".zst")),
        ("a.gz", ("", ".gz")),
        ("a.gz/b", ("", "")),
        ("a", ("", "")),
    ],
)
def test_a_name_says_what_is_inside_and_how_it_is_packed(name: str, said: tuple[str, str]) -> None:
    assert suffixes(name) == said
    assert is_gzip(name) is (said[1] == ".gz")


def test_the_same_bytes_are_packed_identically_at_any_time() -> None:
    assert gzip.decompress(gzipped(b"ebb")) == b"ebb"
    assert gzipped(b"ebb")[4:8] == bytes(4)


@pytest.mark.parametrize(
    "data",
    [b"ebb\nflow\n", gzip.compress(b"ebb\nflow\n"), zstandard.compress(b"ebb\nflow\n")],
    ids=["plain", "gzip", "zstd"],
)
def test_a_file_is_unpacked_by_what_it_is_not_by_its_name(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    with opened(tmp_path / "a.txt") as file:
        assert list(file) == [b"ebb\n", b"flow\n"]


def test_damage_raises_a_known_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(gzip.compress(b"ebb" * 100)[:-9])
    with pytest.raises(PackingError), opened(tmp_path / "a") as file:
        file.read()


def test_no_more_than_the_limit_is_unpacked() -> None:
    packed = zlib.compress(bytes(1000))
    assert inflated(packed, 1000) == bytes(1000)
    for data, limit in ((packed, 999), (packed[:-2], 1000), (b"no", 1000)):
        with pytest.raises(PackingError):
            inflated(data, limit)
