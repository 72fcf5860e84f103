"""Train the default method.

    python training/train.py DATA -o src/dehusk/methods/evidence/weights.json     the weights that are shipped

DATA has the layout of dehusk.evaluation.datasets, which also names the brands that are never trained on. The same data
and versions give the same weights: set OMP_NUM_THREADS=1, which `make train` does. How good such weights are on sites
that were left out, `training/accuracy.py` tells.
"""

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import numpy as np  # type: ignore[import-not-found,unused-ignore]
from gold import Labels, labelled

from dehusk.evaluation.datasets import Site, fold, may_train_on, sites
from dehusk.evaluation.measures import Score, as_run, words
from dehusk.evaluation.scoring import SCORED, is_scorable
from dehusk.learning import SAMPLE, pick
from dehusk.methods.evidence.features import FEATURES, NAMES, SITE_FEATURES, Figures, measured
from dehusk.methods.evidence.learn import decided, smoothed
from dehusk.methods.evidence.model import Model
from dehusk.methods.evidence.regions import Regions

INNER_FOLDS = 4

SIZES = (8, 4, 1)
"""Each site is shown as a whole, and in samples of so many pages: few pages have to be enough too."""

KINDS = {"docs": 3.0, "news-dragnet": 3.0, "products": 0.4}
"""What a site of each kind weighs: there are few of documentation, and most of a product page has no label."""

MODEL = {
    "max_iter": 150,
    "max_leaf_nodes": 12,
    "learning_rate": 0.08,
    "l2_regularization": 1.0,
    "min_samples_leaf": 30,
    "max_features": 0.3,
    "max_bins": 63,
}
"""Small trees, each split from a third of the features: so they lean on no single one that marks a kind of site."""

ARTICLES = (
    "site.own", "site.own_long", "site.link", "site.again", "site.content_share", "site.content_long",
    "site.content_again", "site.prose",
)  # fmt: skip
"""What tells sites of articles from others."""

STEP = 0.05
CUTS = tuple(round(0.3 + STEP * k, 2) for k in range(14))
FIELDS_KEPT, NO_WORSE = 0.95, 0.0015
"""Of the cuts that keep this share of the record fields, and are no worse for articles and manuals than the best by
more than this, the strictest are taken: what is doubtful goes.

The share is that of inner trainings, which see fewer sites: weights from all of them keep more.
"""


@dataclass(frozen=True, slots=True)
class Held:
    """What regions of a page hold of its gold, by the number of their rows.

    Of an article: how many of a region's words are content, and how many it has. Of a record: for each field value the
    regions that hold it.
    """

    words: dict[int, tuple[int, int]]
    fields: list[list[int]]

    def score(self, kept: Sequence[bool]) -> float:
        """F1 of the words if these regions are kept; of fields, the share that is kept."""
        if self.fields:
            return fmean(any(kept[row] for row in rows_) for rows_ in self.fields)
        gold = sum(content for content, _ in self.words.values())
        right = sum(content for row, (content, _) in self.words.items() if kept[row])
        size = sum(size for row, (_, size) in self.words.items() if kept[row])
        return Score.of(right, size, gold).f1 if size + gold else 1.0


@dataclass(frozen=True, slots=True)
class Examples:
    """The regions of a site as rows, how much of each is content and is not, and the gold of some pages."""

    kind: str
    name: str
    whole: bool
    regions: Regions
    figures: Figures
    content: "np.ndarray[Any, Any]"
    template: "np.ndarray[Any, Any]"
    pages: list[Held]

    @property
    def rows(self) -> "np.ndarray[Any, Any]":
        """The features of the regions, those of the site in front of each row."""
        own = np.array(self.figures.rows, np.float32).reshape(-1, len(FEATURES))
        return np.hstack([np.tile(np.array(self.figures.site, np.float32), (len(own), 1)), own])


