"""The model for the kind of page: boosted trees on features of the site and results of the first pass."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np  # type: ignore[import-not-found,unused-ignore]
from boosting import Recipe, as_lists
from rows import Examples, Matrix

from dehusk.methods.evidence.second_look import OF_KINDS, PAGE_KINDS

OF_SETS = {
    "docs": "documentation",
    "manuals": "documentation",
    "news-daniel": "article",
    "news-dragnet": "article",
    "news-forum": "forum",
    "pages-recipes": "recipe",
    "products": "product",
}
"""The kind of page by set. Single pages have their own kind, or it is unknown."""

BALANCE = 0.5
"""The total weight of a kind is proportional to its share of examples to the power of 1 - BALANCE.

So rare kinds count more than their share, but less than frequent ones.
"""

OF_KIND = Recipe(trees=60, leaves=8, rate=0.1, features=0.4, least_rows=10, bins=255, l2=0.0)


def kind_of(one: Examples) -> str | None:
    """The kind of page of examples; None if it is unknown or not in the model."""
    kind = OF_SETS.get(one.source.dataset, one.kind)
    return kind if kind in PAGE_KINDS else None


def fitted(shown: Sequence[Examples], pages: Sequence[Matrix]) -> Any:
    """Trains the trees of the kinds; `pages` has the results of the first pass for each of the examples."""
    import lightgbm  # type: ignore[import-not-found,import-untyped,unused-ignore]

    known = [(one, page, kind) for one, page in zip(shown, pages, strict=True) if (kind := kind_of(one))]
    weighs: dict[str, float] = defaultdict(float)
    for one, _, kind in known:
        weighs[kind] += one.part
    weight = np.array([one.part / weighs[kind] ** BALANCE for one, _, kind in known])
    rows = np.array([row(one, page) for one, page, _ in known])
    label = [PAGE_KINDS.index(kind) for *_, kind in known]
    data = lightgbm.Dataset(rows, label, weight=weight * len(weight) / weight.sum())
    parameters = OF_KIND.parameters([0] * len(OF_KINDS)) | {"objective": "multiclass", "num_class": len(PAGE_KINDS)}
    return lightgbm.train(parameters, data, OF_KIND.trees)


def row(one: Examples, page: Matrix) -> Matrix:
    """The features that a kind is predicted from."""
    return np.array([*one.site, *page], float)


def likely(model: Any, shown: Sequence[Examples], pages: Sequence[Matrix]) -> Matrix:
    """The probability of each kind, one row for each of the examples."""
    return model.predict(np.array([row(one, page) for one, page in zip(shown, pages, strict=True)]), num_threads=1)


def exported(model: Any) -> dict[str, Any]:
    """The trees of each kind, in the form of the weights file."""
    trees = model.dump_model()["tree_info"]
    return {kind: as_lists(trees[number :: len(PAGE_KINDS)], OF_KINDS) for number, kind in enumerate(PAGE_KINDS)}
