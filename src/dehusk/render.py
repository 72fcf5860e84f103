"""A marked page as something to read: text, Markdown, HTML of the content, of the template, and the page tinted."""

import re
from typing import TYPE_CHECKING, Any

from turbohtml import Comment, Doctype, Document, Element, Html, Node, PlainText, Text

from dehusk.page import Page, body

if TYPE_CHECKING:
    from dehusk.marking import Marking

_PLAIN = PlainText(bullet="- ")
_HTML = Html(meta_charset=True)
_GAPS = re.compile(r"\n(?:[^\S\n]*\n){2,}")
_LISTS: list[Any] = ["ul", "ol", "menu"]
_SEAL = {
    "http-equiv": "Content-Security-Policy",
    "content": "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
}
_ROW_GROUPS = ("thead", "tbody", "tfoot")
_NOT_IN_DATA: list[Any] = ["table", "h1", "h2", "h3", "h4", "h5", "h6"]
_PARAGRAPHS: list[Any] = ["p", "div", "br", "ul", "ol", "blockquote"]
# Red for what goes, as in a diff; an outline as well, since many pages have backgrounds of their own.
_TINT = (
    "[data-dehusk]{background:#fde2dd!important;color:#8c2f1b!important;outline:1px solid #e79a8b;outline-offset:-1px}"
    "[data-dehusk] *{background-color:transparent!important;color:inherit!important}"
)


def text(marking: "Marking") -> str:
    """The content as plain text: paragraphs, list items and table rows on lines of their own."""
    content = body(_content(marking))
    _unfold_tables(content)
    _unfold_lists(content)
    return _ended(content.to_text(_PLAIN))


def markdown(marking: "Marking") -> str:
    """The content as Markdown, with headings, lists, tables, code, and links absolute where the address is known."""
    base = marking.page.base_url
    document = _content(marking)
    if base:
        document.resolve_links(base)
    content = body(document)
    for image in content.select('img[src^="data:" i]'):
        image.replace_with(Text(image.attr("alt") or ""))
    _unfold_tables(content)
    return _ended(content.to_markdown())


def html(marking: "Marking") -> str:
    """The content as a page of its own, with the head of the original."""
    return _whole(_content(marking), marking.page)


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


def _content(marking: "Marking") -> Document:
    document, nodes = marking.page.take()
    for region in marking.regions:
        node = nodes[region]
        if node.previous_sibling and node.next_sibling:
            # The separator between two words may be template; without a space they would become one.
            node.insert_before(Text(" "))
        node.extract()
    return document


def _unfold_tables(content: Node) -> None:
    """Turns tables that lay out a page into blocks: as rows and cells, all they hold would end up on one line."""
    for table in content.find_all("table"):
        parts = [part for part in table.children if isinstance(part, Element)]
        rows = [row for part in parts for row in (part.children if part.tag in _ROW_GROUPS else [part])]
        cells = [[cell for cell in row.children if isinstance(cell, Element)] for row in rows]
        if _lay_out(cells):
            for part in (table, *parts, *rows, *(cell for row in cells for cell in row)):
                if isinstance(part, Element):
                    part.tag = "div"


def _unfold_lists(content: Node) -> None:
    """Turns lists that hold more than items into blocks, and captions too: the writer of text would pass it over."""
    for block in content.find_all(_LISTS):
        if any(not isinstance(child, Comment) and _stray(child) for child in block.children):
            block.tag = "div"
    for caption in content.find_all("caption"):
        caption.tag = "div"
        if isinstance(table := caption.parent, Element):
            table.insert_before(caption)


def _stray(child: Node) -> bool:
    return child.tag != "li" if isinstance(child, Element) else isinstance(child, Text) and not child.data.isspace()


def _lay_out(rows: list[list[Element]]) -> bool:
    """Whether a table holds a page's parts rather than data: tables or headings, or paragraphs under no header."""
    cells = [cell for row in rows for cell in row]
    if all(len(row) < 2 for row in rows) or any(cell.find(_NOT_IN_DATA) for cell in cells):
        return True
    return not any(cell.tag == "th" for cell in cells) and any(
        len(cell.find_all(_PARAGRAPHS, limit=2)) == 2 for cell in cells
    )


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
