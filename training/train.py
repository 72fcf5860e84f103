"""Train the default method.

    python training/train.py DATA -o src/dehusk/methods/evidence/weights.json     the weights that are shipped

DATA has the layout of dehusk.evaluation.datasets. News of the Big9 set is for research only, so that nothing is trained
on it. The same data and versions give the same weights: set OMP_NUM_THREADS=1, which `make train` does. How good such
weights are on sites that were left out, `training/accuracy.py` tells.
"""

import argparse
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import numpy as np  # type: ignore[import-not-found,unused-ignore]

from dehusk.evaluation.datasets import Site, fold, inside, sites
from dehusk.evaluation.metrics import words
from dehusk.learning import SAMPLE, pick
from dehusk.methods.evidence.features import FEATURES, fields, rows
from dehusk.methods.evidence.learn import FIELD, smoothed
from dehusk.methods.evidence.model import Model
from dehusk.methods.evidence.regions import Leaf, Regions
from dehusk.page import Page
from dehusk.tree import Tree

NEVER_TRAINED_ON = "news-big9"
INNER_FOLDS = 4
SCORED = 5  # pages a site, as many as the scorer takes
LEAST_GOLD = 20  # words; shorter gold says nothing

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

RISING = frozenset(
    {"own", "own_share", "entropy", "distinct", "in_content", "in_nav", "in_aside", "in_footer", "hint_navigation"}
    | {"hint_frame", "hint_comments", "hint_promotion"}
)
FALLING = frozenset(
    {"again", "spread", "slot_spread", "link_again", "most_again", "in_main", "in_article", "hint_content"}
)
"""More of these never makes a region less, or more, likely to be content: a hundred sites must not teach otherwise.

Hints are distances: far from anything called a comment is better than near.
"""

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

WORDS = 60
"""A text weighs as many words as it has, up to this: one long text must not outweigh a page."""

FIELDS, AROUND, FRAME = 1.0, 0.3, 0.5
"""What a product page's labelled fields weigh together, other texts of the record, and what repeats outside of it."""

FIELD_SHARE = 0.25
"""A text holds a field if the field is at least this share of it."""

FIELD_PAGES = 0.1
"""A region is where fields are if it holds them on this share of the pages."""

RECORD = 0.8
"""The record is the innermost region with this share of the fields."""

MOST_PAGES = 0.5
"""Outside the record, a text that this share of the pages has is template."""

Labels = dict[int, tuple[bool, float]]  # of a page's texts: content or not, and what that weighs


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
        return 2 * right / (size + gold) if size + gold else 1.0


@dataclass(frozen=True, slots=True)
class Examples:
    """The regions of a site as rows, how much of each is content and is not, and the gold of some pages."""

    kind: str
    name: str
    whole: bool
    regions: Regions
    rows: "np.ndarray[Any, Any]"
    content: "np.ndarray[Any, Any]"
    template: "np.ndarray[Any, Any]"
    fields: set[int]
    pages: list[Held]


def weight(text: str) -> float:
    """What a text weighs among those of its page."""
    return min(len(text.split()), WORDS) + 1.0


# ------------------------------------------------------------------------------------------------------- the gold


def by_selector(page: Page, selector: str) -> Labels:
    """Texts inside what a selector picks are content."""
    tree, content = page.tree, inside(page, selector)
    return weighed(tree, {node: bool(content[node]) for node, text in enumerate(tree.text) if text})


def by_text(page: Page, gold: str) -> Labels:
    """Texts most of whose shingles are in the gold are content, and the few words between two of them."""
    run = words(gold)
    shingles = {tuple(run[k : k + size]) for size in (3, 4) for k in range(len(run))}
    lines = {tuple(words(line)) for line in gold.split("\n")}
    texts = [(node, words(text)) for node, text in enumerate(page.tree.text) if text]
    found = [in_gold(text, shingles, lines) for _, text in texts]
    content = {}
    for k, (node, text) in enumerate(texts):
        near = [found[j] for j in (k - 1, k + 1) if 0 <= j < len(texts) and len(texts[j][1]) > 2]
        content[node] = found[k] or (len(text) < 3 and bool(near) and all(near))
    return weighed(page.tree, content)


