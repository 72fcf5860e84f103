"""The roles that people gave to regions of real pages; skipped where the data is not beside the clone."""

import json
from collections import Counter
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest

import dehusk
from dehusk.evaluation.datasets import single_pages
from dehusk.evaluation.drawn import path, regions
from dehusk.page import Page
from dehusk.roles import Role

DATA = Path(__file__).parents[2] / "shared" / "data"
GIVEN = json.loads((Path(__file__).parent / "roles.json").read_text("utf-8"))
FLOOR = 0.9

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no data at {DATA}")


@cache
def found() -> list[tuple[Role, Role]]:
    """The role that a person gave to each region, and the one that it has."""
    pairs = []
    for site, rows in groupby(GIVEN, key=lambda row: row["site"]):
        given = list(rows)
        pages = _pages(site, {row["page"] for row in given})
        learned = None if site.startswith("pages/") else dehusk.learn(DATA / site / "pages")
        for row in given:
            page = pages[row["page"]]
            cleaned = learned.clean(page) if learned else dehusk.clean(page)
            pairs.append((Role(row["role"]), _role(cleaned, row["path"])))
    return pairs


def _pages(site: str, names: set[str]) -> dict[str, Page]:
    if site.startswith("pages/"):
        every = single_pages(DATA, site.removeprefix("pages/"))
        return {one.url: Page(one.html, url=one.url) for one in every if one.url in names}
    return {name: Page((DATA / site / "pages" / name).read_bytes(), name=name) for name in names}


def _role(cleaned: dehusk.Cleaned, place: str) -> Role:
    """The role of most of a region's letters."""
    tree = cleaned.page.tree
    texts = next(own for node, own in regions(tree).items() if path(tree, node) == place)
    roles = {text: one.role for one in cleaned.marking.roles for text in one.block.texts}
    shares: Counter[Role] = Counter()
    for text in texts:
        shares[roles[text]] += len(tree.text[text])
    return shares.most_common(1)[0][0]


def test_of_200_regions_most_have_the_role_that_a_person_gave_them() -> None:
    assert len(found()) == 200
    assert sum(given == role for given, role in found()) >= FLOOR * len(found())
