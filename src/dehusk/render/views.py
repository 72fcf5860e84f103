"""Views of a marked page: only its template, only its content, or the whole page with numbered regions."""

import re
from collections.abc import Iterator, Sequence
from typing import cast
from urllib.parse import quote

from turbohtml import Doctype, Document, Element, Html, Minify, Node, Text

from dehusk.base.tags import NOT_VIEWED
from dehusk.marking.marking import Marking
from dehusk.page import Page
from dehusk.page.dom import dom, walk
from dehusk.render._addresses import is_safe
from dehusk.render._pictures import EMBEDDED, Files, no_files

LINK_ATTRIBUTE = "data-href"
"""The attribute for the URLs of links in a sealed page. Without `href` they cannot be followed."""

_ESCAPE = r"\\(?:[0-9a-fA-F]{1,6}[ \t\n]?|[^\n0-9a-fA-F])"
_QUOTED = r'"(?:[^"\\\n]|\\.)*+"?' + r"|'(?:[^'\\\n]|\\.)*+'?"
_TOKEN = re.compile(
    r"(?P<comment>/\*.*?(?:\*/|\Z))"
    rf"|(?P<text>{_QUOTED})"
    rf"|(?P<name>@?(?:[-\w\u0080-\U0010ffff]|{_ESCAPE})++)(?P<call>\()?",
    re.DOTALL,
)
# A quoted URL ends with its quote; an unquoted one with the next parenthesis.
_ADDRESS = re.compile(
    r"""[ \t\n]*+(?:(?P<quoted>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')[ \t\n]*+\)"""
    r"""|(?!["'])(?P<bare>(?:[^)\\]|\\.)*+)\)?)""",
    re.DOTALL,
)
_NEWLINE = re.compile(r"\r\n|[\r\f]")
_ESCAPED = re.compile(_ESCAPE)
_EMBEDDED = re.compile(r"""["']?\s*data:(?:image|font|application/(?:x-)?font)[\w/+.-]*[;,]""", re.IGNORECASE)
_MEDIA = re.compile(r"[\w\s():,.<>=/-]*")
# At-rules that load nothing. Others are renamed: a browser ignores a rule that it does not know, with its contents.
_HARMLESS = (
    "@media @supports @font-face @keyframes @-webkit-keyframes @-moz-keyframes @layer @container @property "
    "@counter-style @scope @starting-style"
)
_RULES = frozenset(_HARMLESS.split())
# Functions that load files or, in old browsers, run code. A browser ignores a declaration with an unknown function.
_LOADING = re.compile(r"(?:-\w+-)?(?:image-set|image|cross-fade|src|element|paint|expression|url-prefix|domain|url)")
_OFF = "-off-"


def tame(css: str) -> str:
    """Returns a style sheet that loads nothing: without imports, URLs other than `data:`, and the like.

    Selectors of links are rewritten to LINK_ATTRIBUTE, which links have in a sealed page.
    """
    return "".join(_tamed(_NEWLINE.sub("\n", css))).replace("</", r"<\/")


def media(value: str) -> str:
    """Returns the media query of a style sheet if it has only safe characters; else "all"."""
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
    """Returns a name as a browser compares it: without escapes, in lower case."""
    return (_ESCAPED.sub(_character, name) if "\\" in name else name).lower()


def _character(escape: re.Match[str]) -> str:
    digits = escape[0][1:].strip()
    try:
        return chr(int(digits, 16))
    except ValueError:  # not a number, or not a code point
        return digits if len(digits) == 1 else "\ufffd"


REGION = "data-husk"
"""The attribute for the number of a region."""
REMOVED = "data-husk-removed"
"""An attribute of removed regions."""
KEPT = "data-husk-kept"
"""An attribute of elements from which nothing is removed."""
LOOSE = "husk-text"
"""The element that wraps a text that is a region. Pages do not use this name, so it does not disturb selectors."""

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'"
)

LARGEST_PICTURE = 200_000
"""Images in longer `data:` URLs are not shown (in characters)."""

