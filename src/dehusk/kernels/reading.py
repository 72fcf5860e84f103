"""Reads a document as blocks and lines, in one pass over the parser's nodes or markup, for text and Markdown.

The characters of a line are written to a buffer as UTF-8, with normalized whitespace. For Markdown, the marks of a
line are read too: links, emphasis, code and images. The nesting of blocks is limited, and so is that of the output.
"""

from collections.abc import Callable, Collection
from typing import Any

from turbohtml import Element, Text

from dehusk.base import tags
from dehusk.base.tree import Node
from dehusk.kernels import blocks as kinds
from dehusk.kernels.blocks import (
    LEFTOVER,
    MANY_LETTERS,
    Block,
    Line,
    Mark,
    dissolved,
    is_heading,
    is_label,
    is_new_word,
    is_value,
    lays_out,
    says,
    trimmed,
)
from dehusk.kernels.formulas import linear, scripted, tex_of

BREAK = "\0"
"""A piece of a line: a line break. No parsed text has this character."""

DEEPEST_BLOCK = 60
"""Maximum nesting of blocks. Deeper ones only break lines. Old pages nest ten tables, of three levels each."""

DEEPEST_LIST = 8
"""Maximum nesting of lists, quotations and definitions, which are indented."""

NOTE = 4
"""Maximum number of characters in the label of a footnote."""

# The effects of elements on the text around them: C numbers when compiled.
_INLINE, _SKIPPED, _BREAKS, _PARAGRAPH, _BR, _SPACED, _QUOTED, _ARTICLE, _SPAN = 0, 1, 2, 3, 4, 6, 7, 9, 10
_IMAGE, _RULE = kinds.IMAGE, kinds.RULE
_LINK, _STRONG, _EMPHASIS, _CODE, _RAISED = kinds.LINK, kinds.STRONG, kinds.EMPHASIS, kinds.CODE, kinds.RAISED
_SUPERSCRIPT, _SUBSCRIPT, _STRUCK, _FORMULA = kinds.SUPERSCRIPT, kinds.SUBSCRIPT, kinds.STRUCK, kinds.FORMULA
_HEADING, _LIST, _ITEM, _TABLE, _ROW = kinds.HEADING, kinds.LIST, kinds.ITEM, kinds.TABLE, kinds.ROW
_CELL, _QUOTATION, _PRE = kinds.CELL, kinds.QUOTATION, kinds.PRE
_DEFINITIONS, _TERM, _DEFINITION = kinds.DEFINITIONS, kinds.TERM, kinds.DEFINITION

_EFFECTS_BY_NAME = {
    **dict.fromkeys(tags.BLOCKS, _BREAKS),  # unless set below
    **dict.fromkeys(tags.UNREAD | tags.NOT_CONTENT - {"noscript"}, _SKIPPED),  # noscript may have the only text
    **dict.fromkeys(tags.SPACED, _SPACED),
    **dict.fromkeys(tags.CODE, _CODE),
    **dict.fromkeys(tags.HEADINGS, _HEADING),
    **dict.fromkeys(tags.LISTS, _LIST),
    **dict.fromkeys(tags.CELLS, _CELL),
    **dict.fromkeys(tags.PREFORMATTED, _PRE),
    "article": _ARTICLE,
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
    "span": _SPAN,
    "sup": _RAISED,
    "sub": _SUBSCRIPT,
    "del": _STRUCK,
    "s": _STRUCK,
    "strike": _STRUCK,
    "math": _FORMULA,
    "li": _ITEM,
    "table": _TABLE,
    "tr": _ROW,
    "blockquote": _QUOTATION,
    "dl": _DEFINITIONS,
    "dt": _TERM,
    "dd": _DEFINITION,
}
# With the parser's own string objects as keys, looking up a tag takes a third of the time.
_EFFECTS = {Element(tag).tag: effect for tag, effect in _EFFECTS_BY_NAME.items()}
_WORDS = frozenset({_INLINE, _SPAN, _STRONG, _EMPHASIS, _LINK})
_ZEROS = ("0", "(0)", "[0]")
_ZERO = 4  # maximum bytes of these, with a space
_ANCHORS = "#¶§^↑⇑⇧▲↩⤴↵⏎🔗⚓\ufe0e\ufe0f"
_SIGNS = 3  # maximum characters of a sign
_SIGN = 13  # maximum bytes of these, with a space
_ROOM = 4000  # initial size of the line buffer in bytes
_NEW_LINE = ord("\n")
_DIGITS = 4  # maximum digits of a list's first number
_DEEP = 100  # initial size of the stack of open elements
_STRIKE = "~~"  # around text that no longer holds
_APART = 9  # more than any number of spans that a word may be in

