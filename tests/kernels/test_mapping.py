"""The mapping kernel, plain and compiled."""

from types import ModuleType

import pytest
from hypothesis import given, settings

from conftest import kernel_versions
from dehusk.base.tree import Numbered
from trees import Nested, nested, pair, trees

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
def test_nodes_of_only_one_tree_are_not_mapped(kernel: ModuleType) -> None:
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
def test_a_chain_of_100_000_nodes_needs_no_recursion(kernel: ModuleType) -> None:
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


@pytest.mark.parametrize("kernel", VERSIONS)
@pytest.mark.parametrize(
    ("first", "second", "chosen"),
    [("r(c(c))", "r(c(b),c(b,b))", [0, 1, -1]), ("r(a,a(b,b))", "r(a(a))", [0, 1, -1, -1, -1])],
)
def test_of_equally_cheap_mappings_the_first_children_are_mapped(
    kernel: ModuleType, first: str, second: str, chosen: list[int]
) -> None:
    assert mates(kernel, *pair(first, second)) == chosen


def optimum(first: Nested, second: Nested, replace: int) -> tuple[int, int]:
    """The cost of the cheapest mapping of two trees with equal roots, and its largest number of identical nodes."""
    cost, same = _cheapest(first, second, replace)
    return cost, -same


def _cheapest(first: Nested, second: Nested, replace: int) -> tuple[int, int]:
    """The same by a table over the children, without shortcuts; identical nodes count as negative cost."""
    row = [(0, 0)]
    for y in second[1]:
        row.append((row[-1][0] + _nodes(y), 0))
    for x in first[1]:
        done = [(row[0][0] + _nodes(x), 0)]
        for j, y in enumerate(second[1]):
            cost, same = _cheapest(x, y, replace) if x[0] == y[0] else (replace + _nodes(x) + _nodes(y) - 2, 0)
            delete = (row[j + 1][0] + _nodes(x), row[j + 1][1])
            insert = (done[j][0] + _nodes(y), done[j][1])
            done.append(min(delete, insert, (row[j][0] + cost, row[j][1] + same)))
        row = done
    return row[-1][0], row[-1][1] - 1


def _nodes(tree: Nested) -> int:
    return 1 + sum(map(_nodes, tree[1]))


def reached(kernel: ModuleType, left: Nested, right: Nested, replace: int) -> tuple[int, int]:
    """The cost and the identical nodes of the kernel's mapping."""
    first, second = pair(left, right)
    mapped = [(x, y) for x, y in enumerate(mates(kernel, first, second, replace)) if y >= 0]
    same = sum(first.label[x] == second.label[y] for x, y in mapped)
    return (len(mapped) - same) * replace + len(first) + len(second) - 2 * len(mapped), same


# Two lists of seven with one common label: large enough for the kernel to cache their mapping cost.
LIST, OTHER = "v(a,b,c,d,e,f,g)", "v(h,i,j,d,k,l,m)"


@pytest.mark.parametrize("kernel", VERSIONS)
@pytest.mark.parametrize(
    ("replace", "first", "second"),
    [
        pytest.param(1, "r(a(a))", "r(a,a(b))", id="a bound knows that a label may be replaced at unit cost"),
        pytest.param(1, "r(b(b),a(b,a,a),b(a,a))", "r(b(a,b))", id="and that one replacement may be the difference"),
        pytest.param(4, "r(g(g),d(h),f)", "r(f,g(e),d(c))", id="a dear replacement is a deletion and an insertion"),
        pytest.param(4, "r(a(h(b)),f)", "r(a(e(g)))", id="in a bound as well"),
        pytest.param(1, "r(f,a,b(e))", "r(b,e)", id="of equal costs, an identical node"),
        pytest.param(1, "r(d,f,a)", "r(a,b)", id="an identical subtree"),
        pytest.param(1, "r(c,b(a,a),b(c))", "r(b(c,b))", id="identical children at the start"),
        pytest.param(1, "r(c(b,c))", "r(b(c,b),c(a(b,c,a),a),c(c))", id="identical children at the end"),
        pytest.param(1, f"r(w({LIST}),u({LIST}),y,u({LIST}))", f"r(y,u({OTHER}),{OTHER[:-1]},z))", id="remembered"),
        pytest.param(
            1,
            f"r(w(w({LIST})),{LIST},{LIST})",
            f"r(w({OTHER}),{OTHER},w(w({OTHER})))",
            id="remembered by itself",
        ),
    ],
)
def test_the_cheapest_mapping_with_most_identical_nodes_is_found(
    kernel: ModuleType, replace: int, first: str, second: str
) -> None:
    left, right = nested(first), nested(second)
    assert reached(kernel, left, right, replace) == optimum(left, right, replace)


@pytest.mark.parametrize("kernel", VERSIONS)
@pytest.mark.parametrize("replace", [1, 2, 4])
@given(trees("abcdef", leaves=10), trees("abcdef", leaves=10))
def test_no_mapping_is_cheaper_or_as_cheap_with_more_identical_nodes(
    kernel: ModuleType, replace: int, left: Nested, right: Nested
) -> None:
    assert reached(kernel, left, right, replace) == optimum(left, right, replace)


@pytest.mark.skipif(len(VERSIONS) < 2, reason="no compiled kernels here: there was no C compiler at install")
@settings(max_examples=200)
@given(trees("abc", leaves=12), trees("abc", leaves=12))
def test_compiled_and_plain_agree(left: Nested, right: Nested) -> None:
    first, second = pair(left, right)
    plain, compiled = MODULES
    for replace in (1, 2, 4):
        assert mates(plain, first, second, replace) == mates(compiled, first, second, replace)
