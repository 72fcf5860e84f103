"""What signs count for each role, and what the blocks around add."""

import json
from bisect import bisect_left
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources

from dehusk.roles._role import Role
from dehusk.roles.sight import LARGEST_PART, Sight, TextBlock

FEW_BLOCKS = 4
"""What is around a block is the innermost element with this many blocks."""

AROUND_WEIGHT = 0.7
"""How much the mean points around a block count beside its own."""

AROUND_HEADING = 1.0
"""The weight around a heading that goes: it belongs to what it stands over."""

CLEAR = 0.5
"""By how much both count less for a block that says itself what it is, by a name or a phrase."""

UNDER = 4
"""Blocks after such a heading that say what it stands over."""


def around(sight: Sight, block: TextBlock) -> tuple[slice, float]:
    """Which blocks of the page are around this one, and how much they count."""
    heads = sight.is_heading(block) and not sight.kept(block)
    first, last = _under(sight, block) if heads else _beside(sight, block)
    weight = (AROUND_HEADING if heads else AROUND_WEIGHT) * (CLEAR if sight.is_clear(block) else 1.0)
    return slice(first, last), weight


def _under(sight: Sight, block: TextBlock) -> tuple[int, int]:
    """The first blocks that follow a heading in the innermost element where any do."""
    first, tree = block.number + 1, sight.tree
    for node in tree.ancestors(block.node):
        last = bisect_left(sight.starts, node + tree.size[node])
        if last > first:
            return first, min(last, first + UNDER)
    return 0, 0


def _beside(sight: Sight, block: TextBlock) -> tuple[int, int]:
    """The blocks of the innermost element with a few of them; none if that is most of the page."""
    tree = sight.tree
    for node in (block.node, *tree.ancestors(block.node)):
        if sight.share(node) > LARGEST_PART:
            break
        first, last = bisect_left(sight.starts, node), bisect_left(sight.starts, node + tree.size[node])
        if last - first >= FEW_BLOCKS:
            return first, last
    return 0, 0


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
    return [strength * weight for weight in _table().get(name, _NOTHING)]


@cache
def _table() -> dict[str, list[float]]:
    data = json.loads(resources.files("dehusk.roles").joinpath("points.json").read_text("utf-8"))
    return {name: [row.get(role, 0.0) for role in ROLES] for name, row in data.items()}
