"""A sum of decision trees over rows of numbers. The trees are flat arrays, one after the other."""

from array import array


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
