"""What signs count for each role."""

import json
from array import array
from functools import cache
from importlib import resources

from dehusk.kernels.signs import FARTHER, Weights
from dehusk.roles._role import Role
from dehusk.roles.observing import FAMILIES, OTHER_RECORD, RECORD, SIGNS

ROLES = tuple(Role)
"""The roles in the order of a list of points."""

FARTHER_BY_ROLE = {
    **dict.fromkeys((Role.COMMENT, Role.CONTENTS, Role.BREADCRUMBS, Role.FORM, Role.ADVERTISEMENT), 0.95),
    **dict.fromkeys((Role.TITLE, Role.DATE, Role.BYLINE, Role.LEAD, Role.MASTHEAD, Role.TAGS), 0.75),
    Role.NOTICE: 0.98,
}
"""The factors of roles that differ: all that is in a form is the form, but not all that is below a logo is the logo."""

MOST_REMEMBERED = 20_000
"""Ways down through elements that are remembered with what their names count."""


@cache
def _table() -> "tuple[array[float], array[float]]":
    """The points of each sign, role by role, and by how much each is fainter one element farther in."""
    data = json.loads(resources.files("dehusk.roles").joinpath("points.json").read_text("utf-8"))
    factors = {f"name of {role}": factor for role, factor in FARTHER_BY_ROLE.items()}
    points = [data.get(sign, {}).get(role, 0.0) for sign in SIGNS for role in ROLES]
    return array("d", points), array("d", [factors.get(sign, FARTHER) for sign in SIGNS])


_remembered: list[Weights] = []


def weights() -> Weights:
    """What signs count. The same one for many pages, which have the same names; a new one before it grows too large."""
    if not _remembered or _remembered[0].count > MOST_REMEMBERED:
        table, factors = _table()
        _remembered[:] = [Weights(table, len(ROLES), factors, RECORD, OTHER_RECORD, FAMILIES)]
    return _remembered[0]
