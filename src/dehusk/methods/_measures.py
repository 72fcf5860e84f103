"""Measures that several methods share."""

from collections.abc import Collection
from math import log


def entropy(counts: Collection[int], unit: int | None = None) -> float:
    """Entropy of a distribution given as counts, from 0 to 1: in units of log `unit`, or of the log of their sum.

    More outcomes than `unit` count as an even spread over `unit`.
    """
    if len(counts) < 2:
        return 0.0
    whole = sum(counts)
    found = (log(whole) - sum(count * log(count) for count in counts) / whole) / log(unit or whole)
    return min(1.0, found)  # an even spread may come out as a little more than 1
