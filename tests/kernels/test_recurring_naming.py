"""Labels of elements, compared with the tokens that methods share, plain and compiled."""

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import kernel_versions
from dehusk.methods._labels import tokens

names = st.text(st.sampled_from("ab-_#. 019٣"), max_size=12)


@pytest.mark.parametrize("kernel", kernel_versions("recurring"))
@given(identity=names, classes=names, role=names)
def test_a_label_is_the_tag_and_its_tokens(kernel: ModuleType, identity: str, classes: str, role: str) -> None:
    assert kernel.label("div", identity, classes, role) == " ".join(["div", *tokens(identity, classes, role)])


@pytest.mark.parametrize("kernel", kernel_versions("recurring"))
def test_an_element_without_names_is_its_tag(kernel: ModuleType) -> None:
    assert kernel.label("p", None, None, None) == "p"
