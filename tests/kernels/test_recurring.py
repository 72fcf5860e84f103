"""Repeated texts: numbers of texts and of their pages, plain and compiled."""

from array import array
from types import ModuleType

import pytest

from conftest import kernel_versions

VERSIONS = kernel_versions("recurring")


@pytest.mark.parametrize("kernel", VERSIONS)
def test_equal_texts_have_one_number_on_all_pages(kernel: ModuleType) -> None:
    index: dict[str, int] = {}
    assert list(kernel.numbered(["a", "b", "a"], index)) == [0, 1, 0]
    assert list(kernel.numbered(["c", "b"], index)) == [2, 1]
    slots: dict[int, int] = {}
    assert list(kernel.paired(array("i", [5, 5, 6]), array("I", [0, 1, 0]), slots)) == [0, 1, 2]
    assert list(kernel.paired(array("i", [6]), array("I", [0]), slots)) == [2]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_a_page_counts_once_for_a_repeated_text(kernel: ModuleType) -> None:
    pages = [array("I", [0, 0, 1]), array("I", [0]), array("I", [2, 2])]
    assert list(map(list, kernel.elsewhere(pages, 3))) == [[0.5, 0.5, 0], [0.5], [0, 0]]
    assert list(kernel.tallied(pages, 3)) == [3, 1, 2]
    assert list(map(list, kernel.elsewhere([array("I", [0])], 1))) == [[0]]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_a_text_is_in_no_link_or_in_a_link_of_three_kinds(kernel: ModuleType) -> None:
    assert list(kernel.standing([None, "/x", "#top", "/y", ""], {"/y": 2, "/x": 1})) == [0, 1, 2, 3, 1]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_a_saying_is_a_text_with_the_three_elements_around_it(kernel: ModuleType) -> None:
    parent, tags = array("i", [-1, 0, 1, 2, 3, 0]), ["body", "ul", "li", "a", "#text", "#text"]
    found = kernel.sayings(parent, tags, ["", "", "", "", "abcdef", "x"], 4)
    assert found == {"ul li a: abcd", "body body body: x"}


@pytest.mark.parametrize("kernel", VERSIONS)
def test_long_and_dated_texts_are_marked(kernel: ModuleType) -> None:
    numbers = array("d", bytes(8 * 3 * 18))
    numbers[0], numbers[18], numbers[18 + 10], numbers[2 * 18 + 10] = 79, 80, 1, 2
    assert list(kernel.marks(numbers, 80, 4, 8)) == [0, 12, 8]
