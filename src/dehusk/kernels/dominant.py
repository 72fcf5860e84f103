"""The dominant matches of two sequences by Rick's algorithm, and those among them that map one tree to another.

W. Huang: Sequence-based Web Page Template Detection, 2011, chapter 4. As there, positions in a sequence count from 1,
and position 0 is a border. Data of both sequences are in one array, first A's part and then B's: side 0 and side 1.
"""

from array import array


def consolidated(parent: "array[int]", size: "array[int]") -> "array[int]":
    """Returns the consolidated Prüfer sequence: the nodes in post-order."""
    nodes = len(size)
    sequence = array("i", [-1]) * (nodes + 1)
    place = sequence
    depths = array("i", bytes(4 * nodes))
    depth = depths
    for x in range(nodes):
        if x > 0:
            depth[x] = depth[parent[x]] + 1
        # Before x come its descendants, and all nodes before it in pre-order except its ancestors.
        place[x + size[x] - depth[x]] = x
    return sequence


def extended(parent: "array[int]", size: "array[int]") -> "array[int]":
    """Returns the extended Prüfer sequence: the parent of each node in post-order; each leaf has a virtual child."""
    order = consolidated(parent, size)
    sequence = array("i", [-1]) * (2 * len(order))
    place = sequence
    filled = 1
    for k in range(1, len(order)):
        x = order[k]
        if size[x] == 1:
            place[filled] = x
            filled += 1
        if x > 0:
            place[filled] = parent[x]
            filled += 1
    return sequence[:filled]


def shared_labels(label1: "array[int]", label2: "array[int]") -> tuple["array[int]", "array[int]", int]:
    """Returns the labels of both trees, numbered from 0, with -1 for labels that the other lacks; and their number."""
    ones = array("i", label1)
    twos = array("i", label2)
    one = ones
    two = twos
    highest = 0
    for x in range(len(one)):
        highest = max(highest, one[x])
    for y in range(len(two)):
        highest = max(highest, two[y])
    table = array("i", bytes(4 * (highest + 1)))
    number = table
    count = 0
    for x in range(len(one)):
        number[one[x]] = -1
    for y in range(len(two)):
        if number[two[y]] == -1:
            count += 1
            number[two[y]] = count
        two[y] = number[two[y]] - 1
    for x in range(len(one)):
        one[x] = max(number[one[x]], 0) - 1
    return ones, twos, count


def keep_shared(sequence: "array[int]", label: "array[int]") -> tuple["array[int]", "array[int]"]:
    """Returns a sequence without the nodes whose label is -1, as nodes and as labels.

    Labels that only one tree has match nothing: without them the matches are the same, and the sequences shorter.
    """
    kept = array("i", [-1]) * len(sequence)
    nodes = kept
    labelled = array("i", [-1]) * len(sequence)
    labels = labelled
    filled = 1
    for k in range(1, len(sequence)):
        x = sequence[k]
        if label[x] >= 0:
            nodes[filled] = x
            labels[filled] = label[x]
            filled += 1
    return kept[:filled], labelled[:filled]


