"""Pages: parsing HTML into trees. `elements` has functions on nodes, so that other rooms need no parser types."""

from dehusk.base.tree import Node
from dehusk.page._decoding import LARGEST, may_be_page, unusable
from dehusk.page._page import Heading, Meta, Page
from dehusk.page.dom import excerpt

__all__ = ["LARGEST", "Heading", "Meta", "Node", "Page", "excerpt", "may_be_page", "unusable"]
