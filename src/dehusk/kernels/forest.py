"""The largest common forest of two trees: identical subtrees on equal paths, one to one, in any order (RBM-TD).

A tree is given as flat pre-order arrays: `subtree` and `path` (equal numbers for identical subtrees and for equal paths
of labels from the root), `size` and `parent`. Each step is linear: nodes are put in level order by counting, and
candidates are found in a hash table with open addresses.
"""

from array import array

FREE = -1
SPREAD = 0x9E3779B97F4A7C15  # an odd number near 2**64 divided by the golden ratio: spreads neighbouring numbers
PATHS = 0x85EBCA77C2B2AE63
WORD = 0xFFFFFFFFFFFFFFFF
HIGH = 29


def map_forest(
    subtree1: "array[int]",
    path1: "array[int]",
    size1: "array[int]",
    parent1: "array[int]",
    subtree2: "array[int]",
    path2: "array[int]",
) -> "array[int]":
    """Returns for each node of the first tree its partner, or -1; whole subtrees, the first in level order first."""
    nodes1 = len(subtree1)
    nodes2 = len(subtree2)
    mate = array("i", [-1]) * nodes1
    mates = mate
    slots = 4
    while slots < 2 * nodes2:
        slots *= 2
    table = array("i", [FREE]) * slots
    later = array("i", [FREE]) * nodes2
    heads, following = table, later
    # Equal paths are equally long, so within a list of candidates the pre-order is the level order.
    for y in range(nodes2 - 1, -1, -1):
        slot = start(subtree2[y], path2[y], slots)
        while heads[slot] != FREE:
            other = heads[slot]
            if subtree2[other] == subtree2[y] and path2[other] == path2[y]:
                break
            slot = (slot + 1) & (slots - 1)
        following[y] = heads[slot]
        heads[slot] = y
    taken_nodes = bytearray(nodes2)
    taken = taken_nodes
    by_level = level_order(parent1)
    order = by_level
    for k in range(nodes1):
        x = order[k]
        if mates[x] >= 0:
            continue
        slot = start(subtree1[x], path1[x], slots)
        while heads[slot] != FREE:
            other = heads[slot]
            if subtree2[other] == subtree1[x] and path2[other] == path1[x]:
                break
            slot = (slot + 1) & (slots - 1)
        y = heads[slot]
        if y == FREE:
            continue
        # The head of a list is never removed, or the search for other keys would end here: `following` of it moves on.
        while y != FREE and taken[y]:
            y = following[y]
        if y != FREE:
            following[heads[slot]] = following[y]
            # All subtrees taken so far have their root at x's depth or above, so nothing below a free y is taken.
            for below in range(size1[x]):
                mates[x + below] = y + below
                taken[y + below] = 1
        else:
            following[heads[slot]] = FREE
    return mate


def start(subtree: int, path: int, slots: int) -> int:
    """Returns where the search for a subtree on a path begins in the table."""
    mixed = (subtree * SPREAD + path * PATHS) & WORD
    return ((mixed >> HIGH) ^ mixed) & (slots - 1)


def level_order(parent: "array[int]") -> "array[int]":
    """Returns the nodes from the root down, each level from left to right."""
    nodes = len(parent)
    depth_of = array("i", bytes(4 * (nodes + 1)))
    first_of = array("i", bytes(4 * (nodes + 2)))
    ordered = array("i", bytes(4 * nodes))
    depth, first, order = depth_of, first_of, ordered
    for node in range(nodes):
        if node:
            depth[node] = depth[parent[node]] + 1
        first[depth[node] + 1] += 1
    for level in range(nodes):
        first[level + 1] += first[level]
    for node in range(nodes):
        level = depth[node]
        order[first[level]] = node
        first[level] += 1
    return ordered
