"""What is kept on pages that are unlike what the model learned."""

import pytest

from dehusk.base.errors import PageWarning
from dehusk.methods import evidence
from dehusk.methods.evidence.features import measured
from dehusk.methods.evidence.modesty import Overlooked, overlooked
from dehusk.methods.evidence.regions import Regions
from dehusk.methods.evidence.second_look import PAGE_KINDS
from dehusk.page import Page

MENU = "<nav><a href=/a>Lamps</a> <a href=/b>Rugs</a></nav>"
FOOT = "<footer>Open from nine to five, every day but Sunday</footer>"
COLOURS = ("amber", "blue", "coral", "denim", "ebony", "fern", "grey", "hazel")
FIELDS = ("maker", "shade", "height", "wood", "glass", "wire")
NOTHING = {
    "format": 3,
    "first": {"features": [], "base": -5.0, "trees": []},
    "second": {"features": [], "base": -5.0, "trees": []},
    "kinds": {kind: {"features": [], "base": 0.0, "trees": []} for kind in PAGE_KINDS},
}
"""A model that knows nothing: everything is template."""


def record(number: int) -> str:
    """A page with a table of six fields."""
    cells = ((name, f"{COLOURS[(number + k) % 8]} {number}") for k, name in enumerate(FIELDS))
    rows = "".join(f"<tr><th class={name}>{name}:<td class={name}>{value}" for name, value in cells)
    return f"{MENU}<h1>Lamp {number}</h1><table>{rows}</table>{FOOT}"


def found(pages: list[str], likely: dict[str, float], default: float = 0.1) -> tuple[set[str], Overlooked]:
    """The texts of the regions that are kept, for regions as likely as given by a text in them."""
    regions = Regions([Page(html) for html in pages])
    texts = {leaf.region: leaf.text for leaves in regions.leaves for leaf in leaves}
    own = {region: likely.get(text, default) for region, text in texts.items()}
    result = overlooked(regions, measured(regions), own, 0.5)
    return {texts[region] for region in result.regions}, result


def test_where_most_of_the_pages_own_text_would_go_what_varies_outside_links_is_kept() -> None:
    kept, result = found([record(number) for number in range(8)], {})
    assert result.unfamiliar
    assert "Lamp 7" in kept
    assert "coral 7" in kept
    assert not kept & {"Lamps", "Rugs", "Open from nine to five, every day but Sunday"}


def story(number: int) -> str:
    return f"<div class=story><p>{f'{COLOURS[number]} is the colour of our story number {number} today. ' * 4}</div>"


def test_labelled_fields_are_kept_even_if_most_of_the_own_text_is_known() -> None:
    pages = [record(number) + story(number) for number in range(8)]
    last = Regions([Page(pages[7])]).leaves[0][-1].text
    kept, result = found(pages, {last: 0.9})
    assert not result.unfamiliar
    assert kept == {"hazel 7", "amber 7", "blue 7", "coral 7", "denim 7", "ebony 7"}


def test_a_date_and_an_author_are_no_record() -> None:
    dated = "<table><tr><th class=day>Date:<td class=day>{0} May<tr><th class=by>By:<td class=by>Ann {0}</table>"
    pages = [MENU + dated.format(number) + story(number) for number in range(8)]
    last = Regions([Page(pages[7])]).leaves[0][-1].text
    assert found(pages, {last: 0.9})[1] == Overlooked(set(), unfamiliar=False)


@pytest.mark.parametrize(("likely", "link", "stays"), [(0.3, "", True), (0.05, "", False), (0.3, "<a href=/x>", False)])
def test_on_a_single_page_text_amid_sure_content_is_kept(likely: float, link: str, stays: bool) -> None:
    prose = "Boil the water, then add the salt and the rice to it. "
    item = "200 grams of rice"
    html = f"{MENU}<article><p>{prose * 2}</p><ul><li>{link}{item}</li></ul><div>{prose * 3}</div></article>{FOOT}"
    sure = {(prose * times).strip(): 0.9 for times in (2, 3)}
    assert found([html], sure | {item: likely})[0] == ({item} if stays else set())


def test_a_page_says_that_its_site_is_unlike_what_was_learned() -> None:
    pages = [Page(record(number)) for number in range(8)]
    rules = evidence.learn(pages, weights=NOTHING).rules
    assert rules.mark(pages[0]).warnings == (PageWarning.UNFAMILIAR,)
    assert evidence.load(rules.to_json()).mark(pages[0]).warnings == (PageWarning.UNFAMILIAR,)
