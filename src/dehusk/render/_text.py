"""Plain text: paragraphs are separated by empty lines, items and rows are lines, a label and its value share a line."""

from collections.abc import Sequence

from dehusk.kernels.plain_text import write
from dehusk.kernels.reading import read, read_html
from dehusk.page import Node, Page
from dehusk.page.dom import dom
from dehusk.page.elements import html_of
from dehusk.render._posts import Post, parted
from dehusk.render.writing import AS_LEARNED, Writing


def text(
    page: Page,
    gone: Sequence[Node],
    writing: Writing = AS_LEARNED,  # noqa: ARG001  # has no addresses
    posts: Sequence[Post] = (),
) -> str:
    """Returns the content as plain text, with a rule between posts."""
    lent = dom(page)
    inside = lent.without(gone)
    with parted(posts, signed=False):
        return write(read_html(html_of(inside), lambda: lent.gaps) or read(inside, lambda: lent.gaps))


def text_of(excerpt: Node) -> str:
    """Returns a separate document as plain text."""
    return write(read_html(html_of(excerpt)) or read(excerpt))
