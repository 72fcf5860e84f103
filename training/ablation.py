"""Prints what each kind of evidence is worth:  python training/ablation.py DATA

Trains without it, for one assignment of sites to five folds, and scores every site with weights that never saw it: F1
of words, of products the share of field values that is kept, on the pages of the sample that have gold, at the cuts
that the whole model has. Set OMP_NUM_THREADS=1. Isotonic smoothing is that of Chakrabarti et al. 2007 with squared
error: what is in a region is never more likely content than the region.
"""

import argparse
from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any

from train import KINDS, Examples, articlehood, articles_of, boosted, examples, kept, one_thread

from dehusk.evaluation.datasets import FOLDS, fold, may_train_on, sites
from dehusk.methods.evidence.features import NAMES
from dehusk.methods.evidence.learn import smoothed
from dehusk.methods.evidence.regions import Regions

CUTS = 0.5, 0.8
"""Those of the shipped weights."""

SITE = {"again", "spread", "slot_spread", "support", "link_again", "most_again", "least_support", "distinct", "entropy"}
GROUPS: Mapping[str, Callable[[str, str], bool]] = {
    "all": lambda _feature, _name: False,
    "page evidence alone": lambda feature, name: (
        name in SITE | {"own", "own_share", "presentation", "in_content", "after_content", "content_above"}
        or feature.startswith(("site.", "unit.", "direct.places"))
    ),
    "no repetition": lambda _feature, name: (
        name in {"again", "spread", "slot_spread", "link_again", "most_again", "own", "own_share", "content_again"}
    ),
    "no support": lambda _feature, name: name in {"support", "least_support"},
    "no variety of values": lambda _feature, name: name in {"distinct", "entropy", "presentation"},
    "no place of the content": lambda _feature, name: name in {"in_content", "after_content", "content_above", "place"},
    "no repeated units": lambda feature, name: feature.startswith("unit.") or name.startswith("places"),
    "no kind of site": lambda feature, _name: feature.startswith("site."),
    "no links": lambda _feature, name: name in {"link", "same_page", "link_again", "most_link"},
    "no names": lambda feature, _name: feature.startswith("hint_"),
    "no ancestors": lambda feature, _name: feature.startswith(("up1", "up2", "up3", "up5")),
}
"""What is taken away: which features say nothing."""


def isotonic(regions: Regions, likely: Mapping[int, float]) -> dict[int, float]:
    """The nearest figures that never rise from a region to what is in it: blocks that violate it are averaged."""
    total, weight = [0.0] * len(regions.label), [0.0] * len(regions.label)
    for region, p in likely.items():
        weight[region] = regions.direct.size[region] or 1.0
        total[region] = p * weight[region]
    block = list(range(len(regions.label)))
    below: list[list[int]] = [[] for _ in block]

    def level(region: int) -> float:
        return total[region] / weight[region] if weight[region] else -1.0

    for region in range(len(block) - 1, -1, -1):
        while below[region] and level(top := max(below[region], key=level)) > level(region):
            below[region].remove(top)
            below[region] += below[top]
            total[region] += total[top]
            weight[region] += weight[top]
            block[top] = region
        if region:
            below[regions.parent[region]].append(region)
    for region in range(len(block)):
        block[region] = block[block[region]]
    return {region: level(block[region]) for region in likely}


SMOOTHINGS: Mapping[str, Callable[[Regions, Mapping[int, float]], dict[int, float]]] = {
    "smoothed": smoothed,
    "not smoothed": lambda _regions, likely: dict(likely),
    "isotonic": isotonic,
}


def without(site: Examples, lacks: Callable[[str, str], bool]) -> Examples:
    """A site of which some features are the same everywhere."""
    gone = [lacks(feature, feature.rpartition(".")[2]) for feature in NAMES]
    width, rows = len(NAMES) - len(site.figures.site), site.figures.rows[:]
    for place in range(len(rows)):
        if gone[len(NAMES) - width + place % width]:
            rows[place] = 0.0
    own = array("d", [0.0 if lost else value for value, lost in zip(site.figures.site, gone, strict=False)])
    return replace(site, figures=replace(site.figures, site=own, rows=rows))


def measured(job: tuple[str, int], shown: Sequence[Examples]) -> list[tuple[str, str, float]]:
    """The scores of the sites of one fold, without some evidence."""
    group, left_out = job
    seen = [one for one in shown if one.kind in KINDS and may_train_on(one.name) and fold(one.name, 0) != left_out]
    model: Any = boosted([without(one, GROUPS[group]) for one in seen])
    articles = articles_of(seen)
    found = []
    for site in shown:
        if not site.whole or fold(site.name, 0) != left_out or not site.figures.regions:
            continue
        cut = CUTS[0] + (CUTS[1] - CUTS[0]) * articlehood(site, articles)
        guessed = map(float, model.predict_proba(without(site, GROUPS[group]).rows)[:, 1])
        likely = dict(zip(site.figures.regions, guessed, strict=True))
        for name, smooth in SMOOTHINGS.items():
            if name == "smoothed" or group == "all":
                line = group if name == "smoothed" else f"{group}, {name}"
                found.append((line, site.kind, kept(site, smooth(site.regions, likely), cut)))
    return found


def main() -> None:
    """Prints a table, a line for what is taken away."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    options = parser.parse_args()
    one_thread()
    shown = [one for site in sites(options.data) for one in examples(site)]
    jobs = list(product(GROUPS, range(FOLDS)))
    table: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    with get_context("fork").Pool(2, initializer=_share, initargs=(shown,)) as pool:
        for lines in pool.imap(_work, jobs):
            for line, kind, number in lines:
                table[line][kind].append(number)
    for line, kinds in table.items():
        print(f"{line:26s}", "  ".join(f"{kind} {fmean(numbers):.3f}" for kind, numbers in sorted(kinds.items())))


_SHOWN: list[Examples] = []  # of a process of the pool, which inherits them


def _share(shown: Sequence[Examples]) -> None:
    _SHOWN.extend(shown)


def _work(job: tuple[str, int]) -> list[tuple[str, str, float]]:
    return measured(job, _SHOWN)


if __name__ == "__main__":
    main()
