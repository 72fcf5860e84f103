"""TeMex: a node of the key page is template if an equal top-down mapping (ETDM) maps it on enough other pages.

J. Alarte, D. Insa, J. Silva, S. Tamarit: Analysis of Hyperlinks and DOM Comparison for Site-Level Web Template
Extraction. 2015.

Algorithm 1 maps the key page on every set of v other pages and joins the results. Here the key page is mapped on each
page once, and a node is template if it has a mate on at least v pages. If no two siblings are equal, this gives the
same result: a node is in the mapping of v pages if and only if it is in each of the v mappings. Otherwise one of
several mates must be chosen, which the paper leaves open, and the votes may differ.
"""

import re
from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Annotated, Any, NamedTuple, Self

from dehusk.base import fields
from dehusk.base.errors import TemplateError
from dehusk.base.options import Option, Values, one_of, whole
from dehusk.base.tree import TEXT, Classes, Numbered, Tree, children, parents
from dehusk.methods._labels import tokens
from dehusk.methods.common_subtree import Subtree, prune
from dehusk.methods.rules import Learned, Marks
from dehusk.page import Page

VOTES = 2
"""A node must be on at least this many other pages: the paper's choice for three other pages (section 4.1)."""

VOTING_SHARE = 0.5
"""A node must be on at least this share of the other pages.

Table 2 has 2 votes for 3 pages, 3 for 5 and 6, 4 for 8. With 2 votes of 24, anything on three pages would be template.
"""

# Characters with a meaning in a label, which are escaped in names.
_SELECTOR_MARKS = re.compile(r"[\\#.]")

Equality = Callable[[Tree], Sequence[str]]
"""Returns a label for each node of a tree. Nodes with the same label are equal."""


def selectors(tree: Tree) -> list[str]:
    """Labels elements by tag, id and classes, as in CSS; images by their source too, texts by their content."""
    labels = tree.labels()
    known: dict[tuple[str, str, str], str] = {}  # most elements share their tag, id and classes with others
    for node, tag in enumerate(tree.tag):
        # The root, body, is labelled without id and classes: they often name the single page.
        if node and tag != TEXT:
            attributes = tree.attributes[node]
            key = (tag, attributes.get("id", ""), attributes.get("class", ""))
            name = known.get(key)
            if name is None:
                name = known[key] = _selector(*key)
            labels[node] = name + labels[node][len(tag) :]
    return labels


def _selector(tag: str, identity: str, classes: str) -> str:
    names = tokens(identity, classes, fold=False)
    return _escaped(tag) + "".join(token[0] + _escaped(token[1:]) for token in names)


def _escaped(name: str) -> str:
    return _SELECTOR_MARKS.sub(r"\\\g<0>", name)


EQUALITIES: dict[str, Equality] = {"attributes": selectors, "label": Tree.labels}
"""The equalities by name: by tag, id and classes, or by tag alone. Texts go by content, images by source in both."""


def _page(key: object) -> Page:
    if not isinstance(key, Page):
        raise TypeError(key)
    return key


_KEY = Values("the file of a page", Page, _page, file=True)


def learn(
    pages: Sequence[Page],
    *,
    key: Annotated[
        Page | None, Option("the page whose template is learned", _KEY, unset="the one with the smallest hash")
    ] = None,
    votes: Annotated[
        int | None,
        Option(
            "the pages that must have a node", whole(1), unset="half of the others, and two at least", paper="2 of 3"
        ),
    ] = None,
    equality: Annotated[str, Option("what makes two elements equal", one_of(EQUALITIES))] = "attributes",
) -> Learned:
    """Learns the template of the key page from the votes of the other pages.

    The default key page is the one with the smallest digest. By default half of the others must agree, at least two.
    """
    if key is None:
        key = min(pages, key=lambda page: page.digest, default=Page(""))
    others = [page for page in pages if page.digest != key.digest]
    votes = _enough(votes, len(others))
    kept = template_nodes(key, others, votes=votes, equality=equality)
    labels = EQUALITIES[equality](key.tree)
    _, size = prune(key.tree.parent, kept)
    template = Subtree([labels[node] for node in kept], size, len(others))
    form = Form.of(key.tree.parent)
    places = tuple(KeyNode(node, form.position[node], form.children[node]) for node in kept)
    return Learned(KeyTemplate(template, votes, equality, key.digest, places))


