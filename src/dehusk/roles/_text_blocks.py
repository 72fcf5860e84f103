"""A page cut into blocks: the texts that stand in one paragraph, cell, item or heading, in page order."""

import re
from dataclasses import dataclass

from dehusk.base.tags import BLOCKS
from dehusk.base.tree import TEXT, Tree, letters

_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Texts beside each other in one element, `node`: what they say, how many of their letters are links, and to where.

    `number` is its place among the blocks of the page.
    """

    number: int
    node: int
    texts: tuple[int, ...]
    text: str
    size: int
    linked: int
    anchors: tuple[int, ...]

    @property
    def links(self) -> int:
        """How many links there are."""
        return len(self.anchors)

    @property
    def share_linked(self) -> float:
        """How much of it is links, from 0 to 1."""
        return self.linked / self.size if self.size else 0.0


def size_of(text: str) -> int:
    """How much a text says: its letters, where a Chinese character counts as three."""
    return letters(text) if text.isascii() else letters(text) + 2 * len(_DENSE.findall(text))


def blocks_of(tree: Tree) -> list[TextBlock]:
    """The blocks of a page. Each text with something to say is in one of them."""
    holder, link = _holders(tree)
    runs: list[tuple[int, list[int]]] = []
    for node, text in enumerate(tree.text):
        if text:
            if not runs or runs[-1][0] != holder[node]:
                runs.append((holder[node], []))
            runs[-1][1].append(node)
    return [_block(tree, number, node, texts, link) for number, (node, texts) in enumerate(runs)]


def _block(tree: Tree, number: int, node: int, texts: list[int], link: list[int]) -> TextBlock:
    sizes = [size_of(tree.text[one]) for one in texts]
    linked = sum(size for size, one in zip(sizes, texts, strict=True) if link[one])
    anchors = tuple(dict.fromkeys(link[one] for one in texts if link[one]))
    return TextBlock(number, node, tuple(texts), " ".join(tree.text[one] for one in texts), sum(sizes), linked, anchors)


def _holders(tree: Tree) -> tuple[list[int], list[int]]:
    """The innermost block and the link that each node is in; 0 where it is in no link."""
    holder, link = [0] * len(tree), [0] * len(tree)
    for node in range(1, len(tree)):
        tag, parent = tree.tag[node], tree.parent[node]
        holder[node] = node if tag != TEXT and tag in BLOCKS else holder[parent]
        link[node] = node if tag == "a" else link[parent]
    return holder, link
