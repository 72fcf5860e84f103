"""The table of points."""

import json
from importlib import resources

from dehusk.roles._role import Role
from dehusk.roles.weighing import ALWAYS, ROLES, points


def test_the_table_knows_every_role_and_no_other() -> None:
    table = json.loads(resources.files("dehusk.roles").joinpath("points.json").read_text("utf-8"))
    assert {role for row in table.values() for role in row} == {str(role) for role in Role}


def test_signs_add_up_by_their_strength_and_unknown_ones_count_nothing() -> None:
    place = ROLES.index(Role.COMMENT)
    always, loud, faint = (points(one)[place] for one in ({}, {"name of comment": 1.0}, {"name of comment": 0.5}))
    assert abs((loud - always) - 2 * (faint - always)) < 1e-9
    assert points({"no such sign": 1.0}) == points({})
    assert points({ALWAYS: 0.0}) == points({})
