"""What kind of page a site has: a logistic model over the features of the site."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np  # type: ignore[import-not-found,unused-ignore]
from rows import Examples, Matrix

from dehusk.methods.evidence.features import SITE_FEATURES

KINDS = ("article", "collection", "documentation", "forum", "listing", "product", "service")

OF_SETS = {
    "docs": "documentation",
    "news-daniel": "article",
    "news-dragnet": "article",
    "news-forum": "forum",
    "products": "product",
}
"""The kind of page of the sites of a set. Single pages say it themselves, or it is not known."""

L2 = 0.01
"""How much large weights cost, against the mean loss of an example."""

DIGITS = 5


def kind_of(one: Examples) -> str | None:
    """The kind of page that examples are of, where it is known."""
    return OF_SETS.get(one.source.dataset, one.kind)


def fitted(shown: Iterable[Examples]) -> dict[str, Any]:
    """The model as the weights file has it; all kinds weigh the same. An unknown feature counts as its mean."""
    known = [(one, kind) for one in shown if (kind := kind_of(one)) in KINDS and len(one.numbers)]
    table = np.array([list(one.site) for one, _ in known], float).reshape(len(known), len(SITE_FEATURES))
    places = [place for place in range(len(SITE_FEATURES)) if np.isfinite(table[:, place]).any()]
    found = table[:, places]
    mean, scale = np.nanmean(found, 0), np.nanstd(found, 0)
    scale[scale == 0] = 1.0
    kinds = sorted({kind for _, kind in known})
    label = np.array([kinds.index(kind) for _, kind in known])
    of_kind: dict[str, float] = defaultdict(float)
    for one, kind in known:
        of_kind[kind] += one.part
    weight = np.array([one.part / of_kind[kind] / len(kinds) for one, kind in known])
    weights = _regression(np.nan_to_num((found - mean) / scale), label, weight, len(kinds))
    return {
        "features": [SITE_FEATURES[place].name for place in places],
        "mean": _short(mean),
        "scale": _short(scale),
        "weights": {kind: _short(row) for kind, row in zip(kinds, weights, strict=True)},
    }


def _regression(rows: Matrix, label: Matrix, weight: Matrix, kinds: int) -> Matrix:
    """Weights of a multinomial logistic regression, a row a kind: its bias, then the weight of each feature."""
    from scipy.optimize import minimize  # type: ignore[import-not-found,import-untyped,unused-ignore]

    table = np.hstack([np.ones((len(rows), 1)), rows])
    wanted = np.eye(kinds)[label]

    def loss(flat: Matrix) -> tuple[float, Matrix]:
        weights = flat.reshape(kinds, -1)
        scores = table @ weights.T
        scores -= scores.max(1, keepdims=True)
        log = scores - np.log(np.exp(scores).sum(1, keepdims=True))
        free = weights.copy()
        free[:, 0] = 0.0  # the bias may be large
        slope = ((np.exp(log) - wanted) * weight[:, None]).T @ table + L2 * free
        return float(-(weight[:, None] * wanted * log).sum() + L2 / 2 * (free**2).sum()), slope.ravel()

    start = np.zeros(kinds * table.shape[1])
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x.reshape(kinds, -1)


def _short(numbers: Matrix) -> list[float]:
    return [float(f"{number:.{DIGITS}g}") for number in numbers]
