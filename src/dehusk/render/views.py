"""Views of a marked page: the template by itself, and the page tinted.

They change most of a page, so they parse a document of their own. Nothing in them runs, and they go nowhere by
themselves.
"""

from turbohtml import Doctype, Document, Element, Html, Minify, Node, Text

from dehusk.marking import Marking
from dehusk.page import Page, body, walk

_HTML = Html(
    layout=Minify(collapse_whitespace=False, omit_optional_tags=False, unquote_attributes=False, strip_comments=True),
    meta_charset=True,
)
# A page may show its own style and images, or, sealed, load nothing at all.
_POLICIES = {
    False: "default-src 'none'; style-src * 'unsafe-inline'; img-src * data:; font-src *",
    True: "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
}
_ACTIVE = "script, iframe, frame, object, embed, applet, meta[http-equiv], link:not([rel~=stylesheet i])"
_RUNNING = ("javascript:", "vbscript:", "data:text/html")
# Red for what goes, as in a diff; an outline as well, since many pages have backgrounds of their own.
_TINT = (
    "[data-dehusk]{background:#fde2dd!important;color:#8c2f1b!important;outline:1px solid #e79a8b;outline-offset:-1px}"
    "[data-dehusk] *{background-color:transparent!important;color:inherit!important}"
)


def template_html(marking: "Marking", *, sealed: bool = False) -> str:
    """What is left of the page when its content goes: the template as a page of its own.

    A sealed page loads nothing: only its own inline style and images show.
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


def _viewed(document: Document, page: Page, *, sealed: bool) -> str:
    """A view of the page, in which nothing runs; a sealed one loads nothing either."""
    for active in document.select(f"{_ACTIVE}, link" if sealed else _ACTIVE):
        active.extract()
    for element in document.iter_elements():
        for name, value in list(element.attrs.items()):
            if name.startswith("on") or "".join(str(value or "").split()).lower().startswith(_RUNNING):
                del element.attrs[name]
    _head(document).insert(0, Element("meta", {"http-equiv": "Content-Security-Policy", "content": _POLICIES[sealed]}))
    _complete(document, page)
    return _written(document)


def _complete(document: Document, page: Page) -> None:
    """Adds what a valid page needs and this one lacks: a title, and the base of its relative links."""
    head, url = _head(document), page.url
    if not head.find("title"):
        head.insert(0, Element("title", children=[Text(page.name or "Untitled")]))
    if url and not head.find("base", attrs={"href": True}):
        head.insert(0, Element("base", {"href": url}))


def _written(document: Document) -> str:
    doctype = "" if any(isinstance(node, Doctype) for node in document.children) else "<!DOCTYPE html>"
    return f"{doctype}{document.serialize(_HTML)}\n"


def _head(document: Document) -> Element:
    head = document.find("head")
    if head is None:  # only a document that a program took apart has none
        head = Element("head")
        (document.root or body(document)).insert(0, head)
    return head
