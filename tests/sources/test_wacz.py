"""WACZ files as sources."""

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipExtFile, ZipFile

import pytest

from archives import record, zipped
from dehusk.errors import Skipped, SourceError
from dehusk.page import Page
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


def test_damage_inside_costs_what_is_damaged(tmp_path: Path) -> None:
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
    data[data.index(first) + 4] ^= 1  # the time in the gzip header, which no other check covers
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


def test_a_zip_that_is_cut_is_one_skipped(tmp_path: Path) -> None:
    file = write(tmp_path / "a.wacz", {"archive/1.warc.gz": zipped(record("a"))})
    file.write_bytes(file.read_bytes()[:-30])
    assert list(Wacz(file)) == [Skipped("a.wacz", "not a WACZ file")]


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none\.wacz"):
        Wacz(tmp_path / "none.wacz")


def test_what_is_packed_is_unpacked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    members = [record(str(number), length=10**6) for number in range(50)]
    file = write(tmp_path / "a.wacz", {"archive/1.warc": b"".join(members)}, ZIP_DEFLATED)
    read = 0
    whole = ZipExtFile.read

    def counted(self: ZipExtFile, size: int | None = -1) -> bytes:
        nonlocal read
        data = whole(self, size)
        read += len(data)
        return data

    monkeypatch.setattr(ZipExtFile, "read", counted)
    assert [item.reason for item in Wacz(file) if isinstance(item, Skipped)] == ["truncated"] * 50
    assert read == sum(map(len, members))


def test_a_bomb_inside_is_not_unpacked(tmp_path: Path) -> None:
    inside = {"archive/1.warc": bytes(300_000), "archive/2.warc": record("a")}
    items = list(Wacz(write(tmp_path / "a.wacz", inside, ZIP_DEFLATED), limit=100_000))
    assert items[0] == Skipped("a.wacz/archive/1.warc", "too large")
    assert [item.name[-1] for item in items[1:]] == ["a"]


def test_an_archive_inside_that_cannot_be_unpacked_is_damaged(tmp_path: Path) -> None:
    file = write(tmp_path / "a.wacz", {"archive/1.warc": b"\0" * 50_000 + record("a")}, ZIP_DEFLATED)
    data = bytearray(file.read_bytes())
    data[50:60] = b"\xff" * 10
    file.write_bytes(data)
    assert next(iter(Wacz(file))) == Skipped("a.wacz/archive/1.warc", "damaged")


def test_a_name_inside_that_is_no_unicode_makes_it_no_wacz(tmp_path: Path) -> None:
    file = write(tmp_path / "a.wacz", {"archive/\u00e9.warc": record("a")})
    file.write_bytes(file.read_bytes().replace("\u00e9".encode(), b"\xff\xfe"))
    assert list(Wacz(file)) == [Skipped("a.wacz", "not a WACZ file")]
