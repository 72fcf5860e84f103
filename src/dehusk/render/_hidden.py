"""What a page has and does not show: hidden elements, and helpers for those who have a page read to them.

By the gold of our data: what has `display: none` is mostly no content, but for panels of tabs and answers to questions;
most of what is `hidden` is such a panel. So what is hidden goes, unless it is marked as a panel, or says much that is
not said elsewhere on the page.
"""

from collections.abc import Sequence
from typing import cast

from turbohtml import Element

from dehusk.base.tags import HEADINGS
from dehusk.base.tree import letters
from dehusk.page import Node, Page
from dehusk.page.dom import body, dom

PANEL = 130
"""Hidden text of this many letters is a panel: an answer, a description. Messages and menus are shorter."""

ANSWER = 20
"""This many letters are enough below a heading, a button or a question."""

NOTHING = 40
"""Where fewer letters than this are shown, and more are hidden, the page is shown by a script: nothing is hidden."""

MANY = 50
"""So many panels of a page are compared with the rest of its text. Each takes time in proportion to that text."""

_GLANCE_TIMES = 4

_HELPERS = (
    *("sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only", "screenreader-only"),
    *("screenreader", "a11y-hidden", "u-hiddenVisually"),
)
# To look for each by itself would take three times as long.
_MAYBE = '[hidden], [style*="none" i], [style*="hidden" i], [class*="hidden"], [class*="sr-only"], [class*="screen"]'
_TITLES = HEADINGS | {"button", "dt", "summary"}
_STYLES = ("display:none", "display: none", "visibility:hidden", "visibility: hidden")
_HELPER = ", ".join(f".{helper}" for helper in _HELPERS)
_HIDDEN = ", ".join(["[hidden]", *(f'[style*="{style}" i]' for style in _STYLES), _HELPER])


def unseen(page: Page, gone: Sequence[Node]) -> Sequence[Node]:
    """What is not written of a page: its template, and what it does not show."""
    inside = body(dom(page).without(gone))
    found = [element for element in inside.select(_MAYBE) if element.matches(_HIDDEN)]
    if not found:
        return gone
    outer = [element for element in found if isinstance(above := element.parent, Element) and not _within(above)]
    panels = [element for element in outer if _is_panel(element)]
    text = inside.text
    said = " ".join(text.split()) if panels else ""
    copies = {element for element in panels[:MANY] if said.count(" ".join(element.text.split())) > 1}
    hidden = [element for element in outer if element in copies or element not in set(panels)]
    return (
        [*gone, *cast("list[Node]", hidden)] if _shows(text, sum(letters(element.text) for element in hidden)) else gone
    )


def _shows(text: str, hidden: int) -> bool:
    """Whether enough of a text is left without so many hidden letters. The start of the text is mostly enough."""
    if letters(text[: _GLANCE_TIMES * (hidden + NOTHING)]) - hidden >= NOTHING:
        return True
    kept = letters(text) - hidden
    return kept >= NOTHING or kept * 2 >= letters(text)


def _within(element: Element) -> bool:
    """Whether an element is hidden because it is in another that is; the body may be shown by a script."""
    holder = element.closest(_HIDDEN)
    return holder is not None and holder.tag not in ("body", "html")


def _is_panel(element: Element) -> bool:
    """Whether a hidden element can be opened, or says much."""
    if element.matches(_HELPER):
        return False
    if element.attr("role") == "tabpanel" or element.attr("aria-labelledby") is not None:
        return True
    said = letters(" ".join(element.text.split()))
    return said >= PANEL or (said >= ANSWER and _is_title(element))


def _is_title(answer: Element) -> bool:
    """Whether what is before a hidden element is a heading, a button or a question."""
    before = answer.previous_sibling
    while before is not None and not isinstance(before, Element):
        before = before.previous_sibling
    return before is not None and (before.tag in _TITLES or before.text.rstrip().endswith(("?", "？")))
