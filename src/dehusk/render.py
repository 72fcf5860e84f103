"""A cleaned page as something to read: text, Markdown, HTML of the content, of the template, and the page tinted.

Writers leave the document as they found it: the page that owns it may be asked for another format next. The two views
of a marked page, which change most of it, parse a document of their own.
"""

import re
from collections.abc import Iterable
from copy import deepcopy
from typing import Self

from turbohtml import Doctype, Document, Element, Html, Minify, Node, PlainText, Text

from dehusk.marking import Marking
from dehusk.page import Page, body, walk

_PLAIN = PlainText(bullet="- ")
_HTML = Html(
    layout=Minify(collapse_whitespace=False, omit_optional_tags=False, unquote_attributes=False, strip_comments=True),
    meta_charset=True,
)
_GAPS = re.compile(r"\n[^\S\n]*+\n\s*\n")
_TO_UNFOLD = ("table", "caption", "ul", "ol", "menu")
_SEAL = {
    "http-equiv": "Content-Security-Policy",
    "content": "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
}
_ROW_GROUPS = ("thead", "tbody", "tfoot")
_NOT_DATA = ":has(:is(table, h1, h2, h3, h4, h5, h6):not(caption *))"
_SIDE_BY_SIDE = ":is(td, th) ~ :is(td, th)"
_PARAGRAPHS = ("p", "div", "br", "ul", "ol", "blockquote")
# Red for what goes, as in a diff; an outline as well, since many pages have backgrounds of their own.
_TINT = (
    "[data-dehusk]{background:#fde2dd!important;color:#8c2f1b!important;outline:1px solid #e79a8b;outline-offset:-1px}"
    "[data-dehusk] *{background-color:transparent!important;color:inherit!important}"
)


def text(content: Document) -> str:
    """The content as plain text: paragraphs, list items and table rows on lines of their own."""
    inside = body(content)
    found: dict[str, list[Element]] = {}
    for block in inside.iter_elements(_TO_UNFOLD):  # to look for each by itself would take three times as long
        found.setdefault(block.tag, []).append(block)
    if not found:
        return _ended(inside.to_text(_PLAIN))
    tables, captions = found.pop("table", ()), found.pop("caption", ())
    with _Unfolding() as unfolding:
        unfolding.tables(tables)
        unfolding.lists(block for lists in found.values() for block in lists)
        unfolding.captions(captions)
        return _ended(inside.to_text(_PLAIN))


def markdown(content: Document, base: str) -> str:
    """The content as Markdown, with headings, lists, tables, code, and links absolute where their base is known."""
    inside = deepcopy(body(content))
    if base:
        inside.resolve_links(base)
    for image in inside.select('img[src^="data:" i]'):
        image.replace_with(Text(image.attr("alt") or ""))
    _Unfolding().tables(list(inside.iter_elements("table")))
    return _ended(inside.to_markdown())


def html(content: Document, page: Page) -> str:
    """The content as a page of its own, with the head of the original."""
    added = _complete(content, page)
    written = _written(content)
    for node in added:
        node.extract()
    return written


def template_html(marking: "Marking", *, sealed: bool = False) -> str:
    """What is left of the page when its content goes: the template as a page of its own.

    A sealed page loads nothing and goes nowhere: only its own inline style and images show.
    """
    tree = marking.page.tree
    document, nodes = _own(marking.page)
    # A node with template anywhere below it stays, as the wrapper of that template.
    needed = bytearray(marking.flags)
    for node in range(len(tree) - 1, 0, -1):
        if needed[node]:
            needed[tree.parent[node]] = 1
    for node in range(1, len(tree)):
        if not needed[node] and needed[tree.parent[node]]:
            nodes[node].extract()
    return _viewed(document, marking.page, sealed=sealed)


def highlighted_html(marking: "Marking", *, sealed: bool = False) -> str:
    """The page with its template tinted, and the reason for each topmost node as a tooltip; sealed as above."""
    document, nodes = _own(marking.page)
    for number in marking.topmost:
        node, reason = nodes[number], marking.reason(number)
        if isinstance(node, Text):
            node.wrap(Element("span", {"data-dehusk": "template", "title": reason}))
        elif isinstance(node, Element):
            node.attrs["data-dehusk"] = "template"
            node.attrs["title"] = reason
    style = Element("style")
    style.append(Text(_TINT))
    _head(document).append(style)
    return _viewed(document, marking.page, sealed=sealed)


