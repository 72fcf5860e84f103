"""Zip and tar files of pages."""

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from dehusk.base.errors import Skipped, SourceError
from dehusk.jobs.job import Job
from dehusk.page import LARGEST, Page
from dehusk.sources import open_source

PAGES = {"a/index.html": "<p>one", "b.html": "<p>two", "../../up.html": "<p>three", "/etc/root.html": "<p>four"}
OTHERS = {"style.css": "p{}", ".hidden.html": "<p>no", "__MACOSX/b.html": "<p>no"}
NAMES = ["a/index.html", "b.html", "up.html", "etc/root.html"]


def archive(path: Path, files: dict[str, str]) -> Path:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, text in files.items():
                packed.writestr(name, text)
        return path
    with tarfile.open(path, "w:gz" if path.suffix != ".tar" else "w") as packed_tar:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            packed_tar.addfile(member, io.BytesIO(text.encode()))
    return path


@pytest.mark.parametrize("name", ["x.zip", "x.tar", "x.tar.gz", "x.tgz"])
def test_pages_are_read_with_names_that_stay_inside_the_output(tmp_path: Path, name: str) -> None:
    source = open_source([archive(tmp_path / name, {**PAGES, **OTHERS})])
    assert source.names == NAMES
    assert [(item.name, item.html) for item in source if isinstance(item, Page)] == [
        (name, text.encode()) for name, text in zip(NAMES, PAGES.values(), strict=True)
    ]
    Job(tmp_path / name, tmp_path / "out" / "deep", jobs=1).run()
    written = sorted(file.relative_to(tmp_path / "out" / "deep").as_posix() for file in tmp_path.rglob("*.txt"))
    assert written == sorted(name.replace(".html", ".txt") for name in NAMES)


@pytest.mark.parametrize("name", ["x.zip", "x.tgz"])
def test_a_bomb_is_not_unpacked(tmp_path: Path, name: str) -> None:
    path = archive(tmp_path / name, {"a.html": "<p>one", "big.html": " " * (LARGEST + 1)})
    items = list(open_source([path]))
    assert isinstance(items[0], Page)
    assert items[1] == Skipped("big.html", "too large")


def test_a_tar_that_only_grows_ends(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.tgz", {"a.html": "<p>one", "b.css": " " * (LARGEST + 1), "c.html": "<p>two"})
    source = open_source([path])
    assert source.names == ["a.html"]
    assert list(source)[1:] == [Skipped("x.tgz", "damaged")]


@pytest.mark.parametrize("name", ["x.zip", "x.tar", "x.tar.gz"])
def test_damage_is_named(tmp_path: Path, name: str) -> None:
    whole = archive(tmp_path / name, {f"{number}.html": f"<p>{number}" * 2000 for number in range(50)}).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) // 2])
    try:
        items = list(open_source([tmp_path / name]))
    except SourceError as error:
        assert "a damaged archive" in str(error)  # noqa: PT017  # a zip has its list at the end
    else:
        assert items[-1] == Skipped(name, "damaged")
        assert isinstance(items[0], Page)


def header(name: str, text: bytes, kind: bytes = tarfile.REGTYPE) -> bytes:
    """A member of a tar, or what stands before one."""
    member = tarfile.TarInfo(name)
    member.type, member.size = kind, len(text)
    return member.tobuf(tarfile.USTAR_FORMAT) + text + bytes(-len(text) % 512)


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
def test_very_long_attributes_of_a_member_of_a_tar_are_passed_over(tmp_path: Path, kind: bytes) -> None:
    before = header("x", b"1" * 50_000, kind)  # tarfile would search the digits for a number again and again
    (tmp_path / "x.tar").write_bytes(header("a.html", b"<p>a") + before + header("b.html", b"<p>b") + bytes(1024))
    assert [item.name for item in open_source([tmp_path / "x.tar"])] == ["a.html", "b.html"]


def test_damage_inside_of_a_tar_is_named(tmp_path: Path) -> None:
    member = header("x.html", b"<p>x")
    bad = member[:100] + b"z" + member[101:]  # not the checksum
    (tmp_path / "x.tar").write_bytes(header("a.html", b"<p>a") + bad + header("b.html", b"<p>b") + bytes(1024))
    first, *_, last = open_source([tmp_path / "x.tar"])
    assert (first.name, last) == ("a.html", Skipped("x.tar", "damaged"))


def test_a_tar_with_a_long_name_and_without_an_end_is_read(tmp_path: Path) -> None:
    name = "folder/" * 500 + "a.html"
    before = header("x", name.encode() + b"\0", tarfile.GNUTYPE_LONGNAME)
    (tmp_path / "x.tar").write_bytes(before + header("a.html", b"<p>a"))
    assert [item.name for item in open_source([tmp_path / "x.tar"])] == [name]


def test_an_archive_without_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no pages in this archive"):
        open_source([archive(tmp_path / "x.zip", OTHERS)])