class Matches:
    """The matches (i, j) of two sequences of labels that dominate the others of their class.

    A match belongs to class k if the longest common subsequence that ends in it has length k.
    """

    def __init__(self, first: "array[int]", second: "array[int]", labels: int) -> None:
        """Takes two sequences of labels from 0 to `labels` - 1, each with a border at position 0."""
        self.labels = labels
        self.length1, self.length2 = len(first), len(second)
        self.label = first + second
        # The sigma-OCC lists: the positions of each label in increasing order, by side and label.
        self.starts = array("i", bytes(8 * (labels + 1)))
        self.places = array("i", bytes(4 * (self.length1 + self.length2)))
        self.list_places(0, self.length1)
        self.list_places(1, self.length2)
        # Where class k begins: its first column in the rows settled (side 0), its first row in the columns (side 1).
        self.width = min(self.length1, self.length2) + 1
        self.begins = array("i", [self.length2]) * self.width + array("i", [self.length1]) * self.width
        # A class is a chain of matches by descending i: those below the diagonal, then those on and above it.
        self.head_below = array("i", [-1]) * self.width
        self.tail_below = array("i", [-1]) * self.width
        self.head_above = array("i", [-1]) * self.width
        self.classes = self.count = self.looks = 0
        self.i = array("i", bytes(4 * self.width))
        self.j = array("i", bytes(4 * self.width))
        self.next = array("i", bytes(4 * self.width))

    def list_places(self, side: int, length: int) -> None:
        """Fills the sigma-OCC lists of one side by counting."""
        base = side * (self.labels + 1)
        begin = side * self.length1
        for k in range(1, length):
            self.starts[base + self.label[begin + k]] += 1
        self.starts[base] += begin
        for s in range(base + 1, base + self.labels + 1):
            self.starts[s] += self.starts[s - 1]
        for k in range(length - 1, 0, -1):
            s = base + self.label[begin + k]
            self.starts[s] -= 1
            self.places[self.starts[s]] = k

    def find(self, most: int) -> bool:
        """Finds all dominant matches. Returns False if it has to examine more matches than `most`.

        Step t settles row t and column t from the diagonal on, so it visits only classes that begin beyond the
        diagonal: few if the sequences are similar.
        """
        k = 1  # the first class beyond the diagonal
        for t in range(1, self.width - 1):
            # If a class begins in this row, left of the diagonal, it cannot begin in the row again.
            if self.begins[self.width + k] == t:
                self.settle(0, t, k + 1, self.begins[k] + 1)
            else:
                self.settle(0, t, k, t)
            if self.begins[k] == t or self.begins[self.width + k] == t:
                self.settle(1, t, k + 1, self.begins[self.width + k] + 1)
                k += 1
            else:
                self.settle(1, t, k, t + 1)
            if self.looks > most:
                return False
        return True

    def find_few(self) -> None:
        """Finds only matches between the k-th positions of a label from the end, at most one in each row.

        Classes are counted among these matches. The last positions match, so the last class is still the pair of roots.
        """
        seen = array("i", bytes(4 * (self.labels + 1)))
        met = seen
        for i in range(1, self.length1):
            s = self.label[i]
            here = self.starts[self.labels + 2 + s] - (self.starts[s + 1] - self.starts[s] - met[s])
            met[s] += 1
            if here >= self.starts[self.labels + 1 + s]:
                j = self.places[here]
                k = closest(self.begins, 1, self.classes + 1, j)
                self.begins[k] = j
                self.add_above(k, i, j)

    def settle(self, side: int, t: int, k: int, place: int) -> None:
        """Adds the dominant matches of row t (side 0) or column t (side 1) of classes >= k, at `place` or beyond."""
        base = side * self.width
        s = (1 - side) * (self.labels + 1) + self.label[side * self.length1 + t]
        end = self.starts[s + 1]
        here = closest(self.places, self.starts[s], end, place)
        while here < end:
            self.looks += 1
            place = self.places[here]
            if self.begins[base + k] < place:
                k = closest(self.begins, base + k + 1, base + self.classes + 1, place) - base
            before = self.begins[base + k]
            here += 1
            if place < before:
                self.begins[base + k] = place
                if side == 0:
                    self.add_above(k, t, place)
                else:
                    self.add_below(k, place, t)
                here = closest(self.places, here, end, before + 1)
            k += 1

    def add_above(self, k: int, i: int, j: int) -> None:
        """Adds a match of class k on or above the diagonal. Called in ascending order of i."""
        e = self.add(k, i, j)
        self.next[e] = self.head_above[k]
        self.head_above[k] = e

    def add_below(self, k: int, i: int, j: int) -> None:
        """Adds a match of class k below the diagonal. Called in descending order of i."""
        e = self.add(k, i, j)
        self.next[e] = -1
        if self.head_below[k] < 0:
            self.head_below[k] = e
        else:
            self.next[self.tail_below[k]] = e
        self.tail_below[k] = e

    def add(self, k: int, i: int, j: int) -> int:
        """Adds a match and returns its number."""
        e = self.count
        if e == len(self.i):
            self.i, self.j, self.next = doubled(self.i), doubled(self.j), doubled(self.next)
        self.i[e] = i
        self.j[e] = j
        self.count += 1
        self.classes = max(self.classes, k)
        return e

    def head(self, k: int) -> int:
        """Returns the first match of class k, which has the largest i."""
        return self.head_below[k] if self.head_below[k] >= 0 else self.head_above[k]

    def following(self, e: int, k: int) -> int:
        """Returns the match after e in class k, or -1."""
        return self.head_above[k] if e == self.tail_below[k] else self.next[e]

    def dominant(self) -> list[list[tuple[int, int]]]:
        """Returns the matches of each class, from the first class on, in descending order of i."""
        found: list[list[tuple[int, int]]] = []
        for k in range(1, self.classes + 1):
            found.append([])
            e = self.head(k)
            while e >= 0:
                found[k - 1].append((self.i[e], self.j[e]))
                e = self.following(e, k)
        return found

    def previous(self, side: int, label: int, place: int) -> int:
        """Returns the last position of a label before `place`, or 0."""
        if not 0 <= label <= self.labels:
            return 0
        s = side * (self.labels + 1) + label
        here = closest(self.places, self.starts[s], self.starts[s + 1], place)
        return self.places[here - 1] if here > self.starts[s] else 0


