"""Finds text that a page does not show: hidden elements, and text for screen readers.

In our annotated data, elements with `display: none` are mostly not content, except panels of tabs and answers to
questions; most elements with `hidden` are such panels. So hidden elements are removed, unless they are marked as a
panel, or have much text that is nowhere else on the page.

Formulas are the other way round: pages hide the MathML, which says what is meant, and show pictures or styled letters.
"""

from collections.abc import Sequence

from dehusk.base.tags import HEADINGS
from dehusk.base.tree import letters
from dehusk.page import Node, Page
from dehusk.page.dom import dom
from dehusk.page.elements import attribute, element_before, first, matches, parent_of, select, tag_of, text_of
from dehusk.page.hiding import HELPER, hidden_in, is_hidden

PANEL = 130
"""A hidden element with at least this many letters is a panel: an answer, a description. Messages are shorter."""

ANSWER = 20
"""PANEL for an element after a heading, a button or a question."""

NOTHING = 40
"""If fewer letters than this would be left, and more are hidden, a script shows the page: nothing is removed."""

MANY = 50
"""How many panels are searched in the rest of the text. Each search takes time in proportion to that text."""

_GLANCE_TIMES = 4
_DRAWN = ".katex-html, .mwe-math-fallback-image-inline, .mwe-math-fallback-image-display"

_TITLES = HEADINGS | {"button", "dt", "summary"}


def unseen(page: Page, gone: Sequence[Node]) -> Sequence[Node]:
    """Returns the nodes that are not written: the template, `gone`, and hidden elements."""
    inside = dom(page).without(gone)
    hidden = hidden_in(inside)
    if first(inside, "math") is not None:
        hidden = [element for element in hidden if not _holds_formula(element)]
        gone = [*gone, *(drawn for drawn in select(inside, _DRAWN) if _holds_formula(element_before(drawn)))]
    if not hidden:
        return gone
    outer = [element for element in hidden if (above := parent_of(element)) is not None and not is_hidden(above)]
    panels = [element for element in outer if _is_panel(element)]
    text = text_of(inside)
    said = " ".join(text.split()) if panels else ""
    copies = {element for element in panels[:MANY] if said.count(" ".join(text_of(element).split())) > 1}
    going = [element for element in outer if element in copies or element not in set(panels)]
    return [*gone, *going] if _shows(text, sum(letters(text_of(element)) for element in going)) else gone


def _holds_formula(element: Node | None) -> bool:
    """Returns whether an element holds a formula in MathML and no other text."""
    formula = first(element, "math") if element is not None else None
    return element is not None and formula is not None and letters(text_of(formula)) == letters(text_of(element))


def _shows(text: str, hidden: int) -> bool:
    """Returns whether enough text is left without the hidden letters. Mostly the start of the text decides."""
    if letters(text[: _GLANCE_TIMES * (hidden + NOTHING)]) - hidden >= NOTHING:
        return True
    kept = letters(text) - hidden
    return kept >= NOTHING or kept * 2 >= letters(text)


def _is_panel(element: Node) -> bool:
    """Returns whether a hidden element is a panel: it can be opened, or has much text."""
    if matches(element, HELPER):
        return False
    if attribute(element, "role") == "tabpanel" or attribute(element, "aria-labelledby") is not None:
        return True
    said = letters(" ".join(text_of(element).split()))
    return said >= PANEL or (said >= ANSWER and _is_title(element))


def _is_title(answer: Node) -> bool:
    """Returns whether the element before a hidden one is a heading, a button or a question."""
    before = element_before(answer)
    return before is not None and (tag_of(before) in _TITLES or text_of(before).rstrip().endswith(("?", "？")))
