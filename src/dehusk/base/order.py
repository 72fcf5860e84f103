"""Longest increasing subsequences, and unique common items of two sequences."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence


def increasing(values: Sequence[int]) -> list[int]:
    """The indices of a longest increasing subsequence."""
    ends: list[int] = []  # for each length, the smallest last value of an increasing subsequence ...
    positions: list[int] = []  # ... and its index
    before = [-1] * len(values)
    for position, value in enumerate(values):
        length = bisect_left(ends, value)
        before[position] = positions[length - 1] if length else -1
        ends[length : length + 1] = [value]
        positions[length : length + 1] = [position]
    longest = []
    position = positions[-1] if positions else -1
    while position >= 0:
        longest.append(position)
        position = before[position]
    return longest[::-1]


def unique_matches(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Pairs of indices of values that occur exactly once on each side: the most that are in the same order on both."""
    right_at = _once(right)
    shared = [(k, right_at[value]) for value, k in _once(left).items() if value in right_at]
    return [shared[k] for k in increasing([other for _, other in shared])]


def _once(values: Sequence[Hashable]) -> dict[Hashable, int]:
    counted = Counter(values)
    return {value: k for k, value in enumerate(values) if counted[value] == 1}
