"""The import contracts in pyproject.toml: each of them fails if it is violated."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import dehusk
from imports import PARSER_ROOMS, Imports

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
LINT = Path(sys.executable).with_name("lint-imports")

LAYERS = "No room imports a room above it"
METHODS = "No method imports another method"
PARSER = "Only ten modules of page, render and kernels know the parser"
DOCUMENT = "Only page and render open the parsed document of a page"
CONNECTIONS = "Only sources.web opens connections"
OFFLINE = "Only sources and what is above them reach sources.web"
SYSTEM = "Only base.system knows what not every operating system has"
TERMINAL = "Only cli parses arguments and draws progress"

PLANTED = [
    (LAYERS, "base/tree.py", "import dehusk.page"),
    (LAYERS, "templates/site_names.py", "import dehusk.sources"),
    (LAYERS, "outputs/_jsonl.py", "import dehusk.sources"),
    (LAYERS, "sources/jsonl.py", "def late() -> None:\n    import dehusk.jobs"),
    (LAYERS, "page/_page.py", "import dehusk"),  # the public module imports rooms above
    (LAYERS, "attic.py", '"""A room without a layer."""'),
    (METHODS, "methods/chunks.py", "from dehusk.methods.rtdm import learn"),
    (METHODS, "methods/common_subtree.py", "import dehusk.methods.rtdm"),
    (PARSER, "templates/cleaned.py", "from turbohtml import parse"),
    (PARSER, "render/_text.py", "from turbohtml import Text"),  # an eleventh file
    (DOCUMENT, "templates/cleaned.py", "from dehusk.page.dom import dom"),
    (CONNECTIONS, "page/_page.py", "import socket"),
    (OFFLINE, "methods/chunks.py", "import dehusk.sources.web._network"),
    (SYSTEM, "base/files.py", "import fcntl"),
    (TERMINAL, "jobs/__init__.py", "import tqdm"),
]


def broken(folder: Path) -> set[str]:
    """The contracts that the package in a folder violates."""
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
    """A copy of the package's source that a test may change."""
    source = Path(dehusk.__file__).parent
    return Path(shutil.copytree(source, tmp_path / "dehusk", ignore=shutil.ignore_patterns("*.so", "__pycache__")))


@pytest.mark.parametrize(("contract", "module", "line"), PLANTED)
def test_a_planted_import_breaks_its_contract(package: Path, contract: str, module: str, line: str) -> None:
    with (package / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    assert contract in broken(package.parent)


def test_the_package_as_it_is_breaks_no_contract(package: Path) -> None:
    assert broken(package.parent) == set()


CONTRACTS = tomllib.loads(PROJECT.read_text("utf-8"))["tool"]["importlinter"]["contracts"]


def test_each_contract_has_a_planted_import() -> None:
    assert {contract["name"] for contract in CONTRACTS} == {contract for contract, _, _ in PLANTED}


PACKAGE = Path(dehusk.__file__).parent
SCRIPTS = ("benchmarks", "docs", "examples", "experiments", "fuzz", "training")

MOST_KNOWING = 10
"""Modules that may change with another parser."""

KNOWING = {
    allowed.partition(" -> ")[0]
    for contract in CONTRACTS
    if contract["name"] == PARSER
    for allowed in contract["ignore_imports"]
}
"""The modules that know the parser. All others have opaque nodes, and call these."""

HANDED_ON = [
    ("templates/cleaned.py", "from turbohtml import Element"),
    ("templates/cleaned.py", "import turbohtml.clean"),
    ("templates/cleaned.py", "from dehusk.page.elements import Element"),
    ("metadata/dates.py", "def late() -> None:\n    from dehusk.kernels.walking import Text"),
    ("page/__init__.py", "from turbohtml import Text"),
    ("page/__init__.py", "from dehusk.page.dom import Document"),
    ("page/elements.py", "def parent_of(node: Node) -> Element | None: ..."),
    ("page/elements.py", "def parent_of(node: 'turbohtml.Node') -> str: ..."),
    ("page/elements.py", "Parent = Element | None\ndef text_of(node: Node) -> Parent: ..."),
    ("render/__init__.py", "from dehusk.render._html import safe"),
    ("page/_page.py", "from turbohtml import Document\nclass Page:\n    def document(self) -> Document: ..."),
    ("page/_page.py", "import turbohtml"),
    ("page/dom.py", "def opened(page: 'Page') -> Document: ..."),
    ("render/_text.py", "from dehusk.kernels.apart import Element"),
    ("render/_markdown.py", "from dehusk.render._html import _settle"),
    ("kernels/scanning.py", "from dehusk.kernels.walking import Text"),
]


def planted(module: str, lines: str) -> Imports:
    """The imports of the package with lines added to one of its modules."""
    return Imports(PACKAGE, {module: lines})


def test_a_change_of_parser_touches_at_most_ten_modules() -> None:
    assert Imports(PACKAGE).importing_parser() == KNOWING
    assert len(KNOWING) <= MOST_KNOWING
    assert {name.split(".")[1] for name in KNOWING} == PARSER_ROOMS
    eleven = planted("render/_text.py", "def late() -> None:\n    import turbohtml.clean").importing_parser()
    assert eleven - KNOWING == {"dehusk.render._text"}


def test_no_type_of_the_parser_is_re_exported() -> None:
    assert list(Imports(PACKAGE).handed_on(KNOWING)) == []


@pytest.mark.parametrize(("module", "lines"), HANDED_ON)
def test_a_re_exported_type_of_the_parser_is_detected(module: str, lines: str) -> None:
    assert list(planted(module, lines).handed_on(KNOWING))


def test_a_module_with_an_underscore_is_imported_only_in_its_own_room() -> None:
    assert list(Imports(PACKAGE).private()) == []


@pytest.mark.parametrize(
    "lines",
    [
        "from dehusk.page._page import Page",
        "from dehusk.page import _page",
        "import dehusk.page._page",
        "def late() -> None:\n    from dehusk.page._page import Page",
    ],
)
def test_an_import_of_a_private_module_of_another_room_is_detected(lines: str) -> None:
    assert list(planted("templates/cleaned.py", lines).private())


def test_a_module_that_only_its_own_room_imports_begins_with_an_underscore() -> None:
    scripts = [file for folder in SCRIPTS for file in (PROJECT.parent / folder).rglob("*.py")]
    assert list(Imports(PACKAGE).needlessly_public(scripts)) == []
    assert list(planted("base/attic.py", "X = 1").needlessly_public(scripts)) == ["dehusk.base.attic"]
