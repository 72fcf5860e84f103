"""Blocks and lines, from which text and Markdown are written, and tests for tables, lists, headings and labels.

A line is the text between two breaks and, for Markdown, the marks of links, emphasis, code and images. A block holds
lines and blocks: a heading, list, item, table, row, cell, quotation, definition or code. All other elements only break
lines, or do nothing. Both writers use the functions here, so they agree on what a table is.
"""

from typing import Any

from dehusk.base.tree import Node

LABEL = 40
"""Maximum number of characters of a label."""

LABEL_SPACES = 3
"""Maximum number of spaces in a label: sentences end with colons, too."""

VALUE = 100
"""Maximum number of characters of a value on the line of its label."""

LONG_CELL = 300
"""A table without header cells is layout, not data, if a cell has more characters than this."""

MANY_LINES = 3
"""A heading of more lines was not closed, and does not count as a heading."""

MANY_LETTERS = 3
"""Fewer letters than this may be the start of a word, set in another style."""

LEFTOVER = 12
"""A line of up to this many characters that are all separators is left over from removed parts."""

# The kinds of blocks: C numbers when compiled. Other modules use the public names below.
_HEADING, _LIST, _ITEM, _TABLE, _ROW, _CELL = 40, 41, 42, 43, 44, 45
_QUOTATION, _PRE, _DEFINITIONS, _TERM, _DEFINITION = 46, 47, 48, 49, 50
HEADING, LIST, ITEM, TABLE, ROW, CELL = _HEADING, _LIST, _ITEM, _TABLE, _ROW, _CELL
QUOTATION, PRE, DEFINITIONS, TERM, DEFINITION = _QUOTATION, _PRE, _DEFINITIONS, _TERM, _DEFINITION
RULE = 8
"""A horizontal rule: a block that holds nothing."""

IMAGE, LINK, STRONG, EMPHASIS, CODE, RAISED = 5, 20, 21, 22, 23, 24
SUPERSCRIPT, SUBSCRIPT, STRUCK, FORMULA = 25, 26, 27, 28
"""The kinds of marks in a line. RAISED is the label of a footnote."""

COLONS = (":", "：")
ENDS = (*COLONS, "?", "!", ".", ";", "？", "。")
_SEPARATORS = "|¦»«›‹,;:·•/\\<>–—_-"


class Mark:
    """The start or end of a link, emphasis or code in a line; or an image, the label of a footnote or a formula."""

    __slots__ = ("kind", "label", "node", "opens")

    def __init__(self, kind: int, node: Node, *, opens: bool = True, label: str = "") -> None:
        self.kind, self.node, self.opens, self.label = kind, node, opens, label


class Line:
    """A line, as text and as pieces (texts and marks). `free` says that it is not in a paragraph."""

    __slots__ = ("free", "pieces", "text")

    def __init__(self, text: str, pieces: list[str | Mark], free: bool) -> None:
        self.text, self.pieces, self.free = text, pieces, free


class Block:
    """A part of the page with its own way of writing.

    `divided` says that it holds article elements, `header` that a cell is a header; `number` is the first number of a
    numbered list, else 0.
    """

    __slots__ = ("divided", "header", "inside", "kind", "node", "number")

    def __init__(self, kind: int, node: Any) -> None:  # `node` is not a node if read from markup
        self.kind, self.node, self.number = kind, node, 0
        self.divided = self.header = False
        self.inside: list[Line | Block] = []


def says(line: str) -> bool:
    """Returns whether a line has more than separators."""
    for char in line:
        if char not in _SEPARATORS and not char.isspace():
            return True
    return False


def trimmed(line: str) -> str:
    """Returns a line without the separators at its end that removed parts leave; "" if nothing else is left."""
    size = len(line)
    if size <= LEFTOVER and not says(line):
        return ""
    last = line[size - 1]  # compiled code has no negative indexes
    if last == "¶":
        line = line.rstrip(" ¶")
    elif last == "|" and line.endswith(" |") and not line.startswith("|"):
        line = line.rstrip(" |")
    return line


def is_new_word(end: str, length: int, start: str) -> bool:
    """Returns whether a text that begins with `start` is clearly a new word: style sheets separate it on the page.

    `end` is the last character of the text before it, and `length` the size of that text.
    """
    if not end or not (start[:1].isupper() or start[:1].isdigit()):
        return False
    if end in "):":
        return True
    shouted = end.isupper() and start[1:2].islower()  # a brand before a name
    return length >= MANY_LETTERS and bool(end.islower() or shouted)


def is_label(text: str) -> bool:
    """Returns whether a line is a label for the next line."""
    if not text or len(text) > LABEL:
        return False
    last = text[len(text) - 1]  # compiled code has no negative indexes
    return (last == ":" or last == "：") and "\n" not in text and text.count(" ") <= LABEL_SPACES


def is_value(text: str) -> bool:
    """Returns whether a line is short enough to follow a label on its line, and is not a label itself."""
    if not text or len(text) > VALUE:
        return False
    last = text[len(text) - 1]
    return last != ":" and last != "：" and "\n" not in text


def blocks(block: Block) -> list[Block]:
    """Returns the blocks in a block."""
    return [part for part in block.inside if type(part) is Block]


def is_heading(block: Block) -> bool:
    """Returns whether a heading was closed before the next part of the page."""
    return len(block.inside) <= MANY_LINES and not blocks(block)


def lays_out(items: Block) -> bool:
    """Returns whether a list lays out the page: its items hold articles (such as posts), headings or tables."""
    if items.divided:
        return True
    for item in blocks(items):
        for part in blocks(item):
            if part.kind == _HEADING or part.kind == _TABLE:
                return True
    return False


def is_glossary(definitions: Block) -> bool:
    """Returns whether every term has one definition, and all of them are one line each."""
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
    """Returns a data table unchanged; of a layout table its rows of labels and values, and the content of its cells."""
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
    """Returns the cells of a row that are not empty."""
    cells: list[Any] = row.inside
    for cell in cells:
        if type(cell) is not Block or not cell.inside:
            return [full for full in cells if type(full) is Block and full.inside]
    return cells


def is_line(cells: list[Block]) -> bool:
    """Returns whether cells fit on one line: each is a single line, and all but the last are short."""
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
    """Returns whether these rows have a header cell."""
    for row in rows:
        for cell in row.inside:
            if type(cell) is Block and cell.header:
                return True
    return False


def is_data(rows: list[Block]) -> bool:
    """Returns whether rows are data: cells of lines only. With several or long lines in a cell, a header is needed."""
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
