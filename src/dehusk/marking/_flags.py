"""Flags of the nodes of a tree: closed over it, their topmost nodes, and the guard that leaves a page its own text."""

from collections.abc import Collection, Iterable

from dehusk.base.errors import PageWarning
from dehusk.base.tags import FRAME, INLINE
from dehusk.base.tree import TEXT, Tree

NEARLY_ALL = 0.02
FEW_CHARACTERS = 10
"""The guard acts if less than this share of the text, and fewer word characters than this, would be left."""

_GLANCE = 40
_TITLE = "h1"


def enough(kept: Iterable[str]) -> bool:
    """Returns whether texts have enough word characters to skip the guard. Mostly the first texts are enough."""
    count = 0
    for text in kept:
        count += sum(map(str.isalnum, text[:_GLANCE]))
        if count >= FEW_CHARACTERS:
            return True
    return False


def closed(tree: Tree, flags: bytearray) -> bytearray:
    """Keeps only the flags of nodes whose whole subtree is flagged."""
    kept = bytearray(flags)
    for node in range(len(tree) - 1, 0, -1):
        if not kept[node]:
            kept[tree.parent[node]] = 0
    return kept


def topmost(tree: Tree, flags: bytearray) -> list[int]:
    """Returns the flagged nodes that have no flagged ancestor but the root; not the root itself."""
    parent = tree.parent
    return [node for node, gone in enumerate(flags) if gone and node and (parent[node] == 0 or not flags[parent[node]])]


def guarded(tree: Tree, flags: bytearray) -> tuple[bytearray, list[PageWarning]]:
    """The guard: returns flags that leave the page its own text, and a warning if it had to change them."""
    kept = [text for text, gone in zip(tree.text, flags, strict=True) if not gone and text]
    whole = sum(map(len, tree.text))
    if not whole:
        return flags, [PageWarning.NO_TEXT]
    if sum(map(len, kept)) >= NEARLY_ALL * whole or sum(map(str.isalnum, "".join(kept))) >= FEW_CHARACTERS:
        return flags, []
    own = bytearray(flags)
    for node in _own_texts(tree):
        own[node] = 0
    if all(own[node] for node, text in enumerate(tree.text) if text):
        own = bytearray(len(flags))
    return closed(tree, own), [PageWarning.NEARLY_ALL]


def wholly(tree: Tree, texts: Collection[int]) -> Iterable[int]:
    """Yields these texts, and the elements that hold no other text, with their descendants; never the root."""
    other, chosen = bytearray(len(tree)), bytearray(len(tree))
    for node, text in enumerate(tree.text):
        chosen[node], other[node] = node in texts, bool(text) and node not in texts
    for node in range(len(tree) - 1, 0, -1):
        chosen[tree.parent[node]] |= chosen[node]
        other[tree.parent[node]] |= other[node]
    inside = bytearray(len(tree))
    for node in range(1, len(tree)):
        inside[node] = inside[tree.parent[node]] or (chosen[node] and not other[node])
        if inside[node]:
            yield node


def _own_texts(tree: Tree) -> list[int]:
    """Returns the page's own texts, as a guess: its title, and texts outside FRAME; links only beside other text."""
    size = len(tree)
    frame, linked, block = bytearray(size), bytearray(size), [0] * size
    texts, with_words = [], set()
    for node, tag in enumerate(tree.tag):
        above = max(0, tree.parent[node])
        frame[node] = tag != _TITLE and (tag in FRAME or frame[above])
        linked[node] = tag == "a" or linked[above]
        block[node] = block[above] if tag == TEXT or tag in INLINE else node
        if tag == TEXT and not frame[node]:
            texts.append(node)
            if not linked[node]:
                with_words.add(block[node])
    return [node for node in texts if not linked[node] or block[node] in with_words]
