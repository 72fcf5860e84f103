"""A page: HTML in, tree out. What a node of it holds is asked here: others have no types of the parser."""

from turbohtml import Document, Element, Text

from dehusk.base.nodes import Node
from dehusk.page._decoding import LARGEST, may_be_page, unusable
from dehusk.page._excerpts import excerpt
from dehusk.page._page import Page
from dehusk.page._parsing import body, html_of, parse, text_of
from dehusk.page._walked import walk

__all__ = [
    "LARGEST",
    "Document",
    "Element",
    "Node",
    "Page",
    "Text",
    "body",
    "excerpt",
    "html_of",
    "may_be_page",
    "parse",
    "text_of",
    "unusable",
    "walk",
]