_SLOTS = 2048  # a power of two
_LAST_SLOT = _SLOTS - 1
_FACTOR = 51  # no two tags have the same slot
_NOT_CLOSED = tags.VOID | {"basefont", "bgsound", "frame", "keygen"}
_RAW = ("xmp", "plaintext", "noframes", "noembed", "iframe", "script", "style")


def _slot(name: str) -> int:
    """Returns the index of a tag in the tables below."""
    slot = 0
    for char in name.encode():
        slot = (slot * _FACTOR + char) & _LAST_SLOT
    return slot


# By slot: names of tags, their effects, and whether they have no end tag, or contain raw text.
_NAMES: list[bytes] = [b""] * _SLOTS
_KINDS, _VOIDS, _RAWS = bytearray(_SLOTS), bytearray(_SLOTS), bytearray(_SLOTS)
for _name in sorted({*_EFFECTS_BY_NAME, *_NOT_CLOSED, *_RAW}):
    _place = _slot(_name)
    if _NAMES[_place]:
        raise AssertionError(f"{_name} and {_NAMES[_place]!r} have the same slot")
    _NAMES[_place] = _name.encode()
    _KINDS[_place] = _EFFECTS_BY_NAME.get(_name, _INLINE)
    _VOIDS[_place] = _name in _NOT_CLOSED
    _RAWS[_place] = _name in _RAW

Gaps = Callable[[], Collection[Node]]


def read(root: Node, gaps: Gaps | None = None, *, marked: bool = False) -> Block:
    """Returns the blocks of an element, read from its nodes.

    `gaps` returns the elements that nodes were removed from. With `marked`, lines have marks.
    """
    reader = Reader(root, gaps, marked)
    reader.read_nodes()
    return reader.block


def read_html(html: str, gaps: Gaps | None = None) -> Block | None:
    """Returns the blocks of markup written by the parser: faster than `read`, but without marks and nodes.

    None if the markup is not enough to decide what to leave out.
    """
    reader = Reader(None, None, False)  # noqa: FBT003
    data = html.encode("utf-8", "surrogatepass")
    if not reader.read_markup(data, len(data)):
        return None
    if reader.zeros and gaps is not None and some_hold_zero(gaps()):
        return None
    return reader.block


