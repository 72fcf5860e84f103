"""Operations on columns, which have a number for each region, and decision trees over rows of them."""

from array import array
from math import exp, nan, sqrt

FARTHEST = 30.0
"""Sums of trees beyond this are as sure as it. The exponential of a larger number may be none."""


def sums(
    base: float,
    first: "array[int]",
    feature: "array[int]",
    threshold: "array[float]",
    low: "array[int]",
    high: "array[int]",
    unknown: "array[int]",
    site: "array[float]",
    rows: "array[float]",
    height: int,
) -> "array[float]":
    """Returns `base` plus the sum of the trees for each row.

    A tree begins at its `first` node. A leaf has feature -1, and its value as the threshold. Other nodes continue at
    `low` for values up to the threshold, at `high` above it, at `unknown` for NaN. The features of the site come before
    those of a row.
    """
    found = array("d", [base]) * height
    out = found
    trees = len(first)
    shared = len(site)
    width = len(rows) // height if height else 0
    for tree in range(trees):  # trees outside, so that a tree stays in the processor's cache
        for i in range(height):
            node = first[tree]
            while feature[node] >= 0:
                value = site[feature[node]] if feature[node] < shared else rows[i * width + feature[node] - shared]
                if value <= threshold[node]:
                    node = low[node]
                elif value > threshold[node]:
                    node = high[node]
                else:
                    node = unknown[node]
            out[i] = out[i] + threshold[node]
    return found


def likelihoods(totals: "array[float]") -> "array[float]":
    """Returns the probabilities that sums of trees stand for: the logistic function, bounded by FARTHEST."""
    size = len(totals)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        total = max(-FARTHEST, min(FARTHEST, totals[k]))
        out[k] = 1 / (1 + exp(-total))
    return found


def over(part: "array[float]", whole: "array[float]") -> "array[float]":
    """Divides `part` by `whole`, element by element; by 1 where `whole` is 0."""
    size = len(part)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        out[k] = part[k] / (whole[k] if whole[k] != 0 else 1.0)
    return found


def shares(part: "array[float]", whole: "array[float]") -> "array[float]":
    """Divides `part` by `whole`, element by element; NaN where `whole` is 0."""
    size = len(part)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        out[k] = part[k] / whole[k] if whole[k] != 0 else nan
    return found


def split(table: "array[float]", width: int) -> "list[array[float]]":
    """Returns the columns of a table of rows."""
    height = len(table) // width
    found = []
    for j in range(width):
        column = array("d", bytes(8 * height))
        out = column
        for i in range(height):
            out[i] = table[i * width + j]
        found.append(column)
    return found


def depths(parent: "array[int]") -> "array[float]":
    """Returns the number of regions above each region."""
    size = len(parent)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        out[k] = out[parent[k]] + 1 if parent[k] >= 0 else 0.0
    return found


def chosen(column: "array[float]", places: "array[int]", none: float) -> "array[float]":
    """Returns the numbers at some places of a column; `none` where the place is -1."""
    size = len(places)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        out[k] = column[places[k]] if places[k] >= 0 else none
    return found


def rises(column: "array[float]", places: "array[int]", none: float) -> "array[float]":
    """Returns the difference between each number of a column and that at its place; `none` where the place is -1."""
    size = len(places)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        out[k] = column[k] - column[places[k]] if places[k] >= 0 else none
    return found


def with_below(column: "array[float]", parent: "array[int]") -> "array[float]":
    """Returns the sum of the numbers of each region and all its descendants."""
    size = len(column)
    found = array("d", column)
    out = found
    for k in range(size - 1, 0, -1):
        out[parent[k]] = out[parent[k]] + out[k]
    return found


def rows_with_below(table: "array[float]", width: int, parent: "array[int]") -> "array[float]":
    """Returns a table of rows, one for each region, with the sums of each region and all its descendants."""
    found = array("d", table)
    out = found
    for k in range(len(parent) - 1, 0, -1):
        to = parent[k] * width
        at = k * width
        for j in range(width):
            out[to + j] = out[to + j] + out[at + j]
    return found


def most_above(column: "array[float]", parent: "array[int]", root: float) -> "array[float]":
    """Returns the largest number of each region and its ancestors, where the root counts as `root`."""
    size = len(column)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        if parent[k] < 0:
            out[k] = root
        else:
            out[k] = max(out[parent[k]], column[k])
    return found


def least_above(column: "array[float]", parent: "array[int]", root: float) -> "array[float]":
    """Returns the smallest number of each region and its ancestors, where the root counts as `root`."""
    size = len(column)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        if parent[k] < 0:
            out[k] = root
        else:
            out[k] = min(out[parent[k]], column[k])
    return found


def steps_up(bits: "array[int]", count: int, parent: "array[int]", far: float) -> "list[array[float]]":
    """Returns for each of the first `count` bits the steps from each region up to the nearest with it, at most `far`.

    0 for a region that has the bit itself.
    """
    size = len(bits)
    found = []
    for j in range(count):
        column = array("d", bytes(8 * size))
        out = column
        bit = 1 << j
        for k in range(size):
            if bits[k] & bit:
                out[k] = 0.0
            else:
                above = far if parent[k] < 0 else out[parent[k]]
                out[k] = min(far, above + 1)
        found.append(column)
    return found


