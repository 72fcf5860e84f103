"""XML as the Text Encoding Initiative has it (TEI P5), with the elements that trafilatura writes."""

import re
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from dehusk.kernels import blocks
from dehusk.kernels.blocks import Block, Line, Mark
from dehusk.kernels.reading import BREAK, read
from dehusk.page import Node, Page
from dehusk.page.dom import dom
from dehusk.page.elements import attribute, tag_of
from dehusk.render._addresses import Addresses
from dehusk.render.writing import AS_LEARNED, Writing

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0">\n'
_MARKED = {
    blocks.STRONG: 'hi rend="#b"',
    blocks.EMPHASIS: 'hi rend="#i"',
    blocks.CODE: "code",
    blocks.SUPERSCRIPT: 'hi rend="#sup"',
    blocks.SUBSCRIPT: 'hi rend="#sub"',
    blocks.STRUCK: 'del rend="overstrike"',
}
_ONLY_ELEMENTS = frozenset({"list", "table", "row"})  # they have no text, so line breaks in them say nothing
_ITEMS = frozenset({blocks.ITEM, blocks.TERM, blocks.DEFINITION})


def tei(page: Page, gone: Sequence[Node], about: Mapping[str, str | None], writing: Writing = AS_LEARNED) -> str:
    """Returns the content as a TEI document. `about` has title, author, date, url, site, description and language."""
    addresses = Addresses(page, writing)  # reads the document, so before nodes are removed from it
    lent = dom(page)
    writer = _Writer(addresses)
    writer.inside(read(lent.without(gone), lambda: lent.gaps, marked=True))
    body = "\n".join(writer.written)
    return f'{_HEAD}{_header(about)}\n<text>\n<body>\n<div type="entry">\n{body}\n</div>\n</body>\n</text>\n</TEI>\n'


def _header(about: Mapping[str, str | None]) -> str:
    given = {name: _text(value or "") for name, value in about.items()}
    author = f"<author>{given['author']}</author>" if given["author"] else ""
    date = f'<date type="published">{given["date"]}</date>' if given["date"] else ""
    site = f"<publisher>{given['site']}</publisher>" if given["site"] else ""
    address = f'<ptr type="URL" target={quoteattr(_NOT_XML.sub("", about["url"]))}/>' if about["url"] else ""
    language = (
        f"<langUsage><language ident={quoteattr(_NOT_XML.sub('', about['language']))}/></langUsage>"
        if about["language"]
        else ""
    )
    return (
        f'<teiHeader>\n<fileDesc>\n<titleStmt><title type="main">{given["title"]}</title>{author}</titleStmt>\n'
        f"<publicationStmt>{site or '<p/>'}</publicationStmt>\n"
        f'<sourceDesc><biblFull><titleStmt><title type="main">{given["title"]}</title>{author}</titleStmt>'
        f"<publicationStmt>{site or '<publisher/>'}{address}{date}</publicationStmt></biblFull></sourceDesc>\n"
        "</fileDesc>\n"
        f'<encodingDesc><appInfo><application version="1" ident="dehusk"><label>dehusk</label></application>'
        f"</appInfo></encodingDesc>\n"
        f"<profileDesc><abstract><p>{given['description']}</p></abstract>{language}</profileDesc>\n</teiHeader>"
    )


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("", " ".join(text.split())))


_TAG = re.compile("<[^<>]*+>")
_SPACES = re.compile(r"\s++")


