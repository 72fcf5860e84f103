"""dehusk doctor: facts for a report of a problem, and nothing private."""

import os
import platform
import socket
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from dehusk import kernels
from dehusk.base import system
from dehusk.cli import _doctor

Run = Callable[..., tuple[int, str, str]]


def test_versions_platform_and_extras_are_listed(run: Run) -> None:
    code, out, _ = run("doctor")
    facts = {line[:12].strip(): line[12:].strip() for line in out.splitlines()}
    assert code == 0
    assert facts["dehusk"] == version("dehusk")
    assert facts["Python"].startswith(platform.python_version())
    assert platform.machine() in facts["platform"]
    assert f"turbohtml {version('turbohtml')}" in facts["requires"]
    assert f"uvicorn {version('uvicorn')}" in facts["[serve]"]
    assert {"[parquet]", "[spark]", "[mcp]", "[bench]"} <= facts.keys()
    assert facts["[bench]"].count("newspaper4k") == 1


def test_it_says_what_is_missing_or_slow(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        if name == "fastapi":
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(_doctor, "version", missing)
    monkeypatch.setattr(kernels, "compiled", lambda: False)
    monkeypatch.setattr(system, "can_fork", lambda: False)
    monkeypatch.setattr(system, "has_workers", lambda: False)
    _, out, _ = run("doctor")
    assert "fastapi missing, uvicorn" in out
    assert "kernels      not compiled" in out
    assert "processes    one only" in out


def test_it_tells_nothing_about_the_user(run: Run) -> None:
    _, out, _ = run("doctor")
    assert str(Path.home()) not in out
    assert socket.gethostname() not in out
    assert os.getcwd() not in out  # noqa: PTH109
