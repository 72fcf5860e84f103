"""The role of each block of a page, such as title or navigation, with a confidence.

    sight        the blocks of a page, the blocks around each, and the page's own metadata
    _vocabulary  words in names of elements, phrases of short texts, and patterns such as dates, in many languages
    observing    the names of all signs (features) of a block
    weighing     the points that each sign gives to each role

Code that visits every node or block is compiled: `dehusk.kernels.shapes`, `sight` and `signs`.

The role with the most points wins. Points of the surrounding blocks are added.
"""

from collections.abc import Sequence
from typing import NamedTuple

from dehusk.base.tree import Tree
from dehusk.kernels.sight import TextBlock
from dehusk.kernels.walking import folded
from dehusk.page import Page
from dehusk.roles._role import Role
from dehusk.roles._vocabulary import known_shape
from dehusk.roles.sight import PageSight
from dehusk.roles.weighing import ROLES

__all__ = ["Judged", "Role", "TextBlock", "judged", "said"]


SURE = 0.3
"""A removed block in a `<nav>` is navigation if its role has less confidence: without other signs, any role may win."""


class Judged(NamedTuple):
    """A block, its role, and the confidence from 0 to 1."""

    block: TextBlock
    role: Role
    confidence: float


def said(text: str) -> set[Role]:
    """Returns the roles that the phrases of a short text indicate, such as "Add to basket"."""
    return {ROLES[place] for place in known_shape(text).said or ()}


def judged(
    page: Page, gone: Sequence[int], kind: str | None = None, title: tuple[int, float] | None = None
) -> list[Judged]:
    """Returns the role of each block of a page. `gone` flags the template nodes, `kind` is the type of page.

    `title` is the heading that the metadata say is the title, and how sure this is: whatever the points say, because
    in the template a heading gets the role of the text below it.
    """
    sight = PageSight(page, gone, kind)
    roles = [
        Judged(block, _in_menu(page.tree, gone, block, ROLES[role], confidence), round(confidence, 4))
        for block, (role, confidence) in zip(sight.blocks, sight.judged(), strict=True)
    ]
    return roles if title is None else _titled(page.tree, roles, *title)


def _titled(tree: Tree, roles: Sequence[Judged], first: int, sure: float) -> list[Judged]:
    """Returns the roles with that of the title, and of headings that repeat it."""
    end = first + tree.size[first]
    name = folded("".join(tree.text[first:end]))
    return [
        Judged(one.block, Role.TITLE, round(sure, 4))
        if one.role is not Role.TITLE
        and (first <= one.block.texts[0] < end or (one.role is Role.HEADING and folded(one.block.text) == name))
        else one
        for one in roles
    ]


def _in_menu(tree: Tree, gone: Sequence[int], block: TextBlock, role: Role, confidence: float) -> Role:
    """Returns the role of a block; navigation if it is removed from a `<nav>` and nothing sure is known about it."""
    first = block.texts[0]
    if confidence >= SURE or not gone[first]:
        return role
    return Role.NAVIGATION if any(tree.tag[above] == "nav" for above in tree.ancestors(first)) else role
