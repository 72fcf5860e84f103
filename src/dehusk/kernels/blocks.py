"""Blocks and lines, which text and Markdown are written from, and what makes a table, a list, a heading or a label.

A line is what stands between two breaks: its text and, for Markdown, the marks of links, emphasis, code and images. A
block holds lines and blocks: a heading, list, item, table, row, cell, quotation, definition or code. All other
elements only break lines, or do nothing. Both writers ask the functions here, so they agree on what is a table.
"""

from typing import Any

from dehusk.base.tree import Node

LABEL = 40
"""A label has at most this many characters, ..."""

LABEL_SPACES = 3
"""... this many spaces, since sentences end in colons, too; and the value on the same line ..."""

VALUE = 100
"""... has at most this many."""

LONG_CELL = 300
"""A table whose header is not marked as such and that has a cell of more characters than this lays out a page."""

MANY_LINES = 3
"""A heading of more lines was not closed: it is no heading."""

LEFTOVER = 12
"""A line of at most this many characters that are all separators is what is left where others went."""

# The kinds of blocks: numbers of C where this is compiled. Others use the names below.
_HEADING, _LIST, _ITEM, _TABLE, _ROW, _CELL = 40, 41, 42, 43, 44, 45
_QUOTATION, _PRE, _DEFINITIONS, _TERM, _DEFINITION = 46, 47, 48, 49, 50
HEADING, LIST, ITEM, TABLE, ROW, CELL = _HEADING, _LIST, _ITEM, _TABLE, _ROW, _CELL
QUOTATION, PRE, DEFINITIONS, TERM, DEFINITION = _QUOTATION, _PRE, _DEFINITIONS, _TERM, _DEFINITION
RULE = 8
"""A line across the page: a block that holds nothing."""

IMAGE, LINK, STRONG, EMPHASIS, CODE, RAISED = 5, 20, 21, 22, 23, 24
"""The kinds of marks in a line."""

COLONS = (":", "：")
ENDS = (*COLONS, "?", "!", ".", ";", "？", "。")
_SEPARATORS = "|¦»«›‹,;:·•/\\<>–—_-"


class Mark:
    """Where a link, an emphasis or code begins or ends in a line; or an image, or the label of a footnote."""

    __slots__ = ("kind", "label", "node", "opens")

    def __init__(self, kind: int, node: Node, *, opens: bool = True, label: str = "") -> None:
        self.kind, self.node, self.opens, self.label = kind, node, opens, label


class Line:
    """What stands between two breaks, as text and as texts and marks. `free` says that it is no paragraph."""

    __slots__ = ("free", "pieces", "text")

    def __init__(self, text: str, pieces: list[str | Mark], free: bool) -> None:
        self.text, self.pieces, self.free = text, pieces, free


class Block:
    """A part of the page that is written in a way of its own.

    `divided` says that it holds articles of the page, `header` that a cell is a header; `number` is the first of a
    numbered list, 0 for any other.
    """

    __slots__ = ("divided", "header", "inside", "kind", "node", "number")

    def __init__(self, kind: int, node: Any) -> None:  # none where it was read from markup
        self.kind, self.node, self.number = kind, node, 0
        self.divided = self.header = False
        self.inside: list[Line | Block] = []


def says(line: str) -> bool:
    """Whether a line says something, rather than separate what is gone."""
    for char in line:
        if char not in _SEPARATORS and not char.isspace():
            return True
    return False


def is_label(text: str) -> bool:
    """Whether a line names what comes next."""
    if not text or len(text) > LABEL:
        return False
    last = text[len(text) - 1]  # compiled, nothing counts from the end
    return (last == ":" or last == "：") and "\n" not in text and text.count(" ") <= LABEL_SPACES


def is_value(text: str) -> bool:
    """Whether a line is short enough to stand beside its label, and no label itself."""
    if not text or len(text) > VALUE:
        return False
    last = text[len(text) - 1]
    return last != ":" and last != "：" and "\n" not in text


def blocks(block: Block) -> list[Block]:
    """The blocks in a block."""
    return [part for part in block.inside if type(part) is Block]


def is_heading(block: Block) -> bool:
    """Whether a heading was closed before the next part of the page began."""
    return len(block.inside) <= MANY_LINES and not blocks(block)


def lays_out(items: Block) -> bool:
    """Whether a list holds parts of a page: items with articles, such as posts, or with headings or tables."""
    if items.divided:
        return True
    for item in blocks(items):
        for part in blocks(item):
            if part.kind == _HEADING or part.kind == _TABLE:
                return True
    return False


def is_glossary(definitions: Block) -> bool:
    """Whether every term has one meaning, each of them one line."""
    expected = _TERM
    for part in definitions.inside:
        if type(part) is not Block or part.kind != expected or len(part.inside) != 1:
            return False
        line = part.inside[0]
        if type(line) is not Line or "\n" in line.text:
            return False
        expected = _DEFINITION if expected == _TERM else _TERM
    return expected == _TERM


def dissolved(table: Block) -> list[Line | Block]:
    """A table of data as it is; one that lays out a page as the rows of labels and values, and all else it holds."""
    parts: list[Line | Block] = []
    rows: list[Block] = []
    for part in table.inside:
        if type(part) is Block and part.kind == _ROW:
            if full_cells(part):
                rows.append(part)
        else:
            parts.append(part)
    if is_data(rows):
        table.inside = list(rows)
        parts.append(table)
        return parts
    for row in rows:
        cells = full_cells(row)
        if len(cells) > 1 and is_line(cells):
            row.inside = list(cells)
            parts.append(row)
        else:
            for cell in cells:
                parts.extend(cell.inside)
    return parts


def full_cells(row: Block) -> list[Block]:
    """The cells of a row that hold something."""
    cells: list[Any] = row.inside
    for cell in cells:
        if type(cell) is not Block or not cell.inside:
            return [full for full in cells if type(full) is Block and full.inside]
    return cells


def is_line(cells: list[Block]) -> bool:
    """Whether cells can stand on one line: each is a line itself, and all but the last are short."""
    last = len(cells) - 1
    for number in range(last + 1):
        cell = cells[number]
        line = cell.inside[0]
        if len(cell.inside) > 1 or type(line) is not Line or "\n" in line.text:
            return False
        if number < last and len(line.text) > VALUE:
            return False
    return True


def is_headed(rows: list[Block]) -> bool:
    """Whether a cell of these rows is marked as a header."""
    for row in rows:
        for cell in row.inside:
            if type(cell) is Block and cell.header:
                return True
    return False


def is_data(rows: list[Block]) -> bool:
    """Whether rows hold data: cells of plain lines. Several in a cell, or long ones, must be under a marked header."""
    wide = long = False
    for row in rows:
        cells = full_cells(row)
        for cell in cells:
            long = long or len(cell.inside) > 1
            for part in cell.inside:
                if type(part) is not Line:
                    return False
                long = long or len(part.text) > LONG_CELL or "\n" in part.text
        wide = wide or len(cells) > 1
    return wide and len(rows) > 1 and (not long or is_headed(rows))
