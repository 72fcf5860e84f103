"""The biggest equal top-down mapping, compared with trying every way."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.base.tree import Classes
from dehusk.methods import _equal_mapping
from dehusk.methods._equal_mapping import Side, etdm, heaviest
from dehusk.page import Page
from trees import Nested, pair, trees


def size(first: Nested | str, second: Nested | str) -> int:
    one, two = pair(first, second)
    return len(etdm(Side(one), Side(two)))


def biggest(first: Nested, second: Nested) -> int:
    """The size of the biggest mapping: all ways to pair the children are tried."""
    if first[0] != second[0]:
        return 0
    few, many = sorted((first[1], second[1]), key=len)
    ways = itertools.permutations(many, len(few))
    return 1 + max(sum(map(biggest, few, way)) for way in ways)


@settings(max_examples=300)
@given(trees("ab", leaves=7), trees("ab", leaves=7))
def test_no_mapping_has_more_nodes(left: Nested, right: Nested) -> None:
    assert size(left, right) == biggest(left, right)


def test_the_bigger_of_two_equal_siblings_is_mapped() -> None:
    assert size("r(a,a(b,b,b))", "r(a(b,b))") == 4


def test_a_sibling_leaves_its_best_mate_to_one_that_needs_it_more() -> None:
    assert size("r(a(b,c),a(b,c,d))", "r(a(b,c,d,e),a(b,f))") == 1 + 2 + 4


def test_what_is_below_several_levels_counts() -> None:
    assert size("r(a(b(x)),a(b(c(d,e))))", "r(a(b(c(d,f))),a(b(y)))") == 1 + 4 + 2


def mates(first: str, second: str) -> list[tuple[int, int]]:
    classes = Classes()
    return sorted(etdm(*(Side.of(Page(html), "attributes", classes) for html in (first, second))))


def test_among_identical_elements_the_other_attributes_choose_after_the_position() -> None:
    pairs = mates("<p title=a>x</p><p title=b>x</p>", "<i></i>" * 3 + "<p title=b>x</p>")
    assert [x for x, _ in pairs] == [0, 3, 4]


@pytest.mark.parametrize(
    ("more", "chosen"),
    [
        pytest.param(("<hr><hr>", "title=a", "title=b"), {(1, 0), (0, 1)}, id="attributes"),
        pytest.param(("", "title=a", "title=b"), {(0, 0), (1, 1)}, id="position before attributes"),
        pytest.param(("<hr><hr>", "", ""), {(0, 0), (1, 1)}, id="order if nothing else differs"),
    ],
)
def test_traits_choose_among_equally_big_mappings(more: tuple[str, str, str], chosen: set[tuple[int, int]]) -> None:
    begin, one, two = more
    first = f"<p {one}><b></b><i></i></p><p {two}><b></b><u></u></p>"
    second = f"{begin}<p {two}><i></i><u></u></p><p {one}><i></i><u></u><b></b></p>"
    pairs = mates(first, second)
    assert len(pairs) == 1 + 2 + 3
    left, right = ([node for node, tag in enumerate(Page(html).tree.tag) if tag == "p"] for html in (first, second))
    assert {(left.index(x), right.index(y)) for x, y in pairs if x in left} == chosen


@pytest.mark.parametrize("limit", ["ASSIGNED_CELLS", "WEIGHED_PAIRS"])
@settings(max_examples=100)
@given(trees("ab", leaves=7), trees("ab", leaves=7))
def test_beyond_the_limits_the_result_is_still_a_mapping(limit: str, left: Nested, right: Nested) -> None:
    first, second = pair(left, right)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_equal_mapping, limit, 1)
        pairs = etdm(Side(first), Side(second))
    assert len({x for x, _ in pairs}) == len({y for _, y in pairs}) == len(pairs) <= biggest(left, right)
    assert all((x, y) == (0, 0) or (first.parent[x], second.parent[y]) in pairs for x, y in pairs)


def test_long_lists_of_different_items_take_no_cubic_time() -> None:
    one, two = ("".join(f"<li><a>{k}</a>{'<b></b>' * (k % m)}</li>" for k in range(3000)) for m in (5, 7))
    assert len(mates(f"<ul>{one}</ul>", f"<ul>{two}</ul>")) > 9000


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_the_heaviest_assignment_is_found(rows: int, columns: int, data: st.DataObject) -> None:
    row = st.lists(st.integers(1, 20), min_size=columns, max_size=columns)
    weights = data.draw(st.lists(row, min_size=rows, max_size=rows))
    pairs = heaviest(weights)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == min(rows, columns)
    few, many = (rows, columns) if rows <= columns else (columns, rows)
    ways = itertools.permutations(range(many), few)
    best = max(sum(weights[i][j] if rows <= columns else weights[j][i] for i, j in enumerate(way)) for way in ways)
    assert sum(weights[i][j] for i, j in pairs) == best
