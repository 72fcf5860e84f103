"""A marked page as something to read: text, Markdown, HTML of the content, of the template, and the page tinted."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from turbohtml import Doctype, Document, Element, Html, Minify, Node, PlainText, Text

from dehusk.page import Page, body

if TYPE_CHECKING:
    from dehusk.marking import Marking

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
    tables, captions = found.pop("table", ()), found.pop("caption", ())
    _unfold_tables(tables)
    _unfold_lists(block for lists in found.values() for block in lists)
    _unfold_captions(captions)
    return _ended(inside.to_text(_PLAIN))


def markdown(content: Document, base: str) -> str:
    """The content as Markdown, with headings, lists, tables, code, and links absolute where their base is known."""
    if base:
        content.resolve_links(base)
    inside = body(content)
    for image in inside.select('img[src^="data:" i]'):
        image.replace_with(Text(image.attr("alt") or ""))
    _unfold_tables(list(inside.iter_elements("table")))
    return _ended(inside.to_markdown())


def html(content: Document, page: Page) -> str:
    """The content as a page of its own, with the head of the original."""
    return _whole(content, page)


def template_html(marking: "Marking", *, sealed: bool = False) -> str:
    """What is left of the page when its content goes: the template as a page of its own.

    A sealed page loads nothing and goes nowhere: only its own inline style and images show.
    """
    tree = marking.page.tree
    document, nodes = marking.page.take()
    # A node with template anywhere below it stays, as the wrapper of that template.
    needed = bytearray(marking.flags)
    for node in range(len(tree) - 1, 0, -1):
        if needed[node]:
            needed[tree.parent[node]] = 1
    for node in range(1, len(tree)):
        if not needed[node] and needed[tree.parent[node]]:
            nodes[node].extract()
    return _whole(document, marking.page, sealed=sealed)


def highlighted_html(marking: "Marking", *, sealed: bool = False) -> str:
    """The original page with its template tinted, and the reason of each region as a tooltip; sealed as above."""
    document, nodes = marking.page.take()
    for region in marking.regions:
        node, reason = nodes[region], marking.reason(region)
        if isinstance(node, Text):
            node.wrap(Element("span", {"data-dehusk": "template", "title": reason}))
        elif isinstance(node, Element):
            node.attrs["data-dehusk"] = "template"
            node.attrs["title"] = reason
    style = Element("style")
    style.append(Text(_TINT))
    _head(document).append(style)
    return _whole(document, marking.page, sealed=sealed)


def content(marking: "Marking") -> Document:
    """The page's document without what is marked, for one of the writers, which change it further."""
    document, nodes = marking.page.take()
    cut(nodes[region] for region in marking.regions)
    return document


def cut(gone: Iterable[Node]) -> None:
    """Takes nodes out of their document."""
    for node in gone:
        before = node.previous_sibling
        if before and not (type(before) is Text and before.data[-1:].isspace()) and node.next_sibling:
            # The separator between two words may be template; without a space they would become one.
            node.insert_before(Text(" "))
        node.extract()


def _unfold_tables(tables: Iterable[Element]) -> None:
    """Turns tables that lay out a page into blocks: as rows and cells, all they hold would end up on one line."""
    for table in tables:
        if _lays_out(table):
            parts = [part for part in table if isinstance(part, Element)]
            rows = [row for part in parts for row in (part if part.tag in _ROW_GROUPS else [part])]
            cells = [cell for row in rows for cell in row]
            for part in (table, *parts, *rows, *cells):
                if isinstance(part, Element):
                    part.tag = "div"


def _lays_out(table: Element) -> bool:
    """Whether a table holds a page's parts rather than data: tables or headings, or paragraphs under no header."""
    if table.matches(_NOT_DATA) or not table.select_one(_SIDE_BY_SIDE):
        return True
    if next(table.iter_elements("th"), None):
        return False
    holders = [part.closest("td, caption") for part in table.iter_elements(_PARAGRAPHS)]
    cells = [holder for holder in holders if holder is not None and holder.tag == "td"]
    return len(set(cells)) < len(cells)


def _unfold_lists(lists: Iterable[Element]) -> None:
    """Turns lists that hold more than items into blocks: the writer of text would pass it over."""
    for block in lists:
        if _has_strays(block):
            block.tag = "div"


def _unfold_captions(captions: Iterable[Element]) -> None:
    """Turns captions into blocks before their tables: in there, the writer of text would pass them over."""
    for caption in captions:
        caption.tag = "div"
        if isinstance(table := caption.parent, Element):
            table.insert_before(caption)


def _has_strays(block: Element) -> bool:
    for child in block:
        if type(child) is Element:
            if child.tag != "li":
                return True
        elif type(child) is Text and not child.data.isspace():
            return True
    return False


def _whole(document: Document, page: Page, *, sealed: bool = False) -> str:
    """The document with what a valid page needs: a doctype, a title, and the base of its relative links."""
    head, url = _head(document), page.url
    if not head.find("title"):
        head.insert(0, Element("title", children=[Text(page.name or "Untitled")]))
    if sealed:
        for outward in document.select("script, link, meta[http-equiv]"):
            outward.extract()
        head.insert(0, Element("meta", _SEAL))
    if url and not head.find("base", attrs={"href": True}):
        head.insert(0, Element("base", {"href": url}))
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
