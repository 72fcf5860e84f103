"""The contracts about imports in pyproject.toml: each of them fails when it is broken."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import dehusk

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
LINT = Path(sys.executable).with_name("lint-imports")

LAYERS = "No room imports a room above it"
METHODS = "No method imports another method"
PARSER = "Only page, render and the kernels that walk pages know the parser"
CONNECTIONS = "Only sources.web opens connections"
OFFLINE = "Only sources and what is above them reach sources.web"
SYSTEM = "Only base.system knows what not every operating system has"
TERMINAL = "Only cli parses arguments and draws progress"

PLANTED = [
    (LAYERS, "base/tree.py", "import dehusk.page"),
    (LAYERS, "templates/site_names.py", "import dehusk.sources"),
    (LAYERS, "outputs/_jsonl.py", "import dehusk.sources"),
    (LAYERS, "sources/jsonl.py", "def late() -> None:\n    import dehusk.jobs"),
    (LAYERS, "page/_page.py", "import dehusk"),  # the front door leads to rooms above
    (LAYERS, "attic.py", '"""A room without a layer."""'),
    (METHODS, "methods/chunks.py", "from dehusk.methods.rtdm import learn"),
    (METHODS, "methods/_subtree.py", "import dehusk.methods.rtdm"),
    (PARSER, "templates/cleaned.py", "from turbohtml import parse"),
    (CONNECTIONS, "page/_page.py", "import socket"),
    (OFFLINE, "methods/chunks.py", "import dehusk.sources.web._network"),
    (SYSTEM, "base/files.py", "import fcntl"),
    (TERMINAL, "jobs/__init__.py", "import tqdm"),
]


def broken(folder: Path) -> set[str]:
    """The contracts that the package in a folder breaks."""
    checked = subprocess.run(
        [LINT, "--config", PROJECT, "--no-cache", "--no-logo"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    contracts = set(re.findall(r"^(.+) BROKEN\b", checked.stdout, re.MULTILINE))
    assert checked.returncode == bool(contracts), checked.stdout + checked.stderr
    return contracts


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The package's source, copied to where it can be changed."""
    source = Path(dehusk.__file__).parent
    return Path(shutil.copytree(source, tmp_path / "dehusk", ignore=shutil.ignore_patterns("*.so", "__pycache__")))


@pytest.mark.parametrize(("contract", "module", "line"), PLANTED)
def test_a_planted_import_breaks_its_contract(package: Path, contract: str, module: str, line: str) -> None:
    with (package / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    assert contract in broken(package.parent)


def test_the_package_as_it_is_breaks_no_contract(package: Path) -> None:
    assert broken(package.parent) == set()


def test_each_contract_has_a_planted_import() -> None:
    contracts = tomllib.loads(PROJECT.read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    assert {contract["name"] for contract in contracts} == {contract for contract, _, _ in PLANTED}
