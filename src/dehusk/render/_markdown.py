"""Markdown: CommonMark with tables and struck text. Its only HTML is sup and sub; formulas that have TeX are $TeX$."""

import re
from collections.abc import Callable, Sequence

from dehusk.kernels import blocks
from dehusk.kernels.blocks import RAISED, Block, Line, Mark, is_glossary
from dehusk.kernels.reading import Gaps, read
from dehusk.kernels.walking import folded
from dehusk.metadata import PageTitle
from dehusk.page import Node, Page
from dehusk.page.dom import dom
from dehusk.page.elements import attribute, first, parent_of, select, tag_of
from dehusk.render._addresses import Addresses
from dehusk.render._inline import Inline
from dehusk.render._posts import Post, parted
from dehusk.render.writing import AS_LEARNED, Writing

SPAN, AREA = 20, 60
"""Maximum colspan and rowspan of a cell, and of both multiplied. Browsers allow a thousand of each."""

OPENING = 7
"""A line among so many first parts that repeats the title is left out: a crumb, the name of a picture."""

LONGEST_TITLE = 1000
"""A longer part is not compared with the title."""

_TARGET = re.compile(r"(?<=\])\([^)]*\)|</?su[bp]>|~~")  # of a link, and marks without words
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight|brush:\s?|sourceCode\s|highlight-source)-?([\w+#.-]+)")
_NO_LANGUAGE = frozenset({"default", "none", "text", "plain", "plaintext", "notranslate", "nohighlight", "highlight"})
_LANGUAGE_NAME = re.compile(r"[\w+#.-]+")
_FENCES = re.compile("`{3,}")
_NEXT_LINE = re.compile(r"\n(?=[^\n])")
_DEFINES = re.compile(r"\S+(\s+[\"'(].*)?")
_READ_AS_MARKS = re.compile(r"[*`\[\]_<]")
_IN_HEADINGS = frozenset(
    {blocks.CODE, blocks.RAISED, blocks.SUPERSCRIPT, blocks.SUBSCRIPT, blocks.STRUCK, blocks.FORMULA}
)
_IN_LINKED_HEADINGS = _IN_HEADINGS | {blocks.LINK}
_ITEM_NUMBER = re.compile(r"^(\d+)\. ", re.MULTILINE)


def markdown(
    page: Page,
    gone: Sequence[Node],
    writing: Writing = AS_LEARNED,
    title: PageTitle | None = None,
    posts: Sequence[Post] = (),
) -> str:
    """Returns the content as Markdown, with absolute links if the page's URL is known.

    With `title`, the title is the first heading and no other: it is added if it is not there, and moved up if other
    headings are before it. A page without content stays empty. Between `posts` is a rule with their author and date.
    """
    addresses = Addresses(page, writing)  # reads the document, so before nodes are removed from it
    lent = dom(page)
    inside = lent.without(gone)
    with parted(posts, signed=True):
        return _markdown(inside, addresses, lambda: lent.gaps, title)


def markdown_of(excerpt: Node, addresses: Addresses) -> str:
    """Returns a separate document as Markdown, with the URLs of the page that it is from."""
    return _markdown(excerpt, addresses, None, None)


def markdown_writer(inside: Node, addresses: Addresses) -> Callable[[Sequence[Block | Line]], str]:
    """Returns a function that writes some of the blocks of a document, which must be given in their order."""
    writer = _writer(inside, addresses, None)

    def write(units: Sequence[Block | Line]) -> str:
        around = Block(0, None)
        around.inside = list(units)
        return _joined(writer.parts(around)).rstrip("\n")

    return write


def _markdown(inside: Node, addresses: Addresses, gaps: Gaps | None, title: PageTitle | None) -> str:
    writer = _writer(inside, addresses, title)
    parts = writer.parts(read(inside, gaps, marked=True))
    return _joined(parts if title is None else writer.titled(parts, title))


def _writer(inside: Node, addresses: Addresses, title: PageTitle | None) -> "_Writer":
    notes = {attribute(note, "id") or "" for note in select(inside, "li[id]")} - {""}
    return _Writer(Inline(addresses, notes), notes, title)


def _joined(parts: list[str]) -> str:
    while parts and parts[-1] == _RULE:
        parts.pop()
    return "\n\n".join(parts) + "\n" if parts else ""


_RULE = "---"


class _Writer:
    """Writes blocks as parts, to be separated by empty lines."""

    def __init__(self, inline: Inline, notes: set[str], title: PageTitle | None) -> None:
        self._inline, self._notes = inline, notes
        self._title = title
        self._name = folded(title.text) if title else ""
        self._first: bool | None = None  # whether the first heading is the title; None if there is none yet
        self._labels: dict[str, str] = {}  # labels of footnotes, by the id of the note
        self._shown: set[str] = set()  # images on lines of their own
        self._cells = 0  # number of open cells, in which an image may be a value
        self._write: dict[int, Callable[[Block], list[str]]] = {
            blocks.HEADING: self._heading,
            blocks.LIST: self._list,
            blocks.TABLE: self._table,
            blocks.ROW: self._row,
            blocks.QUOTATION: self._quotation,
            blocks.DEFINITIONS: self._definitions,
            blocks.PRE: self._code,
            blocks.RULE: self._rule,
        }

    def parts(self, block: Block) -> list[str]:
        """Returns the parts of a block that are not empty."""
        parts: list[str] = []
        for part in block.inside:
            found = [self._line(part)] if isinstance(part, Line) else self._write.get(part.kind, self.parts)(part)
            for one in found:
                if one and not (one == _RULE and parts[-1:] in ([], [_RULE])):
                    parts.append(_ITEM_NUMBER.sub(r"\1) ", one) if parts and _joins(parts[-1], one) else one)
        return parts

    def _line(self, line: Line) -> str:
        for piece in line.pieces:
            if isinstance(piece, Mark) and piece.kind == RAISED:
                self._labels.setdefault((attribute(piece.node, "href") or "")[1:], piece.label)
        written = self._inline(line.pieces)
        if not line.text and not self._cells:
            if written in self._shown:
                return ""  # galleries show an image large and small
            self._shown.add(written)
        return written

    def _heading(self, block: Block) -> list[str]:
        lines = [line.pieces for line in block.inside if isinstance(line, Line)]
        kinds = _IN_LINKED_HEADINGS if len(lines) == 1 and _is_link(lines[0]) else _IN_HEADINGS
        bare = ([part for part in line if isinstance(part, str) or part.kind in kinds] for line in lines)
        heading = _on_one_line(" ".join(map(self._inline, bare)))
        if not heading or (self._title and self._goes(block, heading)):
            return []
        return [f"{'#' * int(tag_of(block.node)[1])} {heading}"]

    def _goes(self, block: Block, heading: str) -> bool:
        """Returns whether a heading is the title, but not the first heading."""
        is_title = self._title is not None and (block.node == self._title.heading or self._is_title(heading))
        if self._first is None:
            self._first = is_title
            return False
        return is_title

    def _is_title(self, part: str) -> bool:
        return len(part) < LONGEST_TITLE and folded(_TARGET.sub("", part)) == self._name

    def titled(self, parts: list[str], title: PageTitle) -> list[str]:
        """Returns the parts of a page with its title as the first heading, and without the line that repeats it."""
        start = [part for part in parts[:OPENING] if part.startswith("#") or not self._is_title(part)]
        parts = start + parts[OPENING:]
        return [f"# {_on_one_line(self._inline([title.text]))}", *parts] if not self._first else parts

    def _row(self, row: Block) -> list[str]:
        return ["  ".join(filter(None, map(self._cell, blocks.blocks(row))))]

    def _cell(self, cell: Block) -> str:
        self._cells += 1
        written = _on_one_line(" ".join(self.parts(cell)))
        self._cells -= 1
        return written

    def _table(self, block: Block) -> list[str]:
        rows = [[cell.replace("|", "\\|") for cell in row] for row in self._grid(block)]
        cells = blocks.blocks(blocks.blocks(block)[0])
        headed = all(tag_of(cell.node) == "th" for cell in cells) or first(block.node, "thead th, thead td") is not None
        width = max(map(len, rows))
        head = rows.pop(0) if headed else []
        head += [""] * (width - len(head))
        return ["\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * width, *rows))]

    def _grid(self, table: Block) -> list[list[str]]:
        """Returns the cells of each row. A cell that spans several columns or rows is followed by empty ones.

        Columns in which no cell begins are left out: they would be empty, and wide cells could make thousands of them.
        """
        rows = []
        begun: set[int] = set()
        taken: dict[int, int] = {}  # by column, how many more rows a cell above spans
        for row in blocks.blocks(table):
            cells: list[str] = []
            below: dict[int, int] = {}
            for cell in blocks.blocks(row):
                while taken.get(len(cells)):
                    cells.append("")
                wide = _span(cell.node, "colspan")
                high = min(_span(cell.node, "rowspan"), AREA // wide)
                if high > 1:
                    below.update(dict.fromkeys(range(len(cells), len(cells) + wide), high))
                begun.add(len(cells))
                cells += [self._cell(cell), *[""] * (wide - 1)]
            taken = {column: left - 1 for column, left in {**taken, **below}.items() if left > 1}
            while len(cells) > 1 and not cells[-1]:
                cells.pop()
            rows.append(cells)
        return [[cell for column, cell in enumerate(row) if column in begun] for row in rows]

    def _rule(self, _: Block) -> list[str]:
        return [_RULE]

    def _quotation(self, block: Block) -> list[str]:
        lines = "\n\n".join(self.parts(block)).split("\n")
        return ["\n".join(f"> {line}" if line else ">" for line in lines)] if lines != [""] else []

    def _list(self, items: Block) -> list[str]:
        """Returns a list. Text outside its items, and footnotes, are separate parts."""
        number = items.number or 1
        parts: list[str] = []
        lines: list[str] = []
        for item in items.inside:
            if isinstance(item, Line):
                parts += ["\n".join(lines), self._line(item)]
                lines = []
            elif found := self.parts(item):
                label = self._labels.get(attribute(item.node, "id") or "")
                if label:
                    parts += ["\n".join(lines), _note(label, found)]
                    lines = []
                else:
                    lines.append(_item(f"{number}. " if tag_of(items.node) == "ol" else "- ", item, found))
            number += isinstance(item, Block)
        return [*parts, "\n".join(lines)]

    def _definitions(self, block: Block) -> list[str]:
        """Returns terms and definitions: as a list if each definition is one line, else as paragraphs."""
        parts: list[str] = []
        pairs = 0
        term = False
        for part in block.inside:
            found = [line for line in [self._line(part)] if line] if isinstance(part, Line) else self.parts(part)
            if isinstance(part, Block) and part.kind == blocks.TERM and found:
                parts.append(_term(_on_one_line(" ".join(found))))
                term = True
            elif term and len(found) == 1 and "\n" not in found[0]:
                parts[-1] += ("" if parts[-1].rstrip("*").endswith(blocks.ENDS) else ":") + f" {found[0]}"
                pairs += 1
                term = False
            elif found:
                parts += found
                term = False
        return ["\n".join(f"- {part}" for part in parts)] if is_glossary(block) and pairs == len(parts) > 1 else parts

    def _code(self, block: Block) -> list[str]:
        code = "\n".join(line.text for line in block.inside if isinstance(line, Line))
        if not code.strip():
            return []
        fence = "`" * max(3, max((len(ticks) + 1 for ticks in _FENCES.findall(code)), default=3))
        return [f"{fence}{_language(block.node)}\n{code}\n{fence}"]


def _joins(before: str, part: str) -> bool:
    """Returns whether a Markdown parser would join two numbered lists."""
    return part[:1].isdecimal() and _ITEM_NUMBER.match(before) is not None and _ITEM_NUMBER.match(part) is not None


def _is_link(heading: Sequence[str | Mark]) -> bool:
    """Returns whether a heading is only a link to another page, like the headlines in a list of articles."""
    links = [part for part in heading if isinstance(part, Mark) and part.kind == blocks.LINK]
    if [link.opens for link in links] != [True, False] or (attribute(links[0].node, "href") or "#").startswith("#"):
        return False
    around = (*heading[: heading.index(links[0])], *heading[heading.index(links[1]) :])
    return not any(isinstance(part, str) and part.strip() for part in around)


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _span(cell: Node, name: str) -> int:
    value = attribute(cell, name) or ""
    return min(SPAN, max(1, int(value))) if value.isdecimal() and len(value) < SPAN else 1


def _item(mark: str, item: Block, parts: list[str]) -> str:
    """Returns an item. A nested list follows without an empty line, other parts with one."""
    text = parts[0]
    for part in parts[1:]:
        close = part.startswith(("- ", "1. ")) and sum(isinstance(one, Line) for one in item.inside) < 2
        text += ("\n" if close else "\n\n") + part
    return mark + _NEXT_LINE.sub("\n" + " " * len(mark), text)


def _note(label: str, parts: list[str]) -> str:
    """Returns a footnote. The colon is escaped if the note would be read as a link definition."""
    colon = "\\:" if _DEFINES.fullmatch(parts[0]) else ":"
    return f"[^{label}]{colon} " + "\n\n".join(parts)


def _term(term: str) -> str:
    return term if _READ_AS_MARKS.search(term) else f"**{term}**"


def _language(pre: Node) -> str:
    """Returns the language of code from the classes of the pre element, its code child or its ancestors; else ""."""
    above = parent_of(pre)
    for place in (pre, first(pre, "code"), above, parent_of(above) if above is not None else None):
        if place is None:
            continue
        for named in _LANGUAGE.finditer(attribute(place, "class") or ""):
            if named.group(1) not in _NO_LANGUAGE:
                return named.group(1)
        if name := attribute(place, "data-lang"):
            return name if _LANGUAGE_NAME.fullmatch(name) else ""
    return ""
