"""Accuracy floors on real sites; skipped where the data is not beside the clone."""

from functools import cache, partial
from pathlib import Path
from statistics import fmean

import pytest

import dehusk
from dehusk.evaluation.datasets import Site, fold, sites
from dehusk.evaluation.measures import Score
from dehusk.evaluation.scoring import Kept, score, weights_without

DATA = Path(__file__).parents[2] / "shared" / "data"
# As `python training/accuracy.py --weights FOLDER` kept them: 0-3.json never saw the sites of fold 3.
WEIGHTS = Path(__file__).parent / "weights"
PROSE = {
    "docs": 0.98,
    "news-dragnet": 0.925,
    "news-daniel": 0.885,
    # 0.95 is wanted. Cuts that reach it on these sites lose product fields, and training sites do not ask for them.
    "news-big9": 0.94,
}
"""What the default reaches, at the least, on sites left out of training."""

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no data at {DATA}")


@cache
def of_kind(kind: str) -> list[Site]:
    return list(sites(DATA, kind))


def text(template: dehusk.Template, html: bytes) -> str:
    return template.clean(html).text


def scored(site: Site, template: dehusk.Template) -> Score | Kept:
    found = score(site, partial(text, template))
    assert found is not None
    return found


@cache
def left_out(kind: str) -> list[Score | Kept]:
    """The scores of sites by the default method, each with weights that were trained without it."""
    kept = partial(weights_without, WEIGHTS)
    return [scored(site, dehusk.learn(site.pages, weights=kept(fold(site.name, 0)))) for site in of_kind(kind)]


@cache
def shipped(kind: str) -> list[Score | Kept]:
    """The scores of sites by the default method as it is shipped."""
    return [scored(site, dehusk.learn(site.pages)) for site in of_kind(kind)]


def mean(scores: list[Score | Kept], name: str) -> float:
    return fmean(getattr(one, name) for one in scores)


def test_rtdm_on_documentation_sites_stays_above_its_floor() -> None:
    # 0.935. One template a site gives more: pages that repeat each other's labels lose them in a family of their own.
    found = [scored(site, dehusk.learn(site.pages, method="rtdm")) for site in of_kind("docs")]
    assert mean(found, "f1") >= 0.93


@pytest.mark.parametrize(("kind", "floor"), PROSE.items())
def test_the_default_on_sites_left_out_of_training_stays_above_its_floor(kind: str, floor: float) -> None:
    assert mean(left_out(kind), "f1") >= floor


def test_the_default_keeps_the_fields_of_records_and_not_the_rest() -> None:
    assert mean(left_out("products"), "fields") >= 0.98  # 0.982
    assert mean(left_out("products"), "text") <= 0.5  # 0.493


@pytest.mark.parametrize("kind", PROSE)
def test_the_shipped_weights_are_good_for_every_kind_of_site(kind: str) -> None:
    # They may be a little worse: one manual's gold was too wide when they were trained, and is mended now. They reach
    # 0.976 on documentation, and weights that never saw a site 0.985.
    assert mean(shipped(kind), "f1") >= mean(left_out(kind), "f1") - 0.01


@pytest.mark.timeout(400)  # alone, it learns all sites twice
def test_the_shipped_weights_score_no_worse_on_all_sites_than_weights_that_never_saw_them() -> None:
    ours = [score for kind in PROSE for score in shipped(kind)]
    theirs = [score for kind in PROSE for score in left_out(kind)]
    assert mean(ours, "f1") >= mean(theirs, "f1")
