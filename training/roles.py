"""Fits the points of signs for roles (`src/dehusk/roles/points.json`) to regions labelled by a person.

    python training/roles.py ../shared/data

Starts with points set by hand (`training/role_points.json`) and fits a multinomial logistic model, regularized toward
these, to the regions of `tests/roles.json` and `training/roles.json`, except those of brands that may not be used for
training. Prints how many regions are right with the points
set by hand, and with fitted points, with and without leaving out the site of the region.
"""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np  # type: ignore[import-not-found,unused-ignore]
from scipy.optimize import minimize  # type: ignore[import-not-found,import-untyped,unused-ignore]

from dehusk.bench.evaluation.datasets import may_train_on, page_brand
from dehusk.bench.evaluation.drawn import cleaned_regions
from dehusk.roles.observing import ALWAYS
from dehusk.roles.sight import PageSight
from dehusk.roles.weighing import ROLES

HERE = Path(__file__).parent
SET = HERE / "role_points.json"
FITTED = HERE.parent / "src" / "dehusk" / "roles" / "points.json"
JUDGED = (HERE.parent / "tests" / "roles.json", HERE / "roles.json")

PULL = 3.0
"""Strength of the regularization toward the points set by hand."""

FOLDS = 6
SMALLEST = 0.05
"""Smaller points are left out of the table."""

Matrix = Any
"""A numpy array."""


def may_fit(row: Mapping[str, str]) -> bool:
    """Whether a region is of a brand that may be used for training."""
    return may_train_on(page_brand("", row["page"]) if row["site"].startswith("pages/") else Path(row["site"]).name)


class Regions:
    """Labelled regions: a row of signs for each block, its share of the region, and the role of the region."""

    def __init__(self, data: Path, names: set[str]) -> None:
        """Reads the labelled regions. `names` are the signs with points; signs found on pages are added."""
        rows: list[tuple[int, float, dict[str, float]]] = []
        self.roles: list[int] = []
        self.sites: list[str] = []
        given = [row for file in JUDGED for row in json.loads(file.read_text("utf-8")) if may_fit(row)]
        for number, (row, page, texts) in enumerate(cleaned_regions(data, given)):
            self.roles.append(ROLES.index(row["role"]))
            self.sites.append(row["page"] if row["site"].startswith("pages/") else row["site"])
            kind = page.marking.kind
            sight = PageSight(page.page, page.marking.flags, kind[0] if kind else None)
            rows += [(number, share, seen) for share, seen in _blocks(sight, set(texts))]
        self.names = sorted(names.union(*(seen for _, _, seen in rows)))
        places = {name: place for place, name in enumerate(self.names)}
        self.signs = np.zeros((len(rows), len(places)))
        for at, (_, _, seen) in enumerate(rows):
            for name, strength in seen.items():
                self.signs[at, places[name]] = strength
        self.region = np.array([number for number, _, _ in rows])
        self.share = np.array([share for _, share, _ in rows])

    def right(self, table: Matrix, some: Matrix) -> int:
        """The number of these regions whose role is predicted correctly, by a vote of their blocks."""
        best = (self.signs @ table).argmax(1)
        found = np.zeros((len(self.roles), len(ROLES)))
        np.add.at(found, (self.region, best), self.share)
        return int((found.argmax(1) == self.roles)[some].sum())


def _blocks(sight: PageSight, texts: set[int]) -> list[tuple[float, dict[str, float]]]:
    """The blocks of a region: their share of it, and their signs combined with those of the blocks around them."""
    own = [sight.signs(block) for block in sight.blocks]
    found = []
    for block in sight.blocks:
        size = sum(len(sight.tree.text[text]) for text in block.texts if text in texts)
        if size:
            beside, weight = sight.around(block)
            seen = {ALWAYS: 1.0 + weight, **own[block.number]}
            for others in own[beside]:
                for name, strength in others.items():
                    seen[name] = seen.get(name, 0.0) + weight * strength / (beside.stop - beside.start)
            found.append((size, seen))
    whole = sum(size for size, _ in found)
    return [(size / whole, seen) for size, seen in found]


def fitted(regions: Regions, first: Matrix, some: Matrix) -> Matrix:
    """Fits the points to these regions, regularized toward `first`."""
    rows = some[regions.region]
    seen, share = regions.signs[rows], regions.share[rows]
    right = np.eye(len(ROLES))[np.array(regions.roles)[regions.region[rows]]]

    def loss(flat: Matrix) -> tuple[float, Matrix]:
        table = flat.reshape(first.shape)
        total = seen @ table
        total -= total.max(1, keepdims=True)
        likely = np.exp(total)
        whole = likely.sum(1, keepdims=True)
        far = table - first
        cost = -(share * ((total * right).sum(1) - np.log(whole[:, 0]))).sum() + PULL * (far**2).sum() / 2
        return cost, (seen.T @ (share[:, None] * (likely / whole - right)) + PULL * far).ravel()

    found = minimize(loss, first.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return np.reshape(found.x, first.shape)


def as_table(points: Mapping[str, Mapping[str, float]], names: list[str]) -> Matrix:
    """Points as a matrix of signs by roles."""
    return np.array([[points.get(name, {}).get(role, 0.0) for role in ROLES] for name in names])


def written(table: Matrix, names: list[str]) -> str:
    """The table as JSON, a line for each sign, without points below SMALLEST."""
    rows = {
        name: {str(role): round(float(some), 2) for role, some in zip(ROLES, row, strict=True) if abs(some) >= SMALLEST}
        for name, row in zip(names, table, strict=True)
    }
    return "{\n" + ",\n".join(f" {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items() if row) + "\n}\n"


def main() -> None:
    """Fits and writes the points, and prints how good they are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    points = json.loads(SET.read_text("utf-8"))
    regions = Regions(parser.parse_args().data, set(points))
    first = as_table(points, regions.names)
    places = {site: place for place, site in enumerate(sorted(set(regions.sites)))}
    fold = np.random.default_rng(0).permutation(len(places))[[places[site] for site in regions.sites]] % FOLDS
    right = sum(regions.right(fitted(regions, first, fold != one), fold == one) for one in range(FOLDS))
    every = fold >= 0
    table = fitted(regions, first, every)
    print(f"{len(regions.roles)} regions; right with the points set by hand: {regions.right(first, every)}")
    print(f"right when their site is left out: {right}; when it is not: {regions.right(table, every)}")
    FITTED.write_text(written(table, regions.names), "utf-8")


if __name__ == "__main__":
    main()
