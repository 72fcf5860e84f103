"""A page: HTML in, tree out. What a node of it holds is asked here (`elements`): others have no types of the parser."""

from dehusk.base.tree import Node
from dehusk.page._decoding import LARGEST, may_be_page, unusable
from dehusk.page._page import Heading, Meta, Page
from dehusk.page.dom import excerpt

__all__ = ["LARGEST", "Heading", "Meta", "Node", "Page", "excerpt", "may_be_page", "unusable"]
