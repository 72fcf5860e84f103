"""The values of a page: each text that is no label, with the label before it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dehusk.base.tags import HEADINGS
from dehusk.tables._labels import SEPARATOR, Vocabulary, folded, label_text, may_be_label, split
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


@dataclass(frozen=True, slots=True)
class Value:
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
    whole: bool
    """Whether it is all of its line, without the label."""
    share: float
    """Where it stands on the page, from 0 to 1."""
    linked: bool = False
    """Whether it is a link."""
    naming: bool = False
    """Whether it is itself a label."""


@dataclass(slots=True)
class _Open:
    """A label line, which names what follows, up to the end of an element. One that is not sure names one line."""

    label: str
    end: int
    sure: bool
    lines: int = 0

    def names(self, line: Line) -> bool:
        return line.first < self.end and (self.sure or not self.lines)


@dataclass(slots=True)
class _Part:
    """A label and the pieces that follow it in a line."""

    label: str = ""
    sure: bool = False
    pieces: list[tuple[int, str]] = field(default_factory=list)


def values_of(page: Read, known: Vocabulary) -> Iterator[Value]:
    """Yields the values of a page, in page order, and its labels."""
    opened: _Open | None = None
    for line in page.lines:
        parts: list[_Part] = [_Part()]
        for node in line.pieces:
            text = page.tree.text[node]
            sure = _label(page, line, node, text, known)
            if sure is not None:
                yield _value(page, line, node, text, "", naming=True)
            _add(parts, node, text, sure, known)
        if not any(part.pieces for part in parts):
            label = parts[-1]
            if label.label:
                end = _scope(page, line, label)
                opened = _Open(label.label, end, label.sure) if end else None
            continue
        above = opened.label if opened is not None and opened.names(line) else ""
        for part in parts:
            yield from _values(page, line, part.label or above, part.pieces)
        if opened is not None:
            opened.lines += 1


def _add(parts: list[_Part], node: int, text: str, sure: bool | None, known: Vocabulary) -> None:
    """Adds a piece of a line to its parts: a label begins a new one, and so does "Label: value"."""
    last = parts[-1]
    if sure or (sure is False and (last.pieces or not last.label)):
        parts.append(_Part(label_text(text), bool(sure)))
        return
    said = split(text)
    if said and said[1] and said[0].casefold() in known.heads:
        parts += [_Part(said[0], sure=True, pieces=[(node, said[1])]), _Part()]
    elif last.pieces or not SEPARATOR.fullmatch(text):
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


def _scope(page: Read, line: Line, label: _Part) -> int:
    """Returns the end of the element in which a label line names what follows; 0 for none.

    A text that may be a label is one only if little follows, as in a row, or an element with a label and a value.
    """
    tree, after, node = page.tree, line.pieces[-1] + 1, line.block
    for _ in range(LEVELS):
        end = node + tree.size[node]
        texts = sum(map(bool, tree.text[after:end]))
        if texts:
            return end if label.sure or texts <= FEW else 0
        if node <= page.first:
            break
        node = tree.parent[node]
    return 0


def _values(page: Read, line: Line, label: str, pieces: Sequence[tuple[int, str]]) -> Iterator[Value]:
    """Yields the values of a part of a line: its only piece, its links, or all of it and its pieces."""
    said = [(node, text) for node, text in pieces if not SEPARATOR.fullmatch(text)]
    if len(said) == 1 or all(page.is_linked(node, line.block) for node, _ in said):
        for node, text in said:
            yield _value(page, line, node, text, label)
        return
    joined, first = _tidy(" ".join(text for _, text in pieces)), said[0][0]
    place, exact = page.path(line.block), f"{page.exact(line.block)}@{line.number}"
    yield Value(joined, joined, first, place, exact, label, whole=True, share=first / len(page.tree))
    if len(said) <= MOST_PIECES and joined.count(" ") < SHORT_LINE:
        for node, text in said:
            yield _value(page, line, node, text, label if node == first else "", whole=False)


def _value(
    page: Read, line: Line, node: int, text: str, label: str, *, whole: bool = True, naming: bool = False
) -> Value:
    written = page.tree.text[node]
    exact = f"{page.exact(node)}@{line.number}"
    linked = page.is_linked(node, line.block)
    return Value(text, written, node, page.path(node), exact, label, whole, node / len(page.tree), linked, naming)


def _tidy(text: str) -> str:
    return text.replace(" ,", ",").replace(" .", ".").replace(" )", ")").replace("( ", "(")
