"""Measures that several methods share."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.methods._style_nodes import entropy


def test_an_even_spread_over_the_unit_has_entropy_1_and_a_single_outcome_0() -> None:
    assert entropy([3, 3, 3, 3], 4) == pytest.approx(1)
    assert entropy([5], 4) == 0
    assert entropy([], 4) == 0


def test_entropy_is_that_of_the_shares() -> None:
    assert entropy([3, 1], 2) == pytest.approx(-(0.75 * log2(0.75) + 0.25 * log2(0.25)))


def test_without_a_unit_entropy_is_1_if_no_two_are_equal() -> None:
    assert entropy([1, 1, 1]) == pytest.approx(1)
    assert entropy([2, 2]) == pytest.approx(0.5)


@given(st.lists(st.integers(1, 9), max_size=8), st.none() | st.integers(2, 9))
def test_entropy_is_between_0_and_1(counts: list[int], unit: int | None) -> None:
    assert 0 <= entropy(counts, unit) <= 1
