"""Installation where the C compiler is missing or fails."""

import os
import subprocess
import sys
from pathlib import Path

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
