"""A document as blocks and lines, which text and Markdown are written from, in one pass over the parser's nodes.

A line is what stands between two breaks: texts and, where they are asked for, the marks of links, emphasis, code and
images. A block holds lines and blocks: a heading, list, item, table, row, cell, quotation, definition or code. All
other elements only break lines, or do nothing. Tables and lists that lay out a page are dissolved here, so whatever is
written from the blocks agrees on what is a table. Blocks are nested to a limit, and so is what is written.
"""

import re
from collections.abc import Collection, Iterable
from typing import Any

from turbohtml import Element, Text

from dehusk.base import tags
from dehusk.base.tree import Node

BREAK = "\0"
"""A piece of a line: it goes on below. No parsed text has this character."""

DEEPEST_BLOCK = 60
"""How many blocks may be nested; those further inside only break lines. Old pages nest ten tables of three levels."""

DEEPEST_LIST = 8
"""How many lists, quotations and definitions may be nested: each indents what is written in it."""

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

MANY_LETTERS = 3
"""Less than this may be the first letters of a word, set in another style."""

LEFTOVER = 12
"""A line of at most this many characters that are all separators is what is left where others went."""

# What an element does to the text around it: numbers of C where this is compiled. Writers use the names below.
_INLINE, _SKIPPED, _BREAKS, _PARAGRAPH, _BR, _IMAGE, _SPACED, _QUOTED, _RULE = 0, 1, 2, 3, 4, 5, 6, 7, 8
_LINK, _STRONG, _EMPHASIS, _CODE, _RAISED = 20, 21, 22, 23, 24
_HEADING, _LIST, _ITEM, _TABLE, _ROW, _CELL = 40, 41, 42, 43, 44, 45
_QUOTATION, _PRE, _DEFINITIONS, _TERM, _DEFINITION = 46, 47, 48, 49, 50

IMAGE, RULE = _IMAGE, _RULE
LINK, STRONG, EMPHASIS, CODE, RAISED = _LINK, _STRONG, _EMPHASIS, _CODE, _RAISED
HEADING, LIST, ITEM, TABLE, ROW = _HEADING, _LIST, _ITEM, _TABLE, _ROW
QUOTATION, PRE, DEFINITIONS, TERM = _QUOTATION, _PRE, _DEFINITIONS, _TERM

EFFECTS = {
    **dict.fromkeys(tags.BLOCKS, _BREAKS),  # but for those below
    **dict.fromkeys(tags.UNREAD, _SKIPPED),
    **dict.fromkeys(tags.SPACED, _SPACED),
    **dict.fromkeys(tags.CODE, _CODE),
    **dict.fromkeys(tags.HEADINGS, _HEADING),
    **dict.fromkeys(tags.LISTS, _LIST),
    **dict.fromkeys(tags.CELLS, _CELL),
    **dict.fromkeys(tags.PREFORMATTED, _PRE),
    "b": _STRONG,
    "strong": _STRONG,
    "em": _EMPHASIS,
    "i": _EMPHASIS,
    "p": _PARAGRAPH,
    "br": _BR,
    "img": _IMAGE,
    "q": _QUOTED,
    "hr": _RULE,
    "a": _LINK,
    "sup": _RAISED,
    "li": _ITEM,
    "table": _TABLE,
    "tr": _ROW,
    "blockquote": _QUOTATION,
    "dl": _DEFINITIONS,
    "dt": _TERM,
    "dd": _DEFINITION,
}

COLONS = (":", "：")
ENDS = (*COLONS, "?", "!", ".", ";", "？", "。")
_SAYS = re.compile(r"[^\s|¦»«›‹,;:·•/\\<>–—_-]")
DIGITS = tuple("0123456789")
_IN_LINE = (_INLINE, _STRONG, _EMPHASIS, _LINK)
ZEROS = ("0", "(0)", "[0]")


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
    """A part of the page that is written in a way of its own."""

    __slots__ = ("inside", "kind", "node")

    def __init__(self, kind: int, node: Node) -> None:
        self.kind, self.node = kind, node
        self.inside: list[Line | Block] = []


def read(root: Node, gaps: Iterable[Node]) -> Block:
    """The blocks of an element. `gaps` are the elements that something was taken out of."""
    return Reader(root, gaps).read()


