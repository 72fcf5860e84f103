"""Places: counts over the nodes of each region, plain and compiled."""

from array import array
from collections import Counter
from math import log
from types import ModuleType

import pytest

from conftest import kernel_versions

VERSIONS = kernel_versions("places")


@pytest.mark.parametrize("kernel", VERSIONS)
def test_the_variety_of_values_is_between_all_equal_and_all_different(kernel: ModuleType) -> None:
    pairs = [(0, 7), (0, 7), (1, 7), (1, 8), (2, 1), (2, 1), (2, 2**32 - 1), (3, 5)]
    seen = Counter((region << 32) + value for region, value in pairs)
    varied, kinds = kernel.entropies(dict(seen), 5)
    assert list(varied) == pytest.approx([0, 1, 1 - 2 * log(2) / (3 * log(3)), 0, 0])
    assert list(kinds) == [1, 2, 2, 1, 0]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_styles_are_counted_of_elements_that_may_vary(kernel: ModuleType) -> None:
    seen: dict[int, int] = {}
    at, named, styles = array("i", [0, 1, 1, 1, 2]), array("i", [0, 1, -1, 1, 1]), array("I", [4, 5, 6, 5, 5])
    kernel.styled(at, named, styles, bytearray([0, 1, 1]), array("d", [2, 2, 1]), seen)
    assert list(seen.values()) == [2]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_names_do_not_count_in_code_nor_comments_in_a_line(kernel: ModuleType) -> None:
    parent, kinds = array("i", [-1, 0, 1, 0, 0]), array("i", [0, 1, 0, 2, 4])
    found = kernel.hinted(parent, array("i", [0, 3, 3, 3, 3]), kinds, 1, 2, 1)
    assert list(found) == [0, 0, 0, 2, 3]
    assert list(kernel.with_bit(kinds, 4)) == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_a_region_is_inside_one_that_is_named_so_unless_it_is_excepted(kernel: ModuleType) -> None:
    parent, hints = array("i", [-1, 0, 1, 0, 3]), array("i", [1, 1, 0, 1, 2])
    assert list(kernel.inside(parent, hints, 1, bytearray([0, 0, 0, 1, 0]))) == [0, 1, 1, 0, 0]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_texts_know_their_region_and_the_link_around_them(kernel: ModuleType) -> None:
    tags = ["body", "a", "b", "#text", "#text"]
    parent, at = array("i", [-1, 0, 1, 2, 0]), array("i", [0, 1, 2, 2, 0])
    found = kernel.texts(parent, at, tags, ["", "", "", "in", "out"], ["", "/x", "", "", ""])
    assert found == (array("i", [3, 4]), array("i", [2, 0]), ["in", "out"], ["/x", None])


@pytest.mark.parametrize("kernel", VERSIONS)
def test_an_element_holds_what_is_at_and_below_it(kernel: ModuleType) -> None:
    parent, at = array("i", [-1, 0, 1, 0]), array("i", [0, 1, 1, 0])
    named = array("i", [0, 1, -1, -1])
    bits, sizes = kernel.held(
        parent, at, named, array("i", [0, 1]), array("i", [2, 3]), array("i", [2, 4]), array("d", [5, 6])
    )
    assert list(bits) == [7, 3, 2, 4]
    assert list(sizes) == [11, 5, 5, 6]


@pytest.mark.parametrize("kernel", VERSIONS)
def test_a_region_is_a_path_of_labels_and_names_of_the_root_do_not_count(kernel: ModuleType) -> None:
    index: dict[int, int] = {}
    above, labels = array("i"), array("i")
    of_name = array("i", [1, 2, 2, 3])  # two names have the same label
    parent = array("i", [-1, 0, 1, 0])
    first, _ = kernel.placed(parent, array("i", [0, 1, -1, 2]), of_name, index, above, labels)
    other, _ = kernel.placed(parent, array("i", [3, 2, 1, 0]), of_name, index, above, labels)
    assert list(first) == [0, 1, 1, 1]
    assert list(other) == [0, 1, 2, 3]
    assert list(above) == [-1, 0, 1, 0]
    assert list(labels) == [0, 2, 2, 1]
