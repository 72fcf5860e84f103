"""The points that each sign gives to each role."""

from array import array
from functools import cache
from importlib import resources

from dehusk.base import fields
from dehusk.kernels.sight import FARTHER, Ways
from dehusk.kernels.signs import Weights
from dehusk.roles._role import Role
from dehusk.roles.observing import FAMILIES, OTHER_RECORD, RECORD, SIGNS

ROLES = tuple(Role)
"""The roles, in the order of lists of points."""

FARTHER_BY_ROLE = {
    **dict.fromkeys((Role.COMMENT, Role.CONTENTS, Role.BREADCRUMBS, Role.FORM, Role.ADVERTISEMENT), 0.95),
    **dict.fromkeys((Role.TITLE, Role.DATE, Role.BYLINE, Role.LEAD, Role.MASTHEAD, Role.TAGS), 0.75),
    Role.NOTICE: 0.98,
}
"""Factors instead of `FARTHER`. All text inside a form is form, but not all text inside a masthead is its name."""

MOST_REMEMBERED = 20_000
"""Maximum number of cached paths of elements."""


@cache
def weights() -> Weights:
    """Returns the points of all signs."""
    data = fields.parsed(resources.files("dehusk.roles").joinpath("points.json").read_text("utf-8"))
    points = array("d", [data.get(sign, {}).get(role, 0.0) for sign in SIGNS for role in ROLES])
    return Weights(points, len(ROLES), FAMILIES, RECORD, OTHER_RECORD)


_remembered: list[Ways] = []


def ways() -> Ways:
    """Returns the cache for paths of elements, which pages of a site share. Starts a new one if it is too large."""
    if not _remembered or _remembered[0].count > MOST_REMEMBERED:
        factors = {f"name of {role}": factor for role, factor in FARTHER_BY_ROLE.items()}
        _remembered[:] = [Ways(array("d", [factors.get(sign, FARTHER) for sign in SIGNS]))]
    return _remembered[0]