def examples(site: Site) -> Iterator[Examples]:
    """A site as rows: from as many pages as are learned from, and from a few samples of fewer."""
    pages = {page.digest: (page, labels) for page, labels in labelled(site)}
    gold = {page.digest: site.gold[Path(page.name)] for page, _ in pages.values()}
    order = [page.digest for page in pick((page for page, _ in pages.values()), None)]
    random = Random(site.name)  # the same each time
    chosen = [order[:SAMPLE], *(sorted(random.sample(order, size)) for size in SIZES if size < len(order))]
    for digests in chosen:
        regions = Regions([pages[digest][0].tree for digest in digests])
        content: dict[int, float] = defaultdict(float)
        template: dict[int, float] = defaultdict(float)
        labels = [pages[digest][1] for digest in digests]
        with_gold = sum(map(bool, labels)) or 1
        for of_page, leaves in zip(labels, regions.leaves, strict=True):
            for leaf in leaves:
                if leaf.node in of_page:
                    label, share = of_page[leaf.node]
                    (content if label else template)[leaf.region] += share / with_gold / len(chosen)
        found = measured(regions)
        golds = [gold[digest] for digest in digests]
        held_by_page = holdings(regions, labels, golds, found.regions) if digests is chosen[0] else []
        for texts in (regions.at, regions.leaves, regions.values):
            texts.clear()  # the tree is needed for smoothing, its texts are not
        yield Examples(
            site.kind,
            site.name,
            digests is chosen[0],
            regions,
            found,
            np.array([content[region] for region in found.regions]),
            np.array([template[region] for region in found.regions]),
            held_by_page,
        )


def holdings(
    regions: Regions, labels: Sequence[Labels], golds: Sequence[str | list[str]], order: Sequence[int]
) -> list[Held]:
    """What the regions of the first pages with gold hold of it."""
    number = {region: row for row, region in enumerate(order)}
    found = []
    for leaves, of_page, gold in zip(regions.leaves, labels, golds, strict=True):
        if isinstance(gold, str):
            if not is_scorable(gold):
                continue
            held_: dict[int, tuple[int, int]] = {}
            for leaf in leaves:
                size, row = len(words(leaf.text)), number[leaf.region]
                content, whole = held_.get(row, (0, 0))
                held_[row] = content + size * of_page[leaf.node][0], whole + size
            found.append(Held(held_, []))
            continue
        runs = [(number[leaf.region], as_run(leaf.text)) for leaf in leaves]
        values = [as_run(value) for value in dict.fromkeys(gold) if words(value)]
        fields = [sorted({row for row, run in runs if value in run}) for value in values]
        if fields := [where for where in fields if where]:
            found.append(Held({}, fields))
    return found[:SCORED]


def train(shown: Sequence[Examples]) -> dict[str, Any]:
    """The weights, as JSON with named features; the cuts are chosen on sites left out of inner trainings."""
    judged: list[tuple[Examples, float, dict[int, float]]] = []
    for inner in range(INNER_FOLDS):
        rest = [one for one in shown if fold(one.name, "inner", INNER_FOLDS) != inner]
        model, articles = boosted(rest), articles_of(rest)
        left_out = (one for one in shown if one.whole and fold(one.name, "inner", INNER_FOLDS) == inner)
        judged += [(one, articlehood(one, articles), likely(one, model)) for one in left_out]
    others, high = best_cuts(judged)
    return exported(boosted(shown)) | {"cut": {"others": others, "articles": high, **articles_of(shown)}}


def boosted(shown: Iterable[Examples]) -> Any:
    """Trees that tell content from template. A region that is partly content counts as both, each by its share."""
    from sklearn.ensemble import (  # type: ignore[import-not-found,import-untyped,unused-ignore]
        HistGradientBoostingClassifier,
    )

    rows_, labels, weights = [], [], []
    for site in shown:
        matrix = site.rows
        for label, part in ((1, site.content), (0, site.template)):
            rows_.append(matrix[part > 0])
            labels.append(np.full(len(rows_[-1]), label))
            weights.append(part[part > 0] * KINDS[site.kind])
    weigh = np.concatenate(weights)
    ways = [0] * len(SITE_FEATURES) + [feature.way for feature in FEATURES]
    model = HistGradientBoostingClassifier(**MODEL, monotonic_cst=ways, early_stopping=False, random_state=0)
    return model.fit(np.concatenate(rows_), np.concatenate(labels), sample_weight=weigh * len(weigh) / weigh.sum())


def articles_of(shown: Iterable[Examples]) -> dict[str, Any]:
    """A logistic model of which sites are of articles, as the weights file has it."""
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-not-found,import-untyped,unused-ignore]

    places = [NAMES.index(name) for name in ARTICLES]
    several = [one for one in shown if one.figures.regions and one.regions.count > 1]
    figures = np.array([[one.figures.site[place] for place in places] for one in several], float)
    mean, spread = figures.mean(0), figures.std(0)
    model = LogisticRegression(C=0.3, class_weight="balanced", max_iter=1000)
    model.fit((figures - mean) / spread, [one.kind.startswith("news") for one in several])
    weights = zip(ARTICLES, mean, model.coef_[0] / spread, strict=True)
    return {
        "base": round(float(model.intercept_[0]), 4),
        "weights": {name: [round(float(m), 5), round(float(w), 5)] for name, m, w in weights},
    }


