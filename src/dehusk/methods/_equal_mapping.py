"""The equal top-down mapping (ETDM) with most nodes (Alarte et al. 2015, Definition 1 and Algorithm 1).

Pairs are of equal nodes, one to one, and the parents of a pair are a pair. Order is ignored. Among equal siblings the
mapping is an assignment problem: for each possible pair, how many nodes would be mapped at and below it? Two steps make
it small. Nodes whose path of labels the other tree lacks are left out, since nothing can be mapped on them. Siblings
whose rests are equal are paired, which never makes a mapping smaller: what two others share with the same tree, they
share with each other. Only what remains is assigned.
"""

from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple, Self

from dehusk.base.tree import Classes, Numbered, children
from dehusk.kernels.assignment import assign
from dehusk.methods._equality import COMPARED, EQUALITIES
from dehusk.page import Page

ASSIGNED_CELLS = 10_000
"""Equal siblings with more possible pairs than this are paired by their traits, and the mapping may not be the biggest.

The same holds if more than WEIGHED_PAIRS pairs of subtrees would have to be compared. Real pages are far below both.
"""

WEIGHED_PAIRS = 100_000
"""How many pairs of subtrees are compared at most. Others count as if the smaller one were mapped as a whole."""


class Form(NamedTuple):
    """The position of each node among its siblings, and its number of children."""

    position: "array[int]"
    children: "array[int]"

    @classmethod
    def of(cls, parent: "array[int]") -> Self:
        """Computes the form of a tree from its parents."""
        position, count = array("i", bytes(4 * len(parent))), array("i", bytes(4 * len(parent)))
        for node in range(1, len(parent)):
            position[node] = count[parent[node]]
            count[parent[node]] += 1
        return cls(position, count)


class Side:
    """One of the two trees of a mapping: labels that make nodes equal, and traits to choose among equal nodes.

    For a template, `form` is that of the key page, where its nodes had more children, and attributes are unknown.
    """

    def __init__(
        self,
        numbered: Numbered,
        attributes: Sequence[Mapping[str, str]] | None = None,
        form: Form | None = None,
        compared: Sequence[str] = COMPARED,
    ) -> None:
        self.numbered = numbered
        self.attributes = attributes
        self._form = form or Form.of(numbered.parent)
        self._compared = frozenset(compared)

    @classmethod
    def of(cls, page: Page, equality: str, classes: Classes, compared: Sequence[str] = COMPARED) -> Self:
        """Returns the side of a page, with the labels of an equality."""
        tree = page.tree
        labels = EQUALITIES[equality](tree, compared)
        return cls(classes.number_labels(labels, tree.parent, tree.size), tree.attributes, compared=compared)

    def identity(self, node: int) -> int:
        """Returns the number of a node's subtree, equal for identical subtrees."""
        # The children of this node were pruned: it may match any node with its label, not only leaves.
        pruned = self.numbered.size[node] == 1 and self._form.children[node]
        return -1 - node if pruned else self.numbered.subtree[node]

    def children(self, node: int) -> int:
        """Returns the number of a node's children."""
        return self._form.children[node]

    def position(self, node: int) -> int:
        """Returns the position of a node among its siblings."""
        return self._form.position[node]

    def others(self, node: int) -> str:
        """Returns the attributes of a node other than those that must agree anyway."""
        attributes = self.attributes[node] if self.attributes else {}
        others = sorted(f"{name}={value}" for name, value in attributes.items() if name not in self._compared)
        return "\n".join(others)


Trait = Callable[[Side, int], Hashable]

_IDENTICAL: tuple[tuple[Trait, ...], ...] = (
    (Side.identity, Side.position),
    (Side.identity, Side.others),
    (Side.identity,),
)

_TRAITS: tuple[tuple[Trait, ...], ...] = (
    (Side.children, Side.position),
    (Side.children, Side.others),
    (Side.children,),
    (Side.position,),
    (Side.others,),
    (),
)
"""The traits in which a candidate must agree with a node, tried in this order; the last entry requires none.

Siblings have different positions, so attributes add nothing if the position agrees.
"""

_POINTS: Mapping[Trait, int] = {Side.children: 4, Side.position: 2, Side.others: 1}
"""What an agreement counts among assignments with equally many nodes: the same order as in `_TRAITS`."""

_BEST = sum(_POINTS.values())


def etdm(first: Side, second: Side) -> list[tuple[int, int]]:
    """Returns the pairs of the biggest mapping, within the limits of this module."""
    left, right = first.numbered, second.numbered
    if not len(left) or not len(right) or left.label[0] != right.label[0]:
        return []
    mapping = _Mapping(first, second)
    pairs: list[tuple[int, int]] = []
    stack = [(0, 0)]
    while stack:
        x, y = stack.pop()
        if left.subtree[x] == right.subtree[y]:
            pairs += zip(range(x, x + left.size[x]), range(y, y + right.size[y]), strict=True)
        else:
            pairs.append((x, y))
            stack += mapping.of_children(x, y)
    return pairs


