"""Columns: every loop against a simple reference implementation, plain and compiled."""

from array import array
from math import isnan
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import kernel_versions

numbers = st.floats(-1e6, 1e6)
VERSIONS = kernel_versions("columns")


@st.composite
def columns(draw: st.DrawFn) -> tuple[list[float], list[int]]:
    """Numbers of regions, and the parent of each region."""
    size = draw(st.integers(1, 12))
    parents = [-1, *(draw(st.integers(0, k - 1)) for k in range(1, size))]
    return draw(st.lists(numbers, min_size=size, max_size=size)), parents


def above(parents: list[int], region: int) -> list[int]:
    """A region and all its ancestors, except the root."""
    found = []
    while parents[region] >= 0:
        found.append(region)
        region = parents[region]
    return found


@pytest.mark.parametrize("kernel", VERSIONS)
@given(drawn=columns())
def test_columns_follow_the_tree(kernel: ModuleType, drawn: tuple[list[float], list[int]]) -> None:
    values, parents = drawn
    column, parent = array("d", values), array("i", parents)
    inside = [[k for k in range(len(values)) if region in (*above(parents, k), 0)] for region in range(len(values))]
    assert list(kernel.with_below(column, parent)) == pytest.approx([sum(values[k] for k in below) for below in inside])
    rows = array("d", [number for value in values for number in (value, 2 * value)])
    wider = kernel.rows_with_below(rows, 2, parent)
    assert wider[::2] == kernel.with_below(column, parent)  # added in the same order, so exactly the same
    assert wider[1::2] == kernel.with_below(rows[1::2], parent)
    ways = [[values[k] for k in above(parents, region)] for region in range(len(values))]
    assert list(kernel.most_above(column, parent, 0.5)) == [max([0.5, *way]) for way in ways]
    assert list(kernel.least_above(column, parent, 0.5)) == [min([0.5, *way]) for way in ways]


@pytest.mark.parametrize("kernel", VERSIONS)
@given(drawn=columns(), flags=st.lists(st.booleans(), min_size=12, max_size=12))
def test_steps_are_counted_up_to_the_nearest_flag(
    kernel: ModuleType, drawn: tuple[list[float], list[int]], flags: list[bool]
) -> None:
    parents = drawn[1]
    here = flags[: len(parents)]
    others, found = kernel.steps_up(array("i", [2 if flag else 1 for flag in here]), 2, array("i", parents), 4.0)
    assert [steps == 0 for steps in others] == [not flag for flag in here]
    for region, steps in enumerate(found):
        way = [*above(parents, region), 0]
        assert steps == min([4, *(k for k, one in enumerate(way) if here[one])])


@pytest.mark.parametrize("kernel", VERSIONS)
def test_nothing_is_divided_by_nothing(kernel: ModuleType) -> None:
    assert list(kernel.over(array("d", [3, 3, 0]), array("d", [2, 0, 0]))) == [1.5, 3, 0]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_places_are_taken_from_columns_and_put_into_rows(kernel: ModuleType) -> None:
    one, two = array("d", [1, 2, 3]), array("d", [10, 20, 30])
    assert list(kernel.chosen(one, array("i", [2, -1]), 7.0)) == [3, 7]
    places, elsewhere = array("i", [2, 0]), array("i", [1, -1])
    assert list(kernel.table([one, two], [places, elsewhere], array("d", [0, 7]))) == [3, 20, 1, 7]
    assert not len(kernel.table([one, two], [array("i"), array("i")], array("d", [0, 0])))


@pytest.mark.parametrize("kernel", VERSIONS)
def test_differences_are_computed_from_another_place_of_the_same_column(kernel: ModuleType) -> None:
    assert list(kernel.rises(array("d", [1, 2, 5]), array("i", [0, -1, 1]), -1.0)) == [0, -1, 3]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_a_share_of_nothing_is_not_a_number(kernel: ModuleType) -> None:
    half, unknown = kernel.shares(array("d", [1, 1]), array("d", [2, 0]))
    assert half == 0.5
    assert isnan(unknown)


