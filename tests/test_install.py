"""Installation where the C compiler is missing or fails, and with an old pip."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
COMPILER = """#!/bin/sh
echo "$@" >> "$0.log"
case "$*" in *_shared*) exit 1 ;; esac
while [ "$1" != -o ]; do shift; done
touch "$2"
"""
"""Says that it has compiled every file but the one that kernels share."""


def build(folder: Path, compiler: Path) -> str:
    """Builds the kernels with a compiler; what was said."""
    words = ["build_ext", f"--build-lib={folder / 'lib'}", f"--build-temp={folder / 'tmp'}"]
    built = subprocess.run(
        [sys.executable, "setup.py", *words],
        cwd=ROOT,
        env={**os.environ, "CC": str(compiler)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return built.stderr + built.stdout


def test_kernels_that_cannot_be_compiled_do_not_stop_the_build(tmp_path: Path) -> None:
    assert "failed" in build(tmp_path, Path("/bin/false"))
    assert not list(tmp_path.rglob("*.so"))


def test_no_kernel_is_installed_without_what_kernels_share(tmp_path: Path) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text(COMPILER)
    compiler.chmod(0o755)
    build(tmp_path, compiler)
    commands = Path(f"{compiler}.log").read_text().splitlines()
    compiled = [command for command in commands if " -c " in command]
    assert len(compiled) == len(list(ROOT.glob("src/dehusk/kernels/*.pxd"))) + 1
    assert all("-O2 -g0" in command for command in compiled)
    assert any("-shared" in command for command in commands)
    assert not list(tmp_path.rglob("*.so"))


HYPHENS = {"readability-lxml": "0.9", "newspaper4k": "0.9.4"}
"""The first versions of the bench's tools that need lxml[html-clean]; trafilatura and justext need lxml[html_clean]."""


@pytest.mark.parametrize(
    ("python", "old_pip"),
    [("3.11.0", True), ("3.11.7", True), ("3.11.8", False), ("3.12.1", True), ("3.12.2", False), ("3.13.0", False)],
)
def test_the_pip_that_comes_with_python_can_resolve_the_bench(python: str, *, old_pip: bool) -> None:
    """An older pip fails on a mix of the two: "not for this requirement lxml[html-clean,html-clean]"."""
    bench = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]["bench"]
    here = {"python_full_version": python, "python_version": python.rpartition(".")[0]}
    wanted = [one for one in map(Requirement, bench) if one.marker is None or one.marker.evaluate(here)]
    for name, version in HYPHENS.items():
        (required,) = [one for one in wanted if one.name == name]
        assert required.specifier.contains(version) != old_pip
