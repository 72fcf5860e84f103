"""docs/security.md: each guarantee names tests that exist."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from targets import TARGETS

HERE = Path(__file__).parents[2]
PAGE = (HERE / "docs" / "security.md").read_text("utf-8")


def rows() -> Iterator[list[str]]:
    """The cells of the rows of all tables with a column of tests."""
    for table in re.findall(r"^\|.* \| tests \|\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE):
        for line in table.splitlines():
            yield line.strip("| ").split(" | ")


CELLS = [row[-1] for row in rows()]


@cache
def names_in(path: str) -> str:
    """The names of the tests in a file or folder, with spaces and in small letters."""
    place = HERE / path.partition(" ")[0]
    files = sorted(place.rglob("test_*.py")) if place.is_dir() else [place]
    texts = [file.read_text("utf-8") for file in files]
    names = [
        name for text in texts for pair in re.findall(r'def (\w+)|^test\("([^"]+)', text, re.MULTILINE) for name in pair
    ]
    return " ".join(names).replace("_", " ").lower()


@pytest.mark.parametrize("cell", CELLS)
def test_the_tests_of_a_guarantee_exist(cell: str) -> None:
    named = re.findall(r"`((?:tests|fuzz|benchmarks)/[^`]*)`", cell)
    assert any(path.startswith(("tests/", "fuzz/")) for path in named), "no test is named"
    for group in cell.split(";"):
        paths = re.findall(r"`((?:tests|fuzz|benchmarks)/[^`]*)`", group)
        assert all((HERE / path.partition(" ")[0]).exists() for path in paths), group
        words = group.rpartition("`: ")[2] if "`: " in group else ""
        for phrase in filter(None, words.split(", ")):
            assert any(phrase.strip().lower() in names_in(path) for path in paths), (
                f"no test named {phrase!r} in {paths}"
            )
        for targets in re.findall(r"`fuzz/targets.py` \(([^)]*)\)", group):
            assert set(re.findall(r"`(\w+)`", targets)) <= set(TARGETS), targets


def test_every_row_of_guarantees_has_three_cells() -> None:
    assert len(CELLS) > 70
    assert {len(row) for row in rows()} == {3}


def test_every_target_of_fuzzing_has_a_row() -> None:
    table = PAGE.partition("| target | runs |")[2].partition("\n\n")[0]
    named = {name for line in table.splitlines() for name in re.findall(r"`(\w+)`", line)}
    assert named == set(TARGETS)