def _own(page: Page) -> tuple[Document, list[Node]]:
    """A document to change for good, without what is never content, and its nodes in the order of the page's tree."""
    document = page.parse()
    nodes = walk(document, page.silent).nodes
    for silent in list(body(document).iter_elements(page.silent)):
        silent.extract()
    return document, nodes


class _Unfolding:
    """While this is open, what the writers would put on one line or leave out are blocks. Then all is as before."""

    def __init__(self) -> None:
        self._renamed: list[tuple[Element, str]] = []
        self._moved: list[tuple[Element, Element, Node | None]] = []  # a caption, its table and what follows it there

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for caption, table, after in reversed(self._moved):
            after.insert_before(caption) if after is not None else table.append(caption)
        for block, tag in reversed(self._renamed):
            block.tag = tag

    def _rename(self, block: Element) -> None:
        self._renamed.append((block, block.tag))
        block.tag = "div"

    def tables(self, tables: Iterable[Element]) -> None:
        """Tables that lay out a page. As rows and cells, all that they hold would be on one line."""
        for table in tables:
            if _lays_out(table):
                parts = [part for part in table if isinstance(part, Element)]
                rows = [row for part in parts for row in (part if part.tag in _ROW_GROUPS else [part])]
                cells = [cell for row in rows for cell in row]
                for part in (table, *parts, *rows, *cells):
                    if isinstance(part, Element):
                        self._rename(part)

    def lists(self, lists: Iterable[Element]) -> None:
        """Lists that hold more than items, which the writer of text would leave out."""
        for block in lists:
            if _has_strays(block):
                self._rename(block)

    def captions(self, captions: Iterable[Element]) -> None:
        """Captions, which are moved before their tables: inside, the writer of text would leave them out."""
        for caption in captions:
            self._rename(caption)
            if isinstance(table := caption.parent, Element):
                self._moved.append((caption, table, caption.next_sibling))
                table.insert_before(caption)


def _lays_out(table: Element) -> bool:
    """Whether a table holds a page's parts rather than data: tables or headings, or paragraphs under no header."""
    if table.matches(_NOT_DATA) or not table.select_one(_SIDE_BY_SIDE):
        return True
    if next(table.iter_elements("th"), None):
        return False
    holders = [part.closest("td, caption") for part in table.iter_elements(_PARAGRAPHS)]
    cells = [holder for holder in holders if holder is not None and holder.tag == "td"]
    return len(set(cells)) < len(cells)


def _has_strays(block: Element) -> bool:
    for child in block:
        if type(child) is Element:
            if child.tag != "li":
                return True
        elif type(child) is Text and not child.data.isspace():
            return True
    return False


def _viewed(document: Document, page: Page, *, sealed: bool) -> str:
    """A view of the page; a sealed one loads nothing and leads nowhere."""
    if sealed:
        for outward in document.select("script, link, meta[http-equiv]"):
            outward.extract()
        _head(document).insert(0, Element("meta", _SEAL))
    _complete(document, page)
    return _written(document)


def _complete(document: Document, page: Page) -> list[Element]:
    """Adds what a valid page needs and this one lacks: a title, and the base of its relative links."""
    head, url = _head(document), page.url
    added = []
    if not head.find("title"):
        added.append(Element("title", children=[Text(page.name or "Untitled")]))
    if url and not head.find("base", attrs={"href": True}):
        added.append(Element("base", {"href": url}))
    for element in added:
        head.insert(0, element)
    return added


def _written(document: Document) -> str:
    doctype = "" if any(isinstance(node, Doctype) for node in document.children) else "<!DOCTYPE html>"
    return f"{doctype}{document.serialize(_HTML)}\n"


def _head(document: Document) -> Element:
    head = document.find("head")
    if head is None:  # only a document that a program took apart has none
        head = Element("head")
        (document.root or body(document)).insert(0, head)
    return head


def _ended(words: str) -> str:
    words = _GAPS.sub("\n\n", words).strip()
    return f"{words}\n" if words else ""