_EMPTY = "data-husk-empty"
_HTML_LAYOUT = Html(
    layout=Minify(collapse_whitespace=False, omit_optional_tags=False, unquote_attributes=False, strip_comments=True),
    meta_charset=True,
)
# Elements whose content HTML reads as raw text.
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
_PIXELS = re.compile(r"\s*(\d{1,4})(?:px)?\s*")
# The browser's default style of links, which they lose without `href`. It comes before the style of the page.
PLAIN = "data-husk-plain"
"""An attribute of the root of a page that links to style sheets, or has none, and of which none is available."""
_READABLE = (
    ":where(html){background:#fff;color:#222}"
    ":where(body){max-width:52rem;margin:1rem auto;padding:0 1rem;font:16px/1.55 system-ui,sans-serif;"
    "overflow-wrap:break-word}"
    ":where(h1,h2,h3,h4){line-height:1.25}:where(h1){font-size:1.6rem}:where(h2){font-size:1.3rem}"
    ":where(ul,ol){padding-inline-start:1.4rem}:where(nav,header,footer,aside,form){margin-block:.5rem}"
    ":where(img,table,pre){max-width:100%}:where(pre){overflow:auto}"
    ":where(table){border-collapse:collapse}:where(td,th){padding:.15rem .5rem;vertical-align:top;text-align:start}"
)
_LINKS = f":where([{LINK_ATTRIBUTE}]){{color:#00e;text-decoration:underline;cursor:pointer}}"
_FRAME = (
    "html,body{visibility:visible!important;opacity:1!important}"
    f"img[{_EMPTY}]{{background:#8883}}"
    "img:not([src]){border:1px dotted #8888;font-size:.85em;color:#777}"
    f"{LOOSE}{{display:inline}}"
    "[data-husk-still][data-husk-still]{position:static!important}"
)
# Views of the whole page, chosen by the class of its root. Removed parts are red, as in a diff, with an outline because
# many pages have backgrounds of their own.
_GOES = f"[{REMOVED}]" * 3
# Content has a transparent tint over its own background, so that its text stays readable on any.
_STAYS = f"[{REGION}]:not([{REMOVED}])"
_VIEWS = (
    f".husk-tinted {_STAYS}{{box-shadow:inset 0 0 0 100vmax #6aa53a1f}}"
    f".husk-tinted {_GOES}{{background:#fde2dd!important;color:#8c2f1b!important;"
    "outline:1px solid #e79a8b!important;outline-offset:-1px}"
    # Of all below it, too: an element that holds blocks in a line, or floats, does not show its own.
    f".husk-tinted {_GOES} *{{background:#fde2dd!important;color:inherit!important}}"
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
    # What a correction would do, before it is saved.
    + "".join(
        f"{f'[data-husk-{name}]' * 6}{{background:repeating-linear-gradient(135deg,{pale} 0 8px,{deep} 8px 16px)"
        f"!important;color:{ink}!important;box-shadow:none!important;text-decoration:{line}!important}}"
        f"{f'[data-husk-{name}]' * 6} *{{background:transparent!important;color:inherit!important;"
        "box-shadow:none!important}"
        for name, pale, deep, ink, line in (
            ("will-go", "#fde2dd", "#f6c3b8", "#8c2f1b", "line-through"),
            ("will-stay", "#e4f1d8", "#cfe6bb", "#2c4a17", "none"),
        )
    )
)


def template_html(marking: Marking, files: Files = no_files) -> str:
    """Returns the page without its content: the template as a page of its own."""
    tree = marking.page.tree
    document, nodes = _own(marking.page, files)
    needed = _above(marking)
    for node in range(1, len(tree)):
        if not needed[node] and needed[tree.parent[node]]:
            nodes[node].extract()
    return _sealed(document, marking.page, files=files)


def content_html(marking: Marking, files: Files = no_files) -> str:
    """Returns the page without its template, in the page's own style."""
    document, nodes = _own(marking.page, files)
    for node in marking.topmost:
        nodes[node].extract()
    return _sealed(document, marking.page, files=files)


