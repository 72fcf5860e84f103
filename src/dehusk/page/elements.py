"""What the nodes of a page hold, and what stands around them: for those who pass nodes on."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, cast

import turbohtml
from turbohtml import Element, Text

from dehusk.base.tags import NOT_CONTENT
from dehusk.base.tree import Node
from dehusk.kernels.walking import Signs, Telling

DEEPEST = 1000
"""How many elements around a node are looked at."""

WIDEST = 50
"""How many elements of one path are looked at."""

Told = tuple[str, Node, int, str, str]
"""A text and the element that it is in, what that may tell, and the two texts before: see `dehusk.kernels.walking`."""

_NOT_SHOWN = NOT_CONTENT | {"option"}


def attribute(node: Node, name: str) -> str | None:
    """The value of an element's attribute; None where it has none, and for a text."""
    element: Any = node
    return element.attr(name) if type(element) is Element else None


def attributes(node: Node, names: Iterable[str]) -> Iterator[str | None]:
    """The values of several attributes of an element."""
    element: Any = node
    return map(element.attr, names)


def tag_of(node: Node) -> str:
    """The tag of an element."""
    element: Any = node
    tag: str = element.tag
    return tag


def text_of(node: Node) -> str:
    """All the text at and below a node."""
    parsers: Any = node
    text: str = parsers.data if isinstance(parsers, Text) else parsers.text
    return text


def words_of(node: Node) -> str:
    """The text of an element, in which a line break is a space."""
    element: Any = node
    text: str = " ".join(element.strings) if element.find("br") else element.text
    return text


def strings_of(node: Node) -> Iterator[str]:
    """The texts below an element, without white space around them."""
    return cast("Element", node).stripped_strings


def html_of(node: Node) -> str:
    """A node as HTML."""
    return cast("turbohtml.Node", node).serialize()


def plain_text(node: Node) -> str:
    """A node as the parser itself writes it, block by block."""
    return cast("turbohtml.Node", node).to_text()


def first(node: Node, selector: str) -> Node | None:
    """The first element below a node that a CSS selector picks."""
    parsers: Any = node
    element: Node | None = parsers.select_one(selector)
    return element


def select(node: Node, selector: str) -> list[Node]:
    """The elements below a node that a CSS selector picks."""
    parsers: Any = node
    elements: list[Node] = parsers.select(selector)
    return elements


def matches(node: Node, selector: str) -> bool:
    """Whether a CSS selector picks an element."""
    return cast("Element", node).matches(selector)


def closest(node: Node, selector: str) -> Node | None:
    """The element itself, or the nearest around it, that a CSS selector picks."""
    return cast("Node | None", cast("Element", node).closest(selector))


def tagged(node: Node, tags: Sequence[str]) -> Iterator[Node]:
    """The elements below a node that have one of these tags, in order."""
    return cast("Iterator[Node]", cast("Element", node).iter_elements(tags))


def children(node: Node, tag: str) -> list[Node]:
    """The elements right in an element that have this tag."""
    below = [child for child in cast("Element", node) if type(child) is Element and child.tag == tag]
    return cast("list[Node]", below)


def parent_of(node: Node) -> Node | None:
    """The element that a node is in."""
    above = cast("turbohtml.Node", node).parent
    return cast("Node", above) if type(above) is Element else None


def element_before(node: Node) -> Node | None:
    """The last element before a node among its siblings."""
    before = cast("turbohtml.Node", node).previous_sibling
    while before is not None and type(before) is not Element:
        before = before.previous_sibling
    return cast("Node | None", before)


def is_within(node: Node, others: frozenset[Node]) -> bool:
    """Whether a node is one of others, or below one."""
    above = islice(cast("turbohtml.Node", node).ancestors, DEEPEST)
    return node in others or not others.isdisjoint(cast("Iterable[Node]", above))


def names_around(node: Node, levels: int) -> list[str]:
    """What an element and those around it are called by class, property and relation, each level in one text."""
    found: list[str] = []
    around: Any = node
    while len(found) < levels and type(around) is Element:
        found.append(" ".join(filter(None, map(around.attr, ("class", "itemprop", "rel")))))
        around = around.parent
    return found


