"""Features of regions, compared with values computed by hand on a small site."""

from math import isnan, log, sqrt

import pytest

from dehusk.methods.evidence.features import (
    FEATURES,
    NAMES,
    SITE_FEATURES,
    Feature,
    SiteFeature,
    fields_of_records,
    measured,
)
from dehusk.methods.evidence.regions import Regions
from dehusk.page import Page

# Letters of each page: "Home" has 4, "Same." 5, the item 3 or 4, the paragraph 84.
FRAME = '<nav><a href="/">Home</a></nav><main class="story"><p>Same.</p><ul>{0}</ul><p>{1}.</p></main>'
PAGES = [FRAME.format("<li>One</li><li>Two</li>", "x" * 83), FRAME.format("<li>Four</li>", "y" * 83)]
SIZE = 99 + 97  # of both pages
EVERY: list[Feature | SiteFeature] = [*SITE_FEATURES, *FEATURES]


def features(pages: list[str]) -> dict[str, dict[str, float]]:
    """The features of regions by tag, and those of the site."""
    regions = Regions([Page(html) for html in pages])
    found = measured(regions)
    by_tag: dict[str, dict[str, float]] = {regions.tag[region]: {} for region in found.regions}
    for feature in FEATURES:
        for region, value in zip(found.regions, found.column(feature.name), strict=True):
            by_tag[regions.tag[region]][feature.name] = value
    by_tag["site"] = {feature.name: value for feature, value in zip(SITE_FEATURES, found.site, strict=True)}
    return by_tag


EXPECTED = {
    ("site", "site.pages"): 2,
    ("site", "site.page_size"): SIZE / 2,
    ("site", "site.own"): (168 + 10) / SIZE,
    ("site", "site.own_long"): 168 / 178,
    ("site", "site.link"): 8 / SIZE,
    ("site", "site.again"): 18 / SIZE,
    ("site", "site.content_share"): (95 / 99 + 93 / 97) / 2,
    ("site", "site.content_long"): 168 / 188,
    ("site", "site.content_again"): 10 / 188,
    ("site", "site.prose"): 168 / 178,
    ("a", "direct.size"): 4,
    ("a", "direct.text_size"): 4,
    ("a", "direct.texts_a_page"): 1,
    ("a", "direct.link"): 1,
    ("a", "direct.link_again"): 1,
    ("a", "direct.stops"): 0,
    ("a", "direct.long"): 0,
    ("a", "direct.again"): 1,
    ("a", "direct.spread"): 1,
    ("a", "direct.slot_spread"): 1,
    ("a", "direct.own"): 0,
    ("a", "direct.same_page"): 0,
    ("a", "direct.place"): (2 / 99 + 2 / 97) / 2,
    ("a", "direct.support"): 1,
    ("a", "direct.distinct"): 0.5,
    ("a", "direct.entropy"): 0,
    ("a", "direct.places_a_page"): 1,
    ("a", "direct.places_a_parent"): 1,
    ("a", "above.depth"): 2,
    ("a", "above.content_above"): 1,
    ("a", "above.in_content"): 0,
    ("a", "above.most_again"): 1,
    ("a", "above.most_link"): 1,
    ("a", "in_nav"): 1,
    ("a", "in_main"): 30,
    ("a", "is_link"): 1,
    ("a", "is_item"): 0,
    ("a", "heading"): 0,
    ("a", "hint_content"): 30,
    ("a", "up0.size"): 4,
    ("a", "up1.size"): SIZE / 2,
    ("li", "direct.size"): 5,
    ("li", "direct.text_size"): 10 / 3,
    ("li", "direct.texts_a_page"): 1.5,
    ("li", "direct.distinct"): 1,
    ("li", "direct.entropy"): 1,
    ("li", "direct.places_a_page"): 1.5,
    ("li", "direct.places_a_parent"): 1.5,
    ("li", "direct.share"): (6 / 99 + 4 / 97) / 2,
    ("li", "direct.own_share"): (6 / 90 + 4 / 88) / 2,
    ("li", "up0.depth"): 3,
    ("li", "up1.depth"): 2,
    ("li", "up2.depth"): 1,
    ("li", "up3.depth"): 0,
    ("li", "up5.depth"): 0,
    ("li", "up1.presentation"): 1,  # two items on one page, one on the other
    ("li", "up2.own"): 178 / 188,
    ("li", "up3.link"): 8 / SIZE,
    ("li", "above.in_content"): 1,
    ("li", "is_item"): 1,
    ("li", "in_ul"): 1,
    ("li", "in_main"): 2,
    ("li", "hint_content"): 2,
    ("li", "hint_record"): 30,
    ("li", "unit.above"): -1,
    ("li", "unit.places_a_page"): 1,
    ("p", "direct.long"): 168 / 178,
    ("p", "direct.stops"): 4 / 178,
    ("p", "direct.again"): 10 / 178,
    ("p", "direct.spread"): 10 / 178,
    ("p", "direct.own"): 168 / 178,
    ("p", "direct.entropy"): (log(4) - 2 * log(2) / 4) / log(4),
    ("p", "direct.places_a_parent"): 2,
    ("p", "is_paragraph"): 1,
    ("p", "in_p"): 0,
}


@pytest.mark.parametrize(("where", "value"), EXPECTED.items(), ids=[" ".join(where) for where in EXPECTED])
def test_a_feature_is_what_its_name_says(where: tuple[str, str], value: float) -> None:
    tag, name = where
    assert features(PAGES)[tag][name] == pytest.approx(value)


def test_a_repeated_thing_with_parts_is_a_unit() -> None:
    post = "<div class=post><h3>Number {0}</h3><p>{1}</p></div>"
    pages = [
        "".join(post.format(f"{page}{k}", "word " * (k + 2)) for k in range(number))
        for page, number in (("a", 4), ("b", 2))
    ]
    found = features(pages)["p"]
    assert found["unit.above"] == 1
    assert found["unit.places_a_page"] == 3
    assert found["unit.varies"] == pytest.approx(sqrt(10 - 9) / 3)
    assert found["unit.texts"] == 2
    assert found["unit.share"] == 1
    assert found["unit.link"] == found["unit.long"] == 0
    assert features(pages)["h3"]["heading"] == 3


def test_with_one_page_repetition_is_unknown() -> None:
    found = features(["<p>x"])
    unknown = {name for name, value in {**found["p"], **found["site"]}.items() if isnan(value)}
    compared = {one.name for one in EVERY if one.compared}
    assert {"direct.again", "up5.support", "above.most_again", "site.again"} <= compared <= unknown
    assert all(name in compared or name.startswith(("unit.", "inner.", "title.", "top.")) for name in unknown)
    assert found["p"]["direct.size"] == 1


def test_names_are_different_and_say_what_they_measure() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert all(one.says for one in EVERY)


def test_no_pages_have_no_rows() -> None:
    assert not measured(Regions([])).regions


def test_short_values_that_recur_and_differ_are_fields() -> None:
    brands = ["Canon", "Nikon", "Canon", "Leica", "Nikon"]
    pages = [f"<nav>Menu</nav><dl><dt>Brand</dt><dd>{brand}</dd></dl>" for brand in brands]
    regions = Regions([Page(html) for html in pages])
    assert {regions.tag[region] for region in fields_of_records(measured(regions))} == {"dd"}