class TemplateMatches:
    """The template matches among the dominant matches and their alternatives (algorithms 2, 3 and 4).

    Algorithm 4 is algorithm 3 for sequences without repeated nodes, so one implementation serves both.
    """

    def __init__(
        self,
        matches: Matches,
        first: "array[int]",
        parent1: "array[int]",
        second: "array[int]",
        parent2: "array[int]",
    ) -> None:
        """Takes the sequences as nodes of two trees, each with a border at position 0, and the parents of the nodes."""
        self.matches = matches
        self.first, self.parent1 = first, parent1
        self.second, self.parent2 = second, parent2
        self.mates = array("i", [-1]) * len(parent1)
        self.mate1, self.mate2 = self.mates, array("i", [-1]) * len(parent2)
        self.bounds1, self.bounds2 = array("i", [1]) * len(parent1), array("i", [1]) * len(parent2)
        self.bound1, self.bound2 = self.bounds1, self.bounds2
        self.bottom, self.right = len(first), len(second)
        self.other_i = self.other_j = 0
        self.taken_places = array("i", bytes(8 * (matches.classes + 1)))
        self.steps = 0

    def identify(self) -> "array[int]":
        """Returns for each node of the first tree its partner in the second, or -1."""
        k = self.matches.classes if self.steps == 0 else 0  # a second call returns the same result
        if k > 0:
            # Every match of the last class is a pair of roots (theorem 1).
            e = self.matches.head(k)
            self.visit(self.matches.i[e], self.matches.j[e])
        while k > 1:
            k -= 1
            self.take_one(k)
        return self.mates

    def take_one(self, k: int) -> None:
        """Takes the first dominant match of class k that fits, else the first alternative that fits."""
        self.other_i = 0
        e = self.matches.head(k)
        while e >= 0:
            i = self.matches.i[e]
            j = self.matches.j[e]
            if self.fits(i, j):
                self.visit(i, j)
                return
            if self.other_i == 0 and i <= self.bottom and j <= self.right:
                self.seek(i, j)
            e = self.matches.following(e, k)
        if self.other_i > 0:
            self.visit(self.other_i, self.other_j)

    def fits(self, i: int, j: int) -> bool:
        """Returns whether (i, j) is a template match or may become one: conditions 1 to 3, and definition 10."""
        if i == 0 or i >= self.bottom or j == 0 or j >= self.right:
            return False
        x = self.first[i]
        y = self.second[j]
        if self.mate1[x] >= 0 or self.mate2[y] >= 0:
            return self.mate1[x] == y
        x = self.parent1[x]
        y = self.parent2[y]
        # The listings have `B[j'].parent <= j'`, which should be the boundary of that parent.
        return x >= 0 and y >= 0 and self.mate1[x] == y and self.bound1[x] <= i and self.bound2[y] <= j

    def seek(self, i: int, j: int) -> None:
        """Finds an alternative to a match that does not fit: its label's last position in the rest of one tree.

        Other matches of its class are beyond it. The listings search them only if the parents are a template match.
        """
        x = self.parent1[self.first[i]]
        y = self.parent2[self.second[j]]
        if x < 0 or y < 0:
            return
        if self.mate2[y] >= 0:
            place = self.matches.previous(0, self.matches.label[i], self.bottom)
            if place > i and self.fits(place, j):
                self.other_i = place
                self.other_j = j
                return
        if self.mate1[x] >= 0:
            place = self.matches.previous(1, self.matches.label[i], self.right)
            if place > j and self.fits(i, place):
                self.other_i = i
                self.other_j = place

    def visit(self, i: int, j: int) -> None:
        """Marks a template match, or returns to one, and computes its branch boundaries (algorithm 2)."""
        x = self.first[i]
        y = self.second[j]
        self.mate1[x] = y
        self.mate2[y] = x
        self.bottom = i
        self.right = j
        self.taken_places[2 * self.steps] = i
        self.taken_places[2 * self.steps + 1] = j
        self.steps += 1
        # The listing mixes up the trees: a node's boundary depends on the positions and parents of its own tree.
        label = self.matches.label[i]
        self.bound1[x] = self.matches.previous(0, label, i) + 1
        self.bound2[y] = self.matches.previous(1, label, j) + 1
        if x > 0 and y > 0:
            self.bound1[x] = max(self.bound1[x], self.bound1[self.parent1[x]])
            self.bound2[y] = max(self.bound2[y], self.bound2[self.parent2[y]])

    def taken(self) -> list[tuple[int, int]]:
        """Returns the matches in the order in which they were taken."""
        return [(self.taken_places[2 * k], self.taken_places[2 * k + 1]) for k in range(self.steps)]


def closest(places: "array[int]", begin: int, end: int, place: int) -> int:
    """Returns the index of the first of these ascending places that is at least `place`: a compact CLOSEST table."""
    while begin < end:
        middle = (begin + end) >> 1
        if places[middle] < place:
            begin = middle + 1
        else:
            end = middle
    return begin


def doubled(old: "array[int]") -> "array[int]":
    """Returns a copy of twice the length."""
    new = array("i", bytes(8 * len(old)))
    copy = new
    for k in range(len(old)):
        copy[k] = old[k]
    return new