def template_nodes(
    key: Page, others: Sequence[Page], *, votes: int | None = None, equality: str = "attributes"
) -> list[int]:
    """Algorithm 1: returns the nodes of the key page that are on enough other pages. They include their parents."""
    if not others:
        return []
    classes = Classes()
    tree = Side.of(key, equality, classes)
    votes_for: Counter[int] = Counter()
    for page in others:
        votes_for.update(node for node, _ in etdm(tree, Side.of(page, equality, classes)))
    votes = _enough(votes, len(others))
    return [node for node in range(len(key.tree)) if votes_for[node] >= votes]


def _enough(votes: int | None, others: int) -> int:
    return min(max(VOTES, ceil(VOTING_SHARE * others)) if votes is None else votes, others)


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
        self, numbered: Numbered, attributes: Sequence[Mapping[str, str]] | None = None, form: Form | None = None
    ) -> None:
        self.numbered = numbered
        self.attributes = attributes
        self._form = form or Form.of(numbered.parent)

    @classmethod
    def of(cls, page: Page, equality: str, classes: Classes) -> Self:
        """Returns the side of a page, with the labels of an equality."""
        tree = page.tree
        labels = EQUALITIES[equality](tree)
        return cls(classes.number_labels(labels, tree.parent, tree.size), tree.attributes)

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
        """Returns the attributes of a node other than id and class."""
        attributes = self.attributes[node] if self.attributes else {}
        others = sorted(f"{name}={value}" for name, value in attributes.items() if name not in {"id", "class"})
        return "\n".join(others)


_AGREEMENTS: tuple[tuple[Callable[[Side, int], Hashable], ...], ...] = (
    (Side.identity, Side.position),
    (Side.identity, Side.others),
    (Side.identity,),
    (Side.children, Side.position),
    (Side.children, Side.others),
    (Side.children,),
    (Side.position,),
    (Side.others,),
    (),
)
"""The traits in which a candidate must agree with a node, tried in this order; the last entry requires none.

Identical subtrees are first: the paper wants the largest mapping, and pairing identical subtrees never makes it
smaller. Siblings have different positions, so attributes add nothing if the position agrees.
"""


def etdm(first: Side, second: Side) -> list[tuple[int, int]]:
    """Definition 1: returns pairs of equal nodes, one to one. The parents of a pair are a pair. Order is ignored."""
    left, right = first.numbered, second.numbered
    pairs: list[tuple[int, int]] = []
    stack = [(0, 0)] if len(left) and len(right) and left.label[0] == right.label[0] else []
    while stack:
        x, y = stack.pop()
        if left.subtree[x] == right.subtree[y]:
            pairs += zip(range(x, x + left.size[x]), range(y, y + right.size[y]), strict=True)
        else:
            pairs.append((x, y))
            stack += _pair_children(first, x, second, y)
    return pairs


def _pair_children(first: Side, x: int, second: Side, y: int) -> list[tuple[int, int]]:
    """Pairs equal children of x and y, one to one: with the only candidate, or the most similar one."""
    tree, other = first.numbered, second.numbered
    alike: dict[int, tuple[list[int], list[int]]] = {}
    for child in children(tree.size, x):
        alike.setdefault(tree.label[child], ([], []))[0].append(child)
    for child in children(other.size, y):
        if other.label[child] in alike:
            alike[other.label[child]][1].append(child)
    pairs: list[tuple[int, int]] = []
    for left, right in alike.values():
        if len(left) == len(right) == 1:
            pairs.append((left[0], right[0]))
        elif right:
            pairs += _choose(first, left, second, right)
    return pairs


