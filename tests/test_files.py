"""Writing files whole or not at all, and saying why one cannot be written."""

from pathlib import Path

import pytest

from dehusk.errors import OutputError
from dehusk.files import written_whole


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
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
