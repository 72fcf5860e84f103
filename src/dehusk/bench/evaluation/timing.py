"""What work costs: the least time of a few rounds, since other work on a machine only ever adds to it."""

import time
from collections.abc import Callable, Mapping
from math import inf
from typing import Generic, NamedTuple, TypeVar

Clock = Callable[[], float]
Given = TypeVar("Given")
Result = TypeVar("Result")

PROCESSOR: Clock = time.process_time
"""Seconds of this process alone, which other work on the machine disturbs least."""

WALL: Clock = time.perf_counter
"""Seconds that pass: for work in several processes."""


class Timed(NamedTuple, Generic[Result]):
    """What came out of some work, and the seconds of its best round."""

    result: Result
    seconds: float


def timed(work: Callable[[], Result], *, rounds: int = 1, clock: Clock = PROCESSOR) -> Timed[Result]:
    """Does some work a few times."""
    best = inf
    for _ in range(rounds):
        started = clock()
        result = work()
        best = min(best, clock() - started)
    return Timed(result, best)


def in_turns(
    works: Mapping[str, Callable[[Given], object]], given: Given, *, rounds: int, clock: Clock = PROCESSOR
) -> dict[str, float]:
    """The seconds that each of several works takes on the same thing; without those that fail on it.

    They take turns, so that a slow moment of the machine does not fall on one of them alone.
    """
    best: dict[str, float] = {}
    failed: set[str] = set()
    for _ in range(rounds):
        for name, work in works.items():
            if name in failed:
                continue
            started = clock()
            try:
                work(given)
            except Exception:  # noqa: BLE001  # tools of others fail in their own ways
                failed.add(name)
            else:
                best[name] = min(best.get(name, inf), clock() - started)
    return {name: seconds for name, seconds in best.items() if name not in failed}
