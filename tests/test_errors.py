"""Words that several messages end with."""

import pytest

from dehusk.errors import did_you_mean, listed


@pytest.mark.parametrize(
    ("names", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a, b"), (["a", "b", "c"], "a, b, ...")]
)
def test_names_are_listed_up_to_a_number(names: list[str], said: str) -> None:
    assert listed(names, 2) == said
    assert listed(dict.fromkeys(names), 2) == said


def test_the_known_name_that_looks_most_alike_is_suggested() -> None:
    assert did_you_mean("rdtm", ["etdm", "rtdm", "chunks"]) == "; did you mean rtdm?"
    assert did_you_mean("something", ["etdm", "rtdm"]) == ""
