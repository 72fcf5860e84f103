"""Labels of nodes: what must agree for two elements to be equal."""

import pytest

from dehusk.methods._equality import attribute_names, selectors
from dehusk.methods.etdm import learn, load, template_nodes
from dehusk.page import Page

KEY, OTHER = Page("<p role=menu>one</p><p lang=en>two</p>"), Page("<p role=main>one</p><p lang=en>two</p>")


def test_only_the_listed_attributes_must_agree() -> None:
    assert len(template_nodes(KEY, [OTHER])) == 5
    assert template_nodes(KEY, [OTHER], attributes=("role",)) == [0, 3, 4]
    assert template_nodes(KEY, [OTHER], attributes=("lang",)) == [0, 1, 2, 3, 4]


def test_a_listed_attribute_that_an_element_lacks_is_empty() -> None:
    assert selectors(KEY.tree, ("role", "id")) == ["body", "p\trole=menu", '"one', "p", '"two']


def test_white_space_in_an_attribute_does_not_count() -> None:
    one, two = (Page(f"<p style='{style}'>x").tree for style in ("a:b; c:d", " a:b;\n c:d"))
    assert selectors(one, ("style",)) == selectors(two, ("style",))


def test_a_template_remembers_its_attributes() -> None:
    rules = learn([KEY, OTHER], key=KEY, votes=1, attributes=("role",)).rules
    again = load(rules.to_json())
    assert rules.to_json()["attributes"] == ["role"]
    assert list(again.mark(OTHER).flags) == list(rules.mark(OTHER).flags) == [1, 0, 0, 1, 1]


def test_files_without_attributes_compare_id_and_class() -> None:
    data = learn([KEY, OTHER], key=KEY, votes=1).rules.to_json()
    del data["attributes"]
    assert list(load(data).mark(OTHER).flags) == [1] * 5


@pytest.mark.parametrize("wrong", ["", "id+id", "a b", ["id", ""], 3, [3]])
def test_names_that_no_attribute_can_have_are_refused(wrong: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        attribute_names(wrong)
