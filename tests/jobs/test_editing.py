"""Edits in a template file."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import dehusk
from dehusk.jobs import editing
from dehusk.jobs.editing import InFile
from dehusk.marking.edits import Edit


def test_two_edits_at_the_same_time_are_both_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    husk = tmp_path / "a.husk"
    dehusk.learn(["<p>a</p>", "<p>b</p>"]).save(husk)

    def slow(path: Path) -> dehusk.Template:
        found = dehusk.load(path)
        time.sleep(0.05)  # gives others time to read the file, if they are allowed to
        return found

    monkeypatch.setattr(editing, "load", slow)
    places = ["body > p", "body > div", "body > ul"]
    with ThreadPoolExecutor(len(places)) as threads:
        made = list(threads.map(lambda place: InFile(husk).edit(Edit.new(place, keep=True)), places))
    assert sorted(one.path for one in dehusk.load(husk).edits) == sorted(places)
    with ThreadPoolExecutor(len(places)) as threads:
        list(threads.map(InFile(husk).undo, [one.id for one in made]))
    assert dehusk.load(husk).edits == ()
    assert [file.name for file in tmp_path.iterdir()] == ["a.husk"]
