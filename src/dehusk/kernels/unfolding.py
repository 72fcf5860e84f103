"""What the parser would write badly as text, changed for as long as it writes.

The parser writes text at a tenth of what it costs to look at every node from here. So this looks only at some elements.
Tables are replaced by their rows, because the parser pads each cell to the widest of its column.
"""

import re
from collections.abc import Callable, Collection, Iterable
from typing import Any, Self

from turbohtml import Element, Node, PlainText, Text

from dehusk.base import tree as opaque
from dehusk.base.tags import (
    BOXES,
    CELLS,
    HEADINGS,
    LISTS,
    PARSER_BLOCKS,
    ROW_GROUPS,
    SPACED,
    TABLE_PARTS,
    UNREAD,
)
from dehusk.kernels.blocks import COLONS, DIGITS, ENDS, LEFTOVER, VALUE, ZEROS, is_gap, is_label, runs_on, says

_PAGE_PARTS = ("table", "dl", *sorted(HEADINGS))
_LINE = ("br",)
_ARTICLE = ("article",)
# The parser takes all that it does not begin a line at for words, and begins none inside of what is one to it.
_OTHER_BOXES = tuple(sorted(BOXES - PARSER_BLOCKS))
_BLOCKS = frozenset({*_PAGE_PARTS, *LISTS, *BOXES, *PARSER_BLOCKS, "pre"})
_LOOKED_AT = UNREAD | SPACED | {"q", "sup"}
_BLOCK_HOLDERS = _BLOCKS | TABLE_PARTS | {"body", "html", "noscript"}
_HEADER = ("th",)
_TABLES = ROW_GROUPS | {"table", "tr"}  # a form may stand in these, and holds nothing
_NOT_WRITTEN = frozenset({*_OTHER_BOXES, "nav"})
# An item ends the one that it stands in, if no other holder is between; a heading only if nothing is.
_ENDING = {"li": ("li",), "dd": ("dd", "dt"), "dt": ("dd", "dt"), **dict.fromkeys(HEADINGS, HEADINGS)}
_LINK_HOLDERS = CELLS | {"a", "caption"}
_ITEM_HOLDERS = TABLE_PARTS | LISTS | PARSER_BLOCKS.union(_PAGE_PARTS, ("pre",)) - {"address", "div", "hr", "nav", "p"}

_APART_FROM_LABEL = re.compile(r"\d+\. |  ")  # items, quotations and code
_ITEM_MARK = re.compile(r" *(?:-|\d+\.) ")
_PLAIN_TEXT = PlainText(bullet="- ")


