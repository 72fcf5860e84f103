"""Text: paragraphs apart, items and rows on lines of their own, a label and its value on one."""

from collections.abc import Sequence

from dehusk.kernels.unfolding import body_text
from dehusk.page import Node, Page
from dehusk.page.dom import dom
from dehusk.render.writing import AS_LEARNED, Writing


def text(page: Page, gone: Sequence[Node], writing: Writing = AS_LEARNED) -> str:  # noqa: ARG001  # has no addresses
    """The content as plain text."""
    lent = dom(page)
    return body_text(lent.without(gone), lambda: lent.gaps)


def text_of(excerpt: Node) -> str:
    """A document of its own as plain text."""
    return body_text(excerpt)
