"""What would be glued together in HTML: both versions of the kernel change the same, and change it back."""

from types import ModuleType
from typing import Any

import pytest

from conftest import kernel_versions
from dehusk.page import Page
from dehusk.page.elements import html_of, select


@pytest.mark.parametrize("kernel", kernel_versions("apart"))
def test_an_element_that_could_not_be_named_again_keeps_its_name(kernel: ModuleType) -> None:
    inside: Any = Page("<align=center>one</align=center>").body
    with kernel.Edits() as edits:
        assert not edits.rename(inside[0], "div")
        assert edits.rename(inside, "div")
    assert inside.html.startswith("<body><align=center>")


@pytest.mark.parametrize("kernel", kernel_versions("apart"))
def test_what_could_not_be_read_again_is_a_box_for_as_long_as_it_is_written(kernel: ModuleType) -> None:
    page = Page("<ul><li>a<form><li>b</form></ul><h1>c<font><h2>d</h2></font></h1><p>e<x-f>g</x-f>")
    inside: Any = page.body
    before = inside.html
    with kernel.Edits() as edits:
        kernel.set_apart(inside, edits, {"ul", "li", "h1", "h2", "p"})
        assert inside.inner_html == (
            "<ul><li>a<div><div>b</div></div></li></ul><h1>c<font><div>d</div></font></h1><div>e<div>g</div></div>"
        )
    assert inside.html == before


@pytest.mark.parametrize("kernel", kernel_versions("apart"))
def test_elements_are_inserted_and_renamed_for_a_while(kernel: ModuleType) -> None:
    body = Page("<ol><li>one<li>two</ol>").body
    first, second = select(body, "li")
    with kernel.inserted([(second, "hr", ""), (second, "p", "by")], [first]):
        assert html_of(body) == "<body><ol><article>one</article><hr><p>by</p><li>two</li></ol></body>"
    assert html_of(body) == "<body><ol><li>one</li><li>two</li></ol></body>"
