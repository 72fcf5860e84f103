"""Prints how much each kind of evidence contributes:  python training/ablation.py DATA [--cache FOLDER]

Trains a first pass without that evidence on three folds of the brands, and scores the sites and pages of the other two:
F1 of words (for products, the share of field values kept), on the sampled pages with gold. Isotonic smoothing is that
of Chakrabarti et al. 2007 with squared error: a region is never more likely content than the region around it.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from boosting import WAYS, Recipe, boosted, probabilities
from rows import Examples, Matrix, all_examples

from dehusk.bench.evaluation.datasets import fold_of_brand
from dehusk.methods.evidence.features import NAMES
from dehusk.methods.evidence.judging import decided, expected_cut, smoothed
from dehusk.methods.evidence.regions import Regions

LEFT_OUT = (0, 1)
"""The folds that are scored, not trained on."""

RECIPE = Recipe(trees=150, rate=0.15)
"""Half as many trees as shipped, to save time: these trainings are only compared with each other."""

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
"""For each group a predicate that tells which features are removed."""


def isotonic(regions: Regions, likely: Mapping[int, float]) -> dict[int, float]:
    """Isotonic regression on the tree: probabilities never rise from a region to those inside it.

    Averages blocks that violate this.
    """
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


def rows_without(one: Examples, lacks: Callable[[str, str], bool]) -> Matrix:
    """The rows with some features set to zero."""
    gone = [lacks(feature, feature.rpartition(".")[2]) for feature in NAMES]
    rows = one.rows.copy()
    rows[:, gone] = 0.0
    return rows


def is_left_out(one: Examples) -> bool:
    """Whether examples are scored, not trained on."""
    return fold_of_brand(one.source.owner, 0) in LEFT_OUT


def scores(group: str, examples: Sequence[Examples]) -> dict[str, dict[str, list[float]]]:
    """Trains without a group of features; the scores of the left-out examples, by line of the table and set."""
    seen = [one for one in examples if one.may_train and len(one.numbers) and not is_left_out(one)]
    lacks = GROUPS[group]
    model = boosted(seen, (rows_without(one, lacks) for one in seen), WAYS, RECIPE)
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in examples:
        if one.whole and one.pages and is_left_out(one):
            guessed = map(float, probabilities(model, rows_without(one, lacks)))
            likely = dict(zip(one.numbers, guessed, strict=True))
            for name, smooth in SMOOTHINGS.items():
                if name == "smoothed" or group == "all":
                    line = group if name == "smoothed" else f"{group}, {name}"
                    found[line][one.source.dataset].append(kept(one, smooth(one.regions, likely)))
    return found


def kept(one: Examples, likely: Mapping[int, float]) -> float:
    """The mean score of a site's pages."""
    cut = expected_cut(one.regions, likely)
    chosen = [p >= cut for p in decided(one.regions, one.figures, likely, cut).values()]
    return fmean(page.score(chosen) for page in one.pages)


def main() -> None:
    """Prints a table with a line for each group of features."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, help="a folder to keep rows in")
    options = parser.parse_args()
    examples = all_examples(options.data, options.cache)
    for group in GROUPS:
        for line, sets in scores(group, examples).items():
            means = (f"{name} {fmean(numbers):.3f}" for name, numbers in sorted(sets.items()))
            print(f"{line:26s}", "  ".join(means), flush=True)


if __name__ == "__main__":
    main()
