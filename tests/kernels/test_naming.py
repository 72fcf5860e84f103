"""Known words in names, compared with regular expressions, plain and compiled."""

import re
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import kernel_versions

both = pytest.mark.parametrize("kernel", kernel_versions("naming"))
WORDS = [
    ("nav", 1, False, False, ""),
    ("ad", 2, True, True, ""),
    ("ads", 2, True, True, ""),
    ("relat", 4, False, False, "iv"),
    ("@main", 8, False, False, ""),
    ("post", 16, False, True, ""),
    ("post", 32, True, False, ""),
]
PATTERNS = {1: r"nav", 2: r"\bads?\b", 4: r"relat(?!iv)", 8: r"@main", 16: r"post\b", 32: r"\bpost"}
PIECES = ["nav", "ad", "ads", "relat", "iv", "@main", "post", "-", "_", ".", " ", "é", "a", "3"]


@both
@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_words_are_found_as_by_regular_expressions(kernel: ModuleType, names: str) -> None:
    expected = sum(bit for bit, pattern in PATTERNS.items() if re.search(pattern, names))
    assert kernel.Vocabulary(WORDS).kinds(names) == expected


@both
def test_short_names_have_no_words(kernel: ModuleType) -> None:
    assert [kernel.Vocabulary(WORDS).kinds(names) for names in ("", "n", "na")] == [0, 0, 0]
