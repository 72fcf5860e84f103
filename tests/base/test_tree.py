"""Equal labels, subtrees and paths get equal numbers."""

from hypothesis import given

from dehusk.base.tree import Classes, parents, sizes
from trees import Nested, as_nested, flat, numbered, pair, trees


@given(trees("ab"), trees("ab"))
def test_equal_subtree_numbers_are_identical_subtrees(left: Nested, right: Nested) -> None:
    first, second = pair(left, right)
    ones, others = flat(left)[0], flat(right)[0]
    for x in range(len(first)):
        for y in range(len(second)):
            same = as_nested(ones, first.size, x) == as_nested(others, second.size, y)
            assert (first.subtree[x] == second.subtree[y]) == same


@given(trees("ab"))
def test_equal_path_numbers_are_equal_labels_from_the_root(tree: Nested) -> None:
    one = numbered(tree)
    labels = flat(tree)[0]

    def path(node: int) -> list[str]:
        return [*(path(one.parent[node]) if node else []), labels[node]]

    for x in range(len(one)):
        for y in range(len(one)):
            assert (one.path[x] == one.path[y]) == (path(x) == path(y))


@given(trees("ab"))
def test_parents_and_sizes_describe_the_same_tree(tree: Nested) -> None:
    parent = flat(tree)[1]
    assert parents(sizes(parent)) == parent


def test_numbers_are_comparable_between_trees_of_a_table() -> None:
    classes = Classes()
    assert numbered("r(a)", classes).subtree[1] == numbered("s(t(a))", classes).subtree[2]
