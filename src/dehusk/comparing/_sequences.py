"""What two sequences have in common, in order: found in time that hardly grows faster than they do."""

from collections.abc import Iterator, Sequence

from dehusk.base.order import unique_matches

MOST_EDITS = 200
"""Where items repeat, stretches that differ in more than this many have nothing in common."""

DEEPEST_STRETCH = 40
"""How often a stretch between two matches is looked at again by itself."""

Range = tuple[int, int, int, int]
Match = tuple[int, int]


def common(old: Sequence[int], new: Sequence[int]) -> list[Match]:
    """The places of equal items, increasing in both sequences.

    As patience diff does it: equal beginnings and ends, then what both have exactly once, then the same between these.
    Stretches without such items are compared item by item.
    """
    found: list[Match] = []
    waiting = [((0, len(old), 0, len(new)), 0)]
    while waiting:
        stretch, depth = waiting.pop()
        equal, (a, b, c, d) = _trimmed(old, new, stretch)
        found += equal
        if a == b or c == d:
            continue
        anchors = _unique(old, new, (a, b, c, d)) if depth < DEEPEST_STRETCH else []
        if anchors:
            found += anchors
            waiting += [(one, depth + 1) for one in _between(anchors, (a, b, c, d))]
        elif not set(old[a:b]).isdisjoint(new[c:d]):
            found += _few_edits(old[a:b], new[c:d], a, c)
    return sorted(found)


def _trimmed(old: Sequence[int], new: Sequence[int], stretch: Range) -> tuple[list[Match], Range]:
    """Equal beginnings and ends, and what is left between them."""
    a, b, c, d = stretch
    found = []
    while a < b and c < d and old[a] == new[c]:
        found.append((a, c))
        a, c = a + 1, c + 1
    while a < b and c < d and old[b - 1] == new[d - 1]:
        b, d = b - 1, d - 1
        found.append((b, d))
    return found, (a, b, c, d)


def _unique(old: Sequence[int], new: Sequence[int], stretch: Range) -> list[Match]:
    """The most items that each have exactly once, and in the same order."""
    a, b, c, d = stretch
    return [(a + i, c + k) for k, i in unique_matches(new[c:d], old[a:b])]


def _between(anchors: Sequence[Match], stretch: Range) -> Iterator[Range]:
    a, b, c, d = stretch
    for i, j in [*anchors, (b, d)]:
        yield a, i, c, j
        a, c = i + 1, j + 1


def _few_edits(old: Sequence[int], new: Sequence[int], first: int, second: int) -> list[Match]:
    """A longest common subsequence, if few items are in only one of the two; else nothing.

    E. Myers: An O(ND) difference algorithm and its variations. Algorithmica 1986.
    """
    n, m = len(old), len(new)
    far = {1: 0}
    trace = []
    for edits in range(min(n + m, MOST_EDITS) + 1):
        trace.append(far.copy())
        for k in range(-edits, edits + 1, 2):
            x = far[k + 1] if _down(far, k, edits) else far[k - 1] + 1
            while x < n and x - k < m and old[x] == new[x - k]:
                x += 1
            far[k] = x
            if x >= n and x - k >= m:
                return [(first + i, second + j) for i, j in _way_back(trace, n, m)]
    return []


def _down(far: dict[int, int], k: int, edits: int) -> bool:
    """Whether a path gets furthest on diagonal k by an item of the new sequence, not by one of the old."""
    return k == -edits or (k != edits and far[k - 1] < far[k + 1])


def _way_back(trace: Sequence[dict[int, int]], x: int, y: int) -> Iterator[Match]:
    """The matches on the path that was found, last first."""
    for edits in range(len(trace) - 1, -1, -1):
        k = x - y
        k += 1 if _down(trace[edits], k, edits) else -1
        before = trace[edits][k]
        while x > max(before, 0) and y > max(before - k, 0):
            x, y = x - 1, y - 1
            yield x, y
        x, y = before, before - k
