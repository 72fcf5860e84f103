"""The optimal restricted top-down mapping of two trees (RTDM-TD: Vieira et al., CIKM 2006, figures 3 and 4).

A tree is given as flat pre-order arrays: `label`, `subtree` (equal numbers for identical subtrees) and `size`. Deleting
or inserting a node costs 1, replacing one costs `replace`. A cost is packed as `cost * unit - same`: the smallest value
is the cheapest mapping and, among the cheapest, the one with most identical nodes.

The paper keeps a backtracking matrix for every pair of nodes it compares. Here the costs need one row for each open
pair, and only pairs that are in the final mapping get a matrix of operations (a byte for each cell), to walk back
through it. All loops use explicit stacks, so that deep pages cause no recursion.
"""

from array import array

# The operations in the cells of a children's matrix.
MATCH, DELETE, INSERT, REPLACE = range(4)

# The cost of a pair whose children's matrix has at least MEMO_CELLS cells is cached, up to MEMO_PAIRS of them.
MEMO_CELLS = 48
MEMO_PAIRS = 1_000_000

# Two lists of children whose matrix would have more cells than this are mapped piece by piece. The result is still a
# mapping, but perhaps not the cheapest. It is also the maximum size of a matrix of operations in bytes.
MATRIX_CELLS = 200_000_000

# Number of integers in a frame: the pair, its children's ranges, costs outside the matrix, and the current cell.
FRAME = 12
UNSOLVED = 1 << 62
PAIR = 1 << 32  # two subtree numbers in one key

# Words for counting bits; named, so that Cython gives them a C type.
ONE, PAIRS, NIBBLES, BYTES = 1, 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F


