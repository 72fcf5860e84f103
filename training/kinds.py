"""What kind of page a site has: boosted trees over its features and what the first pass says of the page."""

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
    "products": "product",
}
"""The kind of page of the sites of a set. Single pages say it themselves, or it is not known."""

BALANCE = 0.5
"""A kind weighs as the share of its examples to the power of one less this: rare kinds count more, not all the same."""

OF_KIND = Recipe(trees=60, leaves=8, rate=0.1, features=0.4, least_rows=10, bins=255, l2=0.0)


def kind_of(one: Examples) -> str | None:
    """The kind of page that examples are of, where it is known and the model has it: recipes are of none."""
    kind = OF_SETS.get(one.source.dataset, one.kind)
    return kind if kind in PAGE_KINDS else None


def fitted(shown: Sequence[Examples], pages: Sequence[Matrix]) -> Any:
    """The trees of the kinds; `pages` has what the first pass says of each of the examples."""
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
    """The numbers that a kind is told by."""
    return np.array([*one.site, *page], float)


def likely(model: Any, shown: Sequence[Examples], pages: Sequence[Matrix]) -> Matrix:
    """How likely each kind is, a row for each of the examples."""
    return model.predict(np.array([row(one, page) for one, page in zip(shown, pages, strict=True)]), num_threads=1)


def exported(model: Any) -> dict[str, Any]:
    """The trees of each kind as the weights file has them."""
    trees = model.dump_model()["tree_info"]
    return {kind: as_lists(trees[number :: len(PAGE_KINDS)], OF_KINDS) for number, kind in enumerate(PAGE_KINDS)}
