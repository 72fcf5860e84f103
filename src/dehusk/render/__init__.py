"""Writers: text, Markdown, HTML and TEI of the content, and views of the page with its template.

Writers take a page, the nodes to leave out, and options (see `writing`). They leave the document unchanged, so that the
page can be written in another format next.
"""

from dehusk.render._addresses import Addresses
from dehusk.render._chunks import Chunked, chunked
from dehusk.render._compared import compared_html
from dehusk.render._front_matter import front_matter
from dehusk.render._hidden import unseen
from dehusk.render._html import html
from dehusk.render._markdown import markdown, markdown_of
from dehusk.render._overview import Overview, ShownChange, Version, Word
from dehusk.render._pictures import Files, no_files
from dehusk.render._posts import Post
from dehusk.render._report import ReportEntry, changes_report
from dehusk.render._tei import tei
from dehusk.render._text import text, text_of
from dehusk.render.views import content_html, numbered_html, template_html

__all__ = [
    "Addresses",
    "Chunked",
    "Files",
    "Overview",
    "Post",
    "ReportEntry",
    "ShownChange",
    "Version",
    "Word",
    "changes_report",
    "chunked",
    "compared_html",
    "content_html",
    "front_matter",
    "html",
    "markdown",
    "markdown_of",
    "no_files",
    "numbered_html",
    "tei",
    "template_html",
    "text",
    "text_of",
    "unseen",
]
