"""WACZ files as sources."""

import random
import struct
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipExtFile, ZipFile

import pytest

from archives import PAGE, http, record, zipped
from dehusk.base.errors import OutputError, Skipped, SourceError
from dehusk.page import Page
from dehusk.sources import wacz
from dehusk.sources.wacz import Wacz


def write(file: Path, inside: dict[str, bytes], compression: int = ZIP_STORED) -> Path:
    with ZipFile(file, "w", compression) as outer:
        for name, data in inside.items():
            outer.writestr(name, data)
    return file


@pytest.mark.parametrize("compression", [ZIP_STORED, ZIP_DEFLATED])
def test_the_archives_inside_are_read_in_the_order_of_their_names(tmp_path: Path, compression: int) -> None:
    inside = {
        "archive/2.warc": record("c"),
        "archive/1.warc.gz": zipped(record("a"), record("b")),
        "pages/pages.jsonl": b"{}",
        "indexes/1.warc.gz.cdx": b"",
    }
    source = Wacz(write(tmp_path / "a.wacz", inside, compression))
    assert source.names is None
    assert [item.name[-1] for item in source] == ["a", "b", "c"]
    assert all(isinstance(item, Page) for item in source)


def test_damage_inside_costs_only_damaged_records(tmp_path: Path) -> None:
    members = [zipped(record(name)) for name in "abc"]
    inside = {"archive/1.warc.gz": members[0] + members[1][:-20] + members[2], "archive/2.warc.gz": b"nothing"}
    items = list(Wacz(write(tmp_path / "a.wacz", inside)))
    assert [item.name[-1] for item in items if isinstance(item, Page)] == ["a", "c"]
    skipped = [item for item in items if isinstance(item, Skipped)]
    assert skipped[0].reason == "damaged"
    assert skipped[0].name.startswith("a.wacz/archive/1.warc.gz ")
    assert skipped[1] == Skipped("a.wacz/archive/2.warc.gz", "not a WARC file")


def test_a_wrong_checksum_of_the_zip_does_not_end_the_reading(tmp_path: Path) -> None:
    first, second = zipped(*(record(name) for name in "ab")), zipped(record("c"))
    file = write(tmp_path / "a.wacz", {"archive/1.warc.gz": first, "archive/2.warc.gz": second})
    data = bytearray(file.read_bytes())
    data[data.index(first) + 4] ^= 1  # the time in the gzip header, which has no checksum
    file.write_bytes(data)
    assert [item.name[-1] for item in Wacz(file) if isinstance(item, Page)][-1] == "c"


@pytest.mark.parametrize(
    ("data", "reason"), [(b"no zip", "not a WACZ file"), (None, "no WARC file in its folder archive")]
)
def test_a_file_without_archives_is_skipped_as_a_whole(tmp_path: Path, data: bytes | None, reason: str) -> None:
    file = write(tmp_path / "a.wacz", {"datapackage.json": b"{}"})
    if data:
        file.write_bytes(data)
    assert list(Wacz(file)) == [Skipped("a.wacz", reason)]


def test_a_truncated_zip_is_skipped(tmp_path: Path) -> None:
    file = write(tmp_path / "a.wacz", {"archive/1.warc.gz": zipped(record("a"))})
    file.write_bytes(file.read_bytes()[:-30])
    assert list(Wacz(file)) == [Skipped("a.wacz", "not a WACZ file")]


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none\.wacz"):
        Wacz(tmp_path / "none.wacz")


@pytest.mark.parametrize("compression", [ZIP_STORED, ZIP_DEFLATED])
def test_a_member_is_unpacked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compression: int) -> None:
    members = [record(str(number), length=10**6) for number in range(50)]
    file = write(tmp_path / "a.wacz", {"archive/1.warc": b"".join(members)}, compression)
    read = 0
    whole = ZipExtFile.read

    def counted(self: ZipExtFile, size: int | None = -1) -> bytes:
        nonlocal read
        data = whole(self, size)
        read += len(data)
        return data

    monkeypatch.setattr(ZipExtFile, "read", counted)
    assert [item.reason for item in Wacz(file) if isinstance(item, Skipped)] == ["truncated"] * 50
    assert read <= sum(map(len, members))


def test_a_bomb_inside_is_not_unpacked(tmp_path: Path) -> None:
    inside = {"archive/1.warc": bytes(300_000), "archive/2.warc": record("a")}
    items = list(Wacz(write(tmp_path / "a.wacz", inside, ZIP_DEFLATED), limit=100_000))
    assert items[0] == Skipped("a.wacz/archive/1.warc", "too large")
    assert [item.name[-1] for item in items[1:]] == ["a"]


def test_a_member_that_cannot_be_unpacked_is_damaged(tmp_path: Path) -> None:
    file = write(tmp_path / "a.wacz", {"archive/1.warc": b"\0" * 50_000 + record("a")}, ZIP_DEFLATED)
    data = bytearray(file.read_bytes())
    data[50:60] = b"\xff" * 10
    file.write_bytes(data)
    assert next(iter(Wacz(file))) == Skipped("a.wacz/archive/1.warc", "damaged")


def test_a_member_name_that_is_not_unicode_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "a.wacz", {"archive/\u00e9.warc": record("a")})
    file.write_bytes(file.read_bytes().replace("\u00e9".encode(), b"\xff\xfe"))
    assert list(Wacz(file)) == [Skipped("a.wacz", "not a WACZ file")]


