"""Rick's algorithm and template matches: values of the thesis, definitions, plain and compiled kernels."""

import itertools
import random
from array import array
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import kernel_versions
from dehusk.base.tree import Numbered
from dehusk.methods import rtdm
from trees import Nested, pair, trees

VERSIONS = pytest.mark.parametrize("kernel", kernel_versions("dominant"))
SEQUENCES = pytest.mark.parametrize("sequence", ["extended", "consolidated"])

ALL = 1_000_000  # more checks than any pair here needs

# Figure 4.4a, and figure 4.7a as reconstructed.
T8, T9 = "r(B(x),B(x,y))", "r(B(x,y))"
T10, T11 = "r(C(D(E)),C(F))", "r(C(D(E),F))"


def numbers(first: str, second: str) -> tuple["array[int]", "array[int]", int]:
    """Two strings as sequences of labels with a border before them."""
    letters = sorted({*first, *second})
    one, two = (array("i", [-1, *map(letters.index, word)]) for word in (first, second))
    return one, two, len(letters)


def dominant(kernel: ModuleType, first: str, second: str) -> list[list[tuple[int, int]]]:
    matches = kernel.Matches(*numbers(first, second))
    assert matches.find(ALL)
    found: list[list[tuple[int, int]]] = matches.dominant()
    return found


def lengths(first: str, second: str) -> list[list[int]]:
    """The table L, with a border of zeros, by its recursion."""
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, j in itertools.product(range(1, len(first) + 1), range(1, len(second) + 1)):
        same = first[i - 1] == second[j - 1]
        table[i][j] = table[i - 1][j - 1] + 1 if same else max(table[i - 1][j], table[i][j - 1])
    return table


def by_definition(first: str, second: str) -> list[list[tuple[int, int]]]:
    """Definition 9: a match of a class is dominant if no other match of that class is weakly above and left of it."""
    table = lengths(first, second)
    places = itertools.product(range(1, len(first) + 1), range(1, len(second) + 1))
    matches = [(i, j) for i, j in places if first[i - 1] == second[j - 1]]
    found = []
    for k in range(1, table[-1][-1] + 1):
        of_class = [(i, j) for i, j in matches if table[i][j] == k]
        first_ones = (one for one in of_class if not any(_above_left(other, one) for other in of_class))
        found.append(sorted(first_ones, reverse=True))
    return found


def _above_left(other: tuple[int, int], one: tuple[int, int]) -> bool:
    return other != one and other[0] <= one[0] and other[1] <= one[1]


def sequences(kernel: ModuleType, first: Numbered, second: Numbered, sequence: str) -> tuple[Any, Any, int]:
    """Nodes and labels of both sequences, without labels that only one tree has, and the number of labels."""
    label1, label2, labels = kernel.shared_labels(first.path, second.path)
    build = getattr(kernel, sequence)
    one = kernel.keep_shared(build(first.parent, first.size), label1)
    two = kernel.keep_shared(build(second.parent, second.size), label2)
    return one, two, labels


def template_matches(kernel: ModuleType, first: Numbered, second: Numbered, sequence: str, *, few: bool = False) -> Any:
    """All steps up to the identification, with all dominant matches or with a few matches."""
    (nodes1, labels1), (nodes2, labels2), labels = sequences(kernel, first, second, sequence)
    matches = kernel.Matches(labels1, labels2, labels)
    assert matches.find_few() is None if few else matches.find(ALL)
    return kernel.TemplateMatches(matches, nodes1, first.parent, nodes2, second.parent)


def spelled(kernel: ModuleType, tree: str, sequence: str) -> str:
    names = [letter for letter in tree if letter.isalpha()]  # in pre-order, as trees are written
    first, _ = pair(tree, tree)
    return "".join(names[node] for node in getattr(kernel, sequence)(first.parent, first.size)[1:])


def test_the_table_of_lengths_is_the_thesis_s_with_its_fourth_row_corrected() -> None:
    rows = ["".join(map(str, row[1:])) for row in lengths("BAEAR", "BARBAEAR")[1:]]
    assert rows == ["11111111", "12222222", "12222333", "12223344", "12333345"]


@VERSIONS
def test_the_dominant_matches_of_the_worked_example_are_found_by_class(kernel: ModuleType) -> None:
    found = dominant(kernel, "BAEAR", "BARBAEAR")
    assert found == [[(1, 1)], [(2, 2)], [(5, 3), (4, 5), (3, 6)], [(4, 7)], [(5, 8)]]


