"""Common parts of two sequences."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.comparing._mapping import _alternate, common

NUMBERS = st.lists(st.integers(0, 5), max_size=30)


@given(NUMBERS, NUMBERS)
def test_matches_are_equal_items_in_the_order_of_both(old: list[int], new: list[int]) -> None:
    found = common(old, new)
    assert all(old[i] == new[j] for i, j in found)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(found))


@given(NUMBERS)
def test_equal_sequences_are_matched_whole(some: list[int]) -> None:
    assert common(some, some) == [(k, k) for k in range(len(some))]


@pytest.mark.parametrize(
    ("old", "new", "length"),
    [("abcd", "abxcd", 4), ("abab", "baba", 3), ("xyabc", "abcxy", 3), ("abc", "def", 0), ("aXbXc", "aYbYYc", 3)],
)
def test_as_much_as_possible_is_matched(old: str, new: str, length: int) -> None:
    assert len(common([*map(ord, old)], [*map(ord, new)])) == length


def test_a_few_changes_among_many_items_that_repeat_are_found() -> None:
    old = [random.randrange(50) for _ in range(5000)]
    new = [*old[:1000], 77, *old[1000:3000], *old[3001:]]
    assert len(common(old, new)) == 4999


@pytest.mark.parametrize(
    ("equal", "length", "each_replaces_one"),
    [
        ([(1, 1), (3, 3)], 5, True),
        ([(0, 0), (1, 1)], 2, True),
        ([], 1, True),
        ([], 2, False),
        ([(0, 0)], 3, False),
        ([(0, 1)], 2, False),
    ],
)
def test_siblings_between_equal_ones_replace_each_other(
    equal: list[tuple[int, int]], length: int, *, each_replaces_one: bool
) -> None:
    assert _alternate(equal, length) is each_replaces_one
