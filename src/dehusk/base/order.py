"""Longest and heaviest increasing subsequences, and unique common items of two sequences."""

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
    return _chain(before, positions[-1] if positions else -1)


def _chain(before: Sequence[int], last: int) -> list[int]:
    """The indices that lead to the last one, each before the next; -1 is none."""
    chain = []
    while last >= 0:
        chain.append(last)
        last = before[last]
    return chain[::-1]


def heaviest_increasing(values: Sequence[int], weights: Sequence[int]) -> list[int]:
    """The indices of an increasing subsequence with the largest sum of positive weights. All values are different."""
    ranks = {value: rank for rank, value in enumerate(sorted(values), 1)}
    best: list[tuple[int, int]] = [(0, -1)] * (len(values) + 1)  # of ranks up to one: a Fenwick tree of sums and ends
    before = [-1] * len(values)
    heaviest = (0, -1)
    for position, (value, weight) in enumerate(zip(values, weights, strict=True)):
        rank = ranks[value]
        chain, below = (0, -1), rank - 1
        while below:
            chain = max(chain, best[below])
            below &= below - 1
        before[position] = chain[1]
        longer = (chain[0] + weight, position)
        heaviest = max(heaviest, longer)
        while rank < len(best):
            best[rank] = max(best[rank], longer)
            rank += rank & -rank
    return _chain(before, heaviest[1])


def unique_matches(
    left: Sequence[Hashable], right: Sequence[Hashable], weights: Sequence[int] | None = None
) -> list[tuple[int, int]]:
    """Pairs of indices of values that occur exactly once on each side, in the same order on both.

    As many as possible; with a weight for each value on the left, those with the largest sum of weights.
    """
    right_at = _once(right)
    shared = [(k, right_at[value]) for value, k in _once(left).items() if value in right_at]
    others = [other for _, other in shared]
    chain = increasing(others) if weights is None else heaviest_increasing(others, [weights[k] for k, _ in shared])
    return [shared[k] for k in chain]


def _once(values: Sequence[Hashable]) -> dict[Hashable, int]:
    counted = Counter(values)
    return {value: k for k, value in enumerate(values) if counted[value] == 1}
