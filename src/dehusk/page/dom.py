"""The parser's documents, for those who know the parser: only this room and `render` import this module."""

from dehusk.page._lent import Lent
from dehusk.page._page import Page
from dehusk.page._parsing import body, parse
from dehusk.page._walked import walk

__all__ = ["Lent", "body", "dom", "parse", "walk"]


def dom(page: Page) -> Lent:
    """The parsed document of a page."""
    return page._lent  # noqa: SLF001