def test_a_member_whose_own_header_is_damaged_costs_no_other(tmp_path: Path) -> None:
    file = write(tmp_path / "a.wacz", {f"archive/{name}\u00e9.warc": record(name) for name in "ab"})
    data = file.read_bytes()
    elsewhere = bytearray(data)
    struct.pack_into("<L", elsewhere, data.index(b"PK\5\6") + 16, data.index(b"PK\1\2") + 1)  # all begin a byte earlier
    second = data.index(b"PK\1\2", data.index(b"PK\1\2") + 4)
    struct.pack_into("<L", elsewhere, second + 42, data.index(b"PK\3\4", 4) + 1)
    for damaged in (data.replace("a\u00e9".encode(), b"a\xff\xff", 1), bytes(elsewhere)):
        file.write_bytes(damaged)
        assert [item.name for item in Wacz(file)] == ["a.wacz/archive/a\u00e9.warc", "http://site.example/b"]


def test_a_name_that_is_listed_many_times_is_read_once(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "a.wacz", "w") as outer:
        outer.writestr("archive/1.warc", record("a"))
        outer.filelist *= 100
    (item,) = Wacz(tmp_path / "a.wacz")
    assert item.name in ("http://site.example/a", "a.wacz/archive/1.warc")  # some versions of Python refuse such a name


def test_a_member_that_asks_for_gigabytes_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = {f"archive/{name}.warc": record(name) for name in "ab"}
    file = write(tmp_path / "a.wacz", inside, ZIP_LZMA)

    def read(self: ZipExtFile, size: int | None = -1, whole: Any = ZipExtFile.read) -> bytes:
        if self.name == "archive/a.warc":
            raise MemoryError
        data: bytes = whole(self, size)
        return data

    monkeypatch.setattr(ZipExtFile, "read", read)
    assert [item.name for item in Wacz(file)] == ["a.wacz/archive/a.warc", "http://site.example/b"]


def test_overlapping_members_are_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "a.wacz", {f"archive/{number}.warc": record("a") for number in range(3)})
    data = bytearray(file.read_bytes())
    size = data.index(b"PK\1\2") + 20  # in the central directory
    struct.pack_into("<LL", data, size, len(data), len(data))
    file.write_bytes(data)
    assert list(Wacz(file)) == [Skipped("a.wacz", "not a WACZ file")]


def test_a_zip_of_an_unknown_version_is_skipped(tmp_path: Path) -> None:
    file = write(tmp_path / "a.wacz", {"archive/1.warc": record("a")})
    data = bytearray(file.read_bytes())
    struct.pack_into("<H", data, data.index(b"PK\1\2") + 6, 99)
    file.write_bytes(data)
    assert list(Wacz(file)) == [Skipped("a.wacz", "not a WACZ file")]


def test_a_member_that_runs_past_the_end_is_damaged(tmp_path: Path) -> None:
    file = write(tmp_path / "a.wacz", {"archive/1.warc": record("a")}, ZIP_DEFLATED)
    data = bytearray(file.read_bytes())
    packed = data.index(b"archive/1.warc") + len("archive/1.warc")
    data[packed : packed + 5] = b"\0\xff\xff\0\0"  # 65,535 bytes follow, and then more
    struct.pack_into("<LL", data, data.index(b"PK\1\2") + 20, len(data), 10**6)
    file.write_bytes(data)
    assert next(iter(Wacz(file))) == Skipped("a.wacz/archive/1.warc", "damaged")


@pytest.mark.parametrize("compression", [ZIP_DEFLATED, ZIP_BZIP2, ZIP_LZMA])
def test_a_member_that_cannot_be_unpacked_costs_no_other(tmp_path: Path, compression: int) -> None:
    inside = {"archive/1.warc": record("a"), "archive/2.warc": record("b")}
    file = write(tmp_path / "a.wacz", inside, compression)
    data = bytearray(file.read_bytes())
    packed = data.index(b"archive/1.warc") + len("archive/1.warc")
    data[packed + 8 : packed + 12] = b"\xff" * 4
    file.write_bytes(data)
    items = list(Wacz(file))
    assert items[0] == Skipped("a.wacz/archive/1.warc", "damaged")
    assert items[-1].name == "http://site.example/b"


def test_a_temporary_disk_that_is_full_is_not_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (full := Path("/dev/full")).exists():
        pytest.skip("there is no disk that is always full")
    file = write(tmp_path / "a.wacz", {"archive/1.warc": record("a")}, ZIP_DEFLATED)
    monkeypatch.setattr(wacz, "TemporaryFile", lambda: full.open("r+b", buffering=0))
    with pytest.raises(OutputError, match="cannot write a temporary file: no space left on device"):
        list(Wacz(file))


@pytest.mark.parametrize("compression", [ZIP_BZIP2, ZIP_LZMA])
def test_damage_to_a_compressed_member_is_told_once(tmp_path: Path, compression: int) -> None:
    noise = [random.Random(number).randbytes(25_000).hex().encode() for number in range(40)]
    inside = {"archive/1.warc": b"".join(record(f"{n:02}", http(PAGE + one)) for n, one in enumerate(noise))}
    file = write(tmp_path / "a.wacz", inside, compression)
    data = bytearray(file.read_bytes())
    data[600_000:600_100] = b"\xff" * 100
    file.write_bytes(data)
    items = list(Wacz(file))
    assert sum(isinstance(item, Skipped) for item in items) == 1
    assert len(items) > 10
