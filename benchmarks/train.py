"""Train the default method, and measure it on sites it was not trained on.

    python benchmarks/train.py DATA -o src/dehusk/methods/evidence.json     the weights that are shipped
    python benchmarks/train.py DATA --folds                                 left-out figures, five assignments of sites

DATA has the layout of dehusk.evaluation.datasets. News of the Big9 set is for research only, so that nothing is trained
on it. Folds leave out whole sites, those of one brand together. The same data and versions give the same weights: set
OMP_NUM_THREADS=1, which `make train` does.
"""

import argparse
import hashlib
import json
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import numpy as np  # type: ignore[import-not-found,unused-ignore]

import dehusk
from dehusk.evaluation.datasets import Site, sites
from dehusk.evaluation.metrics import field_recall, share_kept, shingle_score, words
from dehusk.methods._figures import FEATURES, rows
from dehusk.methods._regions import Leaf, Regions
from dehusk.page import Page, parse
from dehusk.template import SAMPLE, pick
from dehusk.tree import Tree

NEVER_TRAINED_ON = "news-big9"
FOLDS = 5
ASSIGNMENTS = 5
SCORED = 5  # pages a site, as in the shared scorer
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

HOSTS = {"com", "co", "uk", "net", "org", "in"}
SHARED_HOSTS = {"blogspot", "typepad", "posterous"}

Labels = dict[int, tuple[bool, float]]  # of a page's texts: content or not, and what that weighs


@dataclass(frozen=True, slots=True)
class Examples:
    """The regions of a site as rows, and how much of each is content and is not."""

    kind: str
    name: str
    rows: "np.ndarray[Any, Any]"
    content: "np.ndarray[Any, Any]"
    template: "np.ndarray[Any, Any]"


def brand(name: str) -> str:
    """Whose site it is: sites of one brand, in any year and any vertical, are left out together."""
    host = re.sub(r"^(big9|dragnet)-", "", name).split("/")[-1]
    if "." not in host:
        return host.split("-")[0]
    parts = [part for part in host.split(".") if part not in HOSTS]
    return ".".join(parts) if parts[-1] in SHARED_HOSTS else parts[-1]


def fold(name: str, assignment: int) -> int:
    """The fold of a site, in one of several assignments."""
    return int(hashlib.blake2b(f"{assignment} {brand(name)}".encode(), digest_size=8).hexdigest(), 16) % FOLDS


def weight(text: str) -> float:
    """What a text weighs among those of its page."""
    return min(len(text.split()), WORDS) + 1.0


# ------------------------------------------------------------------------------------------------------- the gold


def by_selector(page: Page, selector: str) -> Labels:
    """Texts inside what a selector picks are content."""
    tree = page.tree
    document, nodes = page.take()
    chosen = set(document.select(selector))
    inside = bytearray(len(tree))
    for node in range(len(tree)):
        inside[node] = nodes[node] in chosen or (node > 0 and inside[tree.parent[node]])
    return weighed(tree, {node: bool(inside[node]) for node, text in enumerate(tree.text) if text})


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
        yield Examples(
            site.kind,
            site.name,
            np.array([found[region] for region in found], np.float32).reshape(len(found), len(FEATURES)),
            np.array([content[region] for region in found]),
            np.array([template[region] for region in found]),
        )


def train(shown: Iterable[Examples]) -> dict[str, Any]:
    """The weights, as JSON with named features. A region that is partly content counts as both, each by its share."""
    from sklearn.ensemble import (  # type: ignore[import-not-found,import-untyped,unused-ignore]
        HistGradientBoostingClassifier,
    )

    rows_, labels, weights = [], [], []
    for site in shown:
        for label, part in ((1, site.content), (0, site.template)):
            rows_.append(site.rows)
            labels.append(np.full(len(site.rows), label))
            weights.append(part * KINDS[site.kind])
    matrix, target, weigh = np.concatenate(rows_), np.concatenate(labels), np.concatenate(weights)
    used = weigh > 0
    model = HistGradientBoostingClassifier(**MODEL, early_stopping=False, random_state=0)
    model.fit(matrix[used], target[used], sample_weight=weigh[used] * used.sum() / weigh.sum())
    return exported(model)


def exported(model: Any) -> dict[str, Any]:
    """The trees of a model as lists; see dehusk.methods._forest for what a node is."""
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
    head = json.dumps({"features": weights["features"], "base": weights["base"]}, indent=1)
    return f'{head[:-2]},\n "trees": [\n{trees}\n ]\n}}\n'


# --------------------------------------------------------------------------------------------------- the measures


def score(site: Site, weights: Mapping[str, Any]) -> tuple[float, ...] | None:
    """F1, precision and recall of a site's first pages; of products, share of fields and of text kept."""
    template = dehusk.learn(site.pages, method="evidence", weights=weights)
    found: list[tuple[float, ...]] = []
    for file, gold in site.gold.items():
        if len(found) == SCORED:
            break
        if not gold or (isinstance(gold, str) and len(words(gold)) < LEAST_GOLD):
            continue
        text = template.clean(file.read_bytes()).text
        if isinstance(gold, str):
            f1 = shingle_score(text, gold)
            found.append((f1.f1, f1.precision, f1.recall))
            continue
        whole = parse(file.read_bytes()).to_text()
        fields = field_recall(text, whole, gold)
        if fields is not None:
            found.append((fields, share_kept(text, whole)))
    return tuple(map(fmean, zip(*found, strict=True))) if found else None


def main() -> None:
    """Trains, or measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, help="where the weights go")
    parser.add_argument("--folds", action="store_true", help="train without each fold, and score its sites")
    parser.add_argument("--assignments", type=int, default=ASSIGNMENTS, help="of sites to folds (default: %(default)s)")
    options = parser.parse_args()
    if os.environ.get("OMP_NUM_THREADS") != "1":
        sys.exit("set OMP_NUM_THREADS=1: the weights depend on the number of threads")
    found = list(sites(options.data))
    shown = [one for site in found if site.kind != NEVER_TRAINED_ON for one in examples(site)]
    if options.output:
        options.output.write_text(written(train(shown)), "utf-8")
    if options.folds:
        measure(found, shown, options.assignments)


def measure(found: Sequence[Site], shown: Sequence[Examples], assignments: int) -> None:
    """Prints the means over sites for each assignment, and over all of them."""
    overall: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for assignment in range(assignments):
        scores: dict[str, list[tuple[tuple[float, ...], str]]] = defaultdict(list)
        for left_out in range(FOLDS):
            weights = train([one for one in shown if fold(one.name, assignment) != left_out])
            for site in found:
                if fold(site.name, assignment) == left_out and (result := score(site, weights)):
                    scores[site.kind].append((result, site.name))
        for kind, results in sorted(scores.items()):
            means = tuple(map(fmean, zip(*(result for result, _ in results), strict=True)))
            overall[kind].append(means)
            worst = ", ".join(f"{name} {result[0]:.3f}" for result, name in sorted(results)[:5])
            print(assignment, kind, len(results), *(f"{mean:.4f}" for mean in means), "worst:", worst, flush=True)
    for kind, rounds in sorted(overall.items()):
        print("mean", kind, *(f"{fmean(column):.4f}" for column in zip(*rounds, strict=True)))


if __name__ == "__main__":
    main()
