"""Timing, with a fake clock."""

from collections.abc import Callable, Iterator

from dehusk.bench.evaluation.tools import in_turns, timed


class Clock:
    """A clock that moves only when a test moves it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """The current time."""
        return self.now

    def taking(self, *seconds: float) -> Callable[..., float]:
        """A function whose calls take these times, in order."""
        rounds: Iterator[float] = iter(seconds)

        def work(*_given: object) -> float:
            took = next(rounds)
            self.now += took
            return took

        return work


def test_the_best_round_counts() -> None:
    clock = Clock()
    assert timed(clock.taking(3, 1, 2), rounds=3, clock=clock) == (2, 1)


def test_one_round_is_enough_by_default() -> None:
    clock = Clock()
    assert timed(clock.taking(3), clock=clock) == (3, 3)


def test_functions_take_turns_and_the_best_round_of_each_counts() -> None:
    clock = Clock()
    order: list[str] = []

    def slow(given: str) -> None:
        order.append(f"slow {given}")
        clock.now += 5 - len(order)

    def quick(given: str) -> None:
        order.append(f"quick {given}")
        clock.now += 1

    assert in_turns({"slow": slow, "quick": quick}, "page", rounds=2, clock=clock) == {"slow": 2, "quick": 1}
    assert order == ["slow page", "quick page"] * 2


def test_a_failed_function_has_no_time_and_is_not_tried_again() -> None:
    clock = Clock()
    tried: list[int] = []

    def fails(given: str) -> None:
        tried.append(len(given))
        if len(tried) == 2:
            raise ValueError(given)

    found = in_turns({"fails": fails, "works": clock.taking(1, 1, 1)}, "page", rounds=3, clock=clock)
    assert found == {"works": 1}
    assert len(tried) == 2
