"""The nodes of a site style tree, and the entropy by which they are judged."""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, islice
from math import ceil, log

from dehusk.base.shared import Shared
from dehusk.base.tree import TEXT, Tree
from dehusk.methods._labels import tokens


def entropy(counts: Collection[int], unit: int | None = None) -> float:
    """Returns the entropy of a distribution of counts, from 0 to 1: divided by log `unit`, or by the log of their sum.

    More outcomes than `unit` count as an even spread over `unit`.
    """
    if len(counts) < 2:
        return 0.0
    whole = sum(counts)
    spread = (log(whole) - sum(count * log(count) for count in counts) / whole) / log(unit or whole)
    return min(1.0, spread)  # rounding may give an even spread a little more than 1


LEVELS = 100
"""An element at this depth is treated as a leaf, because merging reads a page once for each level."""

COMPARED_NODES = 16
"""When merging, an element node is compared with at most this many others: those that share its rarest features."""

FEW_NODES = 32
"""Up to this many element nodes are all compared with each other."""

LEAF = ("(leaf)",)
"""The style of an element on the pages where it is a leaf. Its only element node is the leaf."""

_TEXT_WORD = re.compile(r"\w+")

Place = tuple[int, int]
"""The number of a page, and a node of it."""

Style = tuple[str, ...]
"""The labels of a node's children in their order."""


@dataclass(slots=True)
class StyleNode:
    """The number of the parent's places that have this style, and the element node of each child.

    A child on a single page is None: it and everything below it has importance 1, so no nodes are built for it.
    """

    places: int
    elements: list[int | None] = field(default_factory=list)


@dataclass(slots=True)
class ElementNode:
    """An element of the site, on all its pages. Leaves, and elements on a single page, have no style nodes."""

    label: str
    places: list[Place]
    pages: int
    styles: dict[Style, StyleNode] = field(default_factory=dict)


class Content(Shared):
    """The styles, leaves and features of a page."""

    def __init__(self, tree: Tree, *, virtual_leaves: bool) -> None:
        self.tree = tree
        self.leaf = leaves(tree, virtual=virtual_leaves)

    def style(self, node: int) -> Style:
        """Returns the labels of a node's children, or LEAF."""
        return LEAF if self.leaf[node] else tuple([label(self.tree, child) for child in self.tree.children(node)])

    def children(self, node: int) -> list[int]:
        """Returns the nodes that a node's style names, in the same order."""
        return [node] if self.leaf[node] else list(self.tree.children(node))

    def features(self, node: int) -> list[str]:
        """Returns the features of a node and its descendants, with repetitions."""
        words, start = self._features
        return words[start[node] : start[node + self.tree.size[node]]]

    @cached_property
    def _features(self) -> tuple[list[str], "array[int]"]:
        words: list[str] = []
        start = array("i", [0])
        for node in range(len(self.tree)):
            words += features(self.tree, node)
            start.append(len(words))
        return words, start


def label(tree: Tree, node: int) -> str:
    """Returns TAG and Attr of a node, written like a CSS selector without spaces.

    Ids and classes replace the paper's display attributes (bgcolor, width). Their digits often differ from page to page
    and are folded.
    """
    tag = tree.tag[node]
    if tag == TEXT:
        return tag
    attributes = tree.attributes[node]
    return tag + "".join(tokens(attributes.get("id", ""), attributes.get("class", "")))


def features(tree: Tree, node: int) -> list[str]:
    """Returns the features of a node without its descendants: the words of a text, the URL of a link or image."""
    if tree.tag[node] == TEXT:
        return _TEXT_WORD.findall(tree.text[node].lower())
    return [f"{tree.tag[node]} {tree.link[node]}"] if tree.link[node] else []


def leaves(tree: Tree, *, virtual: bool) -> bytearray:
    """Flags the leaves: nodes without child elements. Virtual leaves have children, but no grandchildren.

    The paper makes the parent of any leaf a virtual leaf, but then one <hr> in BODY would make the page a leaf.
    """
    leaf = bytearray(b"\1") * len(tree)
    inner = bytearray(len(tree))
    depth = array("i", bytes(4 * len(tree)))
    for node in range(1, len(tree)):
        above = tree.parent[node]
        depth[node] = depth[above] + 1
        if tree.tag[node] != TEXT and depth[node] < LEVELS:
            inner[above] = 1
    for node, has_elements in enumerate(inner):
        above = tree.parent[node] if virtual else node
        if has_elements and above >= 0:
            leaf[above] = 0
    return leaf


def build(contents: Sequence[Content], *, frequency: float, likeness: float | None) -> list[ElementNode]:
    """BuildSST: returns the element nodes, BODY first, each after its ancestors. Without `likeness`, none are merged.

    The paper adds page after page, so that merging depends on their order. Here each level is built from all pages.
    """
    tree = [ElementNode("body", [(page, 0) for page in range(len(contents))], len(contents))]
    for element in tree:
        if element.pages > 1:
            _grow(tree, element, contents, frequency, likeness)
    return tree


@dataclass(slots=True)
class _Slot:
    """A child position in a style node, before merging."""

    style: int
    label: str
    places: list[Place]
    element: int | None = None


