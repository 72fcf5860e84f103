"""Labels of elements."""

from dehusk.methods._labels import tokens


def test_tokens_are_marked_by_their_attribute_and_sorted() -> None:
    assert tokens("nav", "b a a", "menu") == tokens("nav", "a b", "menu") == ["#nav", ".a", ".b", "@menu"]


def test_numbers_are_folded_by_default() -> None:
    assert tokens("post-12", "c3 c45") == ["#post-0", ".c0"]
    assert tokens("post-12", "c3 c45", fold=False) == ["#post-12", ".c3", ".c45"]


def test_an_element_without_names_has_no_tokens() -> None:
    assert tokens("", " ") == []
