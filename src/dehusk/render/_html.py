"""HTML: a self-contained page that is safe to open and to publish."""

from collections.abc import Sequence
from html import escape
from typing import cast

from turbohtml import Element
from turbohtml.clean import OnDisallowed, Policy, sanitize_node

from dehusk.base.tags import SAFE, UNSAFE
from dehusk.base.urls import on_the_web
from dehusk.kernels.apart import Edits, set_apart
from dehusk.page import Node, Page
from dehusk.page.dom import dom
from dehusk.page.elements import attribute
from dehusk.render._addresses import is_safe
from dehusk.render.writing import AS_LEARNED, Writing

TRACKER = 2
"""An image of at most this many pixels in width or height is a tracker."""

_ATTRIBUTES = {
    "*": frozenset({"dir", "id", "lang", "title"}),
    "a": frozenset({"href"}),
    "img": frozenset({"alt", "data-original", "data-src", "height", "src", "width"}),
    "code": frozenset({"class"}),
    "pre": frozenset({"class"}),
    "ol": frozenset({"reversed", "start", "type"}),
    "li": frozenset({"value"}),
    "td": frozenset({"colspan", "headers", "rowspan"}),
    "th": frozenset({"colspan", "headers", "rowspan", "scope"}),
    "col": frozenset({"span"}),
    "time": frozenset({"datetime"}),
    "details": frozenset({"open"}),
}
POLICY = Policy(
    tags=SAFE,
    attributes=_ATTRIBUTES,
    url_schemes=frozenset({"http", "https", "mailto", "tel", "ftp"}),
    allow_fragment_urls=True,
    on_disallowed_tag=OnDisallowed.STRIP,
    remove_with_content=UNSAFE,
)
_NOTHING_RUNS = "default-src 'none'; img-src * data:; style-src 'unsafe-inline'"
_STYLE = (
    "body{max-width:42em;margin:2em auto;padding:0 1em;font:1em/1.6 serif;color:#222;background:#fff}"
    "h1,h2,h3{line-height:1.25}li:has(h1,h2,h3,h4,h5,h6){list-style:none}"
    "img{max-width:100%;height:auto}pre{overflow:auto}pre,code{font-family:monospace}"
    "table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2em .5em;text-align:start;vertical-align:top}"
    "blockquote{margin-inline:1em;padding-inline-start:1em;border-inline-start:3px solid #ccc}"
)


def html(page: Page, gone: Sequence[Node], writing: Writing = AS_LEARNED) -> str:
    """Returns the content as a self-contained page, without scripts, styles, frames and trackers."""
    start = head(page, base=writing.base_of(page))
    return f"{start}\n<body>\n{safe(dom(page).without(gone), POLICY)}\n</body>\n</html>\n"


def safe(body: Node, policy: Policy) -> str:
    """Returns the sanitized inner HTML of an element, without trackers. The element is not changed."""
    inside = cast("Element", body)
    with Edits() as edits:
        set_apart(inside, edits, policy.tags)
        allowed = sanitize_node(inside, policy)
    for image in allowed.select("img"):
        _settle(image)
    return allowed.inner_html.strip()


def head(page: Page, style: str = "", *, base: str = "") -> str:
    """Returns the start of a page that runs no scripts, with a small style sheet. `style` is added to it.

    `base` is the base URL. Links within the page lead there, too.
    """
    name = " ".join(page.title.split())
    based = f'<base href="{escape(base)}">\n' if on_the_web(base) else ""
    return (
        f"<!DOCTYPE html>\n<html{_language(page)}>\n<head>\n"
        f'<meta charset="utf-8">\n<meta name="generator" content="dehusk">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_NOTHING_RUNS}">\n'
        f'<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(name or page.name or 'Untitled')}</title>\n{based}<style>{_STYLE}{style}</style>\n</head>"
    )


def _language(page: Page) -> str:
    """Returns the lang and dir attributes of the page, if it has them."""
    stated = ""
    for name in ("lang", "dir"):
        value = dom(page).attribute(name) or attribute(page.body, name)
        stated += f' {name}="{escape(value)}"' if value else ""
    return stated


def _settle(image: Element) -> None:
    """Sets the source of a lazy-loaded image, and removes images that cannot be seen."""
    later = image.attr("data-src") or image.attr("data-original")
    for name in ("data-src", "data-original"):
        image.attrs.pop(name, None)
    if later and is_safe(later) and not on_the_web(image.attr("src") or ""):
        image.attrs["src"] = later
    sizes = [image.attr("width") or "", image.attr("height") or ""]
    if not image.attr("src") or any(size.isdecimal() and int(size[:9]) <= TRACKER for size in sizes):
        image.extract()
