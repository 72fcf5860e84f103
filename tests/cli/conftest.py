"""Fixtures for tests of commands."""

from collections.abc import Callable
from pathlib import Path

import pytest

import demo_site
from dehusk.cli import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs a command in this process; returns its exit code, standard output and standard error."""

    def call(*words: object) -> tuple[int, str, str]:
        try:
            code = main([str(word) for word in words])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The shop of the demo site."""
    for name, html in demo_site.pages().items():
        if name.startswith("shop/"):
            file = tmp_path / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(html, "utf-8")
    return tmp_path / "shop"
