"""Longest increasing subsequences, and matching unique values in order."""

import pytest

from dehusk.base.order import increasing, unique_matches


@pytest.mark.parametrize(
    ("values", "places"),
    [([], []), ([3, 1, 2], [1, 2]), ([1, 2, 3], [0, 1, 2]), ([2, 2, 2], [2]), ([3, 4, 1, 5], [0, 1, 3])],
)
def test_the_longest_increasing_subsequence_is_found(values: list[int], places: list[int]) -> None:
    assert increasing(values) == places


@pytest.mark.parametrize(
    ("left", "right", "matches"),
    [("", "", []), ("abc", "abc", [(0, 0), (1, 1), (2, 2)]), ("abac", "bac", [(1, 0), (3, 2)]), ("ab", "ba", [(1, 0)])],
)
def test_values_that_each_side_has_once_are_matched_in_order(
    left: str, right: str, matches: list[tuple[int, int]]
) -> None:
    assert unique_matches(left, right) == matches