def _choose(first: Side, left: Sequence[int], second: Side, right: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs nodes one to one until a list ends: identical subtrees, then by the traits they share, then in order."""
    known = first.attributes is not None and second.attributes is not None
    pairs: list[tuple[int, int]] = []
    for agreement in _AGREEMENTS:
        if not left or not right:
            break
        if Side.others in agreement and not known:
            continue
        agreeing = _agreeing(
            {x: tuple(trait(first, x) for trait in agreement) for x in left},
            {y: tuple(trait(second, y) for trait in agreement) for y in right},
        )
        left, right = _without(left, [x for x, _ in agreeing]), _without(right, [y for _, y in agreeing])
        pairs += agreeing
    return pairs


def _without(nodes: Sequence[int], taken: Sequence[int]) -> list[int]:
    gone = set(taken)
    return [node for node in nodes if node not in gone]


def _agreeing(ours: Mapping[int, Hashable], theirs: Mapping[int, Hashable]) -> list[tuple[int, int]]:
    """Pairs each of `ours` with the first free one of `theirs` that has the same value."""
    offered: dict[Hashable, deque[int]] = defaultdict(deque)
    for y, value in theirs.items():
        offered[value].append(y)
    return [(x, offered[value].popleft()) for x, value in ours.items() if offered.get(value)]


class KeyNode(NamedTuple):
    """A node of the key page, its position among its siblings, and its number of children."""

    node: int
    position: int
    children: int


@dataclass(frozen=True, slots=True)
class KeyTemplate:
    """The template of the key page, the votes and equality it was learned with, and the key page's digest and nodes."""

    template: Subtree
    votes: int
    equality: str
    key: str
    places: tuple[KeyNode, ...]

    def mark(self, page: Page) -> Marks:
        """Marks the nodes of the template: on the key page those that were chosen, on other pages their mates."""
        flags = bytearray(len(page.tree))
        for node in self._chosen(page) or self._mates(page):
            flags[node] = 1
        reason = f"on the key page and on at least {self.votes} of {self.template.pages} others"
        return Marks(flags, lambda _: reason)

    def _chosen(self, page: Page) -> list[int]:
        """Returns the chosen nodes if this is the key page, else an empty list."""
        if page.digest != self.key or not self.places or self.places[-1].node >= len(page.tree):
            return []
        labels = EQUALITIES[self.equality](page.tree)
        nodes = [key_node.node for key_node in self.places]
        # The same bytes may give another tree: in another encoding, or with another version of the parser.
        return nodes if [labels[node] for node in nodes] == self.template.labels else []

    def _mates(self, page: Page) -> list[int]:
        """Maps the template to the page. Positions and numbers of children are those on the key page."""
        classes = Classes()
        labels, size = self.template.labels, self.template.size
        form = Form(array("i", [at.position for at in self.places]), array("i", [at.children for at in self.places]))
        own = Side(classes.number_labels(labels, parents(size), size), form=form)
        return [node for _, node in etdm(own, Side.of(page, self.equality, classes))]

    def to_json(self) -> dict[str, Any]:
        """Returns the tree, one selector or text a line, and the number, position and children of each node."""
        return {
            "equality": self.equality,
            "votes": self.votes,
            **self.template.to_json(),
            "key": self.key,
            "places": [" ".join(map(str, key_node)) for key_node in self.places],
        }


def load(data: dict[str, Any]) -> KeyTemplate:
    """Reads the output of `to_json`."""
    if data["equality"] not in EQUALITIES:
        raise ValueError(f"unknown equality {data['equality']!r}")
    if "places" not in data:
        raise TemplateError("written by an older dehusk, whose etdm marked other nodes; learn it again")
    template = Subtree.from_json(data)
    places = tuple(KeyNode(*map(int, line.split())) for line in fields.texts(data, "places"))
    if len(places) != len(template.labels):
        raise ValueError("the tree and the places do not have the same nodes")
    return KeyTemplate(template, fields.number(data, "votes"), data["equality"], fields.text(data, "key"), places)