def table(
    columns: "list[array[float] | tuple[array[float], array[float]]]",
    places: "list[array[int]]",
    none: "array[float]",
) -> "array[float]":
    """Returns a table of columns. Row i has `columns[j][places[j][i]]` in column j; `none[j]` where the place is -1.

    A pair of columns is divided as `over` does.
    """
    width = len(columns)
    height = len(places[0])
    found = array("d", bytes(8 * width * height))
    out = found
    where, divisor = None, None  # compiled, to open an array takes as long as to read twenty numbers of it
    for j in range(width):
        entry = columns[j]
        if places[j] is not where:
            where = places[j]
            place = where
        if isinstance(entry, tuple):
            part = entry[0]
            if entry[1] is not divisor:
                divisor = entry[1]
                whole = divisor
            for i in range(height):
                at = place[i]
                if at >= 0:
                    out[i * width + j] = part[at] / (whole[at] if whole[at] != 0 else 1.0)
                else:
                    out[i * width + j] = none[j]
        else:
            part = entry
            for i in range(height):
                out[i * width + j] = part[place[i]] if place[i] >= 0 else none[j]
    return found


def nonzero(column: "array[float]") -> "array[int]":
    """Returns the regions whose number is not 0."""
    size = len(column)
    found = array("i", bytes(4 * size))
    out = found
    count = 0
    for k in range(size):
        if column[k] != 0:
            out[count] = k
            count += 1
    return found[:count]


def narrowed(
    parent: "array[int]",
    column: "array[float]",
    share: float,
    places: "array[float]",
    pages: "array[float]",
    most_places: float,
) -> int:
    """Returns the innermost region with at least a share of the root's number, going down from the root.

    Each region on the way has at most so many places for each page.
    """
    best = 0
    for k in range(1, len(column)):
        if parent[k] == best and column[k] >= share * column[0] and places[k] <= most_places * pages[k]:
            best = k
    return best


def means(column: "array[float]", places: "array[int]", count: float) -> "array[float]":
    """Returns the numbers at some places of a column, divided by a count."""
    size = len(places)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        out[k] = column[places[k]] / count
    return found


def innermost(flags: bytearray, parent: "array[int]") -> "array[int]":
    """Returns the innermost flagged region that is or contains each region; -1 if there is none."""
    size = len(flags)
    found = array("i", bytes(4 * size))
    out = found
    for k in range(size):
        if flags[k]:
            out[k] = k
        else:
            out[k] = out[parent[k]] if parent[k] >= 0 else -1
    return found


def outermost(flags: bytearray, parent: "array[int]") -> "array[int]":
    """Returns the outermost flagged region that is or contains each region; -1 if there is none."""
    size = len(flags)
    found = array("i", bytes(4 * size))
    out = found
    for k in range(size):
        over = out[parent[k]] if parent[k] >= 0 else -1
        out[k] = over if over >= 0 else k if flags[k] else -1
    return found


def further(around: "array[int]", blocks: "array[int]", parent: "array[int]") -> "array[int]":
    """Returns the next block above each of the blocks `around`; the same block at the root."""
    size = len(around)
    found = array("i", bytes(4 * size))
    out = found
    for k in range(size):
        over = parent[around[k]]
        out[k] = blocks[over] if over >= 0 else around[k]
    return found


def picked(numbers: "array[int]", places: "array[int]") -> "array[int]":
    """Returns the integers at some places of an array."""
    size = len(places)
    found = array("i", bytes(4 * size))
    out = found
    for k in range(size):
        out[k] = numbers[places[k]]
    return found


def variations(squares: "array[float]", means: "array[float]") -> "array[float]":
    """Returns the standard deviations divided by the means (at least 1), from the means of the squares."""
    size = len(means)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        out[k] = sqrt(max(0.0, squares[k] - means[k] * means[k])) / max(means[k], 1.0)
    return found


def with_parts(blocks: bytearray, direct: "array[float]", below: "array[float]", parent: "array[int]") -> bytearray:
    """Flags the blocks with two or more parts. A block's own texts are one part, each child block with text another.

    `direct` and `below` have the number of texts directly in a region, and at and below it.
    """
    size = len(parent)
    found = bytearray(size)
    parts = array("i", bytes(4 * size))
    flags = found
    many = parts
    for k in range(size):
        if direct[k] > 0:
            many[k] = many[k] + 1
        if parent[k] >= 0 and blocks[k] and below[k] > 0:
            many[parent[k]] = many[parent[k]] + 1
    for k in range(size):
        flags[k] = blocks[k] and many[k] > 1
    return found


def repeated(flags: bytearray, places: "array[float]", pages: "array[float]") -> bytearray:
    """Keeps the flags of regions with two or more places for each page, or for each place of the parent."""
    found = bytearray(len(flags))
    out = found
    for k in range(1, len(flags)):
        out[k] = flags[k] and places[k] >= 2 * pages[k]
    return found


def beside(left: "array[float]", width: int, right: "array[float]", more: int) -> "array[float]":
    """Joins two tables with rows of these widths, row by row."""
    height = len(left) // width
    found = array("d", bytes(8 * height * (width + more)))
    out = found
    at = 0
    for i in range(height):
        for j in range(width):
            out[at + j] = left[i * width + j]
        at += width
        for j in range(more):
            out[at + j] = right[i * more + j]
        at += more
    return found
