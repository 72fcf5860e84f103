"""Accuracy floors on real sites; skipped where the data is not beside the clone."""

import json
from functools import cache, partial
from importlib.resources import files
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
def left_out(kind: str, step: int = 1) -> list[Score | Kept]:
    """The scores of sites by the default method, each with weights that were trained without it."""
    chosen = of_kind(kind)[::step]
    return [scored(one, dehusk.learn(one.pages, weights=weights_without(WEIGHTS, fold(one.name, 0)))) for one in chosen]


@cache
def shipped(kind: str, step: int = 1) -> list[Score | Kept]:
    """The scores of sites by the default method as it is shipped."""
    return [scored(one, dehusk.learn(one.pages)) for one in of_kind(kind)[::step]]


def mean(scores: list[Score | Kept], name: str) -> float:
    return fmean(getattr(one, name) for one in scores)


def test_rtdm_on_documentation_sites_stays_above_its_floor() -> None:
    # 0.935. One template a site gives more: pages that repeat each other's labels lose them in a family of their own.
    found = [scored(site, dehusk.learn(site.pages, method="rtdm")) for site in of_kind("docs")]
    assert mean(found, "f1") >= 0.93


@pytest.mark.parametrize(
    ("kind", "floor"),
    [
        ("docs", 0.98),
        ("news-dragnet", 0.925),
        ("news-daniel", 0.875),
        # 0.95 is wanted. Cuts that reach it on these sites lose product fields, and training sites do not ask for them.
        ("news-big9", 0.94),
    ],
)
def test_the_default_on_sites_left_out_of_training_stays_above_its_floor(kind: str, floor: float) -> None:
    assert mean(left_out(kind), "f1") >= floor


def test_the_default_keeps_the_fields_of_records_and_not_the_rest() -> None:
    found = left_out("products", 2)
    assert mean(found, "fields") >= 0.98
    assert mean(found, "text") <= 0.54