class Reader:
    """One pass over an element: its blocks that are open, and the line that is being read."""

    def __init__(self, root: Any, gaps: Iterable[Node]) -> None:
        self.root, self.gaps = root, frozenset(gaps)
        self.block = Block(_BREAKS, root)
        self.open = [self.block]
        self.indents = 0  # lists and their like that are open
        self.pre = 0  # open elements whose white space counts
        self.paragraphs = 0
        self.pieces: list[str | Mark] = []
        self.filled = False  # whether the line says something
        self.broken = False  # whether the last that was said is a break
        # Links are not in links, but in formulas they may be nested; only the outermost is one.
        self.links = 0
        self.link: Any = None
        self.link_start = self.link_end = 0
        self.link_used = False
        self.raised = 0
        self.raised_start = 0
        self.marks = [0] * (_RAISED + 1)  # how many elements of each kind of mark are open

    def read(self) -> Block:
        """The blocks of the element."""
        # For each open element: how many children are to come, what it is, and itself.
        to_come, kinds = [len(self.root)], bytearray([_BREAKS])
        nodes: list[Any] = [self.root]
        top = 0
        for node in self.root.descendants:
            while to_come[top] == 0:
                self.leave(kinds[top], nodes[top])
                to_come.pop()
                kinds.pop()
                nodes.pop()
                top -= 1
            to_come[top] = to_come[top] - 1
            if type(node) is Text:
                if kinds[top] != _SKIPPED:
                    self.say(node.data, nodes[top])
                continue
            kind = _SKIPPED
            if kinds[top] != _SKIPPED and type(node) is Element:
                tag = node.tag
                kind = EFFECTS.get(tag, _INLINE)
                if kind == _INLINE:
                    if "-" in tag:  # web components are mostly boxes
                        kind = _BREAKS
                        self.end_line()
                    elif tag == "span" and not (self.pre or self.marks[_CODE]) and runs_on(node):
                        self.pieces.append(" ")
                elif kind != _SKIPPED:
                    kind = self.enter(kind, node)
            children = len(node)
            if children:
                to_come.append(children)
                kinds.append(kind)
                nodes.append(node)
                top += 1
            elif kind > _SKIPPED:
                self.leave(kind, node)
        while top >= 0:
            self.leave(kinds[top], nodes[top])
            top -= 1
        return self.block

    def say(self, text: str, node: Any) -> None:
        """One text of the page."""
        if self.pre:
            self.pieces.append(text)
            self.filled = True
            return
        if text.isspace():
            if self.filled and not self.broken:
                self.pieces.append(" ")
            return
        if self.gaps and len(text) < LABEL and text.strip() in ZEROS and is_gap(node, self.gaps):
            return  # the count of something that went
        self.pieces.append(text)
        self.filled = True
        self.broken = False

    def enter(self, kind: int, node: Any) -> int:
        """Begins an element; gives what it is here, or _SKIPPED where nothing is inside."""
        if kind == _BREAKS or kind == _PARAGRAPH:
            self.end_line()
            if kind == _PARAGRAPH:
                self.paragraphs += 1
        elif kind == _BR:
            self.break_line()
            return _SKIPPED
        elif kind == _IMAGE:
            if not self.pre:
                self.pieces.append(Mark(_IMAGE, node))
                self.filled = True
            return _SKIPPED
        elif kind == _RULE:
            self.end_line()
            if not self.pre:
                self.block.inside.append(Block(_RULE, node))
            return _SKIPPED
        elif kind == _SPACED or kind == _QUOTED:
            if not self.pre:
                self.pieces.append(" " if kind == _SPACED else '"')
        elif kind == _LINK:
            self.begin_link(node)
        elif kind == _RAISED:
            self.raised += 1
            if self.raised == 1:
                self.raised_start = len(self.pieces)
        elif kind < _HEADING:
            self.begin_mark(kind, node)
        else:
            return self.begin_block(kind, node)
        return kind

    def leave(self, kind: int, node: Any) -> None:
        """Ends an element."""
        if kind <= _SKIPPED:
            return
        if kind == _BREAKS:
            self.end_line()
        elif kind == _PARAGRAPH:
            self.end_line()
            self.paragraphs -= 1
        elif kind == _SPACED or kind == _QUOTED:
            if not self.pre:
                self.pieces.append(" " if kind == _SPACED else '"')
        elif kind == _LINK:
            self.end_link()
        elif kind == _RAISED:
            self.raised -= 1
            if self.raised == 0 and not self.pre:
                self.end_raised()
        elif kind < _HEADING:
            self.marks[kind] -= 1
            if self.marks[kind] == 0 and not self.pre:
                self.pieces.append(Mark(kind, node, opens=False))
        else:
            self.end_block(kind)

    def break_line(self) -> None:
        """A line break: two of them end a paragraph."""
        if self.pre:
            self.pieces.append("\n")
        elif self.broken:
            self.end_line()
        elif self.filled:
            self.pieces.append(BREAK)
            self.broken = True

    def end_line(self) -> None:
        """The line is over; marks that are still open go on in the next."""
        if self.pre:
            if self.pieces and not said(self.pieces, len(self.pieces) - 1).endswith("\n"):
                self.pieces.append("\n")
            return
        pieces = self.pieces
        if not pieces:
            return
        self.pieces = self.carried(pieces)
        if self.filled:
            self.add_line(pieces)
        self.filled = self.broken = False
        self.link_start = self.link_end = self.raised_start = 0

    def carried(self, pieces: list[str | Mark]) -> list[str | Mark]:
        """The marks that are open, ended in a line and begun for the next. An address is written once."""
        begun: list[str | Mark] = []
        if self.links and self.link is not None and not self.link_used:
            if self.filled:
                pieces.append(Mark(_LINK, self.link, opens=False))
                self.link_used = True
            else:
                begun.append(Mark(_LINK, self.link))
        for kind in (_STRONG, _EMPHASIS, _CODE):
            if self.marks[kind]:
                pieces.append(Mark(kind, self.root, opens=False))
                begun.append(Mark(kind, self.root))
        return begun

    def add_line(self, pieces: list[str | Mark]) -> None:
        """Adds a line to the block; the value of a label goes to the label's line."""
        text = plain(said(pieces, 0))
        if text.endswith(" |") and not text.startswith("|"):
            text = text.rstrip(" |")
            drop_bars(pieces)
        if not text and not pictured(pieces):
            return
        inside = self.block.inside
        free = self.paragraphs == 0
        if free and inside and self.block.kind != _HEADING:
            before = inside[len(inside) - 1]  # compiled, nothing counts from the end
            if type(before) is Line and before.free and is_label(before.text) and len(text) <= VALUE:
                before.text += f" {text}"
                before.pieces.append(" ")
                before.pieces.extend(pieces)
                return
        inside.append(Line(text, pieces, free))

    def begin_mark(self, kind: int, node: Node) -> None:
        """An emphasis or code begins."""
        self.marks[kind] += 1
        if self.marks[kind] == 1 and not self.pre:
            self.pieces.append(Mark(kind, node))

    def begin_link(self, node: Node) -> None:
        """A link begins. Pages set links apart that they write side by side."""
        self.links += 1
        if self.links > 1 or self.pre:
            return
        if self.pieces and self.link_end == len(self.pieces):
            self.pieces.append(" ")
        self.link_start = len(self.pieces)
        self.link, self.link_used = node, False
        self.pieces.append(Mark(_LINK, node))

    def end_link(self) -> None:
        """A link is over. One that leads to where it stands says nothing."""
        self.links -= 1
        node = self.link
        if self.links or self.pre or node is None:
            return
        self.link = None
        start = self.link_start
        if is_sign(self.pieces, start) and within_page(node):
            del self.pieces[start:]
        elif not said(self.pieces, start).strip() and (node.attr("href") or "").startswith("#"):
            del self.pieces[start:]  # an arrow to the top
        elif not self.link_used:
            noted = self.pieces[start + 1 :]
            if len(noted) == 1 and type(noted[0]) is Mark and noted[0].kind == _RAISED:
                self.pieces[start:] = noted
            else:
                self.pieces.append(Mark(_LINK, node, opens=False))
        self.link_end = len(self.pieces)

    def end_raised(self) -> None:
        """Raised figures after a figure are a power; those that lead to a place on the page are a footnote."""
        start = self.raised_start
        text = said(self.pieces, start).strip()
        label = text.strip("[]() ")
        if not label or len(label) > 4:
            return
        link = self.link if self.links else noted(self.pieces, start)
        if link is not None and within_page(link):
            self.pieces[start:] = [Mark(_RAISED, link, label=label)]
            self.filled = True
        elif text.isdigit() and said(self.pieces, max(0, start - 1), start).endswith(DIGITS):
            self.pieces.insert(start, "^")

    def begin_block(self, kind: int, node: Node) -> int:
        """A block begins, where it may: it is told by what holds it, and by how deep that is."""
        self.end_line()
        holder = self.block.kind
        if (
            self.pre
            or (len(self.open) >= DEEPEST_BLOCK and kind != _ROW and kind != _CELL)  # those of a table are part of it
            or (kind == _ITEM and holder != _LIST)
            or (kind == _ROW and holder != _TABLE)
            or (kind == _CELL and holder != _ROW)
            or ((kind == _TERM or kind == _DEFINITION) and holder != _DEFINITIONS)
        ):
            return _BREAKS
        if kind == _LIST or kind == _QUOTATION or kind == _DEFINITIONS:
            if self.indents >= DEEPEST_LIST:
                return _BREAKS
            self.indents += 1
        self.block = Block(kind, node)
        self.open.append(self.block)
        if kind == _PRE:
            self.pre = 1
            self.pieces = []
        return kind

    def end_block(self, kind: int) -> None:
        """A block is over: it goes to the one around it, or what it holds does."""
        if kind == _PRE:
            self.pre = 0
            code = verbatim(said(self.pieces, 0))
            self.pieces = self.carried([])
            self.filled = False
            if code:
                self.block.inside.append(Line(code, [], False))  # noqa: FBT003
        else:
            self.end_line()
        if kind == _LIST or kind == _QUOTATION or kind == _DEFINITIONS:
            self.indents -= 1
        block = self.open.pop()
        self.block = self.open[len(self.open) - 1]
        inside = self.block.inside
        if kind == _TABLE:
            inside.extend(dissolved(block))
        elif kind == _CELL or kind == _ROW:
            inside.append(block)
        elif not block.inside:
            pass
        elif kind == _HEADING and not is_heading(block):
            inside.extend(block.inside)
        elif kind == _LIST and lays_out(block):
            for part in block.inside:
                if type(part) is Block and part.kind == _ITEM:
                    inside.extend(part.inside)
                else:
                    inside.append(part)
        elif kind == _LIST and self.block.kind == _LIST and (items := blocks(self.block)):
            items[len(items) - 1].inside.append(block)
        else:
            inside.append(block)


