"""A template that is a common subtree of the pages: how it is learned from pairs of pages and found on a new one.

Shared by all methods with such a template. FindTemplate, Match and removal: Vieira et al., CIKM 2006, section 5.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from dehusk.base import fields
from dehusk.base.order import unique_matches
from dehusk.base.tree import Classes, Numbered, Tree, children, parents, sizes
from dehusk.kernels.mapping import Mapper
from dehusk.kernels.matching import match
from dehusk.methods.rules import Learned, Marks
from dehusk.page import Page

OUTLIER = 0.5
"""A page with less than this share of the paths that at least half of the pages have is left out of the sample."""

EXACT_PAIRS = 40_000_000
"""If a page has only part of the template, the most that fits is found if the product of their nodes is at most this.

On larger pages identical subtrees are aligned first, and what fits between them may be less than the most.
"""

# On such large pages: how many pairs of children are compared, and how many nodes of each.
_WEIGHED_PAIRS = 64
_WEIGHED_NODES = 256

# Deeper lines of a template file have their depth as a number: with spaces, a very deep page would be quadratic.
_INDENTED = 100

Common = Callable[[Numbered, Numbered], Sequence[int]]
"""Flags the nodes of the first tree that the second has too. If a node is flagged, so is its parent."""


@dataclass(frozen=True, slots=True)
class Subtree:
    """The template: a tree of labels in pre-order, and the number of pages that share it."""

    labels: Sequence[str]
    size: "array[int]"
    pages: int

    def mark(self, page: Page) -> Marks:
        """Marks the nodes of a page that match the template: in linear time if the page contains all of it."""
        flags = bytearray(len(page.tree))
        for node in self.places(page.tree):
            flags[node] = 1
        return Marks(flags, lambda _: f"in the template that {self.pages} sampled pages share")

    def places(self, tree: Tree) -> Iterator[int]:
        """Yields the nodes of a page that match the template: all of it if the page has it, else as much as fits."""
        known: dict[str, int] = {}
        own = array("i", [known.setdefault(label, len(known)) for label in self.labels])
        labels = tree.labels()
        label = array("i", [known.get(name, -1) for name in labels])
        mates = match(own, self.size, label, tree.size)
        return iter(mates) if mates else self._best_effort(labels, tree)

    def _best_effort(self, labels: Sequence[str], tree: Tree) -> Iterator[int]:
        if not self.labels or labels[0] != self.labels[0]:
            return
        classes = Classes()
        ours = classes.number_labels(self.labels, parents(self.size), self.size)
        page = classes.number_labels(labels, tree.parent, tree.size)
        if len(ours) * len(page) <= EXACT_PAIRS:
            yield from _most(ours, page)
            return
        stack = [(0, 0)]
        while stack:
            x, y = stack.pop()
            if ours.subtree[x] == page.subtree[y]:
                yield from range(y, y + tree.size[y])
            else:
                yield y
                stack += _align(ours, x, page, y)

    def to_json(self) -> dict[str, Any]:
        """Returns the tree with one line a node, indented by depth, so that people and diffs can read it."""
        depth = [0] * len(self.labels)
        for node, above in enumerate(parents(self.size)):
            depth[node] = depth[above] + 1 if node else 0
        return {
            "pages": self.pages,
            "tree": [_indent(deep) + label for deep, label in zip(depth, self.labels, strict=True)],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Reads the output of `to_json`. Raises ValueError if the lines are not a tree."""
        labels: list[str] = []
        parent = array("i")
        open_nodes: list[int] = []
        for node, line in enumerate(fields.texts(data, "tree")):
            depth, label = _unindent(line)
            if not label or depth > len(open_nodes) or (depth == 0) != (node == 0):
                raise ValueError(f"line {node + 1} of the tree has no parent")
            del open_nodes[depth:]
            parent.append(open_nodes[-1] if open_nodes else -1)
            open_nodes.append(node)
            labels.append(label)
        return cls(labels, sizes(parent), fields.number(data, "pages"))


def _indent(depth: int) -> str:
    return " " * depth if depth <= _INDENTED else " " * _INDENTED + f"{depth}: "


def _unindent(line: str) -> tuple[int, str]:
    label = line.lstrip(" ")
    if label[:1].isdigit():  # no tag begins with a digit, and a text begins with a quotation mark
        depth, _, label = label.partition(": ")
        return int(depth), label
    return len(line) - len(label), label


