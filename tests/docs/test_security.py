"""docs/security.md: each guarantee names tests that exist."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2]
CELLS = [
    line.rstrip(" |").rpartition(" | ")[2]
    for line in (HERE / "docs" / "security.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and re.search(r"`(?:tests|fuzz|benchmarks)/[^`]*`[^|]*\|$", line)
]


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
    for group in cell.split(";"):
        paths = re.findall(r"`((?:tests|fuzz|benchmarks)/[^`]*)`", group)
        assert all((HERE / path.partition(" ")[0]).exists() for path in paths), group
        words = group.rpartition("`: ")[2] if "`: " in group else ""
        for phrase in filter(None, words.split(", ")):
            assert any(phrase.strip().lower() in names_in(path) for path in paths), (
                f"no test named {phrase!r} in {paths}"
            )


def test_the_page_has_guarantees_with_tests() -> None:
    assert len(CELLS) > 30
