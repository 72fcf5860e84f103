"""The heaviest assignment of rows to columns, one to one: the Hungarian method with potentials, in cubic time."""

from array import array

FAR = 1 << 62  # more than any sum of weights


def assign(weight: "array[int]", rows: int, columns: int) -> "array[int]":
    """Returns for each row its column. There are at most as many rows as columns; weights are given row by row.

    Row after row is added by a cheapest alternating path, where a cost is a weight with the opposite sign.
    """
    of_row = array("q", bytes(8 * (rows + 1)))
    of_column = array("q", bytes(8 * (columns + 1)))
    row_at = array("i", bytes(4 * (columns + 1)))  # rows count from 1; 0 is a free column
    before = array("i", bytes(4 * (columns + 1)))
    least = array("q", bytes(8 * (columns + 1)))
    used = bytearray(columns + 1)
    u, v, owner, path, reach, seen = of_row, of_column, row_at, before, least, used
    for i in range(1, rows + 1):
        owner[0] = i
        for j in range(columns + 1):
            reach[j] = FAR
            seen[j] = 0
        j0 = 0
        while True:
            seen[j0] = 1
            i0 = owner[j0]
            delta = FAR
            j1 = 0
            for j in range(1, columns + 1):
                if seen[j] == 0:
                    cost = -weight[(i0 - 1) * columns + j - 1] - u[i0] - v[j]
                    if cost < reach[j]:
                        reach[j] = cost
                        path[j] = j0
                    if reach[j] < delta:
                        delta = reach[j]
                        j1 = j
            for j in range(columns + 1):
                if seen[j]:
                    u[owner[j]] += delta
                    v[j] -= delta
                else:
                    reach[j] -= delta
            j0 = j1
            if owner[j0] == 0:
                break
        while j0:
            j1 = path[j0]
            owner[j0] = owner[j1]
            j0 = j1
    column_of = array("i", bytes(4 * rows))
    found = column_of
    for j in range(1, columns + 1):
        if owner[j]:
            found[owner[j] - 1] = j - 1
    return column_of