def numbered_html(marking: Marking, regions: Sequence[tuple[int, bool]], files: Files = no_files) -> str:
    """Returns the whole page with the number of each region on its element.

    `regions` are nodes of the tree, and whether they are removed. A text that is a region is wrapped in an element.
    Elements from which nothing is removed are marked too, so that a view of the template can hide them.
    """
    page = marking.page
    document, nodes = _own(page, files)
    needed = _above(marking)
    parent = page.tree.parent
    for node in range(1, len(page.tree)):
        element = nodes[node]
        if not needed[node] and (needed[parent[node]] or not parent[node]) and isinstance(element, Element):
            element.attrs[KEPT] = ""
    for number, (node, removed) in enumerate(regions):
        _number(nodes[node], number, removed=removed)
    return _sealed(document, page, _VIEWS, files)


def _number(node: Node, number: int, *, removed: bool) -> None:
    marks = {REGION: str(number), **({REMOVED: ""} if removed else {})}
    if isinstance(node, Element):
        node.attrs.update(marks)
    else:
        node.wrap(Element(LOOSE, marks if removed else {**marks, KEPT: ""}))


def _above(marking: Marking) -> bytearray:
    """Flags the nodes with template at or below them."""
    tree = marking.page.tree
    needed = bytearray(marking.flags)
    for node in range(len(tree) - 1, 0, -1):
        if needed[node]:
            needed[tree.parent[node]] = 1
    return needed


def _own(page: Page, files: Files) -> tuple[Document, list[Node]]:
    """Parses a copy of the page. Returns it with its styles in its head, and its nodes in the order of the tree."""
    with page.lock:
        parsed, silent = dom(page).parse(), dom(page).silent
    document = cast("Document", parsed)
    nodes = cast("list[Node]", walk(parsed, silent).nodes)
    for element in document.iter_elements():
        for name in [name for name in element.attrs if name.startswith(REGION)]:
            del element.attrs[name]
    stated = document.select("style, link[rel~=stylesheet i][href]")
    styled = [(found.tag, style) for found in stated for style in _style(found, files)]
    styles = [style for _, style in styled]
    linked = any(found.tag == "link" for found in stated)
    if not any(tag == "link" for tag, _ in styled) and (linked or not styles) and document.root is not None:
        document.root.attrs[PLAIN] = ""
        styles.insert(0, _sheet(_READABLE))
    gone = NOT_VIEWED - ({"noscript"} - silent)
    for element in list(document.iter_elements(gone)):
        element.extract()
    head = _head(document)
    for style in styles:
        head.append(style)
    return document, nodes


def _style(found: Element, files: Files) -> list[Element]:
    """Returns a style sheet as a style element; an empty list if it is not available or is an alternate one."""
    if "alternate" in str(found.attrs.get("rel", "")).lower():
        return []
    css = found.text if found.tag == "style" else files(found.attr("href") or "")
    if not css or EMBEDDED.match(css):
        return []
    return [_sheet(tame(css), media(found.attr("media") or "all"))]


def _sealed(document: Document, page: Page, more: str = "", files: Files = no_files) -> str:
    """Returns the view as HTML that loads and runs nothing. `more` is added to our style sheet."""
    for element in list(document.iter_elements()):
        _seal(element, files)
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


def _seal(element: Element, files: Files) -> None:
    """Removes all attributes of an element but those that describe or show something."""
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
        _show(element, str(before.get("src") or ""), files)
    elif element.tag == "button" or str(before.get("type")).lower() in _ACTING:
        attrs["type"] = "button"


def _show(image: Element, source: str, files: Files) -> None:
    """Shows a picture that is in the page, or beside it; for another an empty one of the stated size."""
    if EMBEDDED.match(source) and len(source) <= LARGEST_PICTURE:
        image.attrs["src"] = source
        return
    if EMBEDDED.match(picture := files(source) or ""):
        image.attrs["src"] = picture
        return
    sizes = [_PIXELS.fullmatch(image.attr(side) or "") for side in ("width", "height")]
    if sizes[0] and sizes[1]:
        room = f"<svg xmlns='http://www.w3.org/2000/svg' width='{sizes[0][1]}' height='{sizes[1][1]}'/>"
        image.attrs["src"] = "data:image/svg+xml," + quote(room, safe=" ='/:")
        image.attrs[_EMPTY] = ""


def _head(document: Document) -> Element:
    head = document.find("head")
    if head is None:  # parsed documents always have one
        head = Element("head")
        if document.root is not None:
            document.root.insert(0, head)
    return head
