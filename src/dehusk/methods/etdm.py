"""TeMex: a node of the key page is template if an equal top-down mapping (ETDM) maps it on enough other pages.

J. Alarte, D. Insa, J. Silva, S. Tamarit: Analysis of Hyperlinks and DOM Comparison for Site-Level Web Template
Extraction. 2015.

Algorithm 1 maps the key page on every set of v other pages and joins the results. Here the key page is mapped on each
page once, and a node is template if it has a mate on at least v pages. If no two siblings are equal, this gives the
same result: a node is in the mapping of v pages if and only if it is in each of the v mappings. Otherwise one of
several mates must be chosen, which the paper leaves open, and the votes may differ.
"""

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Annotated, Any, NamedTuple

from dehusk.base import fields
from dehusk.base.errors import TemplateError
from dehusk.base.options import Option, Values, one_of, whole
from dehusk.base.tree import Classes, parents
from dehusk.methods._equal_mapping import Form, Side, etdm
from dehusk.methods._equality import ATTRIBUTE_NAMES, COMPARED, EQUALITIES, attribute_names
from dehusk.methods.common_subtree import Subtree, prune
from dehusk.methods.rules import Learned, Marks
from dehusk.page import Page

VOTES = 2
"""A node must be on at least this many other pages: the paper's choice for three other pages (section 4.1)."""

VOTING_SHARE = 0.5
"""A node must be on at least this share of the other pages.

Table 2 has 2 votes for 3 pages, 3 for 5 and 6, 4 for 8. With 2 votes of 24, anything on three pages would be template.
"""


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
    attributes: Annotated[
        Sequence[str],
        Option(
            "the attributes that must agree", ATTRIBUTE_NAMES, paper="id, class and others, in a way that is not given"
        ),
    ] = COMPARED,
) -> Learned:
    """Learns the template of the key page from the votes of the other pages.

    The default key page is the one with the smallest digest. By default half of the others must agree, at least two.
    """
    if key is None:
        key = min(pages, key=lambda page: page.digest, default=Page(""))
    others = [page for page in pages if page.digest != key.digest]
    votes = _enough(votes, len(others))
    kept = template_nodes(key, others, votes=votes, equality=equality, attributes=attributes)
    labels = EQUALITIES[equality](key.tree, attributes)
    _, size = prune(key.tree.parent, kept)
    template = Subtree([labels[node] for node in kept], size, len(others))
    form = Form.of(key.tree.parent)
    places = tuple(KeyNode(node, form.position[node], form.children[node]) for node in kept)
    return Learned(KeyTemplate(template, votes, equality, tuple(attributes), key.digest, places))


def template_nodes(
    key: Page,
    others: Sequence[Page],
    *,
    votes: int | None = None,
    equality: str = "attributes",
    attributes: Sequence[str] = COMPARED,
) -> list[int]:
    """Algorithm 1: returns the nodes of the key page that are on enough other pages. They include their parents."""
    if not others:
        return []
    classes = Classes()
    tree = Side.of(key, equality, classes, attributes)
    votes_for: Counter[int] = Counter()
    for page in others:
        votes_for.update(node for node, _ in etdm(tree, Side.of(page, equality, classes, attributes)))
    votes = _enough(votes, len(others))
    return [node for node in range(len(key.tree)) if votes_for[node] >= votes]


def _enough(votes: int | None, others: int) -> int:
    return min(max(VOTES, ceil(VOTING_SHARE * others)) if votes is None else votes, others)


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
    attributes: tuple[str, ...]
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
        labels = EQUALITIES[self.equality](page.tree, self.attributes)
        nodes = [key_node.node for key_node in self.places]
        # The same bytes may give another tree: in another encoding, or with another version of the parser.
        return nodes if [labels[node] for node in nodes] == self.template.labels else []

    def _mates(self, page: Page) -> list[int]:
        """Maps the template to the page. Positions and numbers of children are those on the key page."""
        classes = Classes()
        labels, size = self.template.labels, self.template.size
        form = Form(array("i", [at.position for at in self.places]), array("i", [at.children for at in self.places]))
        own = Side(classes.number_labels(labels, parents(size), size), form=form)
        return [node for _, node in etdm(own, Side.of(page, self.equality, classes, self.attributes))]

    def to_json(self) -> dict[str, Any]:
        """Returns the tree, one selector or text a line, and the number, position and children of each node."""
        return {
            "equality": self.equality,
            "attributes": list(self.attributes),
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
    # Older files have no list: id and class were the only attributes.
    attributes = attribute_names(fields.texts(data, "attributes")) if "attributes" in data else COMPARED
    votes, key = fields.number(data, "votes"), fields.text(data, "key")
    return KeyTemplate(template, votes, data["equality"], attributes, key, places)
