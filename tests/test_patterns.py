"""Regular expressions take time linear in the text: each is fed with attacks that are made from it (`attacks.py`).

Expressions are constants of modules, so that all of them are found here. The bench is left out: it reads data sets that
its user has chosen. Adapters have no expressions: they cannot be imported without their libraries.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import dehusk
from attacks import attacks, seconds
from dehusk.roles import _vocabulary

PACKAGE = Path(dehusk.__file__).parent
FILES = {
    ".".join(("dehusk", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.relative_to(PACKAGE).parts[0] not in ("bench", "integrations", "__main__.py")
}
MODULES = list(FILES)

CUT = {
    "dehusk.page.places._GENERATED": 100,  # _LONGEST
}
"""Expressions that are not linear, with the length to which their texts are cut."""

BUILT = {"dehusk.roles._vocabulary": ("_words_by_start", "_pattern", "_other_pattern", "_letters")}
"""Functions that make expressions from tables."""

SIZES = (60, 240, 960, 3840)
ATTACKS = 400  # for each expression and use
NOISE = 0.002  # seconds
GROWTH = 8  # of the time for a text of four times the length: 4 is linear, 16 quadratic
USES = {"search": "search", "match": "match", "fullmatch": "fullmatch", "finditer": "finditer"} | dict.fromkeys(
    ("findall", "sub", "subn", "split"), "finditer"
)


def source(module: str) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(FILES[module].read_text("utf-8"))


@cache
def uses() -> dict[str, set[str]]:
    """By the full name of a constant, or its own if it is public, the methods that are called on it."""
    found: dict[str, set[str]] = {}
    for module in MODULES:
        for node in ast.walk(source(module)):
            if isinstance(node, ast.Attribute) and node.attr in USES:
                of = node.value
                name = of.id if isinstance(of, ast.Name) else of.attr if isinstance(of, ast.Attribute) else ""
                found.setdefault(f"{module}.{name}" if name[:1] == "_" else name, set()).add(USES[node.attr])
    return found


def used(name: str) -> set[str]:
    """How an expression is used: in all ways if that cannot be told."""
    found = uses().get(name) or uses().get(name.rpartition(".")[2])
    return found or ({"match"} if name.startswith("built.") else {"search", "finditer"})


def expressions(name: str, value: object) -> "Iterator[tuple[str, re.Pattern[Any]]]":
    """The expressions in a constant, and in what it holds."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from expressions(f"{name}[{key}]", one)
    elif isinstance(value, tuple | list):
        for number, one in enumerate(value):
            yield from expressions(f"{name}[{number}]", one)


def registered() -> "dict[str, re.Pattern[Any]]":
    """All expressions of the package, by module and name."""
    found: dict[str, re.Pattern[Any]] = {}
    for module in MODULES:
        for name, value in vars(import_module(module)).items():
            found |= expressions(f"{module}.{name}", value)
    for by_start in _vocabulary._words_by_start().values():
        found |= {f"built.{id(word)}": word.pattern for word in by_start if word.pattern}
    for by_letter in _vocabulary._phrases_by_start().values():
        found |= {f"built.{id(phrases)}": phrases._pattern for phrases in by_letter}
    found["built.letters"] = _vocabulary._letters()[0]
    return {name: pattern for pattern, name in {pattern: name for name, pattern in found.items()}.items()}


REGISTERED = registered()


def slow(pattern: "re.Pattern[Any]", how: str) -> str | None:
    """An attack on which an expression takes more than linear time, or None."""
    for attack in islice(attacks(pattern), ATTACKS):
        before = 0.0
        for size in SIZES:
            taken = seconds(pattern, attack.text(size), how)
            if taken > NOISE and taken > GROWTH * before:
                # A busy machine can only add time.
                long, short = (
                    min(seconds(pattern, attack.text(length), how) for _ in range(5)) for length in (size, size // 4)
                )
                if long > NOISE and long > GROWTH * short:
                    return attack.text(size)
            before = taken
    return None


def module_of(name: str) -> str:
    """The module of an expression."""
    return name.partition("[")[0].rpartition(".")[0]


@pytest.mark.parametrize("module", sorted(set(map(module_of, REGISTERED))))
def test_an_expression_takes_linear_time_on_attacks(module: str) -> None:
    late = {
        name: (how, text[:40])
        for name, pattern in REGISTERED.items()
        if name not in CUT and module_of(name) == module
        for how in used(name)
        if (text := slow(pattern, how)) is not None
    }
    assert late == {}


@pytest.mark.parametrize("name", CUT)
def test_an_expression_for_cut_texts_is_quick_on_attacks_of_that_length(name: str) -> None:
    pattern = REGISTERED[name]
    for attack in islice(attacks(pattern), ATTACKS):
        assert min(seconds(pattern, attack.text(CUT[name]), "search") for _ in range(5)) < NOISE, attack


@pytest.mark.parametrize("module", MODULES)
def test_expressions_are_constants_of_their_modules(module: str) -> None:
    tree = source(module)
    inside = {
        call: function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call)
    }
    for node in ast.walk(tree):
        assert not (isinstance(node, ast.ImportFrom) and node.module == "re"), "write re.compile"
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
        ):
            assert node.func.attr in ("compile", "escape"), f"line {node.lineno}: make it a constant"
            if node.func.attr == "compile" and node in inside:
                assert inside[node] in BUILT.get(module, ()), f"line {node.lineno}: make it a constant"


@pytest.mark.parametrize(
    "expression",
    [r"\s+\|", r"\d+x", r"(?:author|user)[\w-]*name", r"[(<][^()<>]*@[^()<>]*[)>]$", r"(?:a|b)*(?:b|c)*d"],
)
def test_the_attacks_find_slow_expressions(expression: str) -> None:
    assert slow(re.compile(expression), "search") is not None


def test_adapters_have_no_expressions() -> None:
    files = list((PACKAGE / "integrations").rglob("*.py"))
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    assert files
    assert not imported & {"re", "regex"}
