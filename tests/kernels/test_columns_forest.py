"""A forest against trees walked one by one, plain and compiled."""

from array import array
from math import isnan, nan
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import kernel_versions

values = st.one_of(st.floats(-2, 2), st.just(nan))
# A tree of depth two: features and thresholds of the root and its children, the leaves, and the way of unknown values.
trees = st.tuples(
    st.lists(st.tuples(st.integers(0, 3), st.floats(-1, 1)), min_size=3, max_size=3),
    st.lists(st.floats(-1, 1), min_size=4, max_size=4),
    st.lists(st.booleans(), min_size=3, max_size=3),
)
Tree = tuple[list[tuple[int, float]], list[float], list[bool]]


def right(value: float, threshold: float, *, unknown: bool) -> bool:
    return unknown if isnan(value) else value > threshold


def walked(tree: Tree, row: list[float]) -> float:
    splits, leaves, unknown = tree
    first = right(row[splits[0][0]], splits[0][1], unknown=unknown[0])
    child = 1 + first
    second = right(row[splits[child][0]], splits[child][1], unknown=unknown[child])
    return leaves[2 * first + second]


@pytest.mark.parametrize("kernel", kernel_versions("columns"))
@given(
    forest=st.lists(trees, max_size=4),
    site=st.lists(values, min_size=2, max_size=2),
    rows=st.lists(st.lists(values, min_size=2, max_size=2), max_size=4),
)
def test_rows_get_the_leaves_that_their_numbers_lead_to(
    kernel: ModuleType, forest: list[Tree], site: list[float], rows: list[list[float]]
) -> None:
    first, feature, low, high, unknown = (array("i") for _ in range(5))
    threshold = array("d")
    for splits, leaves, way in forest:
        start = len(feature)
        first.append(start)
        for k, (at, value) in enumerate(splits):
            below = (start + 1, start + 2) if k == 0 else (start + 1 + 2 * k, start + 2 + 2 * k)
            for column, number in ((feature, at), (low, below[0]), (high, below[1]), (unknown, below[way[k]])):
                column.append(number)
            threshold.append(value)
        for value in leaves:
            for column, number in ((feature, -1), (low, 0), (high, 0), (unknown, 0)):
                column.append(number)
            threshold.append(value)
    numbers = array("d", [value for row in rows for value in row])
    found = kernel.sums(0.25, first, feature, threshold, low, high, unknown, array("d", site), numbers, len(rows))
    assert list(found) == pytest.approx([0.25 + sum(walked(tree, site + row) for tree in forest) for row in rows])