class Edits:
    """Changes the document while this is open, and undoes it all in the end, last things first."""

    def __init__(self) -> None:
        self._renamed: list[tuple[Element, str]] = []
        # A node and the one it stands for; none for a node that was added.
        self._placed: list[tuple[Node, Node | None]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for node, instead in reversed(self._placed):
            if instead is not None:
                node.insert_before(instead)
            node.extract()
        for element, tag in reversed(self._renamed):
            element.tag = tag

    def rename(self, element: Element, tag: str) -> bool:
        """Makes an element one of another kind, if it could be made again what it is: pages have `<align=center>`."""
        old = element.tag
        if old.isalnum() or old.replace("-", "").isalnum():
            self._renamed.append((element, old))
            element.tag = tag
            return True
        return False

    def replace(self, element: Element, text: str) -> None:
        """Puts a text that is written as it stands in the place of an element."""
        self._swap(element, Element("pre", children=[Text(text)]) if text else Text(" "))

    def drop(self, node: Node) -> None:
        """Takes a node out."""
        self._swap(node, Text(" "))

    def append(self, element: Element, text: str) -> None:
        """Puts a text at the end of an element."""
        added = Text(text)
        element.append(added)
        self._placed.append((added, None))

    def insert(self, node: Node, text: str) -> None:
        """Puts a text before a node."""
        added = Text(text)
        node.insert_before(added)
        self._placed.append((added, None))

    def _swap(self, node: Node, other: Node) -> None:
        node.insert_before(other)
        node.extract()
        self._placed.append((other, node))


def prepare(inside: Element, edits: Edits) -> None:
    """Changes what the parser would glue together, leave out or pad."""
    found: dict[str, list[Element]] = {}
    wrapped: list[Any] = []
    above: Any
    last: Any = None
    for element in inside.iter_elements():  # to look for each by itself would take several times as long
        tag = element.tag
        if tag in _BLOCKS:
            above = element.parent
            if above is not last:  # to ask for a tag takes as long as all else here
                last = above
                if type(above) is Element and above.tag not in _BLOCK_HOLDERS:
                    wrapped.append(above)
            if tag in PARSER_BLOCKS:
                continue
        elif tag not in _LOOKED_AT:
            if "-" in tag:  # web components are mostly boxes
                edits.rename(element, "div")
            continue
        if tag in found:
            found[tag].append(element)
        else:
            found[tag] = [element]
    for link in inside.select("a + a"):
        if type(link.previous_sibling) is Element:  # pages set links apart that they write side by side
            edits.insert(link, " ")
    last, in_code = None, False
    for span in inside.select("span + span"):
        above = span.parent
        if above is not last:  # code in colours is all spans, side by side
            last = above
            in_code = above.closest("pre, code, kbd, samp, tt") is not None
        if not in_code and runs_on(span):
            edits.insert(span, " ")
    for word in wrapped:
        while type(word) is Element and word.tag not in _BLOCK_HOLDERS:
            if not edits.rename(word, "div"):
                break
            word = word.parent  # noqa: PLW2901
    if not found:
        return
    for code in found.get("pre", ()):
        for line in list(code.iter_elements(_LINE)):
            edits.insert(line, "\n")
    for tag in sorted(UNREAD):
        for element in found.get(tag, ()):
            edits.drop(element)
    for tag in sorted(SPACED):
        for element in found.get(tag, ()):
            edits.insert(element, " ")
            edits.append(element, " ")
    for element in found.get("q", ()):
        edits.insert(element, '"')
        edits.append(element, '"')
    for tag in _OTHER_BOXES:
        for element in found.get(tag, ()):
            edits.rename(element, "div")
    for raised in found.get("sup", ()):
        _raise(raised, edits)
    lists = [element for tag in sorted(LISTS) for element in found.get(tag, ())]
    layouts: set[Node] = set()
    if lists:
        headings = [heading for tag in sorted(HEADINGS) for heading in found.get(tag, ())]
        layouts = _layouts([*headings, *inside.iter_elements(_ARTICLE)])
    for element in lists:
        if element in layouts or _has_strays(element):
            edits.rename(element, "div")
    definitions = [block for block in found.get("dl", ()) if not _is_busy(block)]
    for table in found.get("table", ()):
        _write_table(table, edits)
    for block in definitions:
        _write_definitions(block, edits)


def set_apart(inside: Element, edits: Edits, written: Collection[str]) -> None:
    """Changes what would be glued together where only some elements are written, as HTML.

    And what could not be read again: without the elements between, or with boxes in their place, an element may stand
    in one that ends where it begins. The parser writes the tag of such an element as text.
    """
    parted: set[Any] = set()
    items, heads, links = Above(_ITEM_HOLDERS), Above(written), Above(_LINK_HOLDERS)
    left_out = Above(written, others=True, top=inside)
    last: Any = None
    above: Any
    for element in list(inside.iter_elements()):
        tag = element.tag
        if tag in _BLOCKS or "-" in tag:
            above = element.parent
            if above is not last:
                _part(above, edits, parted)
                last = above
            if tag in _ENDING:
                held = heads.tag(above) if tag in HEADINGS else items.tag(above)
                # The parser takes an item for one in another where neither its parent nor one further up is written.
                strays = tag == "li" and above.tag not in written and left_out.tag(above.parent) != ""
                if held in _ENDING[tag] or (strays and not edits.rename(above, "span")):
                    edits.rename(element, "div")
            elif (tag in _NOT_WRITTEN or "-" in tag) and not (type(above) is Element and above.tag in _TABLES):
                edits.rename(element, "div")
        elif tag == "button" or tag == "label":
            edits.insert(element, " ")
            edits.append(element, " ")
        elif tag == "span" and runs_on(element):
            edits.insert(element, " ")
    for link in inside.select("a a"):
        if links.tag(link.parent) == "a":
            edits.rename(link, "span")


def _part(above: Any, edits: Edits, parted: set[Any]) -> None:
    """Makes boxes of the paragraphs around a block. Where it was done before it is not done again."""
    while type(above) is Element and above not in parted:
        parted.add(above)
        if above.tag == "p":
            edits.rename(above, "div")
        above = above.parent


class Above:
    """The nearest of some elements that stand around another, or of all others. What is passed is passed once."""

    def __init__(self, tags: Collection[str], *, others: bool = False, top: Any = None) -> None:
        """Elements from `top` upwards do not count."""
        self._tags = tags
        self._others = others
        self._known: dict[Any, str] = {top: ""}

    def tag(self, above: Any) -> str:
        """Its tag, from here on upwards; nothing where there is none."""
        passed: list[Any] = []
        while type(above) is Element and above not in self._known:
            found = above.tag
            if (found in self._tags) != self._others:
                break
            passed.append(above)
            above = above.parent
        else:
            found = self._known.get(above, "")
        for one in passed:
            self._known[one] = found
        return found


def _layouts(parts: Iterable[Element]) -> set[Node]:
    """The lists that hold parts of a page: headings and articles."""
    layouts: set[Node] = set()
    for part in parts:
        above = part.parent
        while isinstance(above, Element) and (holder := above.closest("ul, ol, menu")) and holder not in layouts:
            layouts.add(holder)
            above = holder.parent
    return layouts


def _is_busy(holder: Element) -> bool:
    """Whether a table, a row or definitions hold parts of the page: tables, definitions or headings."""
    return next(holder.iter_elements(_PAGE_PARTS), None) is not None


def _write_table(table: Element, edits: Edits) -> None:
    """Replaces a table by its rows. One that lays out a page becomes boxes, but for rows that hold no part of it."""
    parts = [part for part in table if type(part) is Element]
    rows = [row for part in parts for row in (part if part.tag in ROW_GROUPS else (part,)) if type(row) is Element]
    if not _is_busy(table):
        edits.replace(table, _rows(rows, next(table.iter_elements(_HEADER), None) is not None))
        return
    for part in (table, *parts):
        edits.rename(part, "div")
    for row in rows:
        if row.tag == "tr" and not _is_busy(row):
            edits.replace(row, _rows([row], False))  # noqa: FBT003
        else:
            for cell in (row, *row):
                if type(cell) is Element:
                    edits.rename(cell, "div")


def _rows(rows: list[Element], headed: bool) -> str:
    """Rows, each on a line where its cells are short or have a header. Else the cells are paragraphs."""
    written = []
    for row in rows:
        if row.tag != "tr":  # a caption
            written.append(f"{_cell(row)}\n")
            continue
        cells = [said for cell in row if type(cell) is Element and (said := _cell(cell))]
        line = "  ".join(cells)
        if "\n" not in line and (len(cells) < 2 or max(map(len, cells[: len(cells) - 1])) <= VALUE):
            written.append(line)
        elif headed:
            written.append("  ".join([" ".join(cell.split()) for cell in cells]))
        else:
            written += [f"\n{cell}\n" for cell in cells]
    return "\n".join(filter(None, written)).strip("\n")


def _cell(cell: Element) -> str:
    """The text of a cell. With the usual bullets, since to ask for ours takes five times as long."""
    said = cell.to_text() if len(cell) else ""
    if "* " in said:
        said = "\n".join([_with_our_bullet(line) for line in said.split("\n")])
    return said.strip().rstrip("¶")


def _with_our_bullet(line: str) -> str:
    item = line.lstrip(" ")
    return f"{line[: len(line) - len(item)]}-{item[1:]}" if item.startswith("* ") else line


def _write_definitions(block: Element, edits: Edits) -> None:
    """Puts terms and what they mean on one line each, if all of that is short."""
    parts = [part for part in block if type(part) is Element]
    tags = [part.tag for part in parts]
    if tags != ["dt", "dd"] * (len(tags) // 2) or _has_strays(block, ("dt", "dd")):
        return
    lines = []
    for term, meaning in zip(map(_cell, parts[::2]), map(_cell, parts[1::2]), strict=True):
        if "\n" in term or "\n" in meaning or len(meaning) > VALUE:
            return
        lines.append(f"{term}{'' if term.endswith(ENDS) or not meaning else ':'} {meaning}".strip())
    edits.replace(block, "\n".join(lines))


def _raise(raised: Element, edits: Edits) -> None:
    """Raised figures after a figure are a power; those that lead to a place on the page are a footnote."""
    said = raised.text.strip()
    if not said.isalnum() or len(said) > 4:
        return
    link = raised.find("a") or raised.closest("a")
    before = raised.previous_sibling
    if link is not None and "#" in (link.attr("href") or ""):
        edits.insert(raised, "[")
        edits.append(raised, "]")
    elif said.isdigit() and type(before) is Text and before.data.endswith(DIGITS):
        edits.insert(raised, "^")


def _has_strays(block: Element, tags: tuple[str, ...] = ("li",)) -> bool:
    for child in block:
        if type(child) is Element:
            if child.tag not in tags:
                return True
        elif type(child) is Text and not child.data.isspace():
            return True
    return False


def body_text(body: opaque.Node, gaps: Callable[[], Collection[opaque.Node]] | None = None) -> str:
    """A body as plain text; `gaps` gives the elements that something was taken out of, asked for where it matters."""
    inside: Any = body
    with Edits() as edits:
        prepare(inside, edits)
        said = inside.to_text(_PLAIN_TEXT)
        if gaps is not None and _has_zero(said):
            for zero in zeros(inside, gaps()):
                edits.drop(zero)
            said = inside.to_text(_PLAIN_TEXT)
    return tidied(said)


def _has_zero(said: str) -> bool:
    """Whether a line of a text is a count of nothing."""
    for zero in ZEROS:
        if f"\n{zero}\n" in said or said.startswith(f"{zero}\n") or said.endswith(f"\n{zero}"):
            return True
    return False


def zeros(inside: Element, gaps: Collection[opaque.Node]) -> list[Node]:
    """The counts of what was taken out."""
    found = [node for node in inside.descendants if type(node) is Text and node.data.strip() in ZEROS]
    return [zero for zero in found if isinstance(above := zero.parent, Element) and is_gap(above, gaps)]


def _trimmed(said: str) -> str:
    """The text without spaces at the end of lines. An item that begins with a box begins on the line of its mark."""
    lines: list[str] = []
    mark = ""
    for line in said.split("\n"):
        if mark and line.startswith(" " * len(mark)):
            line = mark + line.lstrip()  # noqa: PLW2901
        mark = ""
        size = len(line)
        if size and line[size - 1] == " ":
            if _ITEM_MARK.fullmatch(line):
                mark = line
                continue
            line = line.rstrip()  # noqa: PLW2901
        lines.append(line)
    return "\n".join(lines)


def tidied(said: str) -> str:
    """The text without what is left where something went, and with values beside their labels."""
    said = said.replace("\xa0", " ")
    if " \n" in said:
        said = _trimmed(said)
    parts: list[str] = []
    label = False
    for part in said.split("\n\n"):
        size = len(part)
        if not size or (size <= LEFTOVER and not part[0].isalnum() and not says(part)):
            continue
        if part[0] == " " and part[1] != " ":
            part = part[1:]  # noqa: PLW2901  # code and quotations are indented by more
        elif part[0] == "\n" or part[size - 1] == "\n":
            part = part.strip("\n")  # noqa: PLW2901
        if part.startswith("- "):
            part = "\n".join([line for line in part.split("\n") if len(line) > LEFTOVER or says(line)])  # noqa: PLW2901
            if " |\n" in part:
                part = "\n".join([line.rstrip(" |") for line in part.split("\n")])  # noqa: PLW2901
            label = False
        elif part.endswith("¶"):
            part = part.rstrip(" ¶")  # noqa: PLW2901
        if part.endswith(" |") and not part.startswith("|"):
            part = part.rstrip(" |")  # noqa: PLW2901  # no table: what it set apart is gone
        if not part:
            continue
        short = size <= VALUE and "\n" not in part
        if label and short and not part.endswith(COLONS) and not _APART_FROM_LABEL.match(part):
            parts[len(parts) - 1] += f" {part}"
            label = False
        else:
            label = is_label(part) and not part.startswith("- ")
            parts.append(part)
    return "\n\n".join(parts).strip() + "\n" if parts else ""
