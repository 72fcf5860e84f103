"""The mapping kernel, plain and compiled."""

from types import ModuleType

import pytest
from hypothesis import given, settings

from conftest import kernel_versions
from dehusk.tree import Numbered
from trees import Nested, pair, trees

VERSIONS = kernel_versions("mapping")
MODULES = [version.values[0] for version in VERSIONS]


def mates(kernel: ModuleType, first: Numbered, second: Numbered, replace: int = 2) -> list[int]:
    one, two = ((tree.label, tree.subtree, tree.size) for tree in (first, second))
    return list(kernel.Mapper(*one, *two, replace).map())


@pytest.mark.parametrize("kernel", VERSIONS)
def test_identical_trees_map_node_on_node(kernel: ModuleType) -> None:
    first, second = pair("r(a(b,c),d)", "r(a(b,c),d)")
    assert mates(kernel, first, second) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_what_only_one_tree_has_stays_unmapped(kernel: ModuleType) -> None:
    first, second = pair("r(a,b,c)", "r(x(a),b,y,c)")
    assert mates(kernel, first, second) == [0, -1, 2 + 1, 5]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_lists_that_need_a_matrix_of_their_own_inside_a_matrix(kernel: ModuleType) -> None:
    first, second = pair("r(u(p(a),p(b),p(c)),u(q,p(d)))", "r(z,u(p(b),p(c),p(e)),u(p(d),q))")
    found = mates(kernel, first, second)
    same = [first.label[x] == second.label[y] for x, y in enumerate(found) if y >= 0]
    assert len(same) == 9
    assert all(same)


@pytest.mark.parametrize("kernel", VERSIONS)
def test_a_chain_of_100_000_nodes_is_no_recursion(kernel: ModuleType) -> None:
    deep: Nested = ("x", [])
    other: Nested = ("y", [])
    for _ in range(100_000 if "plain" not in kernel.__name__ else 20_000):
        deep, other = ("d", [deep]), ("d", [other])
    first, second = pair(("r", [deep]), ("r", [other]))
    assert mates(kernel, first, second)[:-1] == list(range(len(first) - 1))


@pytest.mark.parametrize("kernel", VERSIONS)
def test_lists_too_long_for_one_matrix_are_mapped_in_pieces(
    kernel: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "plain" not in kernel.__name__:
        pytest.skip("the bound is a C constant in the compiled kernel")
    monkeypatch.setattr(kernel, "MATRIX_CELLS", 20)
    left: Nested = ("r", [(f"{k}", [(f"{k}{k}", [])]) for k in range(30)])
    right: Nested = ("r", [(f"{k}", [("new", [])]) for k in range(30)])
    first, second = pair(left, right)
    found = mates(kernel, first, second)
    assert [found[1 + 2 * k] for k in range(30)] == [1 + 2 * k for k in range(30)]


@pytest.mark.skipif(len(VERSIONS) < 2, reason="no compiled kernels here: there was no C compiler at install")
@settings(max_examples=200)
@given(trees("abc", leaves=12), trees("abc", leaves=12))
def test_compiled_and_plain_agree(left: Nested, right: Nested) -> None:
    first, second = pair(left, right)
    plain, compiled = MODULES
    for replace in (1, 2):
        assert mates(plain, first, second, replace) == mates(compiled, first, second, replace)
