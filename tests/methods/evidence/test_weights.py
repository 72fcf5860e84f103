"""The shipped weights."""

import json
import re
from pathlib import Path

import dehusk
import demo_site
from dehusk.page import Page

ROOT = Path(__file__).parents[3]


def trained() -> Path:
    """The file that `make train` writes."""
    named = re.search(r"training/train\.py .* -o (\S+)", (ROOT / "Makefile").read_text("utf-8"))
    assert named
    return ROOT / named[1]


def test_the_default_method_uses_the_file_that_make_train_writes() -> None:
    pages = [Page(html, name=name) for name, html in sorted(demo_site.pages().items())]
    weights = json.loads(trained().read_text("utf-8"))
    assert dehusk.learn(pages).to_json() == dehusk.learn(pages, weights=weights).to_json()
    assert (
        dehusk.learn(pages).to_json()
        != dehusk.learn(pages, weights=weights | {"second": weights["second"] | {"trees": []}}).to_json()
    )


def test_a_template_says_which_weights_made_it() -> None:
    pages = [Page(html, name=name) for name, html in sorted(demo_site.pages().items())]
    weights = json.loads(trained().read_text("utf-8"))
    shipped, ours, others = (
        {family["rules"]["weights"] for family in dehusk.learn(pages, **options).to_json()["families"]}
        for options in ({}, {"weights": weights}, {"weights": weights | {"note": "ours"}})
    )
    assert shipped == ours != others
    assert len(others) == 1


def test_the_weights_are_part_of_the_package() -> None:
    inside = trained().relative_to(ROOT / "src" / "dehusk")
    assert (Path(dehusk.__file__).parent / inside).read_bytes() == trained().read_bytes()
