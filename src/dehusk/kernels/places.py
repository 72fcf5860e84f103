"""Which region each node of a page belongs to. A region is a top-down path of labels."""

from array import array
from collections.abc import Sequence
from math import log

_STYLE = 1_000_003
_STYLES = 0xFFFFFFFF


def placed(
    parent: "array[int]", labels: "list[str | None]", index: "dict[tuple[int, str], int]", above: "array[int]"
) -> "tuple[array[int], array[int]]":
    """The region of each node, that of a text being the one it is in; and the style of each element.

    `labels` has None for texts. `index` has the regions by the one they are in and their label. New ones are added to
    it, and the region that each is in to `above`. A style is the sequence of an element's children, as a number that is
    the same in every process.
    """
    size = len(labels)
    regions = array("i", bytes(4 * size))
    styles = array("I", bytes(4 * size))
    at = regions
    style = styles
    for node in range(size):
        over = parent[node]
        region = at[over] if over >= 0 else -1
        label = labels[node]
        if label is not None:
            key = (region, label)
            found = index.get(key)
            if found is None:
                found = index[key] = len(index)
                above.append(region)
            region = found
            if over >= 0:
                style[over] = (style[over] * _STYLE + region + 1) & _STYLES
        at[node] = region
    return regions, styles


def counted(
    at: "array[int]", labels: "list[str | None]", places: "array[float]", pages: "array[float]", squares: "array[float]"
) -> None:
    """Counts the places of each region on one page, whether it has any, and their square."""
    here = array("i", bytes(4 * len(places)))
    seen = here
    for node in range(len(labels)):
        if labels[node] is not None:
            seen[at[node]] = seen[at[node]] + 1
    for region in range(len(places)):
        if seen[region]:
            places[region] = places[region] + seen[region]
            pages[region] = pages[region] + 1
            squares[region] = squares[region] + seen[region] * seen[region]


def held(parent: "array[int]", marks: "array[int]", sizes: "array[float]") -> "tuple[array[int], array[float]]":
    """What is at and below each node: the bits of all marks, and the sum of all sizes."""
    bits = array("i", marks)
    totals = array("d", sizes)
    mark = bits
    total = totals
    for node in range(len(parent) - 1, 0, -1):
        mark[parent[node]] = mark[parent[node]] | mark[node]
        total[parent[node]] = total[parent[node]] + total[node]
    return bits, totals


def tally(
    at: "array[int]",
    labels: "list[str | None]",
    bits: "array[int]",
    totals: "array[float]",
    table: "array[float]",
    width: int,
) -> None:
    """Adds, for each place of a region, one to the number of each of its bits, then its size and the square of that."""
    for node in range(len(labels)):
        if labels[node] is None:
            continue
        start = at[node] * width
        mark = bits[node]
        for k in range(width - 2):
            if mark >> k & 1:
                table[start + k] = table[start + k] + 1
        table[start + width - 2] = table[start + width - 2] + totals[node]
        table[start + width - 1] = table[start + width - 1] + totals[node] * totals[node]


def added(rows: "array[float]", width: int, at: "array[int]", table: "array[float]") -> None:
    """Adds each row of numbers to that of its region."""
    for row in range(len(at)):
        start = at[row] * width
        for k in range(width):
            table[start + k] = table[start + k] + rows[row * width + k]


def entropies(regions: "array[int]", values: "array[int]", count: int) -> "array[float]":
    """How much values vary in each region, from 0 (all alike) to 1 (no two alike). Pairs come sorted by both."""
    found = array("d", bytes(8 * count))
    out = found
    size = len(regions)
    start = 0
    while start < size:
        region = regions[start]
        end = start
        run = 0
        total = 0.0
        kinds = 0
        while end < size and regions[end] == region:
            run += 1
            if end + 1 == size or regions[end + 1] != region or values[end + 1] != values[end]:
                total += run * log(run)
                kinds += 1
                run = 0
            end += 1
        whole = end - start
        if kinds > 1:
            out[region] = min(1.0, (log(whole) - total / whole) / log(whole))
        start = end
    return found


def links(parent: "array[int]", tags: Sequence[str], targets: Sequence[str]) -> "list[str | None]":
    """The target of the link that each node is in; None for a node in no link."""
    found: list[str | None] = []
    for node in range(len(tags)):
        over = parent[node]
        found.append(targets[node] if tags[node] == "a" else found[over] if over >= 0 else None)
    return found