class Reader:
    """One pass over a document, with its open blocks and the current line."""

    def __init__(self, root: Any, gaps: Gaps | None, marked: bool) -> None:
        self.root, self.gaps, self.marked = root, gaps, marked
        self.data = b""
        self.gap_nodes: Collection[Node] | None = None  # the result of `gaps`, once it was asked
        self.block = Block(_BREAKS, root)
        self.open = [self.block]
        self.indents = 0  # open lists, quotations and definitions
        self.pre = 0  # whether preformatted text is open
        self.paragraphs = 0
        self.line = bytearray(_ROOM)
        self.room, self.size = _ROOM, 0
        self.space = False  # whether a space comes before the next word
        self.after_text = _APART  # number of spans that ended since the last text
        self.last_text = 0  # bytes of the last text
        self.pieces: list[str | Mark] = []
        self.filled = False  # whether the line has text or an image
        self.broken = False  # whether the line ends with a break
        self.breaks = False  # whether the line has a break
        # Links may be nested in formulas; only the outermost counts.
        self.links = 0
        self.link: Any = None  # its node, or its position in the markup
        self.link_size, self.link_end = 0, -1  # size of the line in bytes before and after the link
        self.link_piece, self.link_last = 0, 0  # number of pieces before and after the link
        self.link_space = self.link_used = False
        self.raised = 0  # open elements of raised or lowered text
        self.raised_size = self.raised_piece = 0
        self.raised_space = False
        self.raised_link: Any = None
        self.formulas = 0  # open formulas that are not plain MathML
        self.struck = 0  # open elements of text that no longer holds
        self.struck_size = self.struck_piece = 0
        self.struck_end = -1  # size of the line after such text
        self.zeros = False  # whether a text of the markup may be the count of something removed
        self.codes = 0  # open code elements
        self.marks = [0] * (_FORMULA + 1)  # for Markdown, number of open elements by kind of mark

    def read_nodes(self) -> None:
        """Reads the parser's nodes."""
        # Children to come, effect and node of the current element; the lists hold those of its ancestors.
        left, kind, holder = len(self.root), _BREAKS, self.root
        lefts: list[int] = []
        effects: list[int] = []
        holders: list[Any] = []
        for node in self.root.descendants:
            while left == 0:
                self.leave(kind, holder)
                left, kind, holder = lefts.pop(), effects.pop(), holders.pop()
            left -= 1
            if type(node) is Text:
                if kind != _SKIPPED:
                    self.say_node(node.data, holder)
                continue
            effect = _SKIPPED
            is_element = type(node) is Element
            if is_element and kind != _SKIPPED:
                tag = node.tag
                effect = _EFFECTS.get(tag, _INLINE)
                if effect == _INLINE:
                    if "-" in tag:  # web components are mostly blocks
                        effect = _BREAKS
                        self.end_line()
                elif effect == _SPAN:
                    if self.may_run_on():
                        first: Any = node[0] if len(node) else None
                        if type(first) is Text and self.runs_on(first.data[:2]):
                            self.add_space()
                elif effect != _SKIPPED:
                    effect = self.enter(effect, node)
                    if effect == _LIST and tag == "ol":
                        self.block.number = first_number(node.attr("start") or "")
                    elif effect == _CELL:
                        self.block.header = tag == "th"
                self.after_text = _APART
            children = len(node)
            if children:
                lefts.append(left)
                effects.append(kind)
                holders.append(holder)
                left, kind, holder = children, effect, node
            elif is_element:
                self.leave(effect, node)
        while holders:
            self.leave(kind, holder)
            kind, holder = effects.pop(), holders.pop()
        self.leave(kind, holder)

    def say_node(self, text: str, holder: Any) -> None:
        """Reads a text node; `holder` is its parent."""
        data = text.encode("utf-8", "surrogatepass")
        if self.struck_end == self.size and data:
            self.part_from_struck(data[0])
        before, filled = self.size, self.filled
        said = self.say(data, 0, len(data), False)  # noqa: FBT003
        if 0 < said <= _ZERO and self.gaps is not None and text.strip() in _ZEROS and self.is_in_gap(holder):
            self.size, self.filled = before, filled  # drop the count of something removed
        elif self.marked and not self.pre:
            if said:
                self.pieces.append(text)
            elif self.filled and not self.broken:
                self.pieces.append(" ")

    def is_in_gap(self, holder: Any) -> bool:
        """Returns whether something was removed from an element: see `is_gap`."""
        if self.gap_nodes is None and self.gaps is not None:
            self.gap_nodes = self.gaps()
        return is_gap(holder, self.gap_nodes or ())

    def read_markup(self, data: bytes, end: int) -> bool:  # noqa: PLR0911  # one for each way to be broken
        """Reads markup written by the parser. Returns False if it cannot."""
        self.data = chars = data
        # For each open element its effect, and its slot in two bytes.
        stack, deepest = bytearray(3 * _DEEP), 3 * _DEEP
        top = skipped = slot = pos = 0
        while pos < end:
            if chars[pos] != 60:  # <
                start = pos
                while pos < end and chars[pos] != 60:
                    pos += 1
                if not skipped:
                    if self.struck_end == self.size:
                        self.part_from_struck(chars[start])
                    said = self.say(chars, start, pos, True)  # noqa: FBT003
                    if 0 < said <= _ZERO and not self.zeros and self.ends_in_zero():
                        self.zeros = data[start:pos].strip().decode("utf-8", "replace") in _ZEROS
                continue
            pos += 1
            if pos == end:
                return False
            if chars[pos] == 33 or chars[pos] == 63:  # a comment: ! or ?
                pos = data.find(b"-->", pos) + 3 if chars[pos] == 33 else data.find(b">", pos) + 1
                if pos < 3:  # it does not end
                    return False
                continue
            closes = chars[pos] == 47  # /
            pos += closes
            start, slot, boxed = pos, 0, False
            while pos < end and chars[pos] != 62 and chars[pos] != 32:  # > and a space
                boxed = boxed or chars[pos] == 45  # -
                slot = (slot * _FACTOR + chars[pos]) & _LAST_SLOT
                pos += 1
            if closes:
                pos += 1
                if top and stack[top - 2] << 8 | stack[top - 1] == slot:
                    top -= 3
                    if skipped:
                        skipped -= 1
                    else:
                        self.leave(stack[top], None)
                else:
                    return False
                continue
            name_end = pos
            while pos < end and chars[pos] != 62:
                pos += 1
            pos += 1
            if pos > end:
                return False
            known = is_name(_NAMES[slot], chars, start, name_end)
            effect = _KINDS[slot] if known else _BREAKS if boxed else _INLINE  # web components are mostly blocks
            if skipped:
                effect = _SKIPPED
            elif effect == _SPAN:
                if self.may_run_on() and chars[pos] != 60 and chars[pos] != 38:  # neither a tag nor &
                    if self.runs_on(data[pos : pos + 8].decode("utf-8", "ignore")[:2]):
                        self.add_space()
            elif effect > _SKIPPED:
                if effect == _FORMULA:  # its text depends on what is in it
                    return False
                effect = self.enter(effect, start)
                if effect == _LIST and chars[start] == 111:  # o
                    self.block.number = first_number(attribute(data, start, b' start="'))
                elif effect == _CELL:
                    self.block.header = chars[start + 1] == 104  # h
            self.after_text = _APART
            if known and _VOIDS[slot]:
                if not skipped:
                    self.leave(effect, None)
                continue
            if top == deepest:
                stack.extend(bytes(deepest))
                deepest *= 2
            stack[top], stack[top + 1], stack[top + 2] = effect, slot >> 8, slot & 0xFF
            top += 3
            if skipped or effect == _SKIPPED:
                skipped += 1
            if known and _RAWS[slot]:
                if not skipped or chars[start] == 112:  # only nodes tell where they end; nothing ends plaintext
                    return False
                pos = data.find(b"</" + _NAMES[slot] + b">", pos)
                if pos < 0:
                    return False
            elif known and _KINDS[slot] == _PRE and pos < end and chars[pos] == 10:
                pos += 1  # the parser writes one more new line than there is
        self.end_line()
        return top == 0

    def say(self, data: bytes, start: int, end: int, escaped: bool) -> int:
        """Reads text in UTF-8, in which characters may be `escaped`. Returns how many bytes it adds to the line."""
        if self.size + end - start + 1 > self.room:
            self.make_room(end - start + 1)
        if self.pre:
            return self.say_verbatim(data, start, end, escaped)
        line = self.line
        before = size = self.size
        space, broken = self.space, self.broken
        pos = start
        while pos < end:
            char = data[pos]
            wide = 1  # number of bytes of the character
            if char <= 32:
                space = True
                pos += 1
                continue
            if char >= 128:
                wide = 1 if char < 0xC0 else 2 if char < 0xE0 else 3 if char < 0xF0 else 4
                if char < 0xE4 and is_blank(data, pos, end):
                    space = True
                    pos += wide
                    continue
            elif char == 38 and escaped:  # &
                wide = reference(data, pos, end)
                if wide == 6:  # &nbsp;
                    space = True
                    pos += wide
                    continue
                char = 38 if wide != 4 else 60 if data[pos + 1] == 108 else 62  # &amp; &lt; &gt;
            if space:
                space = False
                if size and not (broken and size == before):
                    line[size] = 32
                    size += 1
            line[size] = char
            size += 1
            pos += 1
            while wide > 1:
                wide -= 1
                if char >= 128:
                    line[size] = data[pos]
                    size += 1
                pos += 1
            while pos < end:  # the rest of a word, which is mostly plain
                char = data[pos]
                if char <= 32 or char >= 128 or char == 38:
                    break
                line[size] = char
                size += 1
                pos += 1
        self.space = space
        self.after_text, self.last_text = 0, end - start
        if size > before:
            self.size, self.filled, self.broken = size, True, False
        return size - before

    def say_verbatim(self, data: bytes, start: int, end: int, escaped: bool) -> int:
        """Reads preformatted text, with its whitespace. Returns 0, because it adds no words to a line."""
        line, size, pos = self.line, self.size, start
        while pos < end:
            char = data[pos]
            pos += 1
            if char == 38 and escaped:  # &
                wide = reference(data, pos - 1, end)
                if wide == 6:  # &nbsp;
                    char = 32
                elif wide == 4:  # &lt; &gt;
                    char = 60 if data[pos] == 108 else 62
                pos += wide - 1
            line[size] = char
            size += 1
        self.size = size
        return 0

    def make_room(self, more: int) -> None:
        """Enlarges the line buffer."""
        self.line.extend(bytes(self.room + more))
        self.room += self.room + more

    def put(self, text: str) -> None:
        """Adds a few characters to the line, after a pending space."""
        data = text.encode("utf-8", "surrogatepass")
        filled = self.filled
        self.say(data, 0, len(data), False)  # noqa: FBT003
        self.filled = filled

    def read_from(self, start: int) -> str:
        """Returns the line from a position on."""
        return self.line[start : self.size].decode("utf-8", "surrogatepass")

    def add_space(self) -> None:
        """Adds a space before the next word."""
        self.space = True
        if self.marked:
            self.pieces.append(" ")

    def ends_in_zero(self) -> bool:
        """Returns whether the line ends in a zero or a bracket. A quick check that most texts fail."""
        last = self.line[self.size - 1]
        return last == 48 or last == 41 or last == 93  # 0 ) ]

    def may_run_on(self) -> bool:
        """Returns whether the line ends in a word that the next could be joined to. A quick check before `runs_on`."""
        if (
            not 0 < self.after_text <= MANY_LETTERS
            or self.size == 0
            or self.space
            or self.broken
            or self.pre
            or self.codes
        ):
            return False
        last = self.line[self.size - 1]
        return last > 127 or last == 41 or last == 58 or 65 <= last <= 122  # ) and : and letters

    def runs_on(self, start: str) -> bool:
        """Returns whether text that begins like this is clearly a new word, which style sheets separate on the page."""
        end = self.line[max(0, self.size - 4) : self.size].decode("utf-8", "ignore")
        return is_new_word(end[len(end) - 1 :] if end else "", self.last_text, start)

    def enter(self, kind: int, node: Any) -> int:  # noqa: PLR0911  # one for each kind of effect
        """Begins an element. Returns its effect in this context; _SKIPPED if its content is not read."""
        if kind == _BREAKS:
            self.end_line()
        elif kind == _PARAGRAPH:
            self.end_line()
            self.paragraphs += 1
        elif kind == _LINK:
            self.begin_link(node)
        elif kind >= _HEADING:
            return self.begin_block(kind, node)
        elif kind == _BR:
            self.break_line()
            return _SKIPPED
        elif kind == _IMAGE:
            if self.marked and not self.pre:
                self.pieces.append(Mark(_IMAGE, node))
                self.filled = True
            return _SKIPPED
        elif kind == _RULE:
            self.end_line()
            if not self.pre:
                self.block.inside.append(Block(_RULE, node))
            return _SKIPPED
        elif kind == _ARTICLE:
            self.end_line()
            for block in self.open:
                block.divided = True
            return _BREAKS
        elif kind == _SPACED or kind == _QUOTED:
            self.bracket(kind)
        elif kind == _RAISED or kind == _SUBSCRIPT:
            self.begin_raised(kind)
        elif kind == _STRUCK:
            self.struck += 1
            if self.struck == 1:
                self.struck_size, self.struck_piece = self.size, len(self.pieces)
        elif kind == _FORMULA:
            return self.read_formula(node)
        else:
            self.codes += kind == _CODE
            if self.marked:
                self.marks[kind] += 1
                if self.marks[kind] == 1 and not self.pre:
                    self.pieces.append(Mark(kind, node))
        return kind

    def leave(self, kind: int, node: Any) -> None:
        """Ends an element."""
        if kind == _SPAN:
            self.after_text += 1
            return
        self.after_text = _APART
        if kind <= _SKIPPED:
            return
        if kind == _BREAKS:
            self.end_line()
        elif kind == _PARAGRAPH:
            self.end_line()
            self.paragraphs -= 1
        elif kind == _LINK:
            self.end_link()
        elif kind >= _HEADING:
            self.end_block(kind)
        elif kind == _SPACED or kind == _QUOTED:
            self.bracket(kind)
        elif kind == _RAISED or kind == _SUBSCRIPT:
            self.raised -= 1
            if self.raised == 0:
                self.end_raised(kind)
        elif kind == _STRUCK:
            self.struck -= 1
            if self.struck == 0:
                self.strike()
        elif kind == _FORMULA:
            self.formulas -= 1
        else:
            self.codes -= kind == _CODE
            if self.marked:
                self.marks[kind] -= 1
                if self.marks[kind] == 0 and not self.pre:
                    self.pieces.append(Mark(kind, node, opens=False))

    def bracket(self, kind: int) -> None:
        """Adds the space or quotation mark before or after an element."""
        if self.pre:
            return
        if kind == _SPACED:
            self.add_space()
            return
        self.put('"')
        if self.marked:
            self.pieces.append('"')

    def break_line(self) -> None:
        """Adds a line break. A second one ends the line."""
        if self.pre:
            self.add_new_line()
        elif self.broken:
            self.end_line()
        elif self.filled:
            self.space = False
            self.add_new_line()
            self.broken = self.breaks = True
            if self.marked:
                self.pieces.append(BREAK)

    def add_new_line(self) -> None:
        """Adds a newline to the line buffer."""
        if self.size + 1 > self.room:
            self.make_room(1)
        self.line[self.size] = _NEW_LINE
        self.size += 1

    def end_line(self) -> None:
        """Ends the line. Open marks continue in the next line."""
        if self.pre:
            if self.size and self.line[self.size - 1] != _NEW_LINE:
                self.add_new_line()
            return
        if self.struck:
            self.strike()
        pieces = self.pieces
        if pieces:
            self.pieces = self.carried(pieces)
        if self.filled:
            self.add_line(pieces)
        self.size = self.link_size = self.raised_size = self.struck_size = 0
        self.link_piece = self.link_last = self.raised_piece = 0
        self.struck_piece = len(self.pieces)
        self.link_end = self.struck_end = -1
        self.filled = self.broken = self.breaks = self.space = self.link_space = self.raised_space = False

    def carried(self, pieces: list[str | Mark]) -> list[str | Mark]:
        """Closes open marks in a line and returns them for the next line. The URL of a link is written once."""
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
        """Adds a line to the block, or to the line before if that is its label."""
        text = self.read_from(0)
        if self.breaks:
            text = "\n".join([line for line in text.split("\n") if len(line) > LEFTOVER or says(line)])
        if text:
            size = len(text)
            text = trimmed(text)
            if pieces and len(text) < size:
                drop_end(pieces, " \t\n\r\xa0¶|")
        if not text and not pictured(pieces):
            return
        inside = self.block.inside
        free = self.paragraphs == 0
        if free and inside and self.block.kind != _HEADING:
            before = inside[len(inside) - 1]
            if type(before) is Line and before.free and is_label(before.text) and is_value(text):
                before.text += f" {text}"
                if self.marked:
                    before.pieces.append(" ")
                    before.pieces.extend(pieces)
                return
        inside.append(Line(text, pieces, free))

    def begin_link(self, node: Node) -> None:
        """Begins a link. Adjacent links are separated by a space, because style sheets separate them on the page."""
        self.links += 1
        if self.links > 1 or self.pre:
            return
        if self.link_end == self.size or (self.pieces and self.link_last == len(self.pieces)):
            self.add_space()
        self.link_size, self.link_space, self.link_piece = self.size, self.space, len(self.pieces)
        self.link, self.link_used = node, False
        if self.raised and self.raised_link is None:
            self.raised_link = node
        if self.marked:
            self.pieces.append(Mark(_LINK, node))

    def end_link(self) -> None:
        """Ends a link. Removes permalinks, such as ¶ or #."""
        self.links -= 1
        node = self.link
        if self.links or self.pre or node is None:
            return
        self.link = None
        length = self.size - self.link_size
        if 0 < length <= _SIGN and is_sign(self.read_from(self.link_size)) and self.within_page(node):
            self.size, self.space = self.link_size, self.link_space
            del self.pieces[self.link_piece :]
        elif self.marked:
            self.end_marked_link(node, length)
        self.link_end, self.link_last = self.size, len(self.pieces)

    def end_marked_link(self, node: Any, length: int) -> None:
        """Ends the mark of a link."""
        start = self.link_piece
        if not length and (node.attr("href") or "").startswith("#"):
            del self.pieces[start:]  # for example an arrow to the top
        elif not self.link_used:
            noted = self.pieces[start + 1 :]
            if len(noted) == 1 and type(noted[0]) is Mark and noted[0].kind == _RAISED:
                self.pieces[start:] = noted
            else:
                self.pieces.append(Mark(_LINK, node, opens=False))

    def within_page(self, link: Any) -> bool:
        """Returns whether the URL of a link has a fragment."""
        return "#" in (attribute(self.data, link, b' href="') if type(link) is int else link.attr("href") or "")

    def begin_raised(self, kind: int) -> None:
        """Begins raised or lowered text. Inside of other such text it has only its sign."""
        self.raised += 1
        if self.raised == 1:
            self.raised_size, self.raised_space, self.raised_piece = self.size, self.space, len(self.pieces)
            self.raised_link = None
        elif self.size > self.raised_size and not self.space:
            sign = "^" if kind == _RAISED else "_"
            self.put(sign)
            if self.marked and not self.pre:
                self.pieces.append(sign)

    def end_raised(self, kind: int) -> None:
        """Ends raised or lowered text: writes a link to a fragment as a footnote, the rest as `scripted` says."""
        start, space = self.raised_size, self.space
        text = self.read_from(start)
        label = text.strip().strip("[]() ")
        if not label:
            return
        link = self.link if self.links and self.link_size >= start else self.raised_link
        noted = kind == _RAISED and not self.pre and len(label) <= NOTE and link is not None and self.within_page(link)
        before = "" if self.raised_space else self.line[max(0, start - 12) : start].decode("utf-8", "ignore")
        form = f"[{label}]" if noted else scripted(text, before, raised=kind == _RAISED)
        if not form:
            return
        self.size, self.space = start, self.raised_space
        self.put(form)
        self.space = space
        self.link_end, self.link_last = -1, 0
        if not self.marked or self.pre:
            return
        if noted:
            self.pieces[self.raised_piece :] = [Mark(_RAISED, link, label=label)]
        elif self.codes or form[0] == ".":
            self.pieces[self.raised_piece :] = [form]
        else:
            mark = _SUPERSCRIPT if kind == _RAISED else _SUBSCRIPT
            self.pieces.insert(self.raised_piece, Mark(mark, self.root))
            self.pieces.append(Mark(mark, self.root, opens=False))

    def strike(self) -> None:
        """Marks the text of the line that no longer holds, such as an old price."""
        start = self.struck_size
        text = self.read_from(start)
        bare = text.strip()
        if not bare or self.pre or self.codes or not any([char.isalnum() for char in bare]):
            return
        before = self.line[max(0, start - 4) : start].decode("utf-8", "ignore")
        parts = bool(before) and before[len(before) - 1].isalnum() and not bare[0].isalpha() and text[0] == bare[0]
        start += len(text) - len(text.lstrip())  # white space here is one byte each
        struck = f"{' ' if parts else ''}{_STRIKE}".encode() + self.line[start : self.size] + _STRIKE.encode()
        if start + len(struck) > self.room:
            self.make_room(len(struck))
        self.line[start : start + len(struck)] = struck
        self.size = self.struck_size = start + len(struck)
        if not bare[len(bare) - 1].isalpha():
            self.struck_end = self.size
        if self.marked:
            self.pieces[self.struck_piece : self.struck_piece] = [" "][: int(parts)] + [Mark(_STRUCK, self.root)]
            self.pieces.append(Mark(_STRUCK, self.root, opens=False))

    def part_from_struck(self, char: int) -> None:
        """Adds a space if the next text, which begins with this byte, is a word directly after an old price."""
        if char > 127 or 48 <= char <= 57 or 65 <= char <= 90 or 97 <= char <= 122 or char == 36:  # $
            self.add_space()

    def read_formula(self, node: Any) -> int:
        """Reads a formula in MathML: its TeX if it has that, else what it says on one line. Returns its effect."""
        text = linear(node) if self.formulas == 0 else None
        if text is None:
            self.formulas += 1
            return _FORMULA  # it is read like other elements
        tex = tex_of(node)
        if not self.pre and self.struck_end == self.size:
            self.add_space()
        self.put(tex or text)
        if tex or text:
            self.filled = True
            if self.marked and not self.pre:
                self.pieces.append(Mark(_FORMULA, node, label=tex) if tex and not self.codes else tex or text)
        return _SKIPPED

    def begin_block(self, kind: int, node: Node) -> int:
        """Begins a block if its parent and depth allow it. Returns its effect."""
        self.end_line()
        holder = self.block.kind
        if (
            self.pre
            or (len(self.open) >= DEEPEST_BLOCK and kind != _ROW and kind != _CELL)  # they belong to their table
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
        """Ends a block. Adds it, or only its content, to the block around it."""
        if kind == _PRE:
            self.pre = 0
            code = verbatim(self.read_from(0))
            self.size = 0
            self.pieces = self.carried([])
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
            if block.inside or self.marked:  # a grid needs its empty cells, too
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
        elif kind == _LIST and self.block.kind == _LIST and (item := last_block(inside)) is not None:
            item.inside.append(block)
        else:
            inside.append(block)


def reference(data: bytes, pos: int, end: int) -> int:
    """Returns the length of a character reference; 1 for a bare ampersand. The parser writes only these."""
    if end - pos >= 4 and data[pos + 2] == 116 and data[pos + 3] == 59:  # &lt; and &gt;
        return 4
    if end - pos >= 5 and data[pos + 1] == 97 and data[pos + 4] == 59:  # &amp;
        return 5
    if end - pos >= 6 and data[pos + 1] == 110 and data[pos + 5] == 59:  # &nbsp;
        return 6
    return 1


def is_blank(data: bytes, pos: int, end: int) -> bool:
    """Returns whether a character beyond ASCII is whitespace, as in `str.isspace`."""
    if end - pos < 2:
        return False
    first, second = data[pos], data[pos + 1]
    if first == 0xC2:
        return second == 0xA0 or second == 0x85
    if end - pos < 3 or first < 0xE1 or first > 0xE3:
        return False
    third = data[pos + 2]
    if first == 0xE2:
        if second == 0x80:
            return third <= 0x8A or third == 0xA8 or third == 0xA9 or third == 0xAF
        return second == 0x81 and third == 0x9F
    return (first == 0xE3 and second == 0x80 and third == 0x80) or (first == 0xE1 and second == 0x9A and third == 0x80)


def is_name(name: bytes, data: bytes, start: int, end: int) -> bool:
    """Returns whether a part of the markup is this name."""
    if len(name) != end - start:
        return False
    for number in range(end - start):
        if name[number] != data[start + number]:
            return False
    return True


def attribute(data: bytes, start: int, name: bytes) -> str:
    """Returns the value of an attribute of the tag at `start`; "" if it has none. `name` is written like ` href="`."""
    at = data.find(name, start, data.find(b">", start))
    if at < 0:
        return ""
    at += len(name)
    return data[at : data.find(b'"', at)].decode("utf-8", "replace")


def first_number(start: str) -> int:
    """Returns the first number of a list."""
    return int(start) if start.isdecimal() and len(start) <= _DIGITS else 1


def last_block(parts: list[Line | Block]) -> Block | None:
    """Returns the last block among some lines and blocks."""
    for number in range(len(parts) - 1, -1, -1):
        part = parts[number]
        if type(part) is Block:
            return part
    return None


def verbatim(code: str) -> str:
    """Returns code without trailing spaces and without empty lines around it."""
    if "\xa0" in code:
        code = code.replace("\xa0", " ")
    if " \n" in code or "\t\n" in code or "\r" in code:
        code = "\n".join([line.rstrip() for line in code.split("\n")])
    return code.rstrip().strip("\n")


def some_hold_zero(gaps: Collection[Node]) -> bool:
    """Returns whether one of these elements holds a count of nothing."""
    for gap in gaps:
        if holds_zero(gap):
            return True
    return False


def holds_zero(gap: Any) -> bool:
    """Returns whether a zero count is directly in an element or in an inline child: see `is_gap`."""
    for child in gap:
        if type(child) is Text:
            if child.data.strip() in _ZEROS:
                return True
        elif type(child) is Element and _EFFECTS.get(child.tag, _INLINE) in _WORDS and child.text.strip() in _ZEROS:
            return True
    return False


def is_gap(element: Any, gaps: Collection[Node]) -> bool:
    """Returns whether nodes were removed from an element or, if it is inline, from its parent."""
    return element in gaps or (_EFFECTS.get(element.tag, _INLINE) in _WORDS and element.parent in gaps)


def pictured(pieces: list[str | Mark]) -> bool:
    """Returns whether a line has an image."""
    for piece in pieces:
        if type(piece) is Mark and piece.kind == _IMAGE:
            return True
    return False


def drop_end(pieces: list[str | Mark], chars: str) -> None:
    """Removes these characters from the end of a line. They separated something that was removed."""
    for number in range(len(pieces) - 1, -1, -1):
        piece = pieces[number]
        if type(piece) is str:
            pieces[number] = piece.rstrip(chars)
            if pieces[number]:
                return


def is_sign(text: str) -> bool:
    """Returns whether a text is the mark of an anchor, such as ¶ or #, or an icon of a font."""
    text = text.strip()
    if not text or len(text) > _SIGNS:
        return False
    for char in text:
        if char not in _ANCHORS and not "\ue000" <= char <= "\uf8ff":
            return False
    return True
