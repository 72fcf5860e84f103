"""The parts of a page: all that it says, cut where the role changes, or where content ends and template begins."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from dehusk import render
from dehusk.base.tags import PLAINLY_WRITTEN
from dehusk.base.tree import TEXT, Tree
from dehusk.kernels.blocks import trimmed
from dehusk.kernels.sight import pieces
from dehusk.marking.marking import Marking
from dehusk.page import Node, Page, excerpt
from dehusk.page.elements import text_of
from dehusk.page.places import ROOM, Naming
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.roles import Role


class _Written:
    """Writes what a part says when it is first asked for: to find parts takes much less time."""

    __slots__ = ("_excerpts", "_number")
    if TYPE_CHECKING:  # they are no columns of a table of parts
        _excerpts: "_Excerpts"
        _number: int

    def __getattr__(self, name: str) -> str:  # of a field that is not there yet
        if name not in _ON_DEMAND:
            raise AttributeError(name, name=name, obj=self)
        value = self._excerpts.written(name, self._number)
        object.__setattr__(self, name, value)
        return value


@dataclass(frozen=True, slots=True)
class Part(_Written):
    """A part of a page: its role and how sure that is, from 0 to 1, what it says, where it is, whether it is kept.

    What it says and where it is are written when first asked for, from the page.
    """

    role: Role
    text: str
    markdown: str
    path: str
    kept: bool
    confidence: float

    @classmethod
    def of(cls, excerpts: "_Excerpts", number: int, piece: "Piece") -> Self:
        """A part that is not written yet."""
        part = cls.__new__(cls)
        for name, value in (
            *(("role", piece.role), ("kept", piece.kept), ("confidence", piece.confidence)),
            *(("_excerpts", excerpts), ("_number", number)),
        ):
            object.__setattr__(part, name, value)
        return part

    def to_dict(self) -> dict[str, Any]:
        """The part for JSON."""
        return {name: getattr(self, name) for name in _FIELDS}


_SPACES = " \t\n\r\f"
_FIELDS = tuple(field.name for field in fields(Part))
_ON_DEMAND = frozenset({"text", "markdown", "path"})


class Piece(NamedTuple):
    """A part of a page, not written yet: its role and how sure that is, whether it is kept, its largest nodes."""

    role: Role
    kept: bool
    confidence: float
    nodes: list[int]


class _Excerpts:
    """What the pieces of a page say and where they are. Room for links and places is given in page order."""

    def __init__(self, page: Page, pieces: Sequence[Piece], writing: Writing) -> None:
        self._page, self._pieces, self._writing = page, pieces, writing

    def written(self, name: str, number: int) -> str:
        """The text, the Markdown or the path of a piece."""
        if name == "text":
            label = self._label(self._pieces[number].nodes)
            if label:
                line = trimmed(label)
                return f"{line}\n" if line else ""
            with self._opened(number) as inside:
                return render.text_of(inside)
        return (self._markdowns if name == "markdown" else self._paths)[number]

    def _label(self, nodes: list[int]) -> str:
        """What a piece says that is one text in elements that do not change how it is written; else nothing.

        A third of all parts are such. To write them as others takes fifty times as long.
        """
        tree, top = self._page.tree, nodes[0]
        tags = tree.tag[top : top + tree.size[top]]
        if len(nodes) > 1 or tags.count(TEXT) > 1 or not PLAINLY_WRITTEN.issuperset(tags):
            return ""
        _ = self._page.whole  # scripts are in their places, whatever was written before: with one it is no label
        said = text_of(self._page.nodes[top]).strip(_SPACES)
        return said if said == tree.text[top + tags.index(TEXT)] else ""

    def _opened(self, number: int) -> Any:
        nodes = self._page.nodes
        return excerpt(self._page, [nodes[node] for node in self._pieces[number].nodes])

    @cached_property
    def _markdowns(self) -> list[str]:
        addresses, markdowns = render.Addresses(self._page, self._writing), []
        for number in range(len(self._pieces)):
            with self._opened(number) as inside:
                markdowns.append(render.markdown_of(inside, addresses))
        return markdowns

    @cached_property
    def _paths(self) -> list[str]:
        tree = self._page.tree
        naming = Naming(tree, ROOM * len(self._page.html), self._page.labels(("id",)))
        return [naming.path(_common(tree, piece.nodes)) for piece in self._pieces]


def parts_of(marking: Marking, unseen: Sequence[Node], writing: Writing = AS_LEARNED) -> list[Part]:
    """All parts of a marked page in their order. Together they are all that the page says; `unseen` is not written."""
    pieces = list(pieces_of(marking, unseen))
    excerpts = _Excerpts(marking.page, pieces, writing)
    return [Part.of(excerpts, number, piece) for number, piece in enumerate(pieces)]


def pieces_of(marking: Marking, unseen: Sequence[Node]) -> Iterable[Piece]:
    """The parts by the nodes that hold them."""
    tree = marking.page.tree
    unwritten = marking.page.flagged(unseen)
    for role, kept, confidence, nodes in pieces(tree.parent, tree.size, tree.text, marking.roles, unwritten):
        yield Piece(role, kept, round(confidence, 4), nodes)


def _common(tree: Tree, nodes: list[int]) -> int:
    """The innermost element that holds all of these nodes: the only one itself."""
    if len(nodes) == 1:
        return nodes[0]
    return next(above for above in tree.ancestors(nodes[0]) if nodes[-1] < above + tree.size[above])