def articlehood(site: Examples, articles: Mapping[str, Any]) -> float:
    """How much a site is one of articles, from 0 to 1."""
    if not site.figures.regions:
        return 0.5
    cut = {"others": 0, "articles": 1, **articles}
    return Model.from_json({"features": [], "base": 0, "trees": [], "cut": cut}).cut.of(site.figures.site)


def likely(site: Examples, model: Any) -> dict[int, float]:
    """How likely each region of a site is content."""
    if not site.figures.regions:
        return {}
    found = model.predict_proba(site.rows)[:, 1]
    return smoothed(site.regions, dict(zip(site.figures.regions, map(float, found), strict=True)))


def best_cuts(judged: Sequence[tuple[Examples, float, dict[int, float]]]) -> tuple[float, float]:
    """The cuts for other sites and for those of articles."""
    scores = [[kept(site, found, cut) for cut in CUTS] for site, _, found in judged]
    good: dict[tuple[float, float], float] = {}
    for others, articles in product(CUTS, CUTS):
        by: dict[str, list[float]] = defaultdict(list)
        for (site, article, _), at in zip(judged, scores, strict=True):
            by[site.kind].append(at[round((others + (articles - others) * article - CUTS[0]) / STEP)])
        if others <= articles and fmean(by.pop("products", [1.0])) >= FIELDS_KEPT:
            good[others, articles] = fmean(map(fmean, by.values()))
    if not good:
        return CUTS[0], CUTS[0]
    best = max(good.values())
    return max((cuts for cuts, prose in good.items() if prose >= best - NO_WORSE), key=lambda cuts: (sum(cuts), cuts))


def kept(site: Examples, found: Mapping[int, float], cut: float) -> float:
    """What is scored on a site's pages with a cut."""
    chosen = [p >= cut for p in decided(site.regions, site.figures, found, cut).values()]
    return fmean(page.score(chosen) for page in site.pages) if site.pages else 1.0


def exported(model: Any) -> dict[str, Any]:
    """The trees of a model as lists; see dehusk.methods.evidence.model for what a node is."""
    trees = []
    for (predictor,) in model._predictors:  # noqa: SLF001  # there is no public way to the trees
        nodes: list[list[float]] = []
        for node in predictor.nodes:
            if node["is_leaf"]:
                nodes.append([round(float(node["value"]), 4)])
                continue
            low, high = int(node["left"]), int(node["right"])
            unknown = low if node["missing_go_to_left"] else high
            nodes.append([int(node["feature_idx"]), float(f"{node['num_threshold']:.5g}"), low, high, unknown])
        trees.append(nodes)
    base = round(float(model._baseline_prediction.ravel()[0]), 4)  # noqa: SLF001
    return {"features": list(NAMES), "base": base, "trees": trees}


def written(weights: Mapping[str, Any]) -> str:
    """The weights as JSON with a line for each tree."""
    trees = ",\n".join("  " + json.dumps(tree, separators=(",", ":")) for tree in weights["trees"])
    head = json.dumps({name: value for name, value in weights.items() if name != "trees"}, indent=1)
    return f'{head[:-2]},\n "trees": [\n{trees}\n ]\n}}\n'


def shown_sites(data: Path) -> list[Examples]:
    """All that is trained on: sites of the kinds that have a weight."""
    return [one for site in sites(data, *KINDS) if may_train_on(site.name) for one in examples(site)]


def one_thread() -> None:
    """Refuses to train on several threads."""
    if os.environ.get("OMP_NUM_THREADS") != "1":
        sys.exit("set OMP_NUM_THREADS=1: the weights depend on the number of threads")


def main() -> None:
    """Trains on all sites that may be trained on."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, help="where the weights go")
    options = parser.parse_args()
    one_thread()
    weights = train(shown_sites(options.data))
    options.output.write_text(written(weights), "utf-8")
    print(f"{len(weights['trees'])} trees, cuts {weights['cut']['others']} to {weights['cut']['articles']}")


if __name__ == "__main__":
    main()