def _grow(
    tree: list[ElementNode], element: ElementNode, contents: Sequence[Content], frequency: float, likeness: float | None
) -> None:
    """Adds the style nodes of an element node to it, and their element nodes to the end of the tree."""
    by_style: dict[Style, list[Place]] = defaultdict(list)
    for page, node in element.places:
        by_style[contents[page].style(node)].append((page, node))
    if by_style.keys() == {LEAF}:
        return
    slots = [slot for number, style in enumerate(by_style) for slot in _slots(number, style, by_style[style], contents)]
    for group in _merge(slots, contents, frequency, likeness) if likeness is not None else ([slot] for slot in slots):
        places = [place for slot in group for place in slot.places]
        pages = len({page for page, _ in places})
        if pages > 1:
            for slot in group:
                slot.element = len(tree)
            tree.append(ElementNode(group[0].label, places, pages))
    nodes = [StyleNode(len(places)) for places in by_style.values()]
    for slot in slots:
        nodes[slot.style].elements.append(slot.element)
    element.styles = dict(zip(by_style, nodes, strict=True))


def _slots(number: int, style: Style, places: list[Place], contents: Sequence[Content]) -> list[_Slot]:
    rows = ([(page, child) for child in contents[page].children(node)] for page, node in places)
    return [_Slot(number, name, list(column)) for name, column in zip(style, zip(*rows, strict=True), strict=True)]


def _merge(slots: list[_Slot], contents: Sequence[Content], frequency: float, likeness: float) -> list[list[_Slot]]:
    """Enhancement 1: groups the slots of different style nodes that are the same element node."""
    styles: dict[str, set[int]] = defaultdict(set)
    for slot in slots:
        styles[slot.label].add(slot.style)
    groups = []
    alike: dict[str, dict[frozenset[str], list[_Slot]]] = {}
    for slot in slots:
        traits = characteristic(slot.places, contents, frequency) if len(styles[slot.label]) > 1 else None
        if traits:
            alike.setdefault(slot.label, {}).setdefault(traits, []).append(slot)
        else:
            groups.append([slot])
    for same in alike.values():
        groups += _components(list(same), list(same.values()), likeness)
    return groups


def characteristic(places: Sequence[Place], contents: Sequence[Content], frequency: float) -> frozenset[str]:
    """Returns the features that at least this share of an element's pages have."""
    of_page: dict[int, set[str]] = defaultdict(set)
    for page, node in places:
        of_page[page].update(contents[page].features(node))
    if len(of_page) == 1:
        return frozenset(*of_page.values())
    pages = Counter(feature for own in of_page.values() for feature in own)
    return frozenset(feature for feature, count in pages.items() if count >= frequency * len(of_page))


def _components(sets: list[frozenset[str]], members: list[list[_Slot]], likeness: float) -> list[list[_Slot]]:
    """Groups slots by connected components: likeness is not transitive, and the order of pages must not matter."""
    styles = [{slot.style for slot in group} for group in members]
    above = list(range(len(sets)))
    for left, right in similar(sets, likeness):
        if len(styles[left] | styles[right]) > 1:  # two elements of one style node stay two
            above[_top(above, right)] = _top(above, left)
    connected: dict[int, list[int]] = defaultdict(list)
    for number in range(len(sets)):
        connected[_top(above, number)].append(number)
    groups: list[list[_Slot]] = []
    for numbers in connected.values():
        slots = [slot for number in numbers for slot in members[number]]
        one_style = len(numbers) == 1 and len(styles[numbers[0]]) == 1
        groups += [[slot] for slot in slots] if one_style else [slots]
    return groups


def _top(above: list[int], number: int) -> int:
    while above[number] != number:
        above[number] = number = above[above[number]]
    return number


def similar(sets: Sequence[frozenset[str]], likeness: float) -> Iterator[tuple[int, int]]:
    """Yields the pairs of sets with |A & B| / |A | B| >= likeness."""
    pairs = combinations(range(len(sets)), 2) if len(sets) <= FEW_NODES else _candidates(sets, likeness)
    for left, right in pairs:
        small, large = sorted((sets[left], sets[right]), key=len)
        if len(small) >= likeness * len(large) and len(small & large) >= likeness * len(small | large):
            yield left, right


def _candidates(sets: Sequence[frozenset[str]], likeness: float) -> Iterator[tuple[int, int]]:
    """Yields the pairs that can be alike: those that share one of the rarest features of both.

    Alike sets share so many features that at least one is among the rarest of each, so the others need no look.
    """
    sets_with = Counter(feature for own in sets for feature in own)
    rare: dict[str, list[int]] = defaultdict(list)
    for number, own in enumerate(sets):
        most = len(own) - ceil(likeness * len(own) - 1e-9) + 1
        rarest = sorted(own, key=lambda feature: (sets_with[feature], feature))[:most]
        met = dict.fromkeys(other for feature in rarest for other in islice(rare[feature], COMPARED_NODES))
        yield from ((other, number) for other in islice(met, COMPARED_NODES))
        for feature in rarest:
            rare[feature].append(number)