def plain(text: str) -> str:
    """A line's text without the white space of its source, and without lines that only separate what is gone."""
    if BREAK in text:
        lines = [plain(line) for line in text.split(BREAK)]
        return "\n".join([line for line in lines if line])
    text = " ".join(text.split())
    return text if len(text) > LEFTOVER or says(text) else ""


def says(line: str) -> bool:
    """Whether a line says something, rather than separate what is gone."""
    return _SAYS.search(line) is not None


def verbatim(code: str) -> str:
    """Code as it stands, without spaces at the end of lines and without empty lines around it."""
    return "\n".join([line.rstrip() for line in code.split("\n")]).strip("\n")


def runs_on(word: Any) -> bool:
    """Whether a word begins where another ends, and it is plain that they are two: pages set them apart by style."""
    first: Any = word[0] if len(word) else None
    if type(first) is not Text or not (first.data[:1].isupper() or first.data[:1].isdigit()):
        return False
    last: Any = word.previous_sibling
    for _ in range(MANY_LETTERS):  # a word may be in several
        if type(last) is not Element or last.tag != "span":
            break
        said = [child for child in last if type(child) is Text or type(child) is Element]
        last = said[len(said) - 1] if said else None
    if type(last) is not Text or not last.data:
        return False
    end = last.data[len(last.data) - 1]
    if end in "):":
        return True
    shouted = end.isupper() and first.data[1:2].islower()  # a brand before a name
    return len(last.data) >= MANY_LETTERS and bool(end.islower() or shouted)


