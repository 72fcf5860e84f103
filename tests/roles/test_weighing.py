"""The table of points."""

import json
from importlib import resources

from dehusk.kernels.sight import Faded
from dehusk.roles._role import Role
from dehusk.roles.observing import ALWAYS, SIGNS
from dehusk.roles.weighing import ROLES, weights


def test_the_table_knows_every_role_and_no_other() -> None:
    table = json.loads(resources.files("dehusk.roles").joinpath("points.json").read_text("utf-8"))
    assert {role for row in table.values() for role in row} == {str(role) for role in Role}


def test_every_sign_of_the_table_can_be_seen_and_is_counted_once() -> None:
    table = json.loads(resources.files("dehusk.roles").joinpath("points.json").read_text("utf-8"))
    assert set(table) - set(SIGNS) == {"name of heading"}  # no name speaks of that
    assert len(set(SIGNS)) == len(SIGNS)
    assert SIGNS[0] == ALWAYS


def points(signs: dict[str, float]) -> list[float]:
    names = Faded([SIGNS.index(name) for name in signs], list(signs.values()), own=True)
    return list(weights().begun(names, kept=True))


def test_signs_add_up_by_their_strength_and_those_without_points_count_nothing() -> None:
    place = ROLES.index(Role.COMMENT)
    always, loud, faint = (points(one)[place] for one in ({}, {"name of comment": 1.0}, {"name of comment": 0.5}))
    assert abs((loud - always) - 2 * (faint - always)) < 1e-9
    assert points({"kept on other": 1.0}) == points({})
