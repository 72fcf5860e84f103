"""The table of platforms names what has no wheel."""

import subprocess
from types import SimpleNamespace

import platforms
import pytest


def test_only_packages_without_a_wheel_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def run(command: list[str], **_: object) -> SimpleNamespace:
        asked.append(command)
        return SimpleNamespace(returncode=int(any(word.startswith("fastwarc") for word in command)))

    monkeypatch.setattr(subprocess, "run", run)
    wanted = ["turbohtml>=1.15,<2", "fastwarc>=1.1,<2"]
    assert platforms.without(wanted, "Linux arm64, musl", "314t") == ["fastwarc"]
    assert "cp314t" in asked[0]
    assert "musllinux_1_2_aarch64" in asked[0]
    assert platforms.without(wanted[:1], "macOS arm64", "313") == []


def test_the_table_has_a_row_for_each_platform() -> None:
    places = list(platforms.PLATFORMS)
    cells = {(place, python): ["x"] * (python == "314t") for place in places for python in platforms.PYTHONS}
    lines = platforms.table(cells).splitlines()
    assert lines[0] == "| platform | 3.11 | 3.12 | 3.13 | 3.14 | 3.14t |"
    assert lines[2:] == [f"| {place} | all have | all have | all have | all have | x |" for place in places]
