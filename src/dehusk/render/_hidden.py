"""What a page has and does not show: hidden elements, and helpers for those who have a page read to them.

By the gold of our data: what has `display: none` is mostly no content, but for panels of tabs and answers to questions;
most of what is `hidden` is such a panel. So what is hidden goes, unless it is marked as a panel, or says much that is
not said elsewhere on the page.
"""

from collections.abc import Sequence

from dehusk.base.tags import HEADINGS
from dehusk.base.tree import letters
from dehusk.page import Node, Page
from dehusk.page.dom import dom
from dehusk.page.elements import attribute, closest, element_before, matches, parent_of, select, tag_of, text_of

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
    inside = dom(page).without(gone)
    hidden = [element for element in select(inside, _MAYBE) if matches(element, _HIDDEN)]
    if not hidden:
        return gone
    outer = [element for element in hidden if (above := parent_of(element)) is not None and not _within(above)]
    panels = [element for element in outer if _is_panel(element)]
    text = text_of(inside)
    said = " ".join(text.split()) if panels else ""
    copies = {element for element in panels[:MANY] if said.count(" ".join(text_of(element).split())) > 1}
    going = [element for element in outer if element in copies or element not in set(panels)]
    return [*gone, *going] if _shows(text, sum(letters(text_of(element)) for element in going)) else gone


def _shows(text: str, hidden: int) -> bool:
    """Whether enough of a text is left without so many hidden letters. The start of the text is mostly enough."""
    if letters(text[: _GLANCE_TIMES * (hidden + NOTHING)]) - hidden >= NOTHING:
        return True
    kept = letters(text) - hidden
    return kept >= NOTHING or kept * 2 >= letters(text)


def _within(element: Node) -> bool:
    """Whether an element is hidden because it is in another that is; the body may be shown by a script."""
    holder = closest(element, _HIDDEN)
    return holder is not None and tag_of(holder) not in ("body", "html")


def _is_panel(element: Node) -> bool:
    """Whether a hidden element can be opened, or says much."""
    if matches(element, _HELPER):
        return False
    if attribute(element, "role") == "tabpanel" or attribute(element, "aria-labelledby") is not None:
        return True
    said = letters(" ".join(text_of(element).split()))
    return said >= PANEL or (said >= ANSWER and _is_title(element))


def _is_title(answer: Node) -> bool:
    """Whether what is before a hidden element is a heading, a button or a question."""
    before = element_before(answer)
    return before is not None and (tag_of(before) in _TITLES or text_of(before).rstrip().endswith(("?", "？")))
