"""Tests whether one tree contains another, from the root on and in order: Match of RTDM-TD, exact and linear."""

from array import array


def match(label1: "array[int]", size1: "array[int]", label2: "array[int]", size2: "array[int]") -> "array[int]":
    """Returns for each node of the first tree its node in the second; an empty array if the second does not contain it.

    The children of a node are matched in order, each with the first node that contains all of it. Taking the first is
    never worse. A skipped child of the second tree is never examined again for a sibling, so the time is linear.
    """
    nodes = len(label1)
    mate = array("i", [-1]) * nodes
    mates = mate
    if nodes == 0 or len(label2) == 0 or label1[0] != label2[0]:
        return array("i")
    # A stack of open pairs, each with its next children: wanted (first tree) and offered (second tree).
    x_of = array("i", [0])
    y_of = array("i", [0])
    wanted_of = array("i", [1])
    offered_of = array("i", [1])
    while True:
        top = len(x_of) - 1
        x = x_of[top]
        y = y_of[top]
        wanted = wanted_of[top]
        offered = offered_of[top]
        if wanted == x + size1[x]:  # every child of x is matched
            mates[x] = y
            found = True
        else:
            end = y + size2[y]
            while offered < end and (label2[offered] != label1[wanted] or size2[offered] < size1[wanted]):
                offered += size2[offered]
            found = False
            if offered < end:
                offered_of[top] = offered
                x_of.append(wanted)
                y_of.append(offered)
                wanted_of.append(wanted + 1)
                offered_of.append(offered + 1)
                continue
        x_of.pop()
        y_of.pop()
        wanted_of.pop()
        offered_of.pop()
        if top == 0:
            return mate if found else array("i")
        offered = offered_of[top - 1]
        offered_of[top - 1] = offered + size2[offered]
        if found:
            wanted_of[top - 1] = wanted_of[top - 1] + size1[wanted_of[top - 1]]
