"""Shared parts of error messages."""

import pytest

from dehusk.base.errors import did_you_mean, listed, shown


@pytest.mark.parametrize(
    ("names", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a, b"), (["a", "b", "c"], "a, b, ...")]
)
def test_names_are_listed_up_to_a_number(names: list[str], said: str) -> None:
    assert listed(names, 2) == said
    assert listed(dict.fromkeys(names), 2) == said


def test_the_most_similar_known_name_is_suggested() -> None:
    assert did_you_mean("rdtm", ["etdm", "rtdm", "chunks"]) == "; did you mean rtdm?"
    assert did_you_mean("something", ["etdm", "rtdm"]) == ""


def test_control_characters_are_escaped_for_the_terminal() -> None:
    assert shown("http://e.example/\x1b[2J\n\u202etxt\x9b \u00e9\u4e2d") == (
        r"http://e.example/\x1b[2J\n\u202etxt\x9b " + "\u00e9\u4e2d"
    )
