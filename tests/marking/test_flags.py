"""Flags of the nodes of a tree, and the quick check of the guard."""

from dehusk.marking._flags import closed, enough, topmost, wholly
from dehusk.page import Page

TREE = Page("<body><div><p>a</p><p>b</p></div><p>c</p></body>").tree
"""Its nodes: body, div, p, a, p, b, p, c."""


def test_a_node_keeps_its_flag_if_all_below_it_have_one() -> None:
    assert closed(TREE, bytearray([1, 1, 1, 1, 1, 0, 1, 1])) == bytearray([0, 0, 1, 1, 0, 0, 1, 1])


def test_topmost_nodes_have_no_flagged_ancestor_but_the_root() -> None:
    assert topmost(TREE, bytearray([1] * 8)) == [1, 6]
    assert topmost(TREE, bytearray([0, 0, 1, 1, 0, 0, 0, 1])) == [2, 7]


def test_elements_go_wholly_with_their_texts() -> None:
    assert list(wholly(TREE, {3, 5})) == [1, 2, 3, 4, 5]
    assert list(wholly(TREE, {5})) == [4, 5]


def test_enough_looks_at_letters_and_digits_of_the_first_words() -> None:
    assert enough(["a b c", "d e f", "g h i", "10"])
    assert not enough(["| " * 200, "abc", "123"])
    assert not enough(["-" * 40 + "abcdefghij"])
    assert not enough([])
