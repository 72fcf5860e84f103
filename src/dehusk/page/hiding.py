"""Which elements a page does not show: those with `hidden` or a style that hides them, and text for screen readers."""

from dehusk.base.tree import Node
from dehusk.page.elements import closest, matches, select, tag_of

_HELPERS = (
    *("sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only", "screenreader-only"),
    *("screenreader", "a11y-hidden", "u-hiddenVisually"),
)
# One coarse selector; searching for each style and class would take three times as long.
_MAYBE = '[hidden], [style*="none" i], [style*="hidden" i], [class*="hidden"], [class*="sr-only"], [class*="screen"]'
_STYLES = ("display:none", "display: none", "visibility:hidden", "visibility: hidden")

HELPER = ", ".join(f".{helper}" for helper in _HELPERS)
"""CSS selector of text for screen readers."""

_HIDDEN = ", ".join(["[hidden]", *(f'[style*="{style}" i]' for style in _STYLES), HELPER])


def hidden_in(node: Node) -> list[Node]:
    """Returns the hidden elements below a node, in order; some may be inside others."""
    return [element for element in select(node, _MAYBE) if matches(element, _HIDDEN)]


def is_hidden(element: Node) -> bool:
    """Returns whether an element is hidden or in a hidden one. The body is ignored: a script may show it."""
    holder = closest(element, _HIDDEN)
    return holder is not None and tag_of(holder) not in ("body", "html")