@VERSIONS
@given(st.text("ABC", max_size=14), st.text("ABC", max_size=14))
def test_dominant_matches_are_those_of_the_definition(kernel: ModuleType, first: str, second: str) -> None:
    assert dominant(kernel, first, second) == by_definition(first, second)


@VERSIONS
@given(st.text("ABCDEFGH", max_size=14), st.text("ABCDEFGH", max_size=30))
def test_sequences_may_differ_in_length_and_in_letters(kernel: ModuleType, first: str, second: str) -> None:
    assert dominant(kernel, first, second) == by_definition(first, second)


@VERSIONS
def test_the_occurrences_of_a_letter_are_listed_in_increasing_order(kernel: ModuleType) -> None:
    sequence, _, labels = numbers("BARBAEAR", "")
    matches = kernel.Matches(sequence, sequence, labels)
    listed = [[place for place in range(1, 9) if matches.previous(0, s, place + 1) == place] for s in range(labels)]
    assert dict(zip("ABER", listed, strict=True)) == {"A": [2, 5, 7], "B": [1, 4], "E": [6], "R": [3, 8]}


@VERSIONS
def test_the_sequences_of_the_worked_trees_are_the_thesis_s(kernel: ModuleType) -> None:
    assert spelled(kernel, T8, "extended") == "xBrxByBr"
    assert spelled(kernel, T9, "extended") == "xByBr"
    assert spelled(kernel, T8, "consolidated") == "xBxyBr"
    assert spelled(kernel, T9, "consolidated") == "xyBr"


@VERSIONS
@given(trees())
def test_a_sequence_has_each_node_once_or_once_a_child(kernel: ModuleType, drawn: Nested) -> None:
    tree, _ = pair(drawn, drawn)
    consolidated = kernel.consolidated(tree.parent, tree.size)[1:]
    assert sorted(consolidated) == list(range(len(tree)))
    assert all(consolidated.index(node) < consolidated.index(tree.parent[node]) for node in range(1, len(tree)))
    extended = list(kernel.extended(tree.parent, tree.size)[1:])
    leaves = [node for node in range(len(tree)) if tree.size[node] == 1]
    assert len(extended) == len(tree) + len(leaves) - 1
    assert sorted(extended) == sorted([*tree.parent[1:], *leaves])


@VERSIONS
@given(trees())
def test_places_of_a_label_are_one_node_s_if_its_parent_s_label_is_not_between(
    kernel: ModuleType, drawn: Nested
) -> None:
    tree, _ = pair(drawn, drawn)
    sequence = kernel.extended(tree.parent, tree.size)[1:]
    for i, node in enumerate(sequence):
        j = next((j for j in range(i + 1, len(sequence)) if tree.path[sequence[j]] == tree.path[node]), None)
        if node and j is not None:
            above = tree.path[tree.parent[node]]
            assert (sequence[j] == node) == all(tree.path[between] != above for between in sequence[i + 1 : j])


@VERSIONS
@SEQUENCES
@settings(max_examples=50)
@given(trees(root=None), trees(root=None))
def test_the_last_class_pairs_roots_only(kernel: ModuleType, sequence: str, left: Nested, right: Nested) -> None:
    (nodes1, labels1), (nodes2, labels2), labels = sequences(kernel, *pair(left, right), sequence)
    matches = kernel.Matches(labels1, labels2, labels)
    assert matches.find(ALL)
    classes = matches.dominant()
    assert bool(classes) == (left[0] == right[0])
    if classes:
        assert {(nodes1[i], nodes2[j]) for i, j in classes[-1]} == {(0, 0)}
        assert sequence == "extended" or len(classes[-1]) == 1


@VERSIONS
@pytest.mark.parametrize(
    ("sequence", "taken", "bounds1", "bounds2"),
    [
        # Nodes in pre-order. S8: root 4, the second B (S8[5]) 4; S9: root 1, B (S9[2]) 1.
        ("extended", [(8, 5), (7, 4), (6, 3), (5, 2), (4, 1)], {0: 4, 3: 4}, {0: 1, 1: 1}),
        # CS8[5], the second B, 3; CS9[3], B, 1.
        ("consolidated", [(6, 4), (5, 3), (4, 2), (3, 1)], {3: 3}, {1: 1}),
    ],
)
def test_the_chosen_matches_and_their_boundaries_equal_the_worked_example(
    kernel: ModuleType, sequence: str, taken: list[tuple[int, int]], bounds1: dict[int, int], bounds2: dict[int, int]
) -> None:
    found = template_matches(kernel, *pair(T8, T9), sequence)
    assert list(found.identify()) == list(found.identify()) == [0, -1, -1, 1, 2, 3]
    assert found.taken() == taken
    assert {node: found.bounds1[node] for node in bounds1} == bounds1
    assert {node: found.bounds2[node] for node in bounds2} == bounds2


