"""TeMex: the template of a key page is what an equal top-down mapping (ETDM) finds again on enough other pages.

J. Alarte, D. Insa, J. Silva, S. Tamarit: Analysis of Hyperlinks and DOM Comparison for Site-Level Web Template
Extraction. 2015.

Algorithm 1 maps the key page on every set of v other pages and joins the results. Here the key page is mapped once on
each page, and a node is template where it has at least v mates. Where no two siblings are equal that is the same: a
node is in the mapping of v pages just if it is in each of the v mappings. Otherwise a mate must be chosen of several,
which the paper leaves open; a choice that looks at v pages at once may differ from v choices, and so may the votes.
"""

from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Self

from dehusk.errors import UsageError
from dehusk.methods._subtree import Subtree, prune
from dehusk.page import Page
from dehusk.rules import Learned, Marks
from dehusk.tree import TEXT, Classes, Numbered, Tree, children, parents

VOTES = 2
"""On so many other pages at least a node must be found again: the paper's choice, for three of them (section 4.1)."""

SHARE = 0.5
"""On this share of the other pages a node must be found again.

Table 2 has 2 votes for 3 pages, 3 for 5 and 6, 4 for 8. Two of two dozen would make template of what three pages share.
"""

# Which of a node's traits (see `Side.traits`) a candidate must share to be chosen: at first all, in the end none.
_AGREEMENTS = ((0, 1, 2), (0, 1), (0, 2), (0,), (1, 2), (1,), (2,), ())

Equality = Callable[[Tree], Sequence[str]]
"""A label for each node of a tree: nodes are equal where their labels are."""


def selectors(tree: Tree) -> list[str]:
    """Labels of tag, id and classes, written as in CSS; a text's is its content, an image's ends in its source."""
    labels = tree.labels()
    for node, tag in enumerate(tree.tag):
        # The root, our body, stands for the document, which has neither; its classes often name the single page.
        if node and tag != TEXT and (attributes := tree.attributes[node]):
            name = "".join("#" + part for part in attributes.get("id", "").split())
            name += "".join("." + part for part in sorted(set(attributes.get("class", "").split())))
            labels[node] = tag + name + labels[node][len(tag) :]
    return labels


EQUALITIES: dict[str, Equality] = {"attributes": selectors, "label": Tree.labels}
"""The equalities by name: tag, id and classes; or tag alone. For both a text is its content and an image its source."""


def learn(
    pages: Sequence[Page], *, key: Page | None = None, votes: int | None = None, equality: str = "attributes"
) -> Learned:
    """The template of the key page (the first unless it is given) by the votes of the others.

    Without a number of votes half of the other pages must agree, and at least two.
    """
    if key is None:
        key = min(pages, key=lambda page: page.digest, default=Page(""))
    others = [page for page in pages if page.digest != key.digest]
    votes = _enough(votes, len(others))
    kept = template_nodes(key, others, votes=votes, equality=equality)
    labels = _labels(equality)(key.tree)
    _, size = prune(key.tree.parent, kept)
    return Learned(KeyTemplate(Subtree([labels[node] for node in kept], size, len(others)), votes, equality))


def template_nodes(
    key: Page, others: Sequence[Page], *, votes: int | None = None, equality: str = "attributes"
) -> list[int]:
    """Algorithm 1: the nodes of the key page that are found again on enough other pages; with a node, its parent."""
    if not others:
        return []
    classes = Classes()
    tree = Side.of(key, equality, classes)
    found: Counter[int] = Counter()
    for page in others:
        found.update(node for node, _ in etdm(tree, Side.of(page, equality, classes)))
    votes = _enough(votes, len(others))
    return [node for node in range(len(key.tree)) if found[node] >= votes]


def _enough(votes: int | None, others: int) -> int:
    if votes is None:
        votes = max(VOTES, ceil(SHARE * others))
    elif votes < 1:
        raise UsageError(f"votes must be at least 1, not {votes}")
    return min(votes, others)


def _labels(name: str) -> Equality:
    if name not in EQUALITIES:
        raise UsageError(f"unknown equality {name!r}: choose one of {', '.join(EQUALITIES)}")
    return EQUALITIES[name]


class Side:
    """One of the two trees of a mapping: numbers for what makes nodes equal, traits to choose among equal ones."""

    def __init__(self, numbered: Numbered, attributes: Sequence[Mapping[str, str]] = ()) -> None:
        self.numbered = numbered
        self._attributes = attributes
        self._children = array("i", bytes(4 * len(numbered)))
        self._position = array("i", bytes(4 * len(numbered)))
        for node in range(1, len(numbered)):
            above = numbered.parent[node]
            self._position[node] = self._children[above]
            self._children[above] += 1

    @classmethod
    def of(cls, page: Page, equality: str, classes: Classes) -> Self:
        """A page as one of the equalities sees it."""
        tree = page.tree
        labels = _labels(equality)(tree)
        return cls(classes.number_labels(labels, tree.parent, tree.size), tree.attributes)

    def traits(self, node: int) -> tuple[int, int, str]:
        """Number of children, position among its siblings, and attributes other than id and class."""
        attributes = self._attributes[node] if self._attributes else {}
        others = sorted(f"{name}={value}" for name, value in attributes.items() if name not in {"id", "class"})
        return self._children[node], self._position[node], "\n".join(others)


