"""dehusk extension: the folder of the browser extension, and the steps."""

import json
from collections.abc import Callable
from pathlib import Path
from urllib.request import url2pathname

import pytest

Run = Callable[..., tuple[int, str, str]]


def test_the_folder_and_the_steps_are_printed(run: Run) -> None:
    code, out, err = run("extension")
    assert (code, err) == (0, "")
    assert "chrome://extensions" in out
    assert "dehusk serve" in out
    folder = Path(run("extension", "--folder")[1].strip())
    assert f"  {folder}\n" in out
    assert json.loads((folder / "manifest.json").read_text("utf-8"))["name"] == "dehusk"
    pictures = out.rstrip().rpartition("file:")[2]
    assert "<svg" in Path(url2pathname(pictures.removeprefix("//"))).read_text("utf-8")


def test_the_steps_with_pictures_are_opened_on_request(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def opening(url: str) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr("webbrowser.open", opening)
    assert run("extension", "--open")[0] == 0
    assert opened[0].endswith("/steps.html")
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    assert "no browser could be started" in run("extension", "--open")[2]
