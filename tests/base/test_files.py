"""Files are written completely or not at all, and errors say why."""

import os
from pathlib import Path

import pytest

from dehusk.base.errors import OutputError
from dehusk.base.files import destination, reason, settled, sync_folder, writing, written_whole, written_whole_bytes


def test_a_file_appears_only_when_it_is_complete(tmp_path: Path) -> None:
    with written_whole(tmp_path / "new" / "a.txt") as file:
        file.write("half")
        assert not (tmp_path / "new" / "a.txt").exists()
    assert (tmp_path / "new" / "a.txt").read_text() == "half"
    assert (tmp_path / "new" / "a.txt").stat().st_mode & 0o444


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    def fill_the_disk() -> None:
        with written_whole(tmp_path / "a.txt") as file:
            file.write("half")
            raise OSError(28, "No space left on device")

    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(OutputError, match=r"a\.txt: no space left on device; free some"):
        fill_the_disk()
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.txt", "old")]


def test_the_part_of_a_killed_process_is_taken_over_and_that_of_a_running_one_is_not(tmp_path: Path) -> None:
    with written_whole_bytes(tmp_path / "a.txt") as file:
        (part,) = tmp_path.iterdir()
        with pytest.raises(OutputError, match=r"a\.txt: another process is writing it"):
            written_whole_bytes(tmp_path / "a.txt").__enter__()
        file.write(b"ebb")
    part.write_bytes(b"half of something longer")
    with written_whole_bytes(tmp_path / "a.txt") as file:
        file.write(b"flood")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.txt", b"flood")]


def test_a_name_that_is_not_unicode_is_escaped(tmp_path: Path) -> None:
    with written_whole(tmp_path / "a.txt") as file:
        file.write("caf\udce9\n")
    assert (tmp_path / "a.txt").read_bytes() == b"caf\\udce9\n"


def test_a_link_is_followed_and_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "new" / "a.txt")
    with written_whole(tmp_path / "link") as file:
        file.write("ebb")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "new" / "a.txt").read_text() == "ebb"
    assert destination(tmp_path / "link") == tmp_path / "new" / "a.txt"


def test_a_link_in_an_output_folder_is_replaced_and_not_followed(tmp_path: Path) -> None:
    victim, out = tmp_path / "victim", tmp_path / "out"
    victim.write_text("old")
    out.mkdir()
    (out / "a.txt").symlink_to(victim)
    (out / "b.txt").symlink_to(tmp_path)
    for name in ("a.txt", "b.txt"):
        with written_whole(out / name, inside=out) as file:
            file.write("ebb")
    assert victim.read_text() == "old"
    assert [(path.name, path.is_symlink(), path.read_text()) for path in sorted(out.iterdir())] == [
        ("a.txt", False, "ebb"),
        ("b.txt", False, "ebb"),
    ]


def test_a_folder_in_an_output_folder_that_is_a_link_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to("real")  # the folder that the user names may be a link
    (tmp_path / "out" / "a").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(
        OutputError, match=r"cannot write .*b\.txt: .*a is a symbolic link; remove it, or choose another"
    ):
        written_whole(tmp_path / "out" / "a" / "new" / "b.txt", inside=tmp_path / "out").__enter__()
    assert list((tmp_path / "elsewhere").iterdir()) == []
    with written_whole(tmp_path / "out" / "c" / "d" / "e.txt", inside=tmp_path / "out") as file:
        file.write("ebb")
    assert (tmp_path / "real" / "c" / "d" / "e.txt").read_text() == "ebb"


def test_a_link_in_place_of_a_part_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("old")
    with written_whole(tmp_path / "a.txt") as file:
        (part,) = tmp_path.glob(".dehusk-*.part")
        file.write("flood")
    part.symlink_to(tmp_path / "victim")
    with written_whole(tmp_path / "a.txt") as file:
        file.write("ebb")
    assert (tmp_path / "victim").read_text() == "old"
    assert (tmp_path / "a.txt").read_text() == "ebb"


def test_the_error_names_what_is_in_the_way_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    for place, why in (("folder", "a folder is in the way"), ("pipe", "not a regular file"), ("file/a", "in the way")):
        with pytest.raises(OutputError, match=f"cannot write .*: .*{why}.*; choose another output"):
            destination(tmp_path / place)


def test_settling_a_file_returns_its_length(tmp_path: Path) -> None:
    with (tmp_path / "a").open("wb") as file:
        file.write(b"ebb")
        assert settled(file) == 3
        assert (tmp_path / "a").read_bytes() == b"ebb"
    sync_folder(tmp_path)


def test_a_write_that_fails_ends_the_job_unless_the_reader_has_gone() -> None:
    with (
        pytest.raises(OutputError, match="cannot write out: permission denied; choose a place you may write to"),
        writing("out"),
    ):
        raise PermissionError(13, "Permission denied")
    with pytest.raises(BrokenPipeError), writing("out"):
        raise BrokenPipeError


def test_a_file_that_cannot_be_read_gets_no_advice_about_writing() -> None:
    assert reason(PermissionError(13, "Permission denied")) == "permission denied"
    assert reason(IsADirectoryError(21, "Is a directory")) == "is a directory"
    assert reason(OSError("of a library")) == "of a library"
