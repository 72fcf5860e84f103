"""PS-TD and CPS-TD: always a common subtree, rarely much smaller than the largest, and in bounded time."""

import random
from array import array
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.base.tree import Classes, Numbered, sizes
from dehusk.methods import consolidated_prufer, prufer, rtdm
from dehusk.methods import tree_sequences as sequences
from dehusk.methods.common_subtree import Subtree
from dehusk.methods.rules import Learned
from dehusk.page import Page
from trees import Nested, as_nested, contained, page, pair, trees

BOTH = pytest.mark.parametrize("method", [prufer, consolidated_prufer], ids=["PS-TD", "CPS-TD"])


def template_tree(learned: Learned) -> Nested:
    assert isinstance(learned.rules, Subtree)
    return as_nested(learned.rules.labels, learned.rules.size)


def flagged(learned: Learned, one: Page) -> int:
    return sum(learned.rules.mark(one).flags)


def kept(tree: Numbered, flags: list[bool]) -> int:
    """The number of nodes of a result; the parents of all nodes must be in it."""
    assert all(flags[tree.parent[node]] for node in range(1, len(tree)) if flags[node])
    return sum(flags)


@BOTH
def test_the_worked_example_has_a_template_of_four_nodes(method: ModuleType) -> None:
    first, second = pair("r(B(x),B(x,y))", "r(B(x,y))")
    assert method.extract_subtree(first, second) == [True, False, False, True, True, True]


@BOTH
def test_the_thesis_s_limitation_finds_three_nodes_of_four(method: ModuleType) -> None:
    first, second = pair("r(C(D(E)),C(F))", "r(C(D(E),F))")
    assert (sum(method.extract_subtree(first, second)), sum(rtdm.extract_subtree(first, second))) == (3, 4)


@BOTH
def test_equal_labels_on_different_paths_are_not_common(method: ModuleType) -> None:
    assert sum(method.extract_subtree(*pair("r(a(c))", "r(b(c))"))) == 1


@BOTH
def test_siblings_in_another_order_are_not_all_common(method: ModuleType) -> None:
    assert sum(method.extract_subtree(*pair("r(a,b)", "r(b,a)"))) == 2


@BOTH
@given(trees("abc"), trees("abc"))
def test_a_pair_has_at_most_as_much_in_common_as_the_optimum_and_the_root_at_least(
    method: ModuleType, left: Nested, right: Nested
) -> None:
    first, second = pair(left, right)
    common = kept(first, method.extract_subtree(first, second))
    assert 1 <= common <= sum(rtdm.extract_subtree(first, second))


@BOTH
@settings(max_examples=50)
@given(st.lists(trees(leaves=4), min_size=2, max_size=5))
def test_the_template_is_common_to_all_pages_except_outliers(method: ModuleType, drawn: list[Nested]) -> None:
    pages = [page(tree) for tree in drawn]
    learned = method.learn(pages)
    for one in pages:
        if one not in learned.outliers and learned.rules.labels:
            assert contained(template_tree(learned), as_nested(one.tree.labels(), one.tree.size))


@BOTH
def test_menus_and_footers_around_different_texts_are_found(method: ModuleType) -> None:
    pages = [page(f'r(m(l("home"),l("about")),c("words of {name}"),f("imprint"))') for name in ("one", "two", "three")]
    learned = method.learn(pages)
    new = page('r(m(l("home"),l("about")),c("words of four"),f("imprint"))')
    texts = [text for text, flag in zip(new.tree.text, learned.rules.mark(new).flags, strict=True) if text and not flag]
    assert texts == ["words of four"]


@BOTH
def test_learned_rules_survive_json(method: ModuleType) -> None:
    pages = [page(f'r(m("home"),c("words of {name}"))') for name in ("one", "two")]
    rules = method.learn(pages).rules
    assert method.load(rules.to_json()).to_json() == rules.to_json()


@BOTH
def test_no_page_one_page_and_nothing_in_common_are_accepted(method: ModuleType) -> None:
    empty, alone = Page(""), page('r("text")')
    assert method.learn([]).rules.mark(alone).flags == bytearray(len(alone.tree))
    assert len(method.learn([empty]).rules.mark(empty).flags) == len(empty.tree)
    strange = [page('a("one")'), page('b("two")')]
    learned = method.learn(strange)
    assert all(flagged(learned, one) <= 1 for one in strange)  # the bodies themselves


@BOTH
def test_a_tree_without_nodes_has_nothing_in_common_with_any(method: ModuleType) -> None:
    first, second = pair("r(a)", "s(a)")
    nothing = Numbered(first.parent[:0], first.size[:0], first.label[:0], first.subtree[:0], first.path[:0])
    assert method.extract_subtree(nothing, second) == []
    assert method.extract_subtree(first, nothing) == [False, False]
    assert method.extract_subtree(first, second) == [False, False]


@BOTH
def test_two_hundred_thousand_nested_elements_take_seconds(method: ModuleType) -> None:
    labels = ["body", *["div"] * 200_000]
    parent = array("i", range(-1, 200_000))
    classes = Classes()
    first, second = (classes.number_labels([*labels[:-1], last], parent, sizes(parent)) for last in ("b", "i"))
    common = method.extract_subtree(first, second)
    assert common == [True] * 200_000 + [False]


@BOTH
def test_lists_of_ten_thousand_items_take_seconds(method: ModuleType) -> None:
    pages = [
        Page("<ul>" + "".join(f"<li>item {number}" for number in range(start, start + 10_000)) + "</ul>")
        for start in (0, 5_000)
    ]
    learned = method.learn(pages)
    assert learned.rules.labels.count("li") >= 5_000


@BOTH
def test_random_lists_whose_dominant_matches_explode_take_seconds(method: ModuleType) -> None:
    source = random.Random(1)
    pages = [Page("".join(source.choices(["<b>x</b>", "<i>y</i>", "<u>z</u>"], k=10_000))) for _ in range(2)]
    learned = method.learn(pages)
    assert len(learned.rules.labels) > 5_000


def test_the_number_of_dominant_matches_is_available() -> None:
    first, second = pair("r(a,b,c)", "r(a,b,c)")
    assert sequences.count_dominant(first, second, sequences.CONSOLIDATED) == 4
    assert sequences.count_dominant(first, second, sequences.EXTENDED) > 4
