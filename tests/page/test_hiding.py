"""Hidden elements: styles, attributes, and text for screen readers."""

import pytest

from dehusk.page import Page
from dehusk.page.hiding import HELPER, hidden_in, is_hidden


@pytest.mark.parametrize(
    "sign", ["hidden", 'style="DISPLAY: none"', 'style="visibility:hidden"', 'class="a sr-only"', "class=screenreader"]
)
def test_an_element_with_a_sign_of_hiding_is_found(sign: str) -> None:
    page = Page(f"<p>Boats</p><div {sign}><b>Nets</b></div>")
    (found,) = hidden_in(page.body)
    assert found == page.select("div")[0]
    assert is_hidden(page.select("b")[0])
    assert not is_hidden(page.select("p")[0])


@pytest.mark.parametrize("sign", ['style="border: none"', 'class="hidden-xs"', 'style="overflow:hidden"'])
def test_a_similar_sign_hides_nothing(sign: str) -> None:
    assert hidden_in(Page(f"<div {sign}>Nets</div>").body) == []


def test_a_hidden_body_is_ignored() -> None:
    page = Page("<body style='display:none'><p>Boats</p>")
    assert not is_hidden(page.select("p")[0])


def test_text_for_screen_readers_has_a_selector() -> None:
    assert len(Page("<p class=visually-hidden>Menu</p><p>Boats</p>").select(HELPER)) == 1