def link_around(node: Node, levels: int) -> str:
    """The address of the link that an element is, or is in; nothing where there is none within so many levels."""
    around: Any = node
    for _ in range(levels):
        if type(around) is not Element:
            break
        if around.tag == "a":
            return around.attr("href") or ""
        around = around.parent
    return ""


def label_of(node: Node) -> str:
    """An element's tag and the first of its classes that has no number, which may be that of a page."""
    element = cast("Element", node)
    for name in (element.attr("class") or "").split():
        if not any(map(str.isdigit, name)):
            return f"{element.tag}.{name}"
    return element.tag


def at(body: Node, path: str) -> list[Node]:
    """The elements at a path of labels below the body."""
    found = [cast("Element", body)]
    for label in path.split(" > "):
        below = (child for element in found for child in element if type(child) is Element)
        like = (child for child in below if label.startswith(child.tag))  # most are not, which is seen at once
        found = [child for child in like if label_of(cast("Node", child)) == label][:WIDEST]
    return cast("list[Node]", found)


def nodes_in(node: Node) -> Iterator[Node]:
    """A node and all below it, in order."""
    element: Any = node
    return chain([element], element.descendants)


def nodes_after(node: Node) -> Iterator[Node]:
    """The nodes below an element and after it, in order."""
    element: Any = node
    return chain(element.descendants, element.following)


def nodes_before(node: Node, most: int) -> Iterator[Node]:
    """The last nodes before an element, in order."""
    element: Any = node
    before: list[Node] = list(islice(element.preceding, most))
    return reversed(before)


def telling(
    nodes: Iterator[Node], most: int, signs: Signs, marked: set[Node], plain: Callable[[str], str]
) -> Iterator[Told]:
    """What so many nodes show that may tell who wrote a page, and when: see `dehusk.kernels.walking`."""
    return cast("Iterator[Told]", Telling(nodes, most, signs, marked, _NOT_SHOWN, plain))


def texts_in(node: Node, most: int | None = None) -> Iterator[tuple[str, Node]]:
    """The texts among so many nodes below an element (all by default), shown or not, each with its node."""
    for below in islice(cast("turbohtml.Node", node).descendants, most):
        if type(below) is Text:
            text: Any = below
            yield below.data, text


def corrected(body: Node, gone: Sequence[Node], stays: Mapping[Node, bool]) -> list[Node]:
    """The topmost nodes of a body that go, in document order, where some elements stay or go whatever `gone` says.

    Of two that are in each other, the inner one counts. The walk enters only what has nodes of both inside.
    """
    root = cast("Element", body)
    edits = cast("Mapping[Element, bool]", stays)
    before = frozenset(cast("Sequence[turbohtml.Node]", gone))
    inner = _above([*before, *edits], root)
    opened = _above([node for node, stay in edits.items() if stay], root)  # they cannot go as a whole
    topmost: list[turbohtml.Node] = []
    # Whether all that is inside stays; None where nothing was said of it yet.
    open_nodes = [(iter(root), edits.get(root))]
    while open_nodes:
        children, said = open_nodes[-1]
        for child in children:
            if type(child) is Text:
                if (said is False or (said is None and child in before)) and child.data.strip():
                    topmost.append(child)
                continue
            if type(child) is not Element:
                continue
            stay = edits.get(child, False if said is None and child in before else said)
            if stay is False and child not in opened:
                topmost.append(child)
            elif child in inner:
                open_nodes.append((iter(child), stay))
                break
        else:
            open_nodes.pop()
    return cast("list[Node]", topmost)


def _above(nodes: Iterable[turbohtml.Node], root: Element) -> set[turbohtml.Node]:
    """All that these nodes are in, up to the root."""
    holders: set[turbohtml.Node] = set()
    for node in nodes:
        above = node.parent if node != root else None
        while above is not None and above not in holders:
            holders.add(above)
            above = above.parent if above != root else None
    return holders