class _Writer:
    """Writes blocks as lines of XML."""

    def __init__(self, addresses: Addresses) -> None:
        self._address = addresses
        self.written: list[str] = []

    def inside(self, block: Block, *, bare: bool = False) -> None:
        """Writes what is in a block. Lines are paragraphs, unless `bare`."""
        for part in block.inside:
            if not isinstance(part, Line):
                self._block(part)
            elif line := self._line(part.pieces):
                self.written.append(line if bare else f"<p>{line}</p>")

    def _block(self, block: Block) -> None:
        if block.kind == blocks.PRE:
            code = "\n".join(line.text for line in block.inside if isinstance(line, Line))
            self.written.append(f'<ab rend="code" xml:space="preserve">{escape(_NOT_XML.sub("", code))}</ab>')
        elif block.kind == blocks.HEADING:
            words = " ".join(filter(None, (self._line(line.pieces) for line in block.inside if isinstance(line, Line))))
            if words:
                self.written.append(f'<ab rend="{tag_of(block.node)}" type="header">{words}</ab>')
        elif block.kind in (blocks.LIST, blocks.DEFINITIONS):
            self._list(block)
        elif block.kind == blocks.TABLE:
            self._table(block)
        elif block.kind == blocks.ROW:
            self._row_alone(block)
        elif block.kind == blocks.QUOTATION:
            self._around("quote", block)
        elif block.kind != blocks.RULE:
            self.inside(block)

    def _around(self, tag: str, block: Block) -> None:
        """Writes an element, without it if it would be empty. The only line of an item or cell is not a paragraph."""
        start = len(self.written)
        self.inside(block, bare=tag != "quote" and len(block.inside) == 1)
        self._wrap(tag, start)

    def _wrap(self, tag: str, start: int) -> None:
        """Puts an element around what was written since `start`; none around nothing."""
        name = tag.partition(" ")[0]
        line = "\n" if name in _ONLY_ELEMENTS else ""
        if len(self.written) > start:
            self.written[start:] = [line.join([f"<{tag}>", *self.written[start:], f"</{name}>"])]

    def _list(self, block: Block) -> None:
        """Writes a list, which has only items: other blocks and lines in it are items, too."""
        begun = len(self.written)
        for part in block.inside:
            start = len(self.written)
            if isinstance(part, Line):
                self.written += filter(None, [self._line(part.pieces)])
            else:
                self.inside(part, bare=len(part.inside) == 1) if part.kind in _ITEMS else self._block(part)
            self._wrap("item", start)
        rend = "dl" if block.kind == blocks.DEFINITIONS else tag_of(block.node)
        self._wrap(f'list rend="{rend}"', begun)

    def _table(self, block: Block) -> None:
        """Writes a table, which has only rows, which have only cells. An empty cell is a place in its row."""
        begun = len(self.written)
        for row in blocks.blocks(block):
            start = len(self.written)
            for cell in blocks.blocks(row):
                before = len(self.written)
                self.inside(cell, bare=len(cell.inside) == 1)
                self._wrap("cell", before) if len(self.written) > before else self.written.append("<cell/>")
            self._wrap("row", start)
        self._wrap("table", begun)

    def _row_alone(self, row: Block) -> None:
        """Writes a row of a table that lays out the page as a paragraph: a row is only in a table."""
        lines = (line for cell in blocks.blocks(row) for line in cell.inside if isinstance(line, Line))
        if written := "  ".join(filter(None, (self._line(line.pieces) for line in lines))):
            self.written.append(f"<p>{written}</p>")

    def _line(self, pieces: Sequence[str | Mark]) -> str:
        """Returns a line with its marks. Marks are closed in the order of XML. Code has only text."""
        written: list[str] = []
        open_marks: list[tuple[int, str]] = []
        for piece in pieces:
            code = bool(open_marks) and open_marks[-1][0] == blocks.CODE
            if isinstance(piece, str):
                broken = " " if code else "<lb/>"
                written.append(broken if piece == BREAK else escape(_NOT_XML.sub("", _SPACES.sub(" ", piece))))
            elif piece.kind == blocks.RAISED:
                label = _text(piece.label)
                written.append(label if code else f'<hi rend="#sup">{label}</hi>')
            elif piece.kind == blocks.FORMULA:
                label = _text(piece.label)
                written.append(label if code else f'<formula notation="TeX">{label}</formula>')
            elif piece.kind == blocks.CODE or (not code and (piece.kind == blocks.LINK or piece.kind in _MARKED)):
                self._mark(piece, written, open_marks)
        written += [f"</{tag.partition(' ')[0]}>" for _, tag in reversed(open_marks)]
        line = "".join(written)
        return line.strip() if _TAG.sub("", line).strip() else ""

    def _mark(self, mark: Mark, written: list[str], open_marks: list[tuple[int, str]]) -> None:
        if mark.opens:
            tag = self._reference(mark.node) if mark.kind == blocks.LINK else _MARKED[mark.kind]
            if tag:
                open_marks.append((mark.kind, tag))
                written.append(f"<{tag}>")
        while not mark.opens and any(kind == mark.kind for kind, _ in open_marks):
            kind, tag = open_marks.pop()
            written.append(f"</{tag.partition(' ')[0]}>")
            if kind == mark.kind:
                break

    def _reference(self, link: Node) -> str:
        """Returns the tag of a link; "" if it has no address, or if links are left out."""
        address = _NOT_XML.sub("", self._address(attribute(link, "href"))) if self._address.writing.links else ""
        return f"ref target={quoteattr(address)}" if address else ""