def in_gold(text: Sequence[str], shingles: set[tuple[str, ...]], lines: set[tuple[str, ...]]) -> bool:
    """Whether a text is gold: by its shingles, or, too short for one, as a line of its own."""
    if len(text) < 3:
        return tuple(text) in lines
    size = min(4, len(text))
    own = [tuple(text[k : k + size]) for k in range(len(text) - size + 1)]
    return 2 * sum(shingle in shingles for shingle in own) > len(own)


def weighed(tree: Tree, content: Mapping[int, bool]) -> Labels:
    """Labels that weigh one page together."""
    whole = sum(weight(tree.text[node]) for node in content)
    return {node: (label, weight(tree.text[node]) / whole) for node, label in content.items()}


def by_fields(trees: Sequence[Tree], gold: Sequence[Sequence[str]]) -> list[Labels]:
    """Regions of labelled fields are content, and lightly what else varies in the record; what repeats outside is not.

    Nothing is said of the rest: of labels inside the record, and of teasers.
    """
    regions = Regions(trees)
    credit, texts = field_regions(regions, gold)
    inside = record(regions, credit)
    pages_with = Counter(text for leaves in regions.leaves for text in {leaf.text for leaf in leaves})
    often = MOST_PAGES * len(trees)
    found: list[Labels] = []
    for leaves in regions.leaves:
        others = [leaf for leaf in leaves if leaf.region not in credit]
        fields = {leaf.node: credit[leaf.region] / texts[leaf.region] for leaf in leaves if leaf.region in credit}
        varied = (leaf for leaf in others if inside[leaf.region] and leaf.link is None)
        around = {leaf.node: weight(leaf.text) for leaf in varied if pages_with[leaf.text] < often}
        outside = (leaf for leaf in others if not inside[leaf.region])
        frame = {leaf.node: weight(leaf.text) for leaf in outside if pages_with[leaf.text] >= often}
        parts = ((fields, True, FIELDS), (around, True, AROUND), (frame, False, FRAME))
        found.append(
            {
                node: (label, share / sum(part.values()) * total)
                for part, label, total in parts
                for node, share in part.items()
            }
        )
    return found


def field_regions(regions: Regions, gold: Sequence[Sequence[str]]) -> tuple[dict[int, int], Counter[int]]:
    """How many fields each region holds that holds some, and how many texts each has.

    A value that stands in several places is credited to the region most of whose texts are fields.
    """
    texts, hits = Counter[int](), Counter[int]()
    places: list[list[int]] = []
    for leaves, values in zip(regions.leaves, gold, strict=True):
        wanted = [as_run(value) for value in dict.fromkeys(values) if words(value)]
        holding: dict[str, list[int]] = defaultdict(list)
        for leaf in leaves:
            own = held(leaf, wanted)
            texts[leaf.region] += 1
            hits[leaf.region] += bool(own)
            for value in own:
                holding[value].append(leaf.region)
        places += holding.values()
    credit = Counter(max(where, key=lambda region: (hits[region] / texts[region], -region)) for where in places)
    enough = max(1.0, FIELD_PAGES * regions.count)
    return {region: count for region, count in credit.items() if count >= enough}, texts


def held(leaf: Leaf, values: Iterable[str]) -> list[str]:
    """The values that make up a good part of a text."""
    text = as_run(leaf.text)
    return [value for value in values if value in text and len(value) >= FIELD_SHARE * len(text)]


def as_run(text: str) -> str:
    """A text as words with a space around each."""
    return f" {' '.join(words(text))} "


def record(regions: Regions, credit: Mapping[int, int]) -> bytearray:
    """Flags of the regions in the innermost one that holds most of the fields."""
    below = [credit.get(region, 0) for region in range(len(regions.label))]
    for region in range(len(below) - 1, 0, -1):
        below[regions.parent[region]] += below[region]
    top = 0
    for region in range(1, len(below)):
        if regions.parent[region] == top and below[region] >= RECORD * below[0]:
            top = region
    inside = bytearray(len(below))
    for region, parent in enumerate(regions.parent):
        inside[region] = region == top or (parent >= 0 and inside[parent])
    return inside


# --------------------------------------------------------------------------------------------------- the training


