"""RTDM-TD: the mapping is optimal, and the template is common to the pages."""

import itertools
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
from dehusk.base.tree import Numbered
from dehusk.methods.common_subtree import Subtree
from dehusk.methods.rtdm import extract_subtree, learn, map_trees
from dehusk.page import Page
from dehusk.templates.template import Template
from trees import Nested, as_nested, contained, page, pair, trees

COSTS = pytest.mark.parametrize("replace", [1, 2])


def optimum(first: Nested, second: Nested, replace: int) -> int:
    """The cost of the cheapest restricted top-down mapping of two trees with equal roots, by brute force."""
    return _forests(first[1], second[1], replace)


def _forests(first: list[Nested], second: list[Nested], replace: int) -> int:
    if not first or not second:
        return sum(map(_nodes, first)) + sum(map(_nodes, second))
    (x, *xs), (y, *ys) = first, second
    pair_cost = _forests(x[1], y[1], replace) if x[0] == y[0] else replace + _nodes(x) + _nodes(y) - 2
    return min(
        _nodes(x) + _forests(xs, second, replace),
        _nodes(y) + _forests(first, ys, replace),
        pair_cost + _forests(xs, ys, replace),
    )


def _nodes(tree: Nested) -> int:
    return 1 + sum(map(_nodes, tree[1]))


def cost(first: Numbered, second: Numbered, mates: list[int], replace: int) -> int:
    """Definition 2: replacements, insertions and removals of a mapping."""
    mapped = [(x, y) for x, y in enumerate(mates) if y >= 0]
    replaced = sum(first.label[x] != second.label[y] for x, y in mapped)
    return replaced * replace + len(first) + len(second) - 2 * len(mapped)


def ancestor(tree: Numbered, above: int, below: int) -> bool:
    return above < below < above + tree.size[above]


@COSTS
@given(trees(), trees())
def test_the_mapping_satisfies_definitions_1_3_and_4(replace: int, left: Nested, right: Nested) -> None:
    first, second = pair(left, right)
    mapped = [(x, y) for x, y in enumerate(map_trees(first, second, replace=replace)) if y >= 0]
    assert len({y for _, y in mapped}) == len(mapped)
    for (x1, y1), (x2, y2) in itertools.combinations(mapped, 2):
        assert ancestor(first, x1, x2) == ancestor(second, y1, y2)
        left_of = x1 < x2 and not ancestor(first, x1, x2)
        assert left_of == (y1 < y2 and not ancestor(second, y1, y2))
    for x, y in mapped:
        assert (x == 0 and y == 0) or (first.parent[x], second.parent[y]) in mapped
        if first.label[x] != second.label[y]:
            assert not any(ancestor(first, x, x2) or ancestor(second, y, y2) for x2, y2 in mapped)


@COSTS
@given(trees(), trees())
def test_the_mapping_costs_as_little_as_any(replace: int, left: Nested, right: Nested) -> None:
    first, second = pair(left, right)
    mates = list(map_trees(first, second, replace=replace))
    assert cost(first, second, mates, replace) == optimum(left, right, replace)


def test_unit_cost_throws_away_what_is_common_and_cost_two_does_not() -> None:
    first, second = pair("r(x,y,a)", "r(a,z,w)")
    assert sum(extract_subtree(first, second, replace=1)) == 1
    assert sum(extract_subtree(first, second, replace=2)) == 2


def test_different_roots_have_nothing_in_common() -> None:
    first, second = pair("r(a)", "s(a)")
    assert list(map_trees(first, second)) == [-1, -1]


@settings(max_examples=100)
@given(st.lists(trees(leaves=4), min_size=2, max_size=5))
def test_the_template_is_common_to_all_pages_except_outliers(drawn: list[Nested]) -> None:
    pages = [page(tree) for tree in drawn]
    template = dehusk.learn(pages, method="rtdm", dedupe=False)
    assert isinstance(template.families[0].rules, Subtree)
    for one in pages:
        if template.families[0].rules.labels and one.digest not in template.outliers:
            assert contained(template_tree(template), page_tree(one))


@settings(max_examples=100)
@given(st.lists(trees(leaves=4), min_size=2, max_size=5), st.randoms(use_true_random=False))
def test_learning_is_the_same_for_any_order_of_pages(drawn: list[Nested], random: Random) -> None:
    pages = [page(tree) for tree in drawn]
    shuffled = random.sample(pages, len(pages))
    first, second = (dehusk.learn(order, method="rtdm", sample=4) for order in (pages, shuffled))
    assert first.to_json() == second.to_json()


def test_a_page_without_the_template_is_left_out_and_reported() -> None:
    pages = [page(f'r(a(b("menu")),c("text {number}"),d("footer"))') for number in range(5)]
    stranger = page('s(t("alone"))')
    stranger.name = "stranger"
    template = dehusk.learn([*pages, stranger], method="rtdm")
    assert template.outliers == ("stranger",)
    assert isinstance(template.families[0].rules, Subtree)
    assert {'"menu', '"footer'} <= set(template.families[0].rules.labels)


def test_the_template_of_three_pages_is_common_but_not_always_the_largest() -> None:
    rules = learn([page("r(a,b)"), page("r(b,a)"), page("r(b)")]).rules
    assert isinstance(rules, Subtree)
    assert rules.labels == ["body", "x-r"]  # although all three have r(b)


def page_tree(one: Page) -> Nested:
    return as_nested(one.tree.labels(), one.tree.size)


def template_tree(template: Template) -> Nested:
    assert isinstance(template.families[0].rules, Subtree)
    return as_nested(template.families[0].rules.labels, template.families[0].rules.size)
