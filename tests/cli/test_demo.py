"""dehusk demo: the site is written and cleaned, in a folder that has nothing else."""

from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


def test_the_demo_is_cleaned_and_says_where_to_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run("demo")
    assert code == 0
    assert "$ dehusk clean dehusk-demo/site -o dehusk-demo/text" in out
    site, text = (Path("dehusk-demo", name) for name in ("site/shop/pier-lantern.html", "text/shop/pier-lantern.txt"))
    assert str(site) in out
    assert str(text) in out
    assert "morning ferry" in site.read_text("utf-8")
    assert "morning ferry" not in text.read_text("utf-8")
    assert "Pier Lantern" in text.read_text("utf-8")
    assert Path("dehusk-demo", "report.html").stat().st_size > 100_000
    assert Path("dehusk-demo", "template", "report.html").is_file()
    assert run("demo")[0] == 0  # again, into its own folder


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path, run: Run) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    code, _, err = run("demo", tmp_path)
    assert (code, err.count("\n")) == (2, 1)
    assert "choose a new folder" in err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_place_that_cannot_be_written_is_a_one_line_error(tmp_path: Path, run: Run) -> None:
    (tmp_path / "file").write_text("in the way")
    code, _, err = run("demo", tmp_path / "file" / "demo")
    assert (code, err.count("\n")) == (1, 1)
    assert "cannot write" in err
