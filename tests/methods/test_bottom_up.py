"""RBM-TD: whole subtrees at equal paths, matched one to one in any order."""

from array import array
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.base.tree import Classes, Numbered, sizes
from dehusk.marking.marking import Marking
from dehusk.methods.bottom_up import extract_subtree, learn, load, map_forest
from dehusk.page import Page
from trees import Nested, page, pair, trees


def marked(first: str, second: str) -> int:
    return sum(extract_subtree(*pair(first, second)))


def leaves(tree: Numbered, nodes: list[bool] | None = None) -> Counter[int]:
    """The paths of the leaves among the nodes, with their counts."""
    return Counter(
        tree.path[node] for node in range(len(tree)) if tree.size[node] == 1 and (nodes is None or nodes[node])
    )


def test_a_subtree_that_differs_in_its_leaf_is_missed_although_its_root_is_common() -> None:
    assert marked("r(a(x))", "r(a(y))") == 0


def test_the_order_of_siblings_is_not_kept() -> None:
    assert marked("r(a,b)", "r(b,a)") == 3


def test_nodes_above_a_common_subtree_are_template_too() -> None:
    assert extract_subtree(*pair("r(a(b(c),x),d)", "r(a(b(c),y),e)")) == [True, True, True, True, False, False]


def test_identical_subtrees_on_different_paths_are_not_common() -> None:
    assert marked("r(a(c(d)))", "r(b(c(d)))") == 0


def test_a_repeated_subtree_is_common_as_many_times_as_on_the_other_page() -> None:
    assert marked("r(a(x),a(x),a(x),b)", "r(a(x),a(x),c)") == 5


def test_the_first_candidate_in_level_order_is_taken() -> None:
    first, second = pair("r(a(x),b)", "r(c,a(x),a(x))")
    assert list(map_forest(first, second)) == [-1, 2, 3, -1]


def test_a_subtree_near_the_root_is_mapped_before_one_deeper_that_comes_earlier() -> None:
    # In pre-order, the x of the first a would take the only x, and a(x) would not find it any more.
    first, second = pair("r(a(x,y),a(x))", "r(a(x))")
    assert list(map_forest(first, second)) == [-1, -1, -1, -1, 1, 2]


@given(trees(), trees())
def test_every_pair_is_of_whole_identical_subtrees_on_equal_paths_one_to_one(left: Nested, right: Nested) -> None:
    first, second = pair(left, right)
    mapped = {x: y for x, y in enumerate(map_forest(first, second)) if y >= 0}
    assert len(set(mapped.values())) == len(mapped)
    for x, y in mapped.items():
        assert (first.subtree[x], first.path[x]) == (second.subtree[y], second.path[y])
        assert all(mapped[x + k] == y + k for k in range(first.size[x]))


@given(trees(), trees())
def test_the_forest_is_the_largest_and_has_each_common_leaf_path_as_many_times_as_both(
    left: Nested, right: Nested
) -> None:
    first, second = pair(left, right)
    assert leaves(first, extract_subtree(first, second)) == leaves(first) & leaves(second)


@given(trees(), trees())
def test_a_node_that_is_template_has_a_template_parent(left: Nested, right: Nested) -> None:
    first, second = pair(left, right)
    nodes = extract_subtree(first, second)
    assert all(nodes[first.parent[node]] for node in range(1, len(first)) if nodes[node])


@given(trees(root=None))
def test_a_tree_is_all_common_with_itself(tree: Nested) -> None:
    assert all(extract_subtree(*pair(tree, tree)))


@pytest.mark.parametrize("shape", ["deep", "wide"])
def test_trees_may_be_very_deep_and_wide(shape: str) -> None:
    nodes = 100_000  # in quadratic time this would take too long
    parent = array("i", [-1, *range(nodes - 1)] if shape == "deep" else [-1, *[0] * (nodes - 1)])
    classes = Classes()
    first = classes.number_labels(["a"] * (nodes - 1) + ["x"], parent, sizes(parent))
    second = classes.number_labels(["a"] * (nodes - 1) + ["y"], parent, sizes(parent))
    assert sum(extract_subtree(first, second)) == (0 if shape == "deep" else nodes - 1)


def test_a_template_whose_order_the_pages_break_is_found_on_each_of_them() -> None:
    pages = [page('r(a("one"),b("two"),c("own"))'), page('r(b("two"),a("one"),c("new"))')]
    rules = learn(pages).rules
    for one in pages:
        flags = rules.mark(one).flags
        assert [text for text, flag in zip(one.tree.text, flags, strict=True) if flag and text] == [
            text for text in one.tree.text if text in {"one", "two"}
        ]


@given(st.lists(trees(leaves=4), min_size=2, max_size=4))
def test_learned_rules_survive_saving_and_loading(drawn: list[Nested]) -> None:
    pages = [page(tree) for tree in drawn]
    rules = learn(pages).rules
    again = load(rules.to_json())
    assert again.to_json() == rules.to_json()
    assert all(again.mark(one).flags == rules.mark(one).flags for one in pages)


@pytest.mark.parametrize(
    "pages",
    [
        [],
        [Page("<p>one</p>")],
        [Page("<body></body>"), Page("<p>one</p>")],
        [Page("<p>one</p>"), Page("<div>two</div>")],
    ],
    ids=["no page", "one page", "an empty body", "nothing in common"],
)
def test_if_there_is_nothing_to_learn_nothing_is_removed(pages: list[Page]) -> None:
    rules = learn(pages).rules
    one = Page("<p>one</p><div>two</div>")
    assert Marking(one, rules.mark(one)).removed == []


def test_a_page_of_50000_nested_elements_is_learned_cleaned_and_saved() -> None:
    deep = ["<div>" * 50_000 + f"menu<p>{own}</p>" for own in ("one", "two")]
    rules = learn([Page(html) for html in deep]).rules
    again = load(rules.to_json())
    one = Page(deep[0])
    assert [text for text, flag in zip(one.tree.text, again.mark(one).flags, strict=True) if text and not flag] == [
        "one"
    ]
