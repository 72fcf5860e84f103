"""The roles of the parts of a page: what each block is, in the words a person uses, and how sure that is.

    blocks   the page cut where a person sees lines, cells and items
    sight    what is around each block, and what the page says of itself
    names    what the authors of pages call things
    shapes   what texts look like, whatever their language
    evidence rules that give points to roles

A block has the role with the most points. Points of what is around it count too: the heading over a list of links is
one with the list.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from dehusk.page import Page
from dehusk.roles.blocks import Block
from dehusk.roles.evidence import points
from dehusk.roles.role import Role
from dehusk.roles.sight import Sight

__all__ = ["Block", "Judged", "Role", "judged"]

FEW = 4
"""What is around a block is the innermost element with this many blocks."""

AROUND = 0.5
"""How much the mean points around a block count beside its own."""

AROUND_HEADING = 1.5
"""The same for a heading that goes: it belongs to what it stands over."""

CLEAR = 0.3
"""By how much both count less for a block that says itself what it is, by a name or a phrase."""

UNDER = 4
"""Blocks after such a heading that say what it stands over."""

LARGEST = 0.4
"""What holds more than this share of a page is not what is around a block."""


_ROLES = tuple(Role)  # an enumeration takes its time to be gone through


@dataclass(frozen=True, slots=True)
class Judged:
    """A block, its role, and how sure that is, from 0 to 1."""

    block: Block
    role: Role
    confidence: float


def judged(page: Page, gone: Sequence[int], kind: str | None = None) -> list[Judged]:
    """The role of each block of a page; `gone` flags the nodes that are template, `kind` is the kind of page."""
    sight = Sight(page, gone, kind)
    own = [points(sight, block) for block in sight.blocks]
    nodes = [block.texts[0] for block in sight.blocks]
    means: dict[tuple[int, int], dict[Role, float]] = {}
    found = []
    for block in sight.blocks:
        heads = sight.is_heading(block) and not sight.kept(block)
        beside = _under(sight, block, nodes) if heads else _around(sight, block, nodes)
        if beside not in means:
            means[beside] = _mean(own[slice(*beside)])
        weight = (AROUND_HEADING if heads else AROUND) * (CLEAR if sight.is_clear(block) else 1.0)
        total = {role: some + weight * means[beside][role] for role, some in own[block.number].items()}
        found.append(_best(block, total))
    return found


def _under(sight: Sight, block: Block, nodes: list[int]) -> tuple[int, int]:
    """The first blocks that follow a heading in the innermost element where any do."""
    first, tree = block.number + 1, sight.tree
    for node in tree.ancestors(block.node):
        last = bisect_left(nodes, node + tree.size[node])
        if last > first:
            return first, min(last, first + UNDER)
    return 0, 0


def _around(sight: Sight, block: Block, nodes: list[int]) -> tuple[int, int]:
    """The blocks of the innermost element with a few of them; none if that is most of the page."""
    tree = sight.tree
    for node in (block.node, *tree.ancestors(block.node)):
        if sight.share(node) > LARGEST:
            break
        first, last = bisect_left(nodes, node), bisect_left(nodes, node + tree.size[node])
        if last - first >= FEW:
            return first, last
    return 0, 0


def _mean(found: list[dict[Role, float]]) -> dict[Role, float]:
    return {role: sum([one[role] for one in found]) / (len(found) or 1) for role in _ROLES}


def _best(block: Block, found: dict[Role, float]) -> Judged:
    """The role with the most points; of two with as many, the one that is listed first."""
    best = max(_ROLES, key=found.__getitem__)
    others = sum(exp(some - found[best]) for some in found.values())
    return Judged(block, best, round(1 / others, 4))
