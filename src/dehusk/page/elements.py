"""Functions on the nodes of a page, for modules that do not know the parser's types."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, islice
from typing import Any, cast

import turbohtml
from turbohtml import Element, Text

from dehusk.base.tags import NOT_CONTENT
from dehusk.base.tree import Node
from dehusk.kernels.reading import is_sign
from dehusk.kernels.walking import Signs, Telling

DEEPEST = 1000
"""How many ancestors of a node are checked."""

WIDEST = 50
"""How many elements of a path are followed."""

Told = tuple[str, Node, int, str, str]
"""A text, its element, what it may have, and the two texts before it: see `dehusk.kernels.walking`."""

_NOT_SHOWN = NOT_CONTENT | {"option"}


def attribute(node: Node, name: str) -> str | None:
    """Returns the value of an element's attribute; None if it has none, or if the node is a text."""
    element: Any = node
    return element.attr(name) if type(element) is Element else None


def attributes(node: Node, names: Iterable[str]) -> Iterator[str | None]:
    """Yields the values of several attributes of an element."""
    element: Any = node
    return map(element.attr, names)


def tag_of(node: Node) -> str:
    """Returns the tag of an element."""
    element: Any = node
    tag: str = element.tag
    return tag


def text_of(node: Node) -> str:
    """Returns all text at and below a node."""
    parsers: Any = node
    text: str = parsers.data if isinstance(parsers, Text) else parsers.text
    return text


def words_of(heading: Node) -> str:
    """Returns the text of a heading, with spaces for line breaks, without the signs of links to itself, such as #."""
    element: Any = heading
    text: str = " ".join(element.strings) if element.find("br") else element.text
    said = text.strip()
    if said[:1].isalnum() and said[-1:].isalnum():  # true for most; saves looking for links
        return text
    for link in element.select('a[href*="#"]'):
        sign = link.text.strip()
        if is_sign(sign):
            said = (said.removesuffix(sign) if said.endswith(sign) else said.removeprefix(sign)).strip()
    return said


def strings_of(node: Node) -> Iterator[str]:
    """Yields the texts below an element, stripped."""
    return cast("Element", node).stripped_strings


def html_of(node: Node) -> str:
    """Returns a node as HTML."""
    return cast("turbohtml.Node", node).serialize()


def plain_text(node: Node) -> str:
    """Returns a node as the parser's own plain text."""
    return cast("turbohtml.Node", node).to_text()


def first(node: Node, selector: str) -> Node | None:
    """Returns the first element below a node that matches a CSS selector, or None."""
    parsers: Any = node
    element: Node | None = parsers.select_one(selector)
    return element


def select(node: Node, selector: str) -> list[Node]:
    """Returns the elements below a node that match a CSS selector."""
    parsers: Any = node
    elements: list[Node] = parsers.select(selector)
    return elements


def texts_at(node: Node, expression: str) -> list[str]:
    """Returns the texts that an XPath finds below a node: of elements, texts, attributes, or a string itself."""
    parsers: Any = node
    found = parsers.xpath(expression)
    if not isinstance(found, list):
        return [str(found)] if found else []
    return [one if isinstance(one, str) else text_of(one) for one in found]


def matches(node: Node, selector: str) -> bool:
    """Returns whether an element matches a CSS selector."""
    return cast("Element", node).matches(selector)


def closest(node: Node, selector: str) -> Node | None:
    """Returns the element itself, or its nearest ancestor, that matches a CSS selector; None if there is none."""
    return cast("Node | None", cast("Element", node).closest(selector))


def tagged(node: Node, tags: Sequence[str]) -> Iterator[Node]:
    """Yields the elements below a node that have one of these tags, in order."""
    return cast("Iterator[Node]", cast("Element", node).iter_elements(tags))


def children(node: Node, tag: str) -> list[Node]:
    """Returns the child elements that have this tag."""
    below = [child for child in cast("Element", node) if type(child) is Element and child.tag == tag]
    return cast("list[Node]", below)


def parent_of(node: Node) -> Node | None:
    """Returns the parent element of a node, or None."""
    above = cast("turbohtml.Node", node).parent
    return cast("Node", above) if type(above) is Element else None


def nodes_above(node: Node, most: int) -> list[Node]:
    """Returns a node and the elements around it, at most `most` of them."""
    above = islice(cast("turbohtml.Node", node).ancestors, most)
    return [node, *cast("list[Node]", [element for element in above if type(element) is Element])]


def element_before(node: Node) -> Node | None:
    """Returns the previous sibling that is an element, or None."""
    before = cast("turbohtml.Node", node).previous_sibling
    while before is not None and type(before) is not Element:
        before = before.previous_sibling
    return cast("Node | None", before)


