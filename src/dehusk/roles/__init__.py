"""The roles of the parts of a page: what each block is, in the words a person uses, and how sure that is.

    sight        the page as it is seen: its blocks, what is around each, what the page says of itself
    _vocabulary  what the authors of pages call things, what short texts say, what texts look like in any language
    observing    the signs: all that can be seen of a block, by name
    weighing     what each sign counts for each role

What looks at every node or block is compiled: `dehusk.kernels.shapes`, `sight` and `signs`.

A block has the role with the most points. Points of what is around it count too.
"""

from collections.abc import Sequence
from typing import NamedTuple

from dehusk.kernels.sight import TextBlock
from dehusk.page import Page
from dehusk.roles._role import Role
from dehusk.roles.sight import PageSight
from dehusk.roles.weighing import ROLES

__all__ = ["Judged", "Role", "TextBlock", "judged"]


class Judged(NamedTuple):
    """A block, its role, and how sure that is, from 0 to 1."""

    block: TextBlock
    role: Role
    confidence: float


def judged(page: Page, gone: Sequence[int], kind: str | None = None) -> list[Judged]:
    """The role of each block of a page; `gone` flags the nodes that are template, `kind` is the kind of page."""
    sight = PageSight(page, gone, kind)
    return [
        Judged(block, ROLES[role], round(confidence, 4))
        for block, (role, confidence) in zip(sight.blocks, sight.judged(), strict=True)
    ]
