"""HTML: a self-contained page that is safe to open and to publish."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import cast

from turbohtml import Element, Text
from turbohtml.clean import OnDisallowed, Policy, sanitize_node

from dehusk.base.tags import SAFE, UNSAFE
from dehusk.base.urls import on_the_web
from dehusk.kernels.apart import LINK_HOLDERS, Above, Edits, set_apart
from dehusk.kernels.formulas import linear, tex_of
from dehusk.page import Node, Page
from dehusk.page.dom import dom
from dehusk.page.elements import attribute
from dehusk.render._addresses import is_safe
from dehusk.render._pictures import EMBEDDED, Files, file_name, is_spacer, is_tracker, no_files, said
from dehusk.render.writing import AS_LEARNED, DROP, KEEP, LINK, Writing

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
_NO_LINKS = replace(POLICY, tags=POLICY.tags - {"a"})
NOTHING_LOADS = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_PICTURES_LOAD = "default-src 'none'; img-src * data:; style-src 'unsafe-inline'"
_OF_PICTURES = frozenset({"alt", "height", "src", "width"})  # attributes that a link does not take over
_STYLE = (
    "body{max-width:42em;margin:2em auto;padding:0 1em;font:1em/1.6 serif;color:#222;background:#fff}"
    "h1,h2,h3{line-height:1.25}li:has(h1,h2,h3,h4,h5,h6){list-style:none}"
    "img{max-width:100%;height:auto}pre{overflow:auto}pre,code{font-family:monospace}"
    "table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2em .5em;text-align:start;vertical-align:top}"
    "blockquote{margin-inline:1em;padding-inline-start:1em;border-inline-start:3px solid #ccc}"
)


def html(page: Page, gone: Sequence[Node], writing: Writing = AS_LEARNED, files: Files = no_files) -> str:
    """Returns the content as a self-contained page, without scripts, styles, frames and trackers.

    Pictures that `files` has are put into the page.
    """
    images = writing.html_images
    policy = POLICY if writing.links else _NO_LINKS
    start = head(page, base=writing.base_of(page) if writing.html_base else "", images=images)
    return f"{start}\n<body>\n{safe(dom(page).without(gone), policy, images, files)}\n</body>\n</html>\n"


def safe(body: Node, policy: Policy, images: str = LINK, files: Files = no_files) -> str:
    """Returns the sanitized inner HTML of an element, without trackers. The element is not changed.

    If the policy has no links, pictures that would be links are their words.
    """
    inside = cast("Element", body)
    embedded = images != DROP and inside.select_one('img[src^="data:image/" i]') is not None
    if embedded:
        policy = replace(policy, url_schemes=policy.url_schemes | {"data"})
    with Edits() as edits:
        set_apart(inside, edits, policy.tags)
        if "math" in policy.remove_with_content:
            _read_formulas(inside, edits)
        allowed = sanitize_node(inside, policy)
    if embedded:
        _drop_data_links(allowed)
    links = Above(LINK_HOLDERS)
    for image in allowed.select("img"):
        if images == DROP or not _settle(image):
            image.extract()
        elif EMBEDDED.match(picture := files(image.attr("src") or "") or ""):
            image.attrs["src"] = picture
        elif images == LINK and not EMBEDDED.match(image.attr("src") or ""):
            linked = links.tag(image.parent) == "a"
            _name(image, linked=linked, bare="a" not in policy.tags)
    return allowed.inner_html.strip()


def _read_formulas(inside: Element, edits: Edits) -> None:
    """Inserts what formulas say before them."""
    formulas = Above(("math",))
    for formula in inside.select("math"):
        if not formulas.tag(formula.parent):
            edits.insert(formula, tex_of(formula) or linear(formula) or formula.text)


def head(page: Page, style: str = "", *, base: str = "", images: str = LINK) -> str:
    """Returns the start of a page that runs no scripts, with a small style sheet. `style` is added to it.

    `base` is the base URL. Links within the page lead there, too. Unless `images` are kept, the page loads nothing.
    """
    policy = _PICTURES_LOAD if images == KEEP else NOTHING_LOADS
    name = " ".join(page.title.split()) or page.name or "Untitled"
    based = f'<base href="{escape(base)}">\n' if on_the_web(base) else ""
    return page_start(name, style, language=_language(page), policy=policy, based=based)


def page_start(name: str, style: str, *, language: str = "", policy: str = NOTHING_LOADS, based: str = "") -> str:
    """Returns the start of a page with this title, up to the end of its head."""
    return (
        f"<!DOCTYPE html>\n<html{language}>\n<head>\n"
        f'<meta charset="utf-8">\n<meta name="generator" content="dehusk">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(name)}</title>\n{based}<style>{_STYLE}{style}</style>\n</head>"
    )


def _language(page: Page) -> str:
    """Returns the lang and dir attributes of the page, if it has them."""
    stated = ""
    for name in ("lang", "dir"):
        value = dom(page).attribute(name) or attribute(page.body, name)
        stated += f' {name}="{escape(value)}"' if value else ""
    return stated


def _drop_data_links(allowed: Element) -> None:
    """Removes targets that the policy allows only for pictures: a link to data opens a page of any content."""
    for link in allowed.select("a[href]"):
        if not is_safe(link.attr("href") or ""):
            del link.attrs["href"]


def _settle(image: Element) -> bool:
    """Sets the source of a lazy-loaded image. Returns whether the image can be seen."""
    later = image.attr("data-src") or image.attr("data-original")
    for name in ("data-src", "data-original"):
        image.attrs.pop(name, None)
    if later and is_safe(later) and not on_the_web(image.attr("src") or ""):
        image.attrs["src"] = later
    source = image.attr("src") or ""
    known = bool(source) and (is_safe(source) or EMBEDDED.match(source) is not None)
    return known and not is_tracker(cast("Node", image))


def _name(image: Element, *, linked: bool, bare: bool) -> None:
    """Replaces an image by a link to it, with its words; only by its words if it is in a link already, or if `bare`.

    An image without words that is decoration is removed, unless a link leads to it or it is marked. If `bare`, each
    without words is.
    """
    node, address = cast("Node", image), image.attr("src") or ""
    words = said(node)
    kept = {name: value for name, value in image.attrs.items() if name not in _OF_PICTURES}
    if not words and (bare or (not kept and is_spacer(node))):
        image.extract()
        return
    named = Element("span", kept) if linked or bare else Element("a", {**kept, "href": address})
    named.append(Text(words or file_name(address)))
    for beside, insert in ((image.previous_sibling, image.insert_before), (image.next_sibling, image.insert_after)):
        if beside is not None:
            insert(Text(" "))  # its words must not run into those beside it
    image.replace_with(named)