def is_gap(element: Any, gaps: Collection[Node]) -> bool:
    """Whether something was taken out of an element, or of what it is a word of."""
    return element in gaps or (EFFECTS.get(element.tag, _INLINE) in _IN_LINE and element.parent in gaps)


def pictured(pieces: list[str | Mark]) -> bool:
    """Whether a line shows an image."""
    for piece in pieces:
        if type(piece) is Mark and piece.kind == _IMAGE:
            return True
    return False


def said(pieces: list[str | Mark], start: int, end: int | None = None) -> str:
    """The texts among some pieces."""
    return "".join([piece for piece in pieces[start:end] if type(piece) is str])


def drop_bars(pieces: list[str | Mark]) -> None:
    """Takes out the bars at the end of a line: what they set apart is gone."""
    for number in range(len(pieces) - 1, -1, -1):
        piece = pieces[number]
        if type(piece) is str:
            pieces[number] = piece.rstrip(" \t\n\r\xa0|")
            if pieces[number]:
                return


def noted(pieces: list[str | Mark], start: int) -> Node | None:
    """The first link among the pieces."""
    for piece in pieces[start:]:
        if type(piece) is Mark and piece.kind == _LINK:
            return piece.node
    return None


def is_label(text: str) -> bool:
    """Whether a line names what comes next."""
    return len(text) <= LABEL and text.endswith(COLONS) and "\n" not in text and text.count(" ") <= LABEL_SPACES