def is_within(node: Node, others: frozenset[Node]) -> bool:
    """Returns whether a node is one of others, or below one."""
    above = islice(cast("turbohtml.Node", node).ancestors, DEEPEST)
    return node in others or not others.isdisjoint(cast("Iterable[Node]", above))


def is_near(node: Node, others: AbstractSet[Node], levels: int) -> bool:
    """Returns whether an element, or one of the next elements around it, is one of others."""
    around: Any = node
    for _ in range(levels):
        if around is None or around in others:
            return around is not None
        around = around.parent
    return False


def names_around(node: Node, levels: int) -> list[str]:
    """Returns class, itemprop and rel of an element and its ancestors, joined, one text for each level."""
    found: list[str] = []
    around: Any = node
    while len(found) < levels and type(around) is Element:
        found.append(" ".join(filter(None, map(around.attr, ("class", "itemprop", "rel")))))
        around = around.parent
    return found


def link_around(node: Node, levels: int) -> str:
    """Returns the URL of the link that an element is, or is in; "" if there is none within so many levels."""
    around: Any = node
    for _ in range(levels):
        if type(around) is not Element:
            break
        if around.tag == "a":
            return around.attr("href") or ""
        around = around.parent
    return ""


def label_of(node: Node) -> str:
    """Returns an element's tag and its first class without a digit. A number may be that of a page."""
    element = cast("Element", node)
    for name in (element.attr("class") or "").split():
        if not any(map(str.isdigit, name)):
            return f"{element.tag}.{name}"
    return element.tag


def at(body: Node, path: str) -> list[Node]:
    """Returns the elements at a path of labels below the body."""
    found = [cast("Element", body)]
    for label in path.split(" > "):
        below = (child for element in found for child in element if type(child) is Element)
        like = (child for child in below if label.startswith(child.tag))  # a quick check that most fail
        found = [child for child in like if label_of(cast("Node", child)) == label][:WIDEST]
    return cast("list[Node]", found)


def nodes_in(node: Node) -> Iterator[Node]:
    """Yields a node and its descendants, in order."""
    element: Any = node
    return chain([element], element.descendants)


def nodes_after(node: Node) -> Iterator[Node]:
    """Yields the nodes below an element and after it, in order."""
    element: Any = node
    return chain(element.descendants, element.following)


def following(node: Node) -> Iterator[Node]:
    """Yields the nodes after an element, without those below it, in order."""
    element: Any = node
    return cast("Iterator[Node]", iter(element.following))


def is_text(node: Node) -> bool:
    """Returns whether a node is a text."""
    return isinstance(node, Text)


def nodes_before(node: Node, most: int) -> Iterator[Node]:
    """Yields the last `most` nodes before an element, in order."""
    element: Any = node
    before: list[Node] = list(islice(element.preceding, most))
    return reversed(before)


def telling(
    nodes: Iterator[Node], most: int, signs: Signs, marked: set[Node], plain: Callable[[str], str]
) -> Iterator[Told]:
    """Yields the texts among at most `most` nodes that may name an author or a date: see `dehusk.kernels.walking`."""
    return cast("Iterator[Told]", Telling(nodes, most, signs, marked, _NOT_SHOWN, plain))


def texts_in(node: Node, most: int | None = None) -> Iterator[tuple[str, Node]]:
    """Yields the texts among the first `most` nodes below an element (default: all), visible or not, with nodes."""
    for below in islice(cast("turbohtml.Node", node).descendants, most):
        if type(below) is Text:
            text: Any = below
            yield below.data, text


def corrected(body: Node, gone: Sequence[Node], stays: Mapping[Node, bool]) -> list[Node]:
    """Returns the topmost nodes of a body to remove, in document order: `gone`, corrected by `stays`.

    `stays` says of some elements whether they are kept. An inner element overrides an outer one. The walk enters only
    elements with such nodes inside.
    """
    root = cast("Element", body)
    edits = cast("Mapping[Element, bool]", stays)
    before = frozenset(cast("Sequence[turbohtml.Node]", gone))
    inner = _above([*before, *edits], root)
    opened = _above([node for node, stay in edits.items() if stay], root)  # these cannot be removed as a whole
    topmost: list[turbohtml.Node] = []
    # Open elements, and whether `stays` keeps (True) or removes (False) what is inside; None if it says nothing.
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
    """Returns the ancestors of these nodes, up to the root."""
    holders: set[turbohtml.Node] = set()
    for node in nodes:
        above = node.parent if node != root else None
        while above is not None and above not in holders:
            holders.add(above)
            above = above.parent if above != root else None
    return holders
