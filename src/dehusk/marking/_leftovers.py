"""What methods leave because it has hardly any text: the logo above the title, breadcrumbs and buttons."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from dehusk.base.urls import joined, split
from dehusk.page import Node, Page
from dehusk.page.elements import attribute, attributes, closest, first, select, tag_of, tagged, text_of
from dehusk.roles import Role, said

MOST_ABOVE = 40
"""How many headings, paragraphs and pictures are looked at for a logo. Most pages have text before that."""

LONGEST = 100
"""Maximum number of characters on a button or in breadcrumbs. A longer one holds a part of the page."""

ON_BUTTONS = frozenset({Role.TOOLS, Role.FORM})
"""What a button says if it is no content.

Of the 106 such buttons left on 743 single pages, the gold has 5; of the others a third: the questions of a list of
questions, tabs, and names.
"""

SELLING = ("product", "collection", "listing")
"""The kinds of pages on which links to a cart are buttons, too. On all pages, it would take a fifth of a parse."""

_ABOVE = ("h1", "h2", "p", "img")
_LOGO = re.compile(r"(?i)(?<!b)(?<!ta)(?<![in]a)logo(?![nugr])")
_INDEX = re.compile(r"\.{0,2}/?(?:(?:index|home|default|start)\.\w{2,5})?")
_BUTTONS = 'button:not([aria-expanded]), [role="button" i]:not([aria-expanded])'
_CRUMBS = 'nav[class*="breadcrumb" i], nav[aria-label*="breadcrumb" i]'
_HEADINGS = "h1, h2, h3"
_CARTS = ("cart", "basket")
_BOUGHT = ", ".join(f'a[{name}*="{cart}"]' for name in ("href", "class") for cart in _CARTS)


def leftovers(page: Page, gone: Sequence[Node], kind: str | None) -> list[Node]:
    """Returns the logos above the title, the breadcrumbs and the buttons of a page without `gone`.

    `kind` is the kind of page.
    """
    body = page.without(gone)
    buttons = f"{_BUTTONS}, {_BOUGHT}" if kind in SELLING else _BUTTONS
    found = [*_logos(body, page.url or ""), *_crumbs(body), *_buttons(body, buttons)]
    return list(dict.fromkeys(found))


def _logos(body: Node, url: str) -> Iterator[Node]:
    """Yields the logos before the first words in a heading or paragraph, with their links."""
    for element in islice(tagged(body, _ABOVE), MOST_ABOVE):
        if tag_of(element) != "img":
            if text_of(element).strip():
                return
            continue
        link = closest(element, "a")
        if _is_logo(element, link, url):
            yield element if link is None or text_of(link).strip() else link


def _is_logo(image: Node, link: Node | None, url: str) -> bool:
    """Returns whether a picture is called a logo, or is a link to the front page of a site."""
    named = [*attributes(image, ("alt", "class", "id", "src")), attribute(link, "class") if link is not None else None]
    if any(_LOGO.search(name) for name in named if name and not name.startswith("data:")):
        return True
    address = split(joined(url, attribute(link, "href") or "#") or "") if link is not None else None
    return address is not None and not address.query and not address.fragment and bool(_INDEX.fullmatch(address.path))


def _crumbs(body: Node) -> Iterator[Node]:
    """Yields what is left of breadcrumbs, such as "> > Ropes" if their links are removed."""
    for element in select(body, _CRUMBS):
        if 0 < len(text_of(element).strip()) <= LONGEST and first(element, _HEADINGS) is None:
            yield element


def _buttons(body: Node, selector: str) -> Iterator[Node]:
    """Yields the buttons that say what to do with the page."""
    for element in select(body, selector):
        text = " ".join(text_of(element)[: 4 * LONGEST].split())
        if 0 < len(text) <= LONGEST and not ON_BUTTONS.isdisjoint(said(text)):
            yield element
