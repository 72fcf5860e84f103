"""Views of a marked page: its template by itself, its content by itself, and the page with its regions numbered."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import cast
from urllib.parse import quote

from turbohtml import Doctype, Document, Element, Html, Minify, Node, Text

from dehusk.base.tags import NOT_VIEWED
from dehusk.marking.marking import Marking
from dehusk.page import Page
from dehusk.page.dom import dom, walk
from dehusk.render._addresses import is_safe

LINK_ATTRIBUTE = "data-href"
"""Where links of a sealed page have their address. They have no `href`, so they lead nowhere."""

_ESCAPE = r"\\(?:[0-9a-fA-F]{1,6}[ \t\n]?|[^\n0-9a-fA-F])"
_QUOTED = r'"(?:[^"\\\n]|\\.)*+"?' + r"|'(?:[^'\\\n]|\\.)*+'?"
_TOKEN = re.compile(
    r"(?P<comment>/\*.*?(?:\*/|\Z))"
    rf"|(?P<text>{_QUOTED})"
    rf"|(?P<name>@?(?:[-\w\u0080-\U0010ffff]|{_ESCAPE})++)(?P<call>\()?",
    re.DOTALL,
)
# An address in quotes is a text that ends; without quotes it goes to the next parenthesis, whatever is in it.
_ADDRESS = re.compile(
    r"""[ \t\n]*+(?:(?P<quoted>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')[ \t\n]*+\)"""
    r"""|(?!["'])(?P<bare>(?:[^)\\]|\\.)*+)\)?)""",
    re.DOTALL,
)
_NEWLINE = re.compile(r"\r\n|[\r\f]")
_ESCAPED = re.compile(_ESCAPE)
_EMBEDDED = re.compile(r"""["']?\s*data:(?:image|font|application/(?:x-)?font)[\w/+.-]*[;,]""", re.IGNORECASE)
_MEDIA = re.compile(r"[\w\s():,.<>=/-]*")
# Rules that load nothing by themselves. A browser passes over one that it does not know, with all that is in it.
_HARMLESS = (
    "@media @supports @font-face @keyframes @-webkit-keyframes @-moz-keyframes @layer @container @property "
    "@counter-style @scope @starting-style"
)
_RULES = frozenset(_HARMLESS.split())
# Functions that load, or once ran something. A browser passes over a declaration with a function that it does not know.
_LOADING = re.compile(r"(?:-\w+-)?(?:image-set|image|cross-fade|src|element|paint|expression|url-prefix|domain|url)")
_OFF = "-off-"


def tame(css: str) -> str:
    """The style sheet without what it would load: imports, addresses other than `data:`, and all that is like them.

    Selectors of links are made to find them by the attribute that they have in a sealed page.
    """
    return "".join(_tamed(_NEWLINE.sub("\n", css))).replace("</", r"<\/")


def media(value: str) -> str:
    """The media that a style sheet is for, as far as it is plain; else all."""
    return value if _MEDIA.fullmatch(value) else "all"


def _tamed(css: str) -> Iterator[str]:
    end = 0
    while found := _TOKEN.search(css, end):
        before = css[end : found.start()]
        end = found.end()
        name = _decoded(found["name"]) if found["name"] else ""
        if name == "url" and found["call"]:
            address = _ADDRESS.match(css, end)
            end = address.end() if address else end
            inside = (address["quoted"] or address["bare"]) if address else ""
            yield before + (f"url({inside})" if _EMBEDDED.match(inside) else "none" if address else f"{_OFF}(")
        elif name in ("link", "any-link") and before.endswith(":"):
            yield f"{before[:-1]}[{LINK_ATTRIBUTE}]{found['call'] or ''}"
        elif name == "href" and before.rstrip().endswith("["):
            yield before + LINK_ATTRIBUTE
        elif (name[:1] == "@" and name not in _RULES) or (found["call"] and _LOADING.fullmatch(name)):
            yield f"{before}{'@' * (name[:1] == '@')}{_OFF}{found['call'] or ''}"
        else:
            yield before + ("/**/" if found["comment"] else found[0])
    yield css[end:]


def _decoded(name: str) -> str:
    """A name as a browser compares it: without escapes, in small letters."""
    return (_ESCAPED.sub(_character, name) if "\\" in name else name).lower()


def _character(escape: re.Match[str]) -> str:
    digits = escape[0][1:].strip()
    try:
        return chr(int(digits, 16))
    except ValueError:  # no number, or one beyond all characters
        return digits if len(digits) == 1 else "\ufffd"


Sheets = Callable[[str], str | None]
"""Gives the style sheet that a page links to by this address; None where it is not at hand."""

REGION = "data-husk"
"""The attribute that has the number of a region."""
REMOVED = "data-husk-removed"
"""An attribute of regions that go."""
KEPT = "data-husk-kept"
"""An attribute of elements with nothing in them that goes."""
LOOSE = "husk-text"
"""The element that a text gets which is a region by itself. No page has it, so it does not count among siblings."""

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'"
)