def labelled(site: Site) -> list[tuple[Page, Labels]]:
    """The pages of a site that have gold, each with the labels of its texts."""
    files = list(site.gold)
    pages = [Page(file.read_bytes(), name=str(file)) for file in files]
    if site.kind == "products":
        labels = by_fields([page.tree for page in pages], [list(site.gold[file]) for file in files])
    elif site.kind == "docs":
        selector = json.loads((site.pages.parent / "site.json").read_text("utf-8"))["content_selector"]
        labels = [by_selector(page, selector) for page in pages]
    else:
        golds = [str(site.gold[file]) for file in files]
        labels = [
            by_text(page, gold) if len(words(gold)) >= LEAST_GOLD else {}
            for page, gold in zip(pages, golds, strict=True)
        ]
    return list(zip(pages, labels, strict=True))


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
        found = rows(regions)
        golds = [gold[digest] for digest in digests]
        held_by_page = holdings(regions, labels, golds, list(found)) if digests is chosen[0] else []
        for texts in (regions.at, regions.leaves, regions.values):
            texts.clear()  # the tree is needed for smoothing, its texts are not
        yield Examples(
            site.kind,
            site.name,
            digests is chosen[0],
            regions,
            np.array([found[region] for region in found], np.float32).reshape(len(found), len(FEATURES)),
            np.array([content[region] for region in found]),
            np.array([template[region] for region in found]),
            fields(found),
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
            if len(words(gold)) < LEAST_GOLD:
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
        for label, part in ((1, site.content), (0, site.template)):
            rows_.append(site.rows[part > 0])
            labels.append(np.full(len(rows_[-1]), label))
            weights.append(part[part > 0] * KINDS[site.kind])
    weigh = np.concatenate(weights)
    matrix, target = np.concatenate(rows_), np.concatenate(labels)
    ways = [direction(name) for name in FEATURES]
    model = HistGradientBoostingClassifier(**MODEL, monotonic_cst=ways, early_stopping=False, random_state=0)
    return model.fit(matrix, target, sample_weight=weigh * len(weigh) / weigh.sum())


def direction(feature: str) -> int:
    """1 if more of a feature never speaks against content, -1 if never for it, 0 if it may do either."""
    name = feature.rpartition(".")[2]
    if feature.startswith(("site.", "unit.")):
        return 0
    return (name in RISING) - (name in FALLING)


def articles_of(shown: Iterable[Examples]) -> dict[str, Any]:
    """A logistic model of which sites are of articles, as the weights file has it."""
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-not-found,import-untyped,unused-ignore]

    places = [FEATURES.index(name) for name in ARTICLES]
    several = [one for one in shown if len(one.rows) and one.regions.count > 1]
    figures = np.array([one.rows[0][places] for one in several], float)
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
    if not len(site.rows):
        return 0.5
    cut = {"others": 0, "articles": 1, **articles}
    return Model.from_json({"features": [], "base": 0, "trees": [], "cut": cut}, FEATURES).cut.of(site.rows[0].tolist())


def likely(site: Examples, model: Any) -> dict[int, float]:
    """How likely each region of a site is content."""
    regions = [region for region, sums in enumerate(site.regions.direct) if sums.texts]
    if not regions:
        return {}
    found = model.predict_proba(site.rows)[:, 1]
    return smoothed(site.regions, dict(zip(regions, map(float, found), strict=True)))


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
    chosen = [p >= cut or (region in site.fields and p >= FIELD) for region, p in found.items()]
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
    return {"features": list(FEATURES), "base": base, "trees": trees}


def written(weights: Mapping[str, Any]) -> str:
    """The weights as JSON with a line for each tree."""
    trees = ",\n".join("  " + json.dumps(tree, separators=(",", ":")) for tree in weights["trees"])
    head = json.dumps({name: value for name, value in weights.items() if name != "trees"}, indent=1)
    return f'{head[:-2]},\n "trees": [\n{trees}\n ]\n}}\n'


def shown_sites(data: Path) -> list[Examples]:
    """All that is trained on."""
    return [one for site in sites(data) if site.kind != NEVER_TRAINED_ON for one in examples(site)]


def one_thread() -> None:
    """Refuses to train on several threads."""
    if os.environ.get("OMP_NUM_THREADS") != "1":
        sys.exit("set OMP_NUM_THREADS=1: the weights depend on the number of threads")


def main() -> None:
    """Trains on all sites but those of Big9."""
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
