"""Match: whether a tree contains another, with the same root and order."""

from types import ModuleType

import pytest
from hypothesis import given

from conftest import kernel_versions
from dehusk.base.tree import Numbered
from trees import Nested, contained, pair, trees

both = pytest.mark.parametrize("kernel", kernel_versions("matching"))


def places(kernel: ModuleType, small: Numbered, large: Numbered) -> list[int]:
    return list(kernel.match(small.label, small.size, large.label, large.size))


@both
@given(trees(leaves=4), trees(leaves=8))
def test_greedy_from_the_left_finds_what_trying_every_way_finds(
    kernel: ModuleType, left: Nested, right: Nested
) -> None:
    small, large = pair(left, right)
    found = places(kernel, small, large)
    assert bool(found) == contained(left, right)
    if found:
        assert found == sorted(set(found))
        assert all(small.label[x] == large.label[y] for x, y in enumerate(found))
        assert all(large.parent[found[x]] == found[small.parent[x]] for x in range(1, len(found)))


@both
def test_a_place_with_only_a_part_of_the_tree_is_skipped(kernel: ModuleType) -> None:
    small, large = pair("r(a(b,c))", "r(a(b),x,a(b,d,c))")
    assert places(kernel, small, large) == [0, 4, 5, 7]


@both
def test_deep_trees_need_no_recursion(kernel: ModuleType) -> None:
    deep: Nested = ("x", [])
    for _ in range(100_000 if "plain" not in kernel.__name__ else 20_000):
        deep = ("d", [deep])
    small, large = pair(deep, deep)
    assert places(kernel, small, large) == list(range(len(small)))
