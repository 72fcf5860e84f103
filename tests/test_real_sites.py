"""Accuracy floors on real sites; skipped where the data is not beside the clone."""

import json
from pathlib import Path
from statistics import fmean

import pytest

import dehusk
from dehusk.evaluation.datasets import FOLDS, Site, fold, sites
from dehusk.evaluation.measures import field_recall, share_kept, shingle_score, words
from dehusk.page import parse

DATA = Path(__file__).parents[2] / "shared" / "data"
PAGES = 5
# As `python training/accuracy.py --weights FOLDER` kept them: 0-3.json never saw the sites of fold 3.
WEIGHTS = [
    json.loads((Path(__file__).parent / "weights" / f"0-{left_out}.json").read_text("utf-8"))
    for left_out in range(FOLDS)
]

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no data at {DATA}")


def of_kind(kind: str) -> list[Site]:
    return [site for site in sites(DATA) if site.kind == kind]


def left_out(site: Site) -> dehusk.Template:
    """The template of a site by the default method, with weights that were trained without it."""
    return dehusk.learn(site.pages, weights=WEIGHTS[fold(site.name, 0)])


def f1(site: Site, template: dehusk.Template) -> float:
    gold = {page: text for page, text in site.gold.items() if isinstance(text, str) and len(words(text)) >= 20}
    return fmean(shingle_score(template.clean(page.read_bytes()).text, gold[page]).f1 for page in list(gold)[:PAGES])


def test_rtdm_on_documentation_sites_stays_above_its_floor() -> None:
    # 0.935. One template a site gives more: pages that repeat each other's labels lose them in a family of their own.
    assert fmean(f1(site, dehusk.learn(site.pages, method="rtdm")) for site in of_kind("docs")) >= 0.93


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
    assert fmean(f1(site, left_out(site)) for site in of_kind(kind)) >= floor


def test_the_default_keeps_the_fields_of_records_and_not_the_rest() -> None:
    fields, kept = [], []
    for site in of_kind("products")[::2]:
        template = left_out(site)
        for page, values in [(page, values) for page, values in site.gold.items() if values][:PAGES]:
            html = page.read_bytes()
            text, whole = template.clean(html).text, parse(html).to_text()
            share = field_recall(text, whole, list(values))
            if share is not None:
                fields.append(share)
                kept.append(share_kept(text, whole))
    assert fmean(fields) >= 0.98
    assert fmean(kept) <= 0.54