class Mapper:
    """Maps one tree to another: `Mapper(...).map()`."""

    def __init__(
        self,
        label1: "array[int]",
        subtree1: "array[int]",
        size1: "array[int]",
        label2: "array[int]",
        subtree2: "array[int]",
        size2: "array[int]",
        replace: int,
    ) -> None:
        self.nodes1, self.label1, self.subtree1, self.size1 = len(size1), label1, subtree1, size1
        self.nodes2, self.label2, self.subtree2, self.size2 = len(size2), label2, subtree2, size2
        self.first1, self.child1 = children(size1)
        self.first2, self.child2 = children(size2)
        self.mask1, self.mask2 = masks(label1, size1), masks(label2, size2)
        self.replace = replace
        # Replacing is never more expensive than deleting one node and inserting the other.
        self.change = min(replace, 2)
        self.unit = self.nodes1 + self.nodes2 + 1
        self.known: dict[int, int] = {}
        self.frames = array("q", bytes(8 * FRAME * 64))
        self.rows = array("q", bytes(8 * 4096))

    def map(self) -> "array[int]":
        """Returns for each node of the first tree its partner in the second, or -1."""
        mate = array("i", [-1]) * self.nodes1
        mates = mate
        # A root maps only to a root. If their labels differ, the trees have nothing in common.
        work = [(0, 0)] if self.nodes1 and self.nodes2 and self.label1[0] == self.label2[0] else []
        while work:
            x, y = work.pop()
            mates[x] = y
            if self.subtree1[x] == self.subtree2[y]:
                for k in range(1, self.size1[x]):
                    mates[x + k] = y + k
            elif self.label1[x] == self.label2[y]:
                self.map_children(x, y, work)
        return mate

    def map_children(self, x: int, y: int, work: list[tuple[int, int]]) -> None:
        """Adds the pairs of children in the cheapest mapping of x to y to `work`."""
        a = self.first1[x]
        m = self.first1[x + 1]
        b = self.first2[y]
        n = self.first2[y + 1]
        while a < m and b < n and self.subtree1[self.child1[a]] == self.subtree2[self.child2[b]]:
            work.append((self.child1[a], self.child2[b]))
            a += 1
            b += 1
        while a < m and b < n and self.subtree1[self.child1[m - 1]] == self.subtree2[self.child2[n - 1]]:
            m -= 1
            n -= 1
            work.append((self.child1[m], self.child2[n]))
        pieces = 1 + (m - a) * (n - b) // MATRIX_CELLS
        for k in range(pieces):
            self.map_lists(
                a + (m - a) * k // pieces,
                a + (m - a) * (k + 1) // pieces,
                b + (n - b) * k // pieces,
                b + (n - b) * (k + 1) // pieces,
                work,
            )

    def map_lists(self, a: int, m: int, b: int, n: int, work: list[tuple[int, int]]) -> None:
        """Fills a children's matrix of operations, and walks back through it (retrieveTemplate)."""
        width = n - b
        if m == a or width == 0:
            return
        if m - a == 1 and width == 1 and self.label1[self.child1[a]] == self.label2[self.child2[b]]:
            work.append((self.child1[a], self.child2[b]))
            return
        ops = bytearray((m - a) * width)
        op = ops
        row = array("q", bytes(8 * (width + 1)))
        cost = row
        for j in range(width):
            cost[j + 1] = cost[j] + self.size2[self.child2[b + j]] * self.unit
        for i in range(m - a):
            x = self.child1[a + i]
            remove = self.size1[x] * self.unit
            diagonal = cost[0]
            left = diagonal + remove
            cost[0] = left
            for j in range(width):
                y = self.child2[b + j]
                above = cost[j + 1]
                best = above + remove
                done = DELETE
                other = left + self.size2[y] * self.unit
                if other < best:
                    best = other
                    done = INSERT
                if self.label1[x] != self.label2[y]:
                    other = diagonal + (self.replace + self.size1[x] + self.size2[y] - 2) * self.unit
                    if other < best:
                        best = other
                        done = REPLACE
                elif diagonal + self.least(x, y) < best:
                    other = diagonal + self.pair(x, y)
                    if other < best:
                        best = other
                        done = MATCH
                op[i * width + j] = done
                diagonal = above
                left = best
                cost[j + 1] = best
        i = m - a
        j = width
        while i > 0 and j > 0:
            done = op[(i - 1) * width + j - 1]
            if done != INSERT:
                i -= 1
            if done != DELETE:
                j -= 1
            if done in (MATCH, REPLACE):
                work.append((self.child1[a + i], self.child2[b + j]))

    def least(self, x: int, y: int) -> int:
        """Returns a lower bound of `pair`: nodes whose label only one of the two has cannot be in common."""
        if self.subtree1[x] == self.subtree2[y]:
            return -self.size1[x]
        lost = self.size1[x] - bits(self.mask1[x] & ~self.mask2[y])
        same = self.size2[y] - bits(self.mask2[y] & ~self.mask1[x])
        same = min(lost, same)
        lost = self.size1[x] - same
        more = self.size2[y] - same
        if lost == 0 and more == 0:
            return self.change * self.unit - same + 1  # not identical, so something was changed
        return (lost + more - (2 - self.change) * min(lost, more)) * self.unit - same

    def pair(self, x: int, y: int) -> int:
        """Returns the packed cost of mapping the subtree of x to that of y. Their labels are equal."""
        answer = self.quick(x, y, 0)
        return answer if answer != UNSOLVED else self.solve()

    def quick(self, x: int, y: int, top: int) -> int:
        """Returns the cost of a pair that needs no matrix or is cached; else sets up frame `top` and returns UNSOLVED.

        Identical children at both ends are paired (an exchange argument shows that this is optimal). If a single pair
        is left, the loop continues with it.
        """
        total = 0
        while True:
            outer = total
            if self.subtree1[x] == self.subtree2[y]:
                return total - self.size1[x]
            total -= 1  # x and y are themselves identical nodes
            a = self.first1[x]
            m = self.first1[x + 1]
            b = self.first2[y]
            n = self.first2[y + 1]
            while a < m and b < n and self.subtree1[self.child1[a]] == self.subtree2[self.child2[b]]:
                total -= self.size1[self.child1[a]]
                a += 1
                b += 1
            while a < m and b < n and self.subtree1[self.child1[m - 1]] == self.subtree2[self.child2[n - 1]]:
                m -= 1
                n -= 1
                total -= self.size1[self.child1[m]]
            cells = (m - a) * (n - b)
            if cells == 0 or cells > MATRIX_CELLS:
                while a < m:
                    total += self.size1[self.child1[a]] * self.unit
                    a += 1
                while b < n:
                    total += self.size2[self.child2[b]] * self.unit
                    b += 1
                return total
            if cells > 1:
                break
            x = self.child1[a]
            y = self.child2[b]
            if self.label1[x] != self.label2[y]:
                return total + (self.change + self.size1[x] + self.size2[y] - 2) * self.unit
        if cells >= MEMO_CELLS:
            key = self.subtree1[x] * PAIR + self.subtree2[y]
            if key in self.known:
                return outer + self.known[key]
        if (top + 1) * FRAME > len(self.frames):
            self.frames = doubled(self.frames)
        frame = self.frames
        f = top * FRAME
        frame[f], frame[f + 1], frame[f + 2], frame[f + 3], frame[f + 4], frame[f + 5] = x, y, a, m, b, n
        frame[f + 6], frame[f + 7] = outer, total
        return UNSOLVED

    def solve(self) -> int:
        """Returns the cost of the pair in frame 0. Fills its matrix row by row, with new frames for inner pairs."""
        top = 0
        start = 0  # start of this frame's row in the buffer of rows
        answer = UNSOLVED
        self.open_row(0, 0)
        i = j = 0
        diagonal = left = 0
        while True:
            frame = self.frames
            cost = self.rows
            f = top * FRAME
            a = frame[f + 2]
            m = frame[f + 3] - a
            b = frame[f + 4]
            width = frame[f + 5] - b
            waiting = False
            while i < m:
                x = self.child1[a + i]
                remove = self.size1[x] * self.unit
                if j == 0 and answer == UNSOLVED:
                    diagonal = cost[start]
                    left = diagonal + remove
                    cost[start] = left
                while j < width:
                    y = self.child2[b + j]
                    above = cost[start + j + 1]
                    best = above + remove
                    other = left + self.size2[y] * self.unit
                    if other < best:
                        best = other
                    if self.label1[x] != self.label2[y]:
                        other = diagonal + (self.replace + self.size1[x] + self.size2[y] - 2) * self.unit
                        if other < best:
                            best = other
                    elif answer != UNSOLVED or diagonal + self.least(x, y) < best:
                        if answer == UNSOLVED:
                            answer = self.quick(x, y, top + 1)
                            if answer == UNSOLVED:
                                waiting = True
                                break
                        other = diagonal + answer
                        answer = UNSOLVED
                        if other < best:
                            best = other
                    diagonal = above
                    left = best
                    cost[start + j + 1] = best
                    j += 1
                if waiting:
                    break
                j = 0
                i += 1
            frame = self.frames  # `quick` may have replaced the array
            if waiting:
                frame[f + 8], frame[f + 9], frame[f + 10], frame[f + 11] = i, j, diagonal, left
                start += width + 1
                top += 1
                self.open_row(top, start)
                i = j = 0
                continue
            answer = cost[start + width] + frame[f + 7]
            if m * width >= MEMO_CELLS and len(self.known) < MEMO_PAIRS:
                key = self.subtree1[frame[f]] * PAIR + self.subtree2[frame[f + 1]]
                self.known[key] = answer - frame[f + 6]
            if top == 0:
                return answer
            top -= 1
            f = top * FRAME
            start -= frame[f + 5] - frame[f + 4] + 1
            i = frame[f + 8]
            j = frame[f + 9]
            diagonal = frame[f + 10]
            left = frame[f + 11]

    def open_row(self, top: int, start: int) -> None:
        """Fills the border row of frame `top`'s matrix: the costs of inserting the children of y one by one."""
        f = top * FRAME
        b = self.frames[f + 4]
        width = self.frames[f + 5] - b
        while start + width + 1 > len(self.rows):
            self.rows = doubled(self.rows)
        cost = self.rows
        cost[start] = 0
        for j in range(width):
            cost[start + j + 1] = cost[start + j] + self.size2[self.child2[b + j]] * self.unit


