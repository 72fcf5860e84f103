"""Text: paragraphs apart, items and rows on lines of their own, a label and its value on one."""

from collections.abc import Sequence

from dehusk.kernels.plain_text import write
from dehusk.kernels.reading import read, read_html
from dehusk.page import Node, Page
from dehusk.page.dom import dom
from dehusk.page.elements import html_of
from dehusk.render.writing import AS_LEARNED, Writing


def text(page: Page, gone: Sequence[Node], writing: Writing = AS_LEARNED) -> str:  # noqa: ARG001  # has no addresses
    """The content as plain text."""
    lent = dom(page)
    inside = lent.without(gone)
    return write(read_html(html_of(inside), lambda: lent.gaps) or read(inside, lambda: lent.gaps))


def text_of(excerpt: Node) -> str:
    """A document of its own as plain text."""
    return write(read_html(html_of(excerpt)) or read(excerpt))
