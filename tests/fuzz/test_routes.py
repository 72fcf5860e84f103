"""The target of the service's routes: what it sends reaches them, and it notices what it looks for."""

import json
from typing import cast

import pytest
from pydantic import BaseModel

from dehusk.server import guards
from dehusk.server.answers import QUESTIONS, Question
from promises import Broken
from routes import Request, answered, route

ROUTES = list(QUESTIONS)
OTHERS = ("undo", "export", "changes")
"""There is nothing to undo, and the others need a query, which the good request has not."""


@pytest.mark.parametrize("name", [name for name in ROUTES if name not in OTHERS])
def test_the_good_request_of_each_route_is_answered(name: str) -> None:
    answer, asked = answered(Request.of(bytes([ROUTES.index(name), 0, 0, 128]) + b"\n"))
    assert (answer.status, asked) == (200, True), answer.body


def test_odd_values_reach_the_route() -> None:
    good, odd = (Request.of(bytes([ROUTES.index("clean"), 0, 0, 128]) + edits) for edits in (b"\n", b"\n\x40\x12"))
    assert json.loads(good.body) != json.loads(odd.body)
    assert answered(odd)[0].status == 422


@pytest.mark.parametrize("headers", range(1, 7))
def test_requests_without_the_token_or_from_elsewhere_are_refused(headers: int) -> None:
    request = Request.of(bytes([0, 0, headers, 0]))
    assert request.refused
    answer, asked = answered(request)
    assert answer.status in (401, 403)
    assert not asked


def test_a_request_that_gets_past_the_guards_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards.Guarded, "_has_token", lambda *_: True)
    with pytest.raises(Broken, match="only who may asks"):
        route(bytes([0, 0, 2, 0]))


def test_a_failure_of_dehusk_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> list[BaseModel]:
        raise KeyError("of a bug")

    monkeypatch.setitem(cast("dict[str, Question]", QUESTIONS), "snapshots", Question("GET", "/snapshots", fails))
    with pytest.raises(Broken, match="of a bug"):
        route(bytes([ROUTES.index("snapshots"), 0, 0, 0]))
