"""The score of a site."""

import json
from pathlib import Path

import pytest

from dehusk.bench.evaluation.datasets import Site, single_pages, sites
from dehusk.bench.evaluation.measures import (
    LEAST_GOLD,
    SCORED,
    KeptShares,
    Score,
    is_scorable,
    means,
    score,
    score_page,
    scored_pages,
    template_shares,
    weights_file,
    weights_without,
)
from dehusk.marking.marking import Marking
from dehusk.methods.rules import Marks
from dehusk.page import Page
from dehusk.page.elements import html_of, plain_text


def whole(html: bytes) -> str:
    return plain_text(Page(html).whole)


def only(data: Path, kind: str) -> Site:
    (site,) = sites(data, kind)
    return site


def test_the_first_pages_with_enough_gold_are_scored(data: Path) -> None:
    site = only(data, "news-dragnet")
    assert [page.stem for page in scored_pages(site)] == ["1", "2", "3", "4", "5"]
    assert len(scored_pages(site)) == SCORED


def test_short_gold_and_no_fields_are_not_scored() -> None:
    assert not is_scorable("word " * (LEAST_GOLD - 1))
    assert is_scorable("word " * LEAST_GOLD)
    assert not is_scorable([])
    assert is_scorable(["Canon"])


def test_articles_score_by_shingles(data: Path) -> None:
    found = score(only(data, "docs"), whole)
    assert isinstance(found, Score)
    assert found.recall == 1
    assert found.precision < 1  # the menu is in it
    assert score(only(data, "docs"), lambda _html: "") == (0, 0, 0)


def test_records_score_by_fields_and_by_text(data: Path) -> None:
    site = only(data, "products")
    assert score(site, whole) == KeptShares(1, 1)
    assert score(site, lambda _html: "Canon") == KeptShares(0.5, 7 / 25)


def test_recipes_are_scored_like_records(recipes: Path) -> None:
    page, _ = single_pages(recipes, "recipes")
    html = page.html.encode()
    assert is_scorable(page.gold)
    assert score_page(html, page.gold, whole) == KeptShares(1, 1)
    some = score_page(html, page.gold, lambda _html: "Boil the leeks. 2 leeks")
    assert some == pytest.approx((2 / 3, 24 / 44))
    assert score_page(html, page.gold, lambda _html: "") == pytest.approx((0, 2 / 44))


def test_a_site_without_scored_pages_has_no_score(tmp_path: Path) -> None:
    page = tmp_path / "1.html"
    page.write_text("<p>Canon", "utf-8")
    assert score(Site("products", "auto/shop", tmp_path, {page: ["not there"]}), whole) is None
    assert score(Site("docs", "manual", tmp_path, {page: "short"}), whole) is None


def test_means_are_computed_by_column() -> None:
    assert means([KeptShares(0, 1), KeptShares(1, 0.5)]) == KeptShares(0.5, 0.75)


def test_weights_are_found_by_the_fold_left_out_of_their_training(tmp_path: Path) -> None:
    weights_file(tmp_path, 2, 3).write_text(json.dumps({"trees": []}), "utf-8")
    assert weights_without(tmp_path, 3, assignment=2) == {"trees": []}


def test_the_template_has_shares_of_text_nodes_and_bytes() -> None:
    page = Page("<p>abcd</p><p>efghijkl</p>")  # body, p, abcd, p, efghijkl
    marking = Marking(page, Marks(bytearray([0, 1, 1, 0, 0]), lambda _: ""))
    shares = template_shares(marking)
    assert shares.text == pytest.approx(4 / 12)
    assert shares.nodes == pytest.approx(2 / 5)
    assert shares.bytes == pytest.approx(len("<p>abcd</p>") / len(html_of(page.whole)))
