"""The largest common forest, plain and compiled."""

from array import array
from types import ModuleType

import pytest
from hypothesis import given

from conftest import kernel_versions
from dehusk.base.tree import Classes, Numbered
from trees import Nested, numbered, pair, trees

both = pytest.mark.parametrize("kernel", kernel_versions("forest"))


def mates(kernel: ModuleType, first: Numbered, second: Numbered) -> list[int]:
    ours = first.subtree, first.path, first.size, first.parent
    return list(kernel.map_forest(*ours, second.subtree, second.path))


def searched(first: Numbered, second: Numbered) -> list[int]:
    """Level by level, each free node takes the first free node with an equal path and an identical subtree."""
    depths = [0] * len(first)
    for node in range(1, len(first)):
        depths[node] = depths[first.parent[node]] + 1
    found, taken = [-1] * len(first), set[int]()
    for x in sorted(range(len(first)), key=lambda node: (depths[node], node)):
        if found[x] >= 0:
            continue
        wanted = first.subtree[x], first.path[x]
        free = (y for y in range(len(second)) if y not in taken and (second.subtree[y], second.path[y]) == wanted)
        if (y := next(free, None)) is not None:
            found[x : x + first.size[x]] = range(y, y + first.size[x])
            taken |= set(range(y, y + first.size[x]))
    return found


@both
@given(trees("ab", leaves=9), trees("ab", leaves=9))
def test_the_mapping_is_the_one_that_a_search_finds(kernel: ModuleType, left: Nested, right: Nested) -> None:
    first, second = pair(left, right)
    assert mates(kernel, first, second) == searched(first, second)


@both
def test_many_equal_candidates_are_taken_in_order(kernel: ModuleType) -> None:
    many: Nested = ("r", [("a", []) for _ in range(3000)])
    first, second = pair(many, ("r", [*many[1], ("b", [])]))
    assert mates(kernel, first, second) == [-1, *range(1, 3001)]


@both
def test_empty_trees_have_nothing_in_common(kernel: ModuleType) -> None:
    empty = Classes().number_labels([], array("i"), array("i"))
    assert mates(kernel, empty, numbered("r")) == []
    assert mates(kernel, numbered("r"), empty) == [-1]


@both
def test_level_order_is_from_the_root_down_and_from_left_to_right(kernel: ModuleType) -> None:
    assert list(kernel.level_order(numbered("r(a(b,c),d(e))").parent)) == [0, 1, 4, 2, 3, 5]
