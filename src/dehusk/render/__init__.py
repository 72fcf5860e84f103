"""What is written of a page: text, Markdown, HTML of the content, of the template, and the page tinted.

Writers take a page, the nodes that are not written of it, and how to write (see `writing`). They leave its document as
they found it: the page may be asked for another format next.
"""

from dehusk.render._addresses import Addresses
from dehusk.render._compared import ShownChange, Word, compared_html
from dehusk.render._hidden import unseen
from dehusk.render._html import html
from dehusk.render._markdown import markdown, markdown_of
from dehusk.render._text import text, text_of
from dehusk.render.views import Sheets, content_html, no_sheets, numbered_html, template_html

__all__ = [
    "Addresses",
    "Sheets",
    "ShownChange",
    "Word",
    "compared_html",
    "content_html",
    "html",
    "markdown",
    "markdown_of",
    "no_sheets",
    "numbered_html",
    "template_html",
    "text",
    "text_of",
    "unseen",
]
