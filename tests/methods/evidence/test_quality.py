"""The F1 that can be expected of a result."""

from array import array
from typing import Any

import pytest

import dehusk
from dehusk.methods import evidence
from dehusk.methods.evidence.features import measured
from dehusk.methods.evidence.quality import OF_QUALITY, VERDICTS, columns
from dehusk.methods.evidence.regions import Regions
from dehusk.methods.evidence.second_look import PAGE, PAGE_KINDS
from dehusk.page import Page

HTML = "<nav><a href=/>Home</a></nav><p>" + "A lamp stands on the pier, and it is lit at night. " * 4
NO_TREES: dict[str, Any] = {"features": [], "base": 5.0, "trees": []}
WEIGHTS: dict[str, Any] = {
    "format": 3,
    "first": NO_TREES,
    "second": NO_TREES,
    "kinds": dict.fromkeys(PAGE_KINDS, NO_TREES),
}


def verdicts(likely: dict[str, float]) -> dict[str, float]:
    regions = Regions([Page(HTML)])
    own = {leaf.region: likely[leaf.text[:4]] for leaf in regions.leaves[0]}
    found = columns(regions, measured(regions), array("d", [0.0] * len(PAGE)), dict.fromkeys(PAGE_KINDS, 0.0), own, 0.5)
    assert len(found) == len(OF_QUALITY)
    return dict(zip(VERDICTS, found[-len(VERDICTS) :], strict=True))


def test_what_is_sure_and_clean_differs_from_what_is_doubtful() -> None:
    sure, doubtful = verdicts({"Home": 0.01, "A la": 0.99}), verdicts({"Home": 0.55, "A la": 0.6})
    assert sure["verdict.best"] > doubtful["verdict.best"]
    assert sure["verdict.doubt"] < doubtful["verdict.doubt"]
    assert sure["verdict.kept_link"] == 0 < doubtful["verdict.kept_link"]
    assert sure["verdict.own_kept"] == sure["verdict.long_kept"] == 1
    assert sure["verdict.switches"] == 0.5
    assert doubtful["verdict.switches"] == 0


@pytest.mark.parametrize(("base", "quality"), [(0.8, 0.8), (1.7, 1.0), (-1.0, 0.0)])
def test_quality_is_predicted_by_a_forest_and_kept_in_the_template(base: float, quality: float) -> None:
    weights = WEIGHTS | {"quality": {"features": [], "base": base, "trees": []}}
    rules = evidence.learn([Page(HTML)], weights=weights).rules
    assert rules.mark(Page(HTML)).quality == quality
    assert evidence.load(rules.to_json()).mark(Page(HTML)).quality == quality


def test_without_a_forest_or_another_method_quality_is_unknown() -> None:
    assert evidence.learn([Page(HTML)], weights=WEIGHTS).rules.mark(Page(HTML)).quality is None
    assert dehusk.learn([HTML, HTML + "<p>More"], method="etdm").clean(HTML).quality is None


def test_the_quality_of_a_clear_article_is_high_and_of_an_empty_page_0() -> None:
    article = dehusk.clean(f"<h1>The lamp</h1>{HTML * 3}")
    assert 0.7 < (article.quality or 0) <= 1
    assert article.to_dict()["quality"] == article.quality
    assert dehusk.clean("<p></p>").quality in (None, 0.0)
