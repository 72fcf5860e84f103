"""Columns of figures, with a number for each region, and the trees that read rows of them."""

from array import array
from math import nan, sqrt


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
    """What the trees add up to for each row, beginning with `base`.

    A tree begins at its `first` node. A leaf has the feature -1, and its value as the threshold; other nodes go on at
    `low` where the number is at most the threshold, at `high` where it is more, at `unknown` where it is not a number.
    The features of the site come before those of a row.
    """
    found = array("d", [base]) * height
    out = found
    trees = len(first)
    shared = len(site)
    width = len(rows) // height if height else 0
    for tree in range(trees):  # row after row, while the tree is at hand
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


def over(part: "array[float]", whole: "array[float]") -> "array[float]":
    """Each number of the first array divided by that of the second; by 1 where that is 0."""
    size = len(part)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        out[k] = part[k] / (whole[k] if whole[k] != 0 else 1.0)
    return found


def shares(part: "array[float]", whole: "array[float]") -> "array[float]":
    """The same, but not a number where the second is 0."""
    size = len(part)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        out[k] = part[k] / whole[k] if whole[k] != 0 else nan
    return found


def split(table: "array[float]", width: int) -> "list[array[float]]":
    """The columns of a table of rows."""
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
    """How many regions are above each one."""
    size = len(parent)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        out[k] = out[parent[k]] + 1 if parent[k] >= 0 else 0.0
    return found


def chosen(column: "array[float]", places: "array[int]", none: float) -> "array[float]":
    """The numbers at some places of a column; another number where the place is -1."""
    size = len(places)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        out[k] = column[places[k]] if places[k] >= 0 else none
    return found


def rises(column: "array[float]", places: "array[int]", none: float) -> "array[float]":
    """How much more each number of a column is than that at a place; another number where the place is -1."""
    size = len(places)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        out[k] = column[k] - column[places[k]] if places[k] >= 0 else none
    return found


def with_below(column: "array[float]", parent: "array[int]") -> "array[float]":
    """For each region its own number and those of all regions below it, added up."""
    size = len(column)
    found = array("d", column)
    out = found
    for k in range(size - 1, 0, -1):
        out[parent[k]] = out[parent[k]] + out[k]
    return found


def most_above(column: "array[float]", parent: "array[int]", root: float) -> "array[float]":
    """The largest number from each region up to the children of the root, which has a number given."""
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
    """The smallest number from each region up to the children of the root, which has a number given."""
    size = len(column)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        if parent[k] < 0:
            out[k] = root
        else:
            out[k] = min(out[parent[k]], column[k])
    return found


def steps_up(bits: "array[int]", bit: int, parent: "array[int]", far: float) -> "array[float]":
    """The steps from each region up to the nearest one that has a bit, itself included, and no more than `far`."""
    size = len(bits)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        if bits[k] & bit:
            out[k] = 0.0
        else:
            above = far if parent[k] < 0 else out[parent[k]]
            out[k] = min(far, above + 1)
    return found


def table(columns: "list[array[float]]", places: "list[array[int]]", none: "array[float]") -> "array[float]":
    """Several columns side by side: a row has what is at its place of each; a column's own number where that is -1."""
    width = len(columns)
    height = len(places[0])
    found = array("d", bytes(8 * width * height))
    out = found
    for j in range(width):
        column = columns[j]
        place = places[j]
        for i in range(height):
            out[i * width + j] = column[place[i]] if place[i] >= 0 else none[j]
    return found


def innermost(flags: bytearray, parent: "array[int]") -> "array[int]":
    """For each region the nearest one with a flag, itself included; -1 where there is none."""
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
    """For each region the furthest one with a flag, itself included; -1 where there is none."""
    size = len(flags)
    found = array("i", bytes(4 * size))
    out = found
    for k in range(size):
        over = out[parent[k]] if parent[k] >= 0 else -1
        out[k] = over if over >= 0 else k if flags[k] else -1
    return found


def further(around: "array[int]", blocks: "array[int]", parent: "array[int]") -> "array[int]":
    """The block around that above each of some blocks; the block itself where there is nothing above it."""
    size = len(around)
    found = array("i", bytes(4 * size))
    out = found
    for k in range(size):
        over = parent[around[k]]
        out[k] = blocks[over] if over >= 0 else around[k]
    return found


def picked(numbers: "array[int]", places: "array[int]") -> "array[int]":
    """The whole numbers at some places."""
    size = len(places)
    found = array("i", bytes(4 * size))
    out = found
    for k in range(size):
        out[k] = numbers[places[k]]
    return found


def variations(squares: "array[float]", means: "array[float]") -> "array[float]":
    """The standard deviation as a share of the mean, which counts as 1 at least, from the mean of the squares."""
    size = len(means)
    found = array("d", bytes(8 * size))
    out = found
    for k in range(size):
        out[k] = sqrt(max(0.0, squares[k] - means[k] * means[k])) / max(means[k], 1.0)
    return found


def with_parts(blocks: bytearray, direct: "array[float]", below: "array[float]", parent: "array[int]") -> bytearray:
    """Flags of the blocks with two parts or more: texts of their own are one, and so is each block with text in it.

    `direct` and `below` have how many texts there are directly in a region, and at and below it.
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
    """Those of some flags whose regions stand twice or more on each page, or in each place, that has them."""
    found = bytearray(len(flags))
    out = found
    for k in range(1, len(flags)):
        out[k] = flags[k] and places[k] >= 2 * pages[k]
    return found


def beside(left: "array[float]", width: int, right: "array[float]", more: int) -> "array[float]":
    """Two tables with rows of these widths as one, row beside row."""
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
