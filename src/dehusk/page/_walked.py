"""The body of a document as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from turbohtml import Document, Element, Node

from dehusk.base.tree import Tree
from dehusk.kernels import walking
from dehusk.page._parsing import body

_NO_ATTRIBUTES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Walked:
    """A body as arrays, and the parser's node for each node of them."""

    tree: Tree
    nodes: list[Node]


def walk(document: Document, silent: frozenset[str]) -> Walked:
    """The body of a document, without the silent elements, as arrays."""
    nodes, parent, size, tags, texts, links = walking.walk(body(document), silent)
    return Walked(Tree(parent, size, tags, texts, links, _Attributes(nodes)), nodes)


class _Attributes(Sequence[Mapping[str, str]]):
    """The attributes of each node, read from the parser's element when asked for: most never are."""

    def __init__(self, nodes: list[Node]) -> None:
        self._nodes = nodes

    def __len__(self) -> int:
        return len(self._nodes)

    @overload
    def __getitem__(self, index: int) -> Mapping[str, str]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, str]]: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, str] | Sequence[Mapping[str, str]]:
        if isinstance(index, slice):
            return _Attributes(self._nodes[index])
        node = self._nodes[index]
        if not isinstance(node, Element):
            return _NO_ATTRIBUTES
        return {
            name: " ".join(value) if isinstance(value, list) else value or ""
            for name, value in node.attrs.copy().items()
        }