LARGEST_PICTURE = 200_000
"""A picture in the page itself that is longer than this is not shown."""

_EMPTY = "data-husk-empty"
_HTML_LAYOUT = Html(
    layout=Minify(collapse_whitespace=False, omit_optional_tags=False, unquote_attributes=False, strip_comments=True),
    meta_charset=True,
)
# To HTML all that follows is text in these, or up to their end tag.
_RAW = ("xmp", "plaintext", "listing")
_SHOWING = (
    "abbr align alt axis bgcolor border cellpadding cellspacing char checked class clear color cols colspan compact "
    "datetime dir display face frame headers height hidden high hspace id label lang low mathvariant max media min "
    "noshade nowrap open optimum placeholder readonly reversed role rows rowspan rules scope size span start summary "
    "type valign value vspace width"
)
_ATTRIBUTES = frozenset(_SHOWING.split())
_PREFIXES = ("data-", "aria-")
_ACTING = ("submit", "image", "file", "reset", "color", "password")
_HEAD_ELEMENTS = ("title", "style")
_PICTURE = re.compile(r"data:image/[\w.+-]+[;,]", re.IGNORECASE)
_PIXELS = re.compile(r"\s*(\d{1,4})(?:px)?\s*")
# What a browser would give to links and what they lack without an address. It comes before the style of the page.
_LINKS = f":where([{LINK_ATTRIBUTE}]){{color:#00e;text-decoration:underline;cursor:pointer}}"
_FRAME = (
    "html,body{visibility:visible!important;opacity:1!important}"
    f"img[{_EMPTY}]{{background:#8883}}"
    "img:not([src]){border:1px dotted #8888;font-size:.85em;color:#777}"
    f"{LOOSE}{{display:inline}}"
    "[data-husk-still][data-husk-still]{position:static!important}"
)
# How the whole page looks by the class of its root. Red for what goes, as in a diff; an outline as well, since many
# pages have backgrounds of their own.
_GOES = f"[{REMOVED}]" * 3
_VIEWS = (
    f".husk-tinted {_GOES}{{background:#fde2dd!important;color:#8c2f1b!important;"
    "outline:1px solid #e79a8b!important;outline-offset:-1px}"
    f".husk-tinted {_GOES} *{{background:transparent!important;color:inherit!important}}"
    f".husk-content {_GOES},.husk-template [{KEPT}][{KEPT}]{{display:none!important}}"
    + "".join(
        f"{f'[data-husk-{name}]' * 6}{{outline:{line}!important;outline-offset:-2px!important}}"
        for name, line in (
            ("changed", "2px dashed #a36a00"),
            ("over", "2px solid #22261f"),
            ("same", "2px dashed #1f5fbf"),
            ("pinned", "3px solid #1f5fbf"),
        )
    )
)


def no_sheets(_: str) -> None:
    """There are no style sheets at hand."""


def template_html(marking: Marking, sheets: Sheets = no_sheets) -> str:
    """What is left of the page when its content goes: the template as a page of its own."""
    tree = marking.page.tree
    document, nodes = _own(marking.page, sheets)
    needed = _above(marking)
    for node in range(1, len(tree)):
        if not needed[node] and needed[tree.parent[node]]:
            nodes[node].extract()
    return _sealed(document, marking.page)


def content_html(marking: Marking, sheets: Sheets = no_sheets) -> str:
    """What is left of the page when its template goes, in the page's own style."""
    document, nodes = _own(marking.page, sheets)
    for node in marking.topmost:
        nodes[node].extract()
    return _sealed(document, marking.page)


def numbered_html(marking: Marking, regions: Sequence[tuple[int, bool]], sheets: Sheets = no_sheets) -> str:
    """The whole page with the number of each region on its element: nodes of the tree, and whether they go.

    A text that is a region gets an element of its own. Elements that have nothing below them that goes are told too:
    a view of the template hides them.
    """
    page = marking.page
    document, nodes = _own(page, sheets)
    needed = _above(marking)
    parent = page.tree.parent
    for node in range(1, len(page.tree)):
        element = nodes[node]
        if not needed[node] and (needed[parent[node]] or not parent[node]) and isinstance(element, Element):
            element.attrs[KEPT] = ""
    for number, (node, removed) in enumerate(regions):
        _number(nodes[node], number, removed=removed)
    return _sealed(document, page, _VIEWS)


