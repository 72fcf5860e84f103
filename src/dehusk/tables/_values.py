"""The values of a page: each text that is no label, with the label before it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from dehusk.base.tags import CELLS, HEADINGS
from dehusk.tables._labels import Vocabulary, folded, is_separator, label_text, may_be_label, split
from dehusk.tables.lines import Line, Read

SHORT_LINE = 30
"""A line with more words is prose: its pieces are no values of their own."""

MOST_PIECES = 12
"""A line with more pieces is no line of values."""

LEVELS = 4
"""A label names what follows in the first element around it that has more text, up to so many levels."""

FEW = 8
"""How many texts follow a label that is not sure, in the element around both."""

_NAMING = frozenset({"th", "dt"})


class Grain(Enum):
    """What a value is of its line: all of it, a piece, or both if the line has one piece."""

    LINE = 1
    PIECE = 2
    BOTH = 3


class Value(NamedTuple):
    """A text of a page that may be the value of a column."""

    text: str
    written: str
    """The whole text that it is part of."""
    node: int
    place: str
    exact: str
    """Its place, with the numbers of equal siblings and of its line."""
    label: str
    """What people see before it; "" if nothing names it."""
    grain: "Grain"
    """Whether it is all of its line, without the label."""
    share: float
    """Where it stands on the page, from 0 to 1."""
    linked: bool = False
    """Whether it is a link."""
    naming: bool = False
    """Whether it is itself a label."""
    by: int = -1
    """The text with the label; -1 if there is none."""
    near: bool = False
    """Whether its label is in its line or row, not above it."""
    block: str = ""
    """The place of its block, if it is a whole line of it; else ""."""
    stated: str = ""
    """What the page calls it for machines; "" if it is a visible text."""


@dataclass(slots=True)
class _Part:
    """A label and the pieces that follow it in a line."""

    label: str = ""
    sure: bool = False
    node: int = -1
    near: bool = True
    pieces: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Parsed:
    """A line, its parts, and the pieces that are labels."""

    line: Line
    parts: list[_Part]
    labels: list[int]

    @property
    def only_label(self) -> bool:
        return not any(part.pieces for part in self.parts) and bool(self.parts[-1].label)


@dataclass(slots=True)
class _Open:
    """A label line, which names what follows, up to the end of an element.

    One that is not sure names the next line, and those that follow at the same place.
    """

    part: _Part
    end: int
    texts: int
    """How many texts follow up to there."""
    place: str = ""

    def awaits(self, page: Read, each: _Parsed) -> bool:
        """Whether the next line is its value although it looks like a label: beside it in a row, at another place."""
        line = each.line
        if self.place or each.parts[-1].sure or line.first >= self.end or self.texts > FEW:
            return False
        return page.path(each.labels[0]) != page.path(self.part.node)

    def names(self, line: Line, place: str) -> bool:
        self.place = self.place or place
        return line.first < self.end and (self.part.sure or place == self.place)


def values_of(page: Read, known: Vocabulary) -> Iterator[Value]:
    """Yields the values of a page, in page order, and its labels."""
    parsed = [_parsed(page, line, known) for line in page.lines]
    heads = _Heads(page, parsed)
    opened: _Open | None = None
    for each in parsed:
        line = each.line
        for node in each.labels:
            yield _value(page, line, node, page.tree.text[node], "", naming=True)
        if each.only_label:
            if opened is not None and opened.awaits(page, each):
                opened.place = page.path(line.block)
                yield from _values(page, line, opened.part, [(node, page.tree.text[node]) for node in line.pieces])
            else:
                opened = None if heads.add(each) else _opened(page, each)
            continue
        above = heads.label(line)
        if above is None and opened is not None and opened.names(line, page.path(line.block)):
            above = opened.part
        for part in each.parts:
            yield from _values(page, line, part if part.label or above is None else above, part.pieces)


def used(known: Vocabulary, pages: Sequence[Read]) -> Vocabulary:
    """Returns the labels without those that name nothing where they stand: such texts may be values themselves."""
    naming = {
        (page.path(value.by), folded(value.label))
        for page in pages
        for value in values_of(page, known)
        if value.by >= 0
    }
    return replace(known, weak=known.weak & naming)


def _parsed(page: Read, line: Line, known: Vocabulary) -> _Parsed:
    parts: list[_Part] = [_Part()]
    labels = []
    for node in line.pieces:
        text = page.tree.text[node]
        sure = _label(page, line, node, text, known)
        if sure is not None:
            labels.append(node)
        _add(parts, node, text, sure, known)
    return _Parsed(line, parts, labels)


class _Heads:
    """The heads of tables: rows of labels, which name the cells below them."""

    def __init__(self, page: Read, parsed: Sequence[_Parsed]) -> None:
        self._page = page
        self._labels: dict[tuple[int, int], _Part] = {}
        """The label of each column, by table and number of the cell."""
        self._cells: dict[int, int] = {}
        rows: dict[int, list[_Parsed]] = {}
        for each in parsed:
            cell = self._cell(each.line)
            if cell >= 0:
                rows.setdefault(page.tree.parent[cell], []).append(each)
        labelled = {row: sum(each.only_label for each in some) for row, some in rows.items()}
        below = dict(pairwise([*rows, -1]))
        self._rows = {
            row for row, some in rows.items() if 1 < len(some) == labelled[row] and not labelled.get(below[row], 0)
        }

    def add(self, each: _Parsed) -> bool:
        """Notes a label line if it is in a head."""
        cell = self._cell(each.line)
        row = self._page.tree.parent[cell] if cell >= 0 else -1
        if row not in self._rows:
            return False
        self._labels[self._page.tree.parent[row], self._number(cell)] = each.parts[-1]
        return True

    def label(self, line: Line) -> _Part | None:
        """Returns the label of the column that a line is in; None if there is none."""
        tree, cell = self._page.tree, self._cell(line) if self._labels else -1
        if cell < 0:
            return None
        return self._labels.get((tree.parent[tree.parent[cell]], self._number(cell)))

    def _cell(self, line: Line) -> int:
        """Returns the cell that a line is in; -1 if it is in none."""
        tree, node = self._page.tree, line.block
        for _ in range(LEVELS):
            if tree.tag[node] in CELLS:
                return node
            node = tree.parent[node]
            if node <= self._page.first:
                break
        return -1

    def _number(self, cell: int) -> int:
        if cell not in self._cells:
            for number, other in enumerate(self._page.tree.children(self._page.tree.parent[cell])):
                self._cells[other] = number
        return self._cells[cell]


def _opened(page: Read, each: _Parsed) -> _Open | None:
    """Returns the label of a line that has nothing else; None if nothing follows that it may name."""
    label = each.parts[-1]
    end, texts = _scope(page, each.line, label)
    label.near = texts <= FEW
    return _Open(label, end, texts) if end else None


def _add(parts: list[_Part], node: int, text: str, sure: bool | None, known: Vocabulary) -> None:
    """Adds a piece of a line to its parts: a label begins a new one, and so does "Label: value"."""
    last = parts[-1]
    if sure or (sure is False and (last.pieces or not last.label)):
        parts.append(_Part(label_text(text), bool(sure), node))
        return
    said = split(text) if ":" in text or "：" in text else None
    if said and said[1] and said[0].casefold() in known.heads:
        parts += [_Part(said[0], sure=True, node=node, pieces=[(node, said[1])]), _Part()]
    elif last.pieces or not is_separator(text):
        last.pieces.append((node, text))


def _label(page: Read, line: Line, node: int, text: str, known: Vocabulary) -> bool | None:
    """Returns True for a sure label, False for a text that may be one, None for none."""
    if not may_be_label(text):
        return None
    name, tag = folded(text), page.tree.tag[line.block]
    strong = name in known.strong
    if strong and (tag in _NAMING or text.endswith((":", "："))):
        return True
    if (page.path(node), name) not in known.weak or (tag not in HEADINGS and page.is_linked(node, line.block)):
        return None
    return strong or tag in HEADINGS


def _scope(page: Read, line: Line, label: _Part) -> tuple[int, int]:
    """Returns the end of the element in which a label line names what follows, 0 for none, and how many texts follow.

    A text that may be a label is one only if little follows, as in a row, or an element with a label and a value.
    """
    tree, after, node = page.tree, line.pieces[-1] + 1, line.block
    if not label.sure and tree.parent[line.pieces[-1]] == node and _texts(tree.text, after, node + tree.size[node]):
        return 0, 0  # lines of one text look the same
    for _ in range(LEVELS):
        end = node + tree.size[node]
        texts = _texts(tree.text, after, end)
        if texts:
            return (end if label.sure or texts <= FEW else 0), texts
        if node <= page.first:
            break
        node = tree.parent[node]
    return 0, 0


def _texts(texts: Sequence[str], start: int, end: int) -> int:
    """Returns how many texts are in a range of nodes, up to one more than FEW."""
    count = 0
    for node in range(start, end):
        if texts[node]:
            count += 1
            if count > FEW:
                break
    return count


def _values(page: Read, line: Line, part: _Part, pieces: Sequence[tuple[int, str]]) -> Iterator[Value]:
    """Yields the values of a part of a line: its only piece, its links, or all of it and its pieces."""
    label, by = part.label, part.node
    inside = line.first <= by <= line.pieces[-1]  # the texts of a line have no others between them
    block = "" if inside else page.path(line.block)
    said = [(node, text) for node, text in pieces if not is_separator(text)]
    if not said:
        return
    if len(said) == 1 or all(page.is_linked(node, line.block) for node, _ in said):
        for node, text in said:
            yield _value(page, line, node, text, label, by=by, near=part.near, block=block if len(said) == 1 else "")
        return
    joined, first = _tidy(" ".join(text for _, text in pieces)), said[0][0]
    place, exact = page.path(line.block), f"{page.exact(line.block)}@{line.number}"
    share = first / len(page.tree)
    yield Value(joined, joined, first, place, exact, label, Grain.LINE, share, by=by, near=part.near, block=block)
    if len(said) <= MOST_PIECES and joined.count(" ") < SHORT_LINE:
        for node, text in said:
            yield _value(
                page, line, node, text, label if node == first else "", grain=Grain.PIECE, by=by, near=part.near
            )


def _value(
    page: Read,
    line: Line,
    node: int,
    text: str,
    label: str,
    *,
    grain: Grain = Grain.BOTH,
    naming: bool = False,
    by: int = -1,
    near: bool = False,
    block: str = "",
) -> Value:
    return Value(
        text,
        page.tree.text[node],
        node,
        page.path(node),
        f"{page.exact(node)}@{line.number}",
        label,
        grain,
        node / len(page.tree),
        page.is_linked(node, line.block),
        naming,
        by,
        near,
        block,
    )


def _tidy(text: str) -> str:
    return text.replace(" ,", ",").replace(" .", ".").replace(" )", ")").replace("( ", "(")
