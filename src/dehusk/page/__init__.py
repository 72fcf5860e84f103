"""A page: HTML in, tree out. Others have the parser's types from here."""

from turbohtml import Document, Element, Node, Text

from dehusk.page._decoding import LARGEST, may_be_page, unusable
from dehusk.page._excerpts import excerpt
from dehusk.page._page import Page
from dehusk.page._parsing import body, parse, text_of
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
    "may_be_page",
    "parse",
    "text_of",
    "unusable",
    "walk",
]
