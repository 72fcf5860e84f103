"""The roles of the parts of a page: what each block is, in the words a person uses, and how sure that is.

    text_blocks   the page cut where a person sees lines, cells and items
    sight         what is around each block, and what the page says of itself
    _names        what the authors of pages call things
    _phrases      what short texts say of themselves
    _targets      where links lead
    _shapes       what texts look like, whatever their language
    observing     the signs: all that can be seen of a block, by name
    weighing      what each sign counts for each role
    surroundings  which blocks belong together

A block has the role with the most points. Points of what is around it count too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from dehusk.page import Page
from dehusk.roles._role import Role
from dehusk.roles.observing import signs
from dehusk.roles.sight import Sight, TextBlock
from dehusk.roles.weighing import ROLES, around, points

__all__ = ["Judged", "Role", "TextBlock", "judged"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A block, its role, and how sure that is, from 0 to 1."""

    block: TextBlock
    role: Role
    confidence: float


def judged(page: Page, gone: Sequence[int], kind: str | None = None) -> list[Judged]:
    """The role of each block of a page; `gone` flags the nodes that are template, `kind` is the kind of page."""
    sight = Sight(page, gone, kind)
    own = [points(signs(sight, block)) for block in sight.blocks]
    means: dict[tuple[int, int], list[float]] = {}
    roles = []
    for block in sight.blocks:
        beside, weight = around(sight, block)
        ends = beside.start, beside.stop
        if ends not in means:
            means[ends] = [sum(column) / len(column) for column in zip(*own[beside], strict=True)]
        mean = means[ends]
        total = own[block.number]
        if mean:
            total = [own_points + weight * beside_points for own_points, beside_points in zip(total, mean, strict=True)]
        roles.append(_best(block, total))
    return roles


def _best(block: TextBlock, total: list[float]) -> Judged:
    """The role with the most points; of two with as many, the one that is listed first."""
    most = max(total)
    others = sum([exp(value - most) for value in total])
    return Judged(block, ROLES[total.index(most)], round(1 / others, 4))
