"""Changes inside a line."""

from hypothesis import given
from hypothesis import strategies as st

from dehusk.comparing.words import likeness, most_likeness, words

LINES = st.lists(st.sampled_from(["the", "rope", "is", "wet", "dry", "long"]), max_size=12)


@given(LINES, LINES)
def test_two_lines_are_at_most_as_similar_as_their_unordered_words(before: list[str], after: list[str]) -> None:
    assert likeness(words(before, after)) <= most_likeness(before, after) + 1e-12


def test_lines_without_a_shared_word_are_not_similar() -> None:
    assert most_likeness(["rope", "wet"], ["long", "dry"]) == 0
    assert most_likeness(["rope", "wet"], ["wet", "rope"]) == 1