def _number(node: Node, number: int, *, removed: bool) -> None:
    marks = {REGION: str(number), **({REMOVED: ""} if removed else {})}
    if isinstance(node, Element):
        node.attrs.update(marks)
    else:
        node.wrap(Element(LOOSE, marks if removed else {**marks, KEPT: ""}))


def _above(marking: Marking) -> bytearray:
    """Flags of nodes with template at or below them."""
    tree = marking.page.tree
    needed = bytearray(marking.flags)
    for node in range(len(tree) - 1, 0, -1):
        if needed[node]:
            needed[tree.parent[node]] = 1
    return needed


def _own(page: Page, sheets: Sheets) -> tuple[Document, list[Node]]:
    """A document to change for good, its styles in its head, and its nodes in the order of the page's tree."""
    parsed = dom(page).parse()
    document = cast("Document", parsed)
    nodes = cast("list[Node]", walk(parsed, dom(page).silent).nodes)
    for element in document.iter_elements():
        for name in [name for name in element.attrs if name.startswith(REGION)]:
            del element.attrs[name]
    styles = [
        style for found in document.select("style, link[rel~=stylesheet i][href]") for style in _style(found, sheets)
    ]
    gone = NOT_VIEWED - ({"noscript"} - dom(page).silent)
    for element in list(document.iter_elements(gone)):
        element.extract()
    head = _head(document)
    for style in styles:
        head.append(style)
    return document, nodes


def _style(found: Element, sheets: Sheets) -> list[Element]:
    """A style sheet of a page as an element of its own; none where it is not at hand or stands by as an alternative."""
    if "alternate" in str(found.attrs.get("rel", "")).lower():
        return []
    css = found.text if found.tag == "style" else sheets(found.attr("href") or "")
    if not css:
        return []
    return [_sheet(tame(css), media(found.attr("media") or "all"))]


def _sealed(document: Document, page: Page, more: str = "") -> str:
    """The view as HTML that does nothing by itself; `more` is style of ours."""
    for element in list(document.iter_elements()):
        _seal(element)
        if element.tag in _RAW:
            element.replace_with(Element("pre", element.attrs.copy(), [Text(element.text)]))
    head = _head(document)
    for other in [child for child in head.children if not (isinstance(child, Element) and child.tag in _HEAD_ELEMENTS)]:
        other.extract()
    if not head.find("title"):
        head.insert(0, Element("title", children=[Text(page.name or "Untitled")]))
    head.insert(0, _sheet(_LINKS))
    head.insert(0, Element("meta", {"http-equiv": "Content-Security-Policy", "content": POLICY}))
    head.append(_sheet(_FRAME + more))
    doctype = "" if any(isinstance(node, Doctype) for node in document.children) else "<!DOCTYPE html>"
    return f"{doctype}{document.serialize(_HTML_LAYOUT)}\n"


def _sheet(css: str, where: str = "all") -> Element:
    style = Element("style", {"media": where})
    style.append(Text(css))
    return style


def _seal(element: Element) -> None:
    """Leaves an element only attributes that say or show something."""
    attrs = element.attrs
    before = dict(attrs.items())
    for name in before:
        if not (name in _ATTRIBUTES or name.startswith(_PREFIXES)) or name == LINK_ATTRIBUTE:
            del attrs[name]
    style, href = before.get("style"), before.get("href")
    if isinstance(style, str):
        attrs["style"] = tame(style)
    if isinstance(href, str) and element.tag in ("a", "area") and is_safe(href):
        attrs[LINK_ATTRIBUTE] = href
    if element.tag == "img":
        _show(element, str(before.get("src") or ""))
    elif element.tag == "button" or str(before.get("type")).lower() in _ACTING:
        attrs["type"] = "button"


def _show(image: Element, source: str) -> None:
    """Shows a picture that is in the page itself; of others the room they take, where the page tells it."""
    if _PICTURE.match(source) and len(source) <= LARGEST_PICTURE:
        image.attrs["src"] = source
        return
    sizes = [_PIXELS.fullmatch(image.attr(side) or "") for side in ("width", "height")]
    if sizes[0] and sizes[1]:
        room = f"<svg xmlns='http://www.w3.org/2000/svg' width='{sizes[0][1]}' height='{sizes[1][1]}'/>"
        image.attrs["src"] = "data:image/svg+xml," + quote(room, safe=" ='/:")
        image.attrs[_EMPTY] = ""


def _head(document: Document) -> Element:
    head = document.find("head")
    if head is None:  # only a document that a program took apart has none
        head = Element("head")
        if document.root is not None:
            document.root.insert(0, head)
    return head
