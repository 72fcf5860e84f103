"""The parts of a page: all that it says, cut where the role changes, or where content ends and template begins."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import accumulate, groupby

from dehusk import render
from dehusk.base.tree import Tree, letters
from dehusk.marking.marking import Marking
from dehusk.page import Node, excerpt
from dehusk.page.places import ROOM, Naming
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.roles import Role


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page: its role and how sure that is, from 0 to 1, what it says, where it is, whether it is kept."""

    role: Role
    text: str
    markdown: str
    path: str
    kept: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class _SaidText:
    """A text of the page: its node, its role and how sure that is."""

    node: int
    role: Role
    kept: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a page, not written yet: its role and how sure that is, whether it is kept, its largest nodes."""

    role: Role
    kept: bool
    confidence: float
    nodes: list[int]


def parts_of(marking: Marking, unseen: Collection[Node], writing: Writing = AS_LEARNED) -> list[Part]:
    """All parts of a marked page in their order. Together they are all that the page says; `unseen` is not written."""
    marking.page.root()  # each node in its place, whatever was written before
    page = marking.page
    addresses, naming = render.Addresses(page, writing), Naming(page.tree, ROOM * len(page.html))
    return [_part(marking, piece, addresses, naming) for piece in pieces_of(marking, unseen)]


def pieces_of(marking: Marking, unseen: Collection[Node]) -> Iterable[Piece]:
    """The parts by the nodes that hold them: to write a part takes much longer than to find it."""
    tree = marking.page.tree
    unwritten = bytearray(marking.flags)
    for number, node in enumerate(marking.page.nodes):
        if node in unseen:
            unwritten[number : number + tree.size[number]] = b"\1" * tree.size[number]
    said = [
        _SaidText(text, judged.role, not unwritten[text], judged.confidence)
        for judged in marking.roles
        for text in judged.block.texts
    ]
    before = [0, *accumulate(map(bool, tree.text))]  # texts before each node
    for (role, kept), group in groupby(said, key=lambda judged: (judged.role, judged.kept)):
        together = list(group)
        sizes = [letters(tree.text[judged.node]) or 1 for judged in together]
        sure = sum(size * judged.confidence for size, judged in zip(sizes, together, strict=True)) / sum(sizes)
        yield Piece(role, kept, round(sure, 4), list(_cover(tree, [judged.node for judged in together], before)))


def _part(marking: Marking, piece: Piece, addresses: render.Addresses, naming: Naming) -> Part:
    tree, nodes = marking.page.tree, marking.page.nodes
    document = excerpt([nodes[node] for node in piece.nodes])
    written = render.text_of(document), render.markdown_of(document, addresses)
    return Part(piece.role, *written, naming.path(_common(tree, piece.nodes)), piece.kept, piece.confidence)


def _cover(tree: Tree, texts: list[int], before: list[int]) -> Iterable[int]:
    """The largest nodes that hold these texts and no others; the texts follow each other on the page."""
    first, last = before[texts[0]], before[texts[-1] + 1]
    end = 0
    for text in texts:
        if text < end:
            continue
        node = text
        while (parent := tree.parent[node]) > 0:
            if before[parent] < first or before[parent + tree.size[parent]] > last:
                break
            node = parent
        end = node + tree.size[node]
        yield node


def _common(tree: Tree, nodes: list[int]) -> int:
    """The innermost element that holds all of these nodes: the only one itself."""
    if len(nodes) == 1:
        return nodes[0]
    return next(above for above in tree.ancestors(nodes[0]) if nodes[-1] < above + tree.size[above])
