"""The parts of a page: its text, split where the role changes, and between content and template."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from dehusk import render
from dehusk.base.shared import Shared
from dehusk.base.tags import PLAINLY_WRITTEN
from dehusk.base.tree import TEXT, Tree
from dehusk.kernels.blocks import trimmed
from dehusk.kernels.sight import pieces
from dehusk.marking.marking import Marking
from dehusk.page import Node, Page, excerpt
from dehusk.page.elements import text_of
from dehusk.page.places import ROOM, Naming
from dehusk.page.sharing import alone, own_property
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.roles import Role


class _Written:
    """Creates text, Markdown and path on first access, since finding the parts takes much less time."""

    __slots__ = ("_excerpts", "_number")
    if TYPE_CHECKING:  # not fields of the data class
        _excerpts: "_Excerpts"
        _number: int

    def __getattr__(self, name: str) -> str:  # called for a field that is not set yet
        if name not in _ON_DEMAND:
            raise AttributeError(name, name=name, obj=self)
        value = self._excerpts.written(name, self._number)
        object.__setattr__(self, name, value)
        return value


@dataclass(frozen=True, slots=True)
class Part(_Written):
    """A part of a page: its role, content, path in the page, whether it is kept, and the confidence from 0 to 1.

    Text, Markdown and path are created from the page on first access.
    """

    role: Role
    text: str
    markdown: str
    path: str
    kept: bool
    confidence: float

    @classmethod
    def of(cls, excerpts: "_Excerpts", number: int, piece: "Piece") -> Self:
        """Creates a part whose text, Markdown and path are not written yet."""
        part = cls.__new__(cls)
        for name, value in (
            *(("role", piece.role), ("kept", piece.kept), ("confidence", piece.confidence)),
            *(("_excerpts", excerpts), ("_number", number)),
        ):
            object.__setattr__(part, name, value)
        return part

    def to_dict(self) -> dict[str, Any]:
        """Returns the part as JSON data."""
        return {name: getattr(self, name) for name in _FIELDS}


_SPACES = " \t\n\r\f"
_FIELDS = tuple(field.name for field in fields(Part))
_ON_DEMAND = frozenset({"text", "markdown", "path"})


class Piece(NamedTuple):
    """A part of a page by its topmost nodes, with its role, whether it is kept, and the confidence."""

    role: Role
    kept: bool
    confidence: float
    nodes: list[int]


class _Excerpts(Shared):
    """Writes the pieces of a page. Limits for links and paths are used up in page order."""

    def __init__(self, page: Page, pieces: Sequence[Piece], writing: Writing) -> None:
        self._page, self._pieces, self._writing = page, pieces, writing
        self.lock = page.lock

    @alone
    def written(self, name: str, number: int) -> str:
        """Returns the text, the Markdown or the path of a piece."""
        if name == "text":
            label = self._label(self._pieces[number].nodes)
            if label:
                line = trimmed(label)
                return f"{line}\n" if line else ""
            with self._opened(number) as inside:
                return render.text_of(inside)
        return (self._markdowns if name == "markdown" else self._paths)[number]

    def _label(self, nodes: list[int]) -> str:
        """Returns the text of a piece with a single text node in elements that do not affect its output; else "".

        A third of all parts are like this. Writing them the usual way takes fifty times as long.
        """
        tree, top = self._page.tree, nodes[0]
        tags = tree.tag[top : top + tree.size[top]]
        if len(nodes) > 1 or tags.count(TEXT) > 1 or not PLAINLY_WRITTEN.issuperset(tags):
            return ""
        _ = self._page.whole  # restores removed scripts, so that a piece with a script is not taken for a label
        said = text_of(self._page.nodes[top]).strip(_SPACES)
        return said if said == tree.text[top + tags.index(TEXT)] else ""

    def _opened(self, number: int) -> Any:
        nodes = self._page.nodes
        return excerpt(self._page, [nodes[node] for node in self._pieces[number].nodes])

    @own_property
    def _markdowns(self) -> list[str]:
        addresses, markdowns = render.Addresses(self._page, self._writing), []
        for number in range(len(self._pieces)):
            with self._opened(number) as inside:
                markdowns.append(render.markdown_of(inside, addresses))
        return markdowns

    @own_property
    def _paths(self) -> list[str]:
        tree = self._page.tree
        naming = Naming(tree, ROOM * len(self._page.html), self._page.labels(("id",)))
        return [naming.path(_common(tree, piece.nodes)) for piece in self._pieces]


def parts_of(marking: Marking, unseen: Sequence[Node], writing: Writing = AS_LEARNED) -> list[Part]:
    """Returns all parts of a marked page in order. Together they have all its text, except the `unseen` nodes."""
    pieces = list(pieces_of(marking, unseen))
    excerpts = _Excerpts(marking.page, pieces, writing)
    return [Part.of(excerpts, number, piece) for number, piece in enumerate(pieces)]


def pieces_of(marking: Marking, unseen: Sequence[Node]) -> Iterable[Piece]:
    """Yields the parts of a marked page by their nodes."""
    tree = marking.page.tree
    unwritten = marking.page.flagged(unseen)
    for role, kept, confidence, nodes in pieces(tree.parent, tree.size, tree.text, marking.roles, unwritten):
        yield Piece(role, kept, round(confidence, 4), nodes)


def _common(tree: Tree, nodes: list[int]) -> int:
    """Returns the innermost node that contains all of these nodes; a single node itself."""
    if len(nodes) == 1:
        return nodes[0]
    return next(above for above in tree.ancestors(nodes[0]) if nodes[-1] < above + tree.size[above])
