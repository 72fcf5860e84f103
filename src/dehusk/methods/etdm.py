"""TeMex: the template of a key page is what an equal top-down mapping (ETDM) finds again on enough other pages.

J. Alarte, D. Insa, J. Silva, S. Tamarit: Analysis of Hyperlinks and DOM Comparison for Site-Level Web Template
Extraction. 2015.

Algorithm 1 maps the key page on every set of v other pages and joins the results. Here the key page is mapped once on
each page, and a node is template where it has at least v mates. Where no two siblings are equal that is the same: a
node is in the mapping of v pages just if it is in each of the v mappings. Otherwise one of several mates must be
chosen, which the paper leaves open; a choice that looks at v pages at once may differ from v choices, and so may the
votes.
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
"""A node must be found again on at least this many other pages: the paper's choice for three of them (section 4.1)."""

SHARE = 0.5
"""A node must be found again on this share of the other pages.

Table 2 has 2 votes for 3 pages, 3 for 5 and 6, 4 for 8. Two of two dozen would make template of what three pages share.
"""

# What has a meaning in a label and is not part of a name.
_SELECTOR_MARKS = re.compile(r"[\\#.]")

Equality = Callable[[Tree], Sequence[str]]
"""A label for each node of a tree: nodes are equal where their labels are."""


def selectors(tree: Tree) -> list[str]:
    """Labels of tag, id and classes, written as in CSS; a text's is its content, an image's ends in its source."""
    labels = tree.labels()
    known: dict[tuple[str, str, str], str] = {}  # most elements are called like many others
    for node, tag in enumerate(tree.tag):
        # The root, our body, stands for the document, which has neither; its classes often name the single page.
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
"""The equalities by name: tag, id and classes; or tag alone. For both a text is its content and an image its source."""


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
    """The template of the key page (the one with the smallest digest unless it is given) by the votes of the others.

    Without a number of votes half of the other pages must agree, and at least two.
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
    """Algorithm 1: the nodes of the key page that are found again on enough other pages; with a node, its parent."""
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
    return min(max(VOTES, ceil(SHARE * others)) if votes is None else votes, others)


class Form(NamedTuple):
    """For each node its position among its siblings and its number of children."""

    position: "array[int]"
    children: "array[int]"

    @classmethod
    def of(cls, parent: "array[int]") -> Self:
        """The form of a tree."""
        position, count = array("i", bytes(4 * len(parent))), array("i", bytes(4 * len(parent)))
        for node in range(1, len(parent)):
            position[node] = count[parent[node]]
            count[parent[node]] += 1
        return cls(position, count)


class Side:
    """One of the two trees of a mapping: numbers for what makes nodes equal, traits to choose among equal ones.

    Of a template, `form` is that of the key page, where its nodes had more children. Attributes may be unknown.
    """

    def __init__(
        self, numbered: Numbered, attributes: Sequence[Mapping[str, str]] | None = None, form: Form | None = None
    ) -> None:
        self.numbered = numbered
        self.attributes = attributes
        self._form = form or Form.of(numbered.parent)

    @classmethod
    def of(cls, page: Page, equality: str, classes: Classes) -> Self:
        """A page as one of the equalities sees it."""
        tree = page.tree
        labels = EQUALITIES[equality](tree)
        return cls(classes.number_labels(labels, tree.parent, tree.size), tree.attributes)

    def identity(self, node: int) -> int:
        """The number of its subtree: the same for identical ones."""
        # All that is left of this node is its label: it is as good as any other with that label, not only as a leaf.
        pruned = self.numbered.size[node] == 1 and self._form.children[node]
        return -1 - node if pruned else self.numbered.subtree[node]

    def children(self, node: int) -> int:
        """How many children it has."""
        return self._form.children[node]

    def position(self, node: int) -> int:
        """Its position among its siblings."""
        return self._form.position[node]

    def others(self, node: int) -> str:
        """Its attributes other than id and class."""
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
"""What a candidate must have in common with a node to be chosen, one after the other; in the end nothing.

An identical subtree goes first: the paper wants the biggest mapping, and to pair identical subtrees never makes it
smaller. No two siblings have one position, so attributes say nothing where the position agrees.
"""


def etdm(first: Side, second: Side) -> list[tuple[int, int]]:
    """Definition 1: pairs of equal nodes, one to one; with a pair the pair of their parents. Order does not matter."""
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
    """Each of ours with the first of theirs that has the same value and is not taken."""
    offered: dict[Hashable, deque[int]] = defaultdict(deque)
    for y, value in theirs.items():
        offered[value].append(y)
    return [(x, offered[value].popleft()) for x, value in ours.items() if offered.get(value)]


class KeyNode(NamedTuple):
    """Where a node of the template is on the key page, its position among its siblings, and its number of children."""

    node: int
    position: int
    children: int


@dataclass(frozen=True, slots=True)
class KeyTemplate:
    """The key page's template, by how many votes and which equality it was found, and where on which page."""

    template: Subtree
    votes: int
    equality: str
    key: str
    places: tuple[KeyNode, ...]

    def mark(self, page: Page) -> Marks:
        """The nodes of the template: on the key page those that were chosen, on others their mates."""
        flags = bytearray(len(page.tree))
        for node in self._chosen(page) or self._mates(page):
            flags[node] = 1
        reason = f"on the key page and on at least {self.votes} of {self.template.pages} others"
        return Marks(flags, lambda _: reason)

    def _chosen(self, page: Page) -> list[int]:
        """The chosen nodes, if this is the key page."""
        if page.digest != self.key or not self.places or self.places[-1].node >= len(page.tree):
            return []
        labels = EQUALITIES[self.equality](page.tree)
        nodes = [key_node.node for key_node in self.places]
        # The same bytes may be another tree: in another encoding, or by another version of the parser.
        return nodes if [labels[node] for node in nodes] == self.template.labels else []

    def _mates(self, page: Page) -> list[int]:
        """Maps the template to the page. Position and children are those on the key page."""
        classes = Classes()
        labels, size = self.template.labels, self.template.size
        form = Form(array("i", [at.position for at in self.places]), array("i", [at.children for at in self.places]))
        own = Side(classes.number_labels(labels, parents(size), size), form=form)
        return [node for _, node in etdm(own, Side.of(page, self.equality, classes))]

    def to_json(self) -> dict[str, Any]:
        """The template's tree, one selector or text a line; of each node its number, position and children."""
        return {
            "equality": self.equality,
            "votes": self.votes,
            **self.template.to_json(),
            "key": self.key,
            "places": [" ".join(map(str, key_node)) for key_node in self.places],
        }


def load(data: dict[str, Any]) -> KeyTemplate:
    """What `to_json` wrote."""
    if data["equality"] not in EQUALITIES:
        raise ValueError(f"unknown equality {data['equality']!r}")
    if "places" not in data:
        raise TemplateError("written by an older dehusk, whose etdm marked other nodes; learn it again")
    template = Subtree.from_json(data)
    places = tuple(KeyNode(*map(int, line.split())) for line in fields.texts(data, "places"))
    if len(places) != len(template.labels):
        raise ValueError("the tree and the places do not have the same nodes")
    return KeyTemplate(template, fields.number(data, "votes"), data["equality"], fields.text(data, "key"), places)
