"""Longest increasing subsequences, and matching unique values in order."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.base.order import heaviest_increasing, increasing, unique_matches


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


@given(st.permutations(range(6)), st.lists(st.integers(1, 9), min_size=6, max_size=6))
def test_the_heaviest_increasing_subsequence_is_found(values: list[int], weights: list[int]) -> None:
    places = heaviest_increasing(values, weights)
    assert [values[k] for k in places] == sorted(values[k] for k in places)
    chains = (some for size in range(7) for some in itertools.combinations(range(6), size))
    rising = (some for some in chains if all(values[a] < values[b] for a, b in itertools.pairwise(some)))
    assert sum(weights[k] for k in places) == max(sum(weights[k] for k in some) for some in rising)


def test_with_weights_a_heavy_match_is_worth_more_than_two_light_ones() -> None:
    assert unique_matches("xyz", "zxy", weights=[1, 1, 5]) == [(2, 0)]
    assert unique_matches("xyz", "zxy", weights=[1, 1, 1]) == [(0, 1), (1, 2)]