def is_sign(pieces: list[str | Mark], start: int) -> bool:
    """Whether the pieces are a sign without a word, such as ¶ or #."""
    if len(pieces) - start > 6:
        return False
    text = said(pieces, start).strip()
    return 0 < len(text) <= 3 and not any([char.isalnum() for char in text])


def within_page(link: Any) -> bool:
    """Whether a link leads to a place on a page."""
    return "#" in (link.attr("href") or "")


def blocks(block: Block) -> list[Block]:
    """The blocks in a block."""
    return [part for part in block.inside if type(part) is Block]


def is_heading(block: Block) -> bool:
    """Whether a heading was closed before the next part of the page began."""
    return len(block.inside) <= MANY_LINES and not blocks(block)


def lays_out(items: Block) -> bool:
    """Whether a list holds parts of a page: items with articles, such as posts, or with headings or tables."""
    holder: Any = items.node
    if holder.select_one("article") is not None:
        return True
    for item in blocks(items):
        for part in blocks(item):
            if part.kind == _HEADING or part.kind == _TABLE:
                return True
    return False


def dissolved(table: Block) -> list[Line | Block]:
    """A table of data as it is; one that lays out a page as the rows of labels and values, and all else it holds."""
    parts = [part for part in table.inside if type(part) is not Block or part.kind != _ROW]
    rows = [row for row in blocks(table) if row.kind == _ROW and any([cell.inside for cell in blocks(row)])]
    if is_data(rows):
        table.inside = list(rows)
        return [*parts, table]
    for row in rows:
        cells = [cell for cell in blocks(row) if cell.inside]
        final = cells[len(cells) - 1]
        if len(cells) > 1 and all([is_short(cell, last=cell is final) for cell in cells]):
            row.inside = list(cells)
            parts.append(row)
        else:
            for cell in cells:
                parts.extend(cell.inside)
    return parts


def is_short(cell: Block, *, last: bool) -> bool:
    """Whether a cell is one line, and short unless it is the last of its row."""
    line = cell.inside[0]
    if len(cell.inside) > 1 or type(line) is not Line or "\n" in line.text:
        return False
    return last or len(line.text) <= VALUE


def is_data(rows: list[Block]) -> bool:
    """Whether rows hold data: cells of plain lines. Several in a cell, or long ones, must be under a marked header."""
    wide = headed = long = False
    for row in rows:
        full = 0
        for cell in blocks(row):
            full += bool(cell.inside)
            node: Any = cell.node
            headed = headed or node.tag == "th"
            long = long or len(cell.inside) > 1
            for part in cell.inside:
                if type(part) is not Line:
                    return False
                long = long or len(part.text) > LONG_CELL or "\n" in part.text
        wide = wide or full > 1
    return wide and len(rows) > 1 and (headed or not long)
