"""Templates that are common subtrees, found completely or partly on pages."""

from array import array

import pytest
from hypothesis import given, settings

from dehusk.base.tree import Classes, sizes
from dehusk.methods import common_subtree
from dehusk.methods.common_subtree import Subtree, outliers
from dehusk.page import Page
from trees import Nested, contained, flat, numbered, page, trees


def template(tree: str | Nested) -> Subtree:
    one = page(tree).tree
    return Subtree(one.labels(), one.size, 3)


def gone(rules: Subtree, one: Page) -> set[str]:
    flags = rules.mark(one).flags
    return {label for label, flag in zip(one.tree.labels(), flags, strict=True) if flag}


def test_all_of_a_template_that_a_page_contains_is_found() -> None:
    rules = template('m(a("home"),a("help")),f("imprint")')
    found = gone(
        template('r(m("home","help"),f("imprint"))'), page('r(m("home",x("new"),"help"),c("text"),f("imprint"))')
    )
    assert {'"imprint', "x-m", "x-f"} <= found
    assert '"text' not in found
    assert rules.pages == 3


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(
            'r(b("ad"),h(t("title"),n("menu")),c(p("mine")),f(x("imprint"),y("terms")))', id="something more first"
        ),
        pytest.param('r(h(t("title"),n("menu")),c(p("mine")))', id="no footer"),
        pytest.param('r(c(p("mine")),f(x("imprint"),y("terms")))', id="no header"),
        pytest.param('r(h(t("title"),n("menu")),c(p("mine")),f(y("terms")))', id="half a footer"),
    ],
)
def test_if_only_a_part_fits_that_part_is_found(other: str) -> None:
    rules = template('r(h(t("title"),n("menu")),c,f(x("imprint"),y("terms")))')
    one = page(other)
    found = gone(rules, one)
    assert '"mine' not in found
    assert '"ad' not in found
    shared = {'"title', '"menu', '"imprint', '"terms'} & set(one.tree.labels())
    assert shared <= found


def test_similar_elements_are_matched_if_all_are_divs() -> None:
    rules = template('d(d(d("one"),d("two")),d(d("three"),d("four")))')
    one = page('d(d(d("extra")),d(d("one"),d("two"),d("more")),d(d("three"),d("four")))')
    found = gone(rules, one)
    assert {'"one', '"two', '"three', '"four'} <= found
    assert '"extra' not in found


@given(trees("abc", leaves=5), trees("abc", leaves=8))
def test_marks_are_never_more_nodes_than_the_template_has(small: Nested, large: Nested) -> None:
    rules, one = template(small), page(large)
    flags = rules.mark(one).flags
    assert sum(flags) <= len(rules.labels)
    if contained(small, large):
        assert sum(flags) == len(rules.labels)
    for node in range(1, len(flags)):
        assert flags[node] <= flags[one.tree.parent[node]]


@given(trees("ab"))
def test_the_lines_of_a_file_are_the_tree(tree: Nested) -> None:
    labels, parent = flat(tree)
    rules = Subtree(labels, sizes(parent), 7)
    again = Subtree.from_json(rules.to_json())
    assert (again.labels, again.size, again.pages) == (labels, rules.size, 7)


@pytest.mark.parametrize("lines", [["a", "  b"], [" a"], ["a", "b"], ["a", ""]])
def test_lines_that_do_not_form_a_tree_are_refused(lines: list[str]) -> None:
    with pytest.raises(ValueError, match="has no parent"):
        Subtree.from_json({"pages": 2, "tree": lines})


def test_a_very_deep_page_that_fits_in_part_needs_no_recursion() -> None:
    deep = Page("<div>" * 50_000 + "x" + "</div>" * 50_000 + "<p>y</p>")
    other = Page("<div>" * 50_000 + "z" + "</div>" * 50_000 + "<p>y</p>").tree
    rules = Subtree(other.labels(), other.size, 2)
    assert sum(rules.mark(deep).flags) == len(deep.tree) - 1


def test_an_empty_template_marks_nothing() -> None:
    assert sum(Subtree([], array("i"), 0).mark(page("r(a)")).flags) == 0


def test_the_core_is_what_half_of_the_pages_share() -> None:
    classes = Classes()
    half = [numbered(f"r(c,x,y,z,own{number})", classes) for number in range(2)]
    poor = [numbered(f"r(c,own{number})", classes) for number in range(2, 4)]
    assert outliers([*half, *poor]) == {2, 3}


def test_leaves_shared_by_fewer_than_half_are_not_in_the_core() -> None:
    classes = Classes()
    few = [numbered(f"r(c,d,v,w,x,y,z,own{number})", classes) for number in range(2)]
    most = [numbered(f"r(c,d,own{number})", classes) for number in range(2, 6)]
    assert outliers([*few, *most]) == set()


def test_a_page_with_half_of_the_core_is_not_an_outlier() -> None:
    classes = Classes()
    drawn = ["r(a,b,c,d)", "r(a,b,c,d,e)", "r(a,b,c,d,f)", "r(a,b)", "r(a)"]
    assert outliers([numbered(tree, classes) for tree in drawn]) == {4}


LIKE = 'd(p("one"),p("two"),p("new"))'


@pytest.mark.parametrize("other", [f'r({LIKE},d(p("x")))', f'r(d(p("x")),{LIKE})', f'r(d(p("x")),{LIKE},d(p("y")))'])
def test_an_element_is_matched_with_the_most_similar_one(other: str) -> None:
    rules = template('r(d(p("one"),p("two"),p("three")))')
    assert {'"one', '"two'} <= gone(rules, page(other))


def most(first: Nested, second: Nested) -> int:
    """The size of the largest common subtree, in order, by brute force."""
    return 1 + _most(first[1], second[1]) if first[0] == second[0] else 0


def _most(left: list[Nested], right: list[Nested]) -> int:
    if not left or not right:
        return 0
    skipped = max(_most(left[1:], right), _most(left, right[1:]))
    both = most(left[0], right[0])
    return max(skipped, both + _most(left[1:], right[1:])) if both else skipped


@settings(max_examples=300)
@given(trees("ab", leaves=7), trees("ab", leaves=7))
def test_no_more_of_the_template_fits_than_is_found(small: Nested, large: Nested) -> None:
    assert sum(template(small).mark(page(large)).flags) == 1 + most(small, large)  # the body too


def test_on_a_large_page_heavy_identical_subtrees_are_aligned_before_light_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(common_subtree, "EXACT_PAIRS", 0)
    assert sum(template("r(a(b),b)").mark(page("r(b,a(b))")).flags) == 1 + 3


@given(trees("abc", leaves=6), trees("abc", leaves=8))
def test_on_a_large_page_what_is_found_is_a_part_of_both(small: Nested, large: Nested) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common_subtree, "EXACT_PAIRS", 0)
        one = page(large)
        flags = template(small).mark(one).flags
    assert sum(flags) <= 1 + most(small, large)
    assert all(flags[node] <= flags[one.tree.parent[node]] for node in range(1, len(flags)))


def test_of_equally_similar_alignments_the_last_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common_subtree, "EXACT_PAIRS", 0)
    one = page("r(a(x),a(y))")
    assert list(template("r(a(z))").mark(one).flags) == [1, 1, 0, 0, 1, 0]
    one = page("r(a(y),b(y))")
    assert list(template("r(b(z),a(z))").mark(one).flags) == [1, 1, 1, 0, 0, 0]
