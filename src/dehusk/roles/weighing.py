"""What the signs of a block count for each role: a table, read from `points.json`.

`training/roles.py` makes it from points that a person set (`training/role_points.json`) and regions that a person
judged.
"""

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources

from dehusk.roles._role import Role

ALWAYS = "always"
"""The sign that every block has."""

ROLES = tuple(Role)
"""The roles in the order of a list of points."""

_NOTHING = [0.0] * len(ROLES)


def points(signs: Mapping[str, float]) -> list[float]:
    """The sum of what these signs count, for each role."""
    rows = [_row(ALWAYS, 1.0), *(_row(name, strength) for name, strength in signs.items())]
    return list(map(sum, zip(*rows, strict=True)))


@lru_cache(10_000)  # names grow fainter by the same steps everywhere
def _row(name: str, strength: float) -> list[float]:
    return [strength * some for some in _table().get(name, _NOTHING)]


@cache
def _table() -> dict[str, list[float]]:
    data = json.loads(resources.files("dehusk.roles").joinpath("points.json").read_text("utf-8"))
    return {name: [row.get(role, 0.0) for role in ROLES] for name, row in data.items()}