@pytest.mark.parametrize("kernel", VERSIONS)
def test_a_table_is_split_into_its_columns(kernel: ModuleType) -> None:
    assert kernel.split(array("d", [1, 2, 3, 4]), 2) == [array("d", [1, 3]), array("d", [2, 4])]
    assert kernel.split(array("d"), 2) == [array("d"), array("d")]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_depth_is_counted_from_the_root(kernel: ModuleType) -> None:
    assert list(kernel.depths(array("i", [-1, 0, 1, 0]))) == [0, 1, 2, 1]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_numbers_are_picked_by_place(kernel: ModuleType) -> None:
    assert list(kernel.picked(array("i", [5, 6, 7]), array("i", [2, 2, 0]))) == [7, 7, 5]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_variation_is_a_share_of_the_mean(kernel: ModuleType) -> None:
    # The pairs are 2 and 6, 3 and 3, 0 and 0.5. A mean below 1 counts as 1.
    squares, means = array("d", [20, 9, 0.125]), array("d", [4, 3, 0.25])
    assert list(kernel.variations(squares, means)) == [0.5, 0, 0.25]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_a_block_has_parts_if_it_holds_texts_and_blocks_with_text(kernel: ModuleType) -> None:
    # A body of two blocks: the first has a text and a block, the second only a text.
    blocks, parent = bytearray([1, 1, 1, 1, 0]), array("i", [-1, 0, 1, 0, 0])
    direct, below = array("d", [0, 1, 2, 1, 1]), array("d", [5, 3, 2, 1, 1])
    assert list(kernel.with_parts(blocks, direct, below, parent)) == [1, 1, 0, 0, 0]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_regions_that_occur_twice_are_repeated_except_the_root(kernel: ModuleType) -> None:
    places, pages = array("d", [4, 4, 3, 4]), array("d", [2, 2, 2, 2])
    assert list(kernel.repeated(bytearray([1, 1, 1, 0]), places, pages)) == [0, 1, 0, 0]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_two_tables_stand_side_by_side(kernel: ModuleType) -> None:
    assert list(kernel.beside(array("d", [1, 2, 3, 4]), 2, array("d", [8, 9]), 1)) == [1, 2, 8, 3, 4, 9]
    assert not len(kernel.beside(array("d"), 2, array("d"), 1))


@pytest.mark.parametrize("kernel", VERSIONS)
def test_regions_are_chosen_by_their_numbers(kernel: ModuleType) -> None:
    assert list(kernel.nonzero(array("d", [0, 2, 0, -1]))) == [1, 3]
    assert list(kernel.means(array("d", [1, 2, 4]), array("i", [2, 1]), 2)) == [2, 1]


@pytest.mark.parametrize(("twice", "found"), [(1, 2), (2, 1)])
@pytest.mark.parametrize("kernel", VERSIONS)
def test_the_innermost_region_with_most_has_few_places(kernel: ModuleType, twice: float, found: int) -> None:
    parent, column = array("i", [-1, 0, 1, 1]), array("d", [10, 8, 7, 1])
    assert kernel.narrowed(parent, column, 0.6, array("d", [1, 1, twice, 1]), array("d", [1] * 4), 1.5) == found


@pytest.mark.parametrize("kernel", VERSIONS)
def test_a_table_divides_pairs_where_they_are_read(kernel: ModuleType) -> None:
    pair = array("d", [6, 5, 4]), array("d", [3, 0, 8])
    found = kernel.table([pair, pair[0]], [array("i", [0, 1, -1]), array("i", [2, -1, 0])], array("d", [-1, -2]))
    assert list(found) == [2, 4, 5, -2, -1, 6]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_sums_of_trees_stand_for_probabilities(kernel: ModuleType) -> None:
    found = kernel.likelihoods(array("d", [0.0, 2.0, -1000.0, 1000.0]))
    assert list(found) == pytest.approx([0.5, 0.8808, 0, 1], abs=1e-4)
    assert 0 < found[2] < found[3] < 1
