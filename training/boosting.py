"""Trains boosted trees on rows, and exports them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np  # type: ignore[import-not-found,unused-ignore]
from rows import Examples, Matrix

from dehusk.methods.evidence.features import FEATURES, SITE_FEATURES

WAYS = (*(0 for _ in SITE_FEATURES), *(feature.way for feature in FEATURES))
"""Monotone constraints of the features."""

SITES = {
    "docs": 6.0,
    "manuals": 4.0,
    "news-dragnet": 5.0,
    "news-daniel": 4.0,
    "news-forum": 4.0,
    "products": 2.5,
    "pages-recipes": 0.2,
}
PAGE = 0.3
"""Weights of a site of each set, and of a single page: there are few manuals and thousands of single pages.

Tried on sites left out of training: docs, DAnIEL and forums at 5, recipes at 0.07. Recipes then keep the same values
with 0.01 less text, forums fall by 0.02, single pages by 0.002, and the other sets differ by less than 0.007.
"""

RECORDS = frozenset({"products", "pages-recipes"})
"""The sets whose gold is field values, which leave most of a page unlabelled."""

RARE = 0.25
"""Weights of examples are divided by this plus the share of content, since F1 is more sensitive if content is rare.

Not for RECORDS.
"""

VALUE, THRESHOLD = 4, 5
"""Significant digits in the weights."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Hyperparameters. Each tree uses a sample of features and rows, so that no single feature decides too much."""

    trees: int
    leaves: int = 31
    rate: float = 0.08
    features: float = 0.3
    bagged: float = 0.7
    least_rows: int = 30
    bins: int = 63
    l2: float = 1.0

    def parameters(self, ways: Sequence[int]) -> dict[str, Any]:
        """The parameters of LightGBM. One thread and fixed seeds, so that equal rows give equal trees."""
        return {
            "objective": "binary",
            "num_leaves": self.leaves,
            "learning_rate": self.rate,
            "feature_fraction": self.features,
            "bagging_fraction": self.bagged,
            "bagging_freq": 1,
            "min_data_in_leaf": self.least_rows,
            "max_bin": self.bins,
            "lambda_l2": self.l2,
            "monotone_constraints": list(ways),
            "num_threads": 1,
            "deterministic": True,
            "force_col_wise": True,
            "seed": 0,
            "verbose": -1,
        }


def boosted(shown: Sequence[Examples], tables: Iterable[Matrix], ways: Sequence[int], recipe: Recipe) -> Any:
    """Trains trees that tell content from template; `tables` has the rows of each of the examples.

    A region that is partly content counts as both, each by its share.
    """
    import lightgbm  # type: ignore[import-not-found,import-untyped,unused-ignore]

    rows, labels, weights = [], [], []
    for one, table in zip(shown, tables, strict=True):
        weight = weight_of(one)
        for label, part in ((1, one.content), (0, one.template)):
            rows.append(table[part > 0])
            labels.append(np.full(len(rows[-1]), label))
            weights.append(part[part > 0] * weight)
    weigh = np.concatenate(weights)
    data = lightgbm.Dataset(np.concatenate(rows), np.concatenate(labels), weight=weigh * len(weigh) / weigh.sum())
    return lightgbm.train(recipe.parameters(ways), data, recipe.trees)


def weight_of(one: Examples) -> float:
    """The weight of examples, by their set and their share of content."""
    weight = SITES.get(one.source.dataset, PAGE)
    content, template = float(one.content.sum()), float(one.template.sum())
    if one.source.dataset in RECORDS or not content + template:
        return weight
    return weight / (content / (content + template) + RARE)


def probabilities(model: Any, table: Matrix) -> Matrix:
    """The probability that the region of each row is content."""
    return model.predict(table, num_threads=1)


def exported(model: Any, names: Sequence[str]) -> dict[str, Any]:
    """The trees of a model as lists, with the names of the features that they use."""
    return as_lists(model.dump_model()["tree_info"], names)


def as_lists(dumped: Iterable[Mapping[str, Any]], names: Sequence[str]) -> dict[str, Any]:
    """Trees as lists. See dehusk.methods.evidence.model for the format of a node."""
    trees: list[list[list[float]]] = []
    for tree in dumped:
        trees.append([])
        add_nodes(tree["tree_structure"], trees[-1])
    used = sorted({int(node[0]) for nodes in trees for node in nodes if len(node) > 1})
    number = {feature: place for place, feature in enumerate(used)}
    for nodes in trees:
        for node in nodes:
            if len(node) > 1:
                node[0] = number[int(node[0])]
    return {"features": [names[feature] for feature in used], "base": 0.0, "trees": trees}


def add_nodes(node: Mapping[str, Any], nodes: list[list[float]]) -> None:
    """Adds a node and its descendants, parents before children."""
    if "leaf_value" in node:
        nodes.append([float(f"{node['leaf_value']:.{VALUE}g}")])
        return
    own: list[float] = []
    nodes.append(own)
    low = len(nodes)
    add_nodes(node["left_child"], nodes)
    high = len(nodes)
    add_nodes(node["right_child"], nodes)
    threshold = float(f"{node['threshold']:.{THRESHOLD}g}")
    # If the training data had no missing values, LightGBM treats them as 0.
    to_low = node["default_left"] if node["missing_type"] == "NaN" else threshold >= 0
    own += [int(node["split_feature"]), threshold, low, high, low if to_low else high]
