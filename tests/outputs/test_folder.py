"""Folders of pages: files left by killed jobs, and files that must not be overwritten."""

from pathlib import Path

import pytest

from dehusk.base.errors import OutputError, UsageError
from dehusk.outputs._folder import FolderOutput, Rendered
from dehusk.page import Page


def test_the_part_file_of_a_killed_job_is_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write() -> None:
        with FolderOutput(tmp_path / "out", Rendered("text"), ".txt", names=["a.html"]) as folder:
            folder.write(Page("<p>Ebb", name="a.html"), b"Ebb\n")

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", killed)
        patched.setattr(Path, "unlink", killed)
        with pytest.raises(KeyboardInterrupt):
            write()
    assert [file.suffix for file in (tmp_path / "out").iterdir()] == [".part"]
    write()
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["a.txt"]


def test_a_page_with_a_url_does_not_overwrite_a_file_of_the_source(tmp_path: Path) -> None:
    source = tmp_path / "site.example" / "a.txt"
    source.parent.mkdir()
    source.write_text("<p>source")
    page = Page("<p>Ebb", url="http://site.example/a")
    with (
        pytest.raises(UsageError, match=r"site\.example/a\.txt is both source and output"),
        FolderOutput(tmp_path, Rendered("text"), ".txt", sources=[source]) as folder,
    ):
        folder.write(page, b"Ebb")
    assert source.read_text() == "<p>source"


def test_pages_with_and_without_urls_do_not_share_a_file(tmp_path: Path) -> None:
    with FolderOutput(tmp_path, Rendered("text"), ".txt", names=["site.example/a.html"]) as folder:
        folder.write(Page("<p>a", name="site.example/a.html"), b"a file")
        folder.write(Page("<p>b", url="http://site.example/a"), b"a URL")
    found = {file.name: file.read_bytes() for file in (tmp_path / "site.example").iterdir()}
    assert found == {"a.txt": b"a file", "a-2.txt": b"a URL"}


def test_names_that_differ_only_in_case_are_distinguished(tmp_path: Path) -> None:
    with FolderOutput(tmp_path, Rendered("text"), ".txt") as folder:
        for path in ("a", "A", "a"):
            folder.write(Page("<p>x", url=f"http://site.example/{path}"), b"x")
    assert sorted(file.name for file in (tmp_path / "site.example").iterdir()) == ["A-2.txt", "a-3.txt", "a.txt"]


def test_links_that_others_put_into_the_folder_are_not_followed(tmp_path: Path) -> None:
    victim, out, elsewhere = tmp_path / "victim", tmp_path / "out", tmp_path / "elsewhere"
    victim.write_text("precious")
    elsewhere.mkdir()
    out.mkdir()
    (out / "p0.txt").symlink_to(victim)
    (out / "a").symlink_to(elsewhere)
    with FolderOutput(out, Rendered("text"), ".txt", names=["p0.html", "a/b.html"]) as folder:
        folder.write(Page("<p>Ebb", name="p0.html"), b"Ebb")
        with pytest.raises(OutputError, match="a is a symbolic link"):
            folder.write(Page("<p>Ebb", name="a/b.html"), b"Ebb")
    assert victim.read_text() == "precious"
    assert (out / "p0.txt").read_text() == "Ebb"
    assert not (out / "p0.txt").is_symlink()
    assert list(elsewhere.iterdir()) == []
