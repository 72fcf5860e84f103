"""A folder of pages: the names of its files, and what a kill leaves of one."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.outputs.folder import Folder, file_names
from dehusk.outputs.rendered import Rendered
from dehusk.page import Page

PARTS = st.sampled_from(["a", "b", "a.txt", "a.html", "a.htm", "a.html.txt"])


def test_a_page_gets_its_name_with_the_suffix_of_the_format() -> None:
    assert file_names(["a/b.html", "c"], ".txt") == {"a/b.html": "a/b.txt", "c": "c.txt"}


def test_where_two_would_clash_the_full_old_name_is_kept() -> None:
    assert file_names(["a.htm", "a.html"], ".txt") == {"a.htm": "a.htm.txt", "a.html": "a.html.txt"}


def test_a_file_does_not_take_the_name_of_a_folder() -> None:
    assert file_names(["a.html", "a.txt/b.html"], ".txt")["a.html"] == "a.html.txt"


@given(st.lists(st.builds("/".join, st.lists(PARTS, min_size=1, max_size=3)), unique=True, max_size=8))
def test_every_page_gets_a_file_of_its_own(names: list[str]) -> None:
    folders = {"/".join(name.split("/")[:k]) for name in names for k in range(1, name.count("/") + 1)}
    files = file_names([name for name in names if name not in folders], ".txt")
    assert len(set(files.values())) == len(files)
    assert not folders & set(files.values())


def test_what_a_kill_left_of_a_file_is_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write() -> None:
        with Folder(tmp_path / "out", Rendered("text"), ".txt", names=["a.html"]) as folder:
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
