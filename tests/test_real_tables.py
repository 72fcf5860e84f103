"""Minimum accuracy of tables on a few real sites; skipped if the data is not beside the clone.

`dehusk bench table` measures all sites. These are some of each kind, so that the tests stay quick.
"""

from functools import cache
from pathlib import Path
from statistics import fmean

import pytest

from dehusk.bench.evaluation.layouts import open_data
from dehusk.bench.experiments._table import is_measured, measure
from dehusk.bench.measuring import Bench

DATA = Path(__file__).parents[2] / "shared" / "data"

SITES = {
    "products": ("auto/autoweb", "book/waterstones", "job/monster", "movie/iheartmovies"),
    "news-forum": ("forum-amsel.de", "forum-forum.statcounter.com", "forum-medschat.com"),
}
RECIPES = 10
"""How many hosts of recipes are measured: the first of the file with several pages."""

FLOORS = {"best": 0.97, "named": 0.9, "pairs": 0.95, "recipe": 0.77, "posts": 0.93}
"""The minimum scores on these sites: see docs/tables.md for those on all sites."""

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no data at {DATA}")


@cache
def scores() -> dict[str, list[float]]:
    """The scores of all sites by kind of measure."""
    bench = Bench(open_data(DATA))
    entries = [entry for entry in bench.data.entries if is_measured(entry)]
    recipes = [entry for entry in entries if entry.dataset.endswith("recipes")][:RECIPES]
    some = [entry for entry in entries if entry.name in SITES.get(entry.dataset, ())]
    found: dict[str, list[float]] = {}
    for group in bench.groups([*some, *recipes]):
        for name, values in measure(bench.settings, {entry.name for entry in some}, group).items():
            found.setdefault(name.partition(" ")[0], []).extend(values)
    return found


@pytest.mark.parametrize(("kind", "floor"), FLOORS.items())
def test_tables_of_real_sites_stay_above_their_floor(kind: str, floor: float) -> None:
    assert fmean(scores()[kind]) >= floor


def test_tables_have_no_more_columns_than_people_read() -> None:
    assert max(scores()["columns"]) <= 80
    assert fmean(scores()["columns"]) <= 60