def etdm(first: Side, second: Side) -> list[tuple[int, int]]:
    """Definition 1: pairs of equal nodes, one to one; with a pair the pair of their parents. Order does not matter."""
    one, two = first.numbered, second.numbered
    pairs: list[tuple[int, int]] = []
    stack = [(0, 0)] if len(one) and len(two) and one.label[0] == two.label[0] else []
    while stack:
        x, y = stack.pop()
        if one.subtree[x] == two.subtree[y]:
            pairs += zip(range(x, x + one.size[x]), range(y, y + two.size[y]), strict=True)
        else:
            pairs.append((x, y))
            stack += _pair_children(first, x, second, y)
    return pairs


def _pair_children(first: Side, x: int, second: Side, y: int) -> list[tuple[int, int]]:
    """Equal children of x and y, one to one: the only candidate, or the one most like it."""
    one, two = first.numbered, second.numbered
    alike: dict[int, tuple[list[int], list[int]]] = {}
    for child in children(one.size, x):
        alike.setdefault(one.label[child], ([], []))[0].append(child)
    for child in children(two.size, y):
        if two.label[child] in alike:
            alike[two.label[child]][1].append(child)
    pairs: list[tuple[int, int]] = []
    for left, right in alike.values():
        if len(left) == len(right) == 1:
            pairs.append((left[0], right[0]))
        elif right:
            pairs += _choose(first, left, second, right)
    return pairs


def _choose(first: Side, left: Sequence[int], second: Side, right: Sequence[int]) -> list[tuple[int, int]]:
    """One to one as far as both lists go: identical subtrees, then those that agree in most, then the first."""
    # The paper wants the biggest mapping, and to pair identical subtrees never makes it smaller.
    one, two = first.numbered.subtree, second.numbered.subtree
    pairs = _agreeing({x: one[x] for x in left}, {y: two[y] for y in right})
    ours = {x: first.traits(x) for x in _without(left, [x for x, _ in pairs])}
    theirs = {y: second.traits(y) for y in _without(right, [y for _, y in pairs])}
    for agreement in _AGREEMENTS:
        if not ours or not theirs:
            break
        found = _agreeing(
            {x: tuple(traits[k] for k in agreement) for x, traits in ours.items()},
            {y: tuple(traits[k] for k in agreement) for y, traits in theirs.items()},
        )
        for x, y in found:
            del ours[x], theirs[y]
        pairs += found
    return pairs


def _agreeing(ours: Mapping[int, Hashable], theirs: Mapping[int, Hashable]) -> list[tuple[int, int]]:
    """Each of ours with the first of theirs that has the same value and is not taken."""
    offered: dict[Hashable, deque[int]] = defaultdict(deque)
    for y, value in theirs.items():
        offered[value].append(y)
    return [(x, offered[value].popleft()) for x, value in ours.items() if offered.get(value)]


def _without(nodes: Sequence[int], taken: Sequence[int]) -> list[int]:
    gone = set(taken)
    return [node for node in nodes if node not in gone]


@dataclass(frozen=True, slots=True)
class KeyTemplate:
    """The key page's template, and by how many votes and which equality it was found."""

    template: Subtree
    votes: int
    equality: str

    def mark(self, page: Page) -> Marks:
        """The mates of the template's nodes: the same mapping, from the template to the page."""
        classes = Classes()
        labels, size = self.template.labels, self.template.size
        own = Side(classes.number_labels(labels, parents(size), size))
        flags = bytearray(len(page.tree))
        for _, node in etdm(own, Side.of(page, self.equality, classes)):
            flags[node] = 1
        reason = f"on the key page and on at least {self.votes} of {self.template.pages} others"
        return Marks(flags, lambda _: reason)

    def to_json(self) -> dict[str, Any]:
        """The template's tree, one selector or text a line."""
        return {"equality": self.equality, "votes": self.votes, **self.template.to_json()}


def load(data: dict[str, Any]) -> KeyTemplate:
    """What `to_json` wrote."""
    if data["equality"] not in EQUALITIES:
        raise ValueError(f"unknown equality {data['equality']!r}")
    return KeyTemplate(Subtree.from_json(data), int(data["votes"]), data["equality"])