def children(size: "array[int]") -> tuple["array[int]", "array[int]"]:
    """Returns `first` and `child`: the children of node x are `child[first[x]:first[x + 1]]`."""
    nodes = len(size)
    first, child = array("i", bytes(4 * (nodes + 1))), array("i", bytes(4 * nodes))
    firsts, kids, filled = first, child, 0
    for x in range(nodes):
        firsts[x] = filled
        y = x + 1
        while y < x + size[x]:
            kids[filled] = y
            filled += 1
            y += size[y]
    firsts[nodes] = filled
    return first, child


def doubled(old: "array[int]") -> "array[int]":
    """Returns a copy of twice the length."""
    new = array("q", bytes(16 * len(old)))
    copy = new
    for k in range(len(old)):
        copy[k] = old[k]
    return new


def masks(label: "array[int]", size: "array[int]") -> "array[int]":
    """Returns for each subtree the set of its labels in 64 bits. A bit may stand for several labels."""
    nodes = len(size)
    result = array("Q", bytes(8 * nodes))
    mask = result
    for x in range(nodes - 1, -1, -1):
        seen = ONE << (label[x] * 40503 >> 5 & 63)
        y = x + 1
        while y < x + size[x]:
            seen |= mask[y]
            y += size[y]
        mask[x] = seen
    return result


def bits(word: int) -> int:
    """Returns how many of 64 bits are set."""
    word = word - (word >> 1 & PAIRS)
    word = (word & NIBBLES) + (word >> 2 & NIBBLES)
    word = (word + (word >> 4)) & BYTES
    word = word + (word >> 8)
    word = word + (word >> 16)
    word = word + (word >> 32)
    return word & 127
