"""Preparing a document for the parser's text writer: plain and compiled kernels change and restore the same."""

from types import ModuleType
from typing import Any

import pytest

from conftest import kernel_versions
from dehusk.page import Page

HTML = (
    "<form><div>a</div>b</form><table><tr><td>k<td>v<tr><td>l<td>w</table><dl><dt>t<dd>d</dl><p>10<sup>2</sup>"
    "</p><video>no</video><ul>stray<li>e</ul>"
)


@pytest.mark.parametrize("kernel", kernel_versions("unfolding"))
def test_tables_definitions_and_inline_boxes_are_unfolded_while_text_is_written(kernel: ModuleType) -> None:
    inside: Any = Page(HTML).body
    before = inside.html
    with kernel.Edits() as edits:
        kernel.prepare(inside, edits)
        assert kernel.tidied(inside.to_text()) == "a\n\nb\n\nk  v\nl  w\n\nt: d\n\n10^2\n\nstray\n\ne\n"
    assert inside.html == before


@pytest.mark.parametrize("kernel", kernel_versions("unfolding"))
def test_leftovers_of_removed_parts_are_removed_and_values_stand_beside_labels(kernel: ModuleType) -> None:
    said = "Title ¶\n\n|\n\n- a\n- »\n- b\n\nMaker:\n\nKiln\n\nNote:\n\n- c\n\n  \n\nend"
    assert kernel.tidied(said) == "Title\n\n- a\n- b\n\nMaker: Kiln\n\nNote:\n\n- c\n\nend\n"


@pytest.mark.parametrize("kernel", kernel_versions("unfolding"))
def test_an_element_that_could_not_be_renamed_back_keeps_its_name(kernel: ModuleType) -> None:
    inside: Any = Page("<align=center><p>one</p>two</align=center>").body
    with kernel.Edits() as edits:
        kernel.prepare(inside, edits)
    assert inside.html.startswith("<body><align=center>")


@pytest.mark.parametrize("kernel", kernel_versions("unfolding"))
def test_elements_that_could_not_be_parsed_again_are_boxes_while_html_is_written(kernel: ModuleType) -> None:
    page = Page("<ul><li>a<form><li>b</form></ul><h1>c<font><h2>d</h2></font></h1><p>e<x-f>g</x-f>")
    inside: Any = page.body
    before = inside.html
    with kernel.Edits() as edits:
        kernel.set_apart(inside, edits, {"ul", "li", "h1", "h2", "p"})
        assert inside.inner_html == (
            "<ul><li>a<div><div>b</div></div></li></ul><h1>c<font><div>d</div></font></h1><div>e<div>g</div></div>"
        )
    assert inside.html == before