class _Mapping:
    """What is known about two trees while they are mapped: the rests of their subtrees, and how well rests fit."""

    def __init__(self, first: Side, second: Side) -> None:
        self._sides = first, second
        self._rests = _rests(first.numbered, second.numbered)
        self._known = first.attributes is not None and second.attributes is not None
        self._weights = _weights(first.numbered, second.numbered, *self._rests)

    def of_children(self, x: int, y: int) -> Iterator[tuple[int, int]]:
        """Yields the pairs of children of x and y."""
        for left, right in _alike(self._sides[0].numbered, x, self._sides[1].numbered, y, *self._rests):
            yield from [(left[0], right[0])] if len(left) == len(right) == 1 else self._choose(left, right)

    def _choose(self, left: list[int], right: list[int]) -> list[tuple[int, int]]:
        pairs: list[tuple[int, int]] = []
        for agreement in _IDENTICAL:
            self._take(left, right, pairs, agreement)
        for agreement in _TRAITS:
            self._take(left, right, pairs, agreement, self._rests)
        if len(left) * len(right) <= ASSIGNED_CELLS:
            return pairs + self._assigned(left, right)
        for agreement in _TRAITS:
            self._take(left, right, pairs, agreement)
        return pairs

    def _take(
        self,
        left: list[int],
        right: list[int],
        pairs: list[tuple[int, int]],
        agreement: Sequence[Trait],
        rests: "tuple[_Rests, _Rests] | None" = None,
    ) -> None:
        """Moves nodes that agree in all these traits from the lists to the pairs; with `rests`, in their rests too."""
        if not left or not right or (Side.others in agreement and not self._known):
            return
        values = [
            {node: (rest.number[node] if rest else 0, *(trait(side, node) for trait in agreement)) for node in nodes}
            for side, nodes, rest in zip(self._sides, (left, right), rests or (None, None), strict=True)
        ]
        agreeing = _agreeing(*values)
        taken = {x for x, _ in agreeing}, {y for _, y in agreeing}
        left[:], right[:] = (
            [n for n in nodes if n not in gone] for nodes, gone in zip((left, right), taken, strict=True)
        )
        pairs += agreeing

    def _assigned(self, left: Sequence[int], right: Sequence[int]) -> list[tuple[int, int]]:
        """Pairs so that most nodes are mapped; of equal assignments takes the one by traits, then in order."""
        fewer = min(len(left), len(right))
        points = [[self._points(x, y) for y in right] for x in left]
        # Of equal sums, that of products of places counted from the end is largest if the first are taken in order.
        order = 1 + fewer * len(left) * len(right)
        unit = order * (1 + _BEST * fewer)
        weights = [
            [
                unit * self._weights.of(x, y) + order * points[i][j] + (len(left) - i) * (len(right) - j)
                for j, y in enumerate(right)
            ]
            for i, x in enumerate(left)
        ]
        return [(left[i], right[j]) for i, j in heaviest(weights)]

    def _points(self, x: int, y: int) -> int:
        first, second = self._sides
        agreeing = (points for trait, points in _POINTS.items() if trait(first, x) == trait(second, y))
        return sum(agreeing) - (0 if self._known else _POINTS[Side.others])