def find_template(pages: Sequence[Page], common: Common, subtree: type[Subtree] = Subtree) -> Learned:
    """FindTemplate: compares the template with page after page and keeps the common subtree.

    The paper picks pages at random; here they are sorted by the hash of their content, so the result is reproducible.
    Two pages may have several largest common subtrees, and only one is compared with the next page. So with more than
    two pages the result is common to all, but not always the largest: r(a,b), r(b,a), r(b) give r(a), then r.
    """
    classes = Classes()
    trees = [classes.number(page.tree) for page in pages]
    left_out = outliers(trees)
    chosen = [number for number in range(len(pages)) if number not in left_out]
    outlying = tuple(pages[number] for number in sorted(left_out))
    if len(chosen) < 2:  # a single page would be template as a whole
        return Learned(subtree([], array("i"), len(chosen)), outlying)
    template, labels = trees[chosen[0]], pages[chosen[0]].tree.labels()
    for number in chosen[1:]:
        page = trees[number]
        if match(template.label, template.size, page.label, page.size):
            continue
        left = [node for node, shared in enumerate(common(template, page)) if shared]
        labels = [labels[node] for node in left]
        template = classes.number_labels(labels, *prune(template.parent, left))
    return Learned(subtree(labels, template.size, len(chosen)), outlying)


def prune(parent: "array[int]", nodes: Sequence[int]) -> tuple["array[int]", "array[int]"]:
    """Returns parents and sizes of the tree of these nodes, given in pre-order and with their parents."""
    renumbered = {node: number for number, node in enumerate(nodes)}
    fewer = array("i", [renumbered[parent[node]] if parent[node] >= 0 else -1 for node in nodes])
    return fewer, sizes(fewer)


def outliers(trees: Sequence[Numbered]) -> set[int]:
    """Returns the pages that lack most of what half of the pages share: one would shrink the template to nothing.

    Counted are the paths of labels from the root to a leaf.
    """
    leaves = [{tree.path[node] for node in range(len(tree)) if tree.size[node] == 1} for tree in trees]
    seen = Counter(path for paths in leaves for path in paths)
    core = {path for path, pages in seen.items() if pages >= 2 and pages * 2 >= len(trees)}
    return {number for number, paths in enumerate(leaves) if len(paths & core) < OUTLIER * len(core)}


def _most(ours: Numbered, page: Numbered) -> Iterator[int]:
    """Yields the nodes of the largest part of the template that the page has: RTDM-TD, where a replacement costs 2."""
    mapper = Mapper(ours.label, ours.subtree, ours.size, page.label, page.subtree, page.size, 2)
    return (y for x, y in enumerate(mapper.map()) if y >= 0 and ours.label[x] == page.label[y])


def _align(ours: Numbered, x: int, page: Numbered, y: int) -> list[tuple[int, int]]:
    """Aligns children of x and y with equal labels, in order: identical subtrees, and between them the most similar."""
    left, right = list(children(ours.size, x)), list(children(page.size, y))
    pairs: list[tuple[int, int]] = []
    i = j = 0
    subtrees = [ours.subtree[a] for a in left], [page.subtree[b] for b in right]
    identical = unique_matches(*subtrees, weights=[ours.size[a] for a in left])
    for k, m in [*identical, (len(left), len(right))]:
        pairs += _between(ours, left[i:k], page, right[j:m])
        if k < len(left):
            pairs.append((left[k], right[m]))
        i, j = k + 1, m + 1
    return pairs


def _between(ours: Numbered, left: Sequence[int], page: Numbered, right: Sequence[int]) -> list[tuple[int, int]]:
    if 1 < len(left) * len(right) <= _WEIGHED_PAIRS:
        return _heaviest(ours, left, page, right)
    # A single pair, or too many to compare: the k-th child with a label is paired with the k-th with that label.
    names, others = ([tree.label[node] for node in nodes] for tree, nodes in ((ours, left), (page, right)))
    return [(left[k], right[m]) for k, m in unique_matches(_nth(names), _nth(others))]


def _nth(values: Sequence[int]) -> list[tuple[int, int]]:
    counted: Counter[int] = Counter()
    numbered = []
    for value in values:
        counted[value] += 1
        numbered.append((value, counted[value]))
    return numbered


def _heaviest(ours: Numbered, left: Sequence[int], page: Numbered, right: Sequence[int]) -> list[tuple[int, int]]:
    """Returns the alignment of children with equal labels that have most labels in common below them."""
    bags_left, bags_right = [_bag(ours, a) for a in left], [_bag(page, b) for b in right]
    best = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1])
            if ours.label[left[i]] == page.label[right[j]]:
                weight = (bags_left[i] & bags_right[j]).total()
                best[i][j] = max(best[i][j], best[i + 1][j + 1] + weight)
    pairs = []
    i = j = 0
    while i < len(left) and j < len(right):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            pairs.append((left[i], right[j]))
            i, j = i + 1, j + 1
    return pairs


def _bag(tree: Numbered, node: int) -> Counter[int]:
    return Counter(tree.label[node : node + min(tree.size[node], _WEIGHED_NODES)])