@VERSIONS
def test_a_branch_to_which_no_match_of_its_parents_leads_is_out_of_bounds(kernel: ModuleType) -> None:
    # abrabr and abbr take (6, 4) and (5, 3). The second b has no other place to return to: a stays out of bounds.
    first, second = pair("r(b(a),b(a))", "r(b(a(b),b))")
    assert list(template_matches(kernel, first, second, "extended").identify()) == [0, -1, -1, 1, -1]
    assert sum(rtdm.extract_subtree(first, second)) == 3


@VERSIONS
@SEQUENCES
def test_alternatives_are_searched_in_the_first_tree(kernel: ModuleType, sequence: str) -> None:
    first, second = pair("r(b(a),b(a,b,b))", "r(b(a,b))")
    assert list(template_matches(kernel, first, second, sequence).identify()) == [0, -1, -1, 1, 2, 3, -1]


@VERSIONS
@pytest.mark.parametrize(
    ("sequence", "left", "right", "mates"),
    [
        ("extended", "r(a(b,a))", "r(b,a(b,b),a(b,a,a))", [0, 5, 6, 7]),
        ("consolidated", "r(b(a,b,a),a)", "r(b(b),b,b(b,a))", [0, 4, -1, 5, 6, -1]),
    ],
)
def test_alternatives_are_searched_in_the_second_tree_too(
    kernel: ModuleType, sequence: str, left: str, right: str, mates: list[int]
) -> None:
    assert list(template_matches(kernel, *pair(left, right), sequence).identify()) == mates


@VERSIONS
@SEQUENCES
def test_the_template_may_be_smaller_than_the_largest(kernel: ModuleType, sequence: str) -> None:
    first, second = pair(T10, T11)
    mates = template_matches(kernel, first, second, sequence).identify()
    assert sum(mate >= 0 for mate in mates) == 3
    assert sum(rtdm.extract_subtree(first, second)) == 4


@VERSIONS
@SEQUENCES
@pytest.mark.parametrize("few", [False, True], ids=["all-matches", "few-matches"])
@settings(max_examples=50)
@given(trees("abc", leaves=10, root=None), trees("abc", leaves=10, root=None))
def test_the_result_is_always_a_restricted_top_down_mapping_of_equal_labels(
    kernel: ModuleType, sequence: str, few: bool, left: Nested, right: Nested
) -> None:
    first, second = pair(left, right)
    mates = template_matches(kernel, first, second, sequence, few=few).identify()
    mapped = [(x, y) for x, y in enumerate(mates) if y >= 0]
    assert bool(mapped) == (left[0] == right[0])
    for x, y in mapped:
        assert first.label[x] == second.label[y]
        assert (x, y) == (0, 0) or (first.parent[x], second.parent[y]) in mapped
    # If the parents are mapped, only the order of nodes is left to check for "ordered".
    assert [y for _, y in mapped] == sorted({y for _, y in mapped})
    assert len(mapped) <= sum(rtdm.extract_subtree(first, second))


@VERSIONS
@SEQUENCES
@settings(max_examples=50)
@given(trees("abc", leaves=10))
def test_a_tree_is_all_template_against_itself(kernel: ModuleType, sequence: str, drawn: Nested) -> None:
    first, second = pair(drawn, drawn)
    for few in (False, True):
        mates = template_matches(kernel, first, second, sequence, few=few).identify()
        assert list(mates) == list(range(len(first)))


@VERSIONS
def test_too_many_matches_are_replaced_by_few_in_bounded_time(kernel: ModuleType) -> None:
    source = random.Random(0)
    first, second = (array("i", [-1, *source.choices(range(4), k=5_000), 4]) for _ in range(2))
    assert not kernel.Matches(first, second, 5).find(100_000)
    matches = kernel.Matches(first, second, 5)
    matches.find_few()
    assert matches.count <= 5_001
    classes = matches.dominant()
    assert classes[-1] == [(5_001, 5_001)]
    assert len(classes) > 500
    assert all(first[i] == second[j] for of_class in classes for i, j in of_class)