def heaviest(weights: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Returns the rows and columns of the heaviest assignment, each at most once. All weights are positive."""
    if not weights or not weights[0]:
        return []
    rows, columns = len(weights), len(weights[0])
    if rows <= columns:
        return list(enumerate(assign(array("q", [w for row in weights for w in row]), rows, columns)))
    turned = array("q", [row[j] for j in range(columns) for row in weights])
    return sorted((i, j) for j, i in enumerate(assign(turned, columns, rows)))


def _agreeing(ours: Mapping[int, Hashable], theirs: Mapping[int, Hashable]) -> list[tuple[int, int]]:
    """Pairs each of `ours` with the first free one of `theirs` that has the same value."""
    offered: dict[Hashable, deque[int]] = defaultdict(deque)
    for y, value in theirs.items():
        offered[value].append(y)
    return [(x, offered[value].popleft()) for x, value in ours.items() if offered.get(value)]


class _Rests(NamedTuple):
    """What is left of each subtree without the nodes whose path the other tree lacks: a number, -1 for nothing.

    Equal numbers mean equal rests in any order of children. `size` counts nodes.
    """

    number: "array[int]"
    size: "array[int]"


def _rests(first: Numbered, second: Numbered) -> tuple[_Rests, _Rests]:
    table: dict[tuple[int, ...], int] = {}
    return _rests_of(first, set(second.path), table), _rests_of(second, set(first.path), table)


def _rests_of(tree: Numbered, paths: set[int], table: dict[tuple[int, ...], int]) -> _Rests:
    number, size = array("i", [-1]) * len(tree), array("i", bytes(4 * len(tree)))
    below: dict[int, list[int]] = defaultdict(list)
    for node in range(len(tree) - 1, -1, -1):
        if tree.path[node] not in paths:  # then neither are the paths of its descendants
            continue
        number[node] = table.setdefault((tree.label[node], *sorted(below.pop(node, ()))), len(table))
        size[node] += 1
        if node:
            below[tree.parent[node]].append(number[node])
            size[tree.parent[node]] += size[node]
    return _Rests(number, size)


def _alike(
    tree: Numbered, x: int, other: Numbered, y: int, ours: _Rests, theirs: _Rests
) -> Iterator[tuple[list[int], list[int]]]:
    """Yields the children of x and y by label, if both have the label."""
    alike: dict[int, tuple[list[int], list[int]]] = {}
    for child in children(tree.size, x):
        if ours.number[child] >= 0:
            alike.setdefault(tree.label[child], ([], []))[0].append(child)
    for child in children(other.size, y):
        if theirs.number[child] >= 0 and other.label[child] in alike:
            alike[other.label[child]][1].append(child)
    return ((left, right) for left, right in alike.values() if right)


class _Weights:
    """How many nodes the biggest mapping of two subtrees has, by their rests."""

    def __init__(self, ours: _Rests, theirs: _Rests) -> None:
        self._ours, self._theirs = ours, theirs
        self.known: dict[tuple[int, int], int] = {}

    def of(self, x: int, y: int) -> int:
        """Returns the weight of a pair; if it is not known, that of the smaller rest."""
        known = self.known.get((self._ours.number[x], self._theirs.number[y]))
        return min(self._ours.size[x], self._theirs.size[y]) if known is None else known

    def at_most(self, left: Sequence[int], right: Sequence[int]) -> int:
        """Returns an upper bound of the weight of two lists: large rests are paired with large ones."""
        sizes = sorted((self._ours.size[x] for x in left), reverse=True)
        return sum(map(min, sizes, sorted((self._theirs.size[y] for y in right), reverse=True)))


def _weights(first: Numbered, second: Numbered, ours: _Rests, theirs: _Rests) -> _Weights:
    """Weighs the pairs of subtrees that may have to be chosen from."""
    weights = _Weights(ours, theirs)
    waiting, met = [(0, 0)], {(ours.number[0], theirs.number[0])}
    parts: list[tuple[int, int, int, list[tuple[list[int], list[int]]]]] = []
    while waiting:
        x, y = waiting.pop()
        mapped, lists = 1, []
        for alike in _alike(first, x, second, y, ours, theirs):
            left, right, paired = _without_equal(*alike, ours, theirs)
            mapped += paired
            if left and right:
                lists.append((left, right))
        parts.append((x, y, mapped, lists))
        for left, right in lists:
            if len(left) * len(right) <= min(ASSIGNED_CELLS, WEIGHED_PAIRS - len(met)):
                for a in left:
                    for b in right:
                        key = ours.number[a], theirs.number[b]
                        if key not in met:
                            met.add(key)
                            waiting.append((a, b))
    # The rests of children are smaller than those of their parents, so their weights are known in time.
    for x, y, mapped, lists in sorted(parts, key=lambda part: ours.size[part[0]]):
        weight = mapped + sum(_weight(weights, left, right) for left, right in lists)
        weights.known[ours.number[x], theirs.number[y]] = weight
    return weights


def _without_equal(
    left: Sequence[int], right: Sequence[int], ours: _Rests, theirs: _Rests
) -> tuple[list[int], list[int], int]:
    """Returns two lists without pairs of nodes with equal rests, and the number of nodes in the pairs."""
    both = Counter(ours.number[x] for x in left) & Counter(theirs.number[y] for y in right)
    mapped = 0
    kept: tuple[list[int], list[int]] = [], []
    for nodes, rests, rest_of in ((left, ours, kept[0]), (right, theirs, kept[1])):
        gone = both.copy()
        for node in nodes:
            if gone[rests.number[node]]:
                gone[rests.number[node]] -= 1
                mapped += rests.size[node]
            else:
                rest_of.append(node)
    return *kept, mapped // 2


def _weight(weights: _Weights, left: Sequence[int], right: Sequence[int]) -> int:
    """Returns the weight of the heaviest assignment of two lists; of long lists an upper bound."""
    if len(left) == 1 or len(right) == 1:
        return max(weights.of(x, y) for x in left for y in right)
    if len(left) * len(right) > ASSIGNED_CELLS:
        return weights.at_most(left, right)
    cells = [[weights.of(x, y) for y in right] for x in left]
    return sum(cells[i][j] for i, j in heaviest(cells))
