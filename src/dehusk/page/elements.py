"""What the nodes of a page hold, and what stands around them: for those who pass nodes on."""

from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice
from typing import Any, cast

import turbohtml
from turbohtml import Element, Text

from dehusk.base.tags import NOT_CONTENT
from dehusk.base.tree import Node

DEEPEST = 1000
"""How many elements around a node are looked at."""

WIDEST = 50
"""How many elements of one path are looked at."""

ShownNode = tuple[str, Node, bool] | None
"""What a node shows: a text and the element that it is in, or the `datetime` of a `<time>` and that element, and True.

None for any other node, and for texts that are not shown.
"""

_NOT_SHOWN = NOT_CONTENT | {"option"}


def attribute(node: Node, name: str) -> str | None:
    """The value of an element's attribute; None where it has none, and for a text."""
    element: Any = node
    return element.attr(name) if type(element) is Element else None


def text_of(node: Node) -> str:
    """All the text at and below a node."""
    found = cast("turbohtml.Node", node)
    return found.data if isinstance(found, Text) else found.text


def html_of(node: Node) -> str:
    """A node as HTML."""
    return cast("turbohtml.Node", node).html


def plain_text(node: Node) -> str:
    """A node as the parser itself writes it, block by block."""
    return cast("turbohtml.Node", node).to_text()


def first(node: Node, selector: str) -> Node | None:
    """The first element below a node that a CSS selector picks."""
    return cast("Node | None", cast("turbohtml.Node", node).select_one(selector))


def is_within(node: Node, others: Collection[Node]) -> bool:
    """Whether a node is one of others, or below one."""
    above = islice(cast("turbohtml.Node", node).ancestors, DEEPEST)
    return node in others or any(one in others for one in cast("Iterable[Node]", above))


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


def shown_in(node: Node) -> Iterator[ShownNode]:
    """What an element and the nodes below it show, in order."""
    element = cast("turbohtml.Node", node)
    return _shown(chain([element], element.descendants))


def shown_after(node: Node) -> Iterator[ShownNode]:
    """What the nodes below an element and after it show, in order."""
    element = cast("turbohtml.Node", node)
    return _shown(chain(element.descendants, element.following))


def shown_before(node: Node, most: int) -> Iterator[ShownNode]:
    """What the last nodes before an element show, in order."""
    return _shown(list(islice(cast("turbohtml.Node", node).preceding, most))[::-1])


def texts_in(node: Node, most: int) -> Iterator[tuple[str, Node]]:
    """The texts among so many nodes below an element, shown or not, each with its node."""
    for below in islice(cast("turbohtml.Node", node).descendants, most):
        if type(below) is Text:
            text: Any = below
            yield below.data, text


def _shown(nodes: Iterable[Any]) -> Iterator[ShownNode]:
    for node in nodes:
        node_type = type(node)
        if node_type is Text:
            text = node.data
            parent: Any = None if text.isspace() else node.parent
            is_shown = type(parent) is Element and parent.tag not in _NOT_SHOWN
            yield (text, parent, False) if is_shown else None
        elif node_type is Element and node.tag == "time":
            yield node.attr("datetime") or "", node, True
        else:
            yield None
