"""Pictures: what they are called, and which of them only decorate a page."""

import re
from collections.abc import Callable
from urllib.parse import unquote

from dehusk.base.urls import path_of
from dehusk.page import Node
from dehusk.page.elements import attribute, closest

SPACER = 32
"""An image without alt text is decoration unless it is larger than this, in pixels."""

TRACKER = 2
"""An image of at most this many pixels in width or height is a tracker."""

EMBEDDED = re.compile(r"data:image/[\w.+-]+[;,]", re.IGNORECASE)
"""How the URL of a picture begins that is part of the page itself. To show it, nothing is loaded."""


Files = Callable[[str], str | None]
"""Returns the style sheet with this URL, or the picture as a data URL; None if the source of the page has none."""


def no_files(_: str) -> None:
    """Default for Files: none is available."""


def said(image: Node) -> str:
    """Returns the alt text of an image, else its title, on one line; "" if it has neither."""
    return " ".join((attribute(image, "alt") or attribute(image, "title") or "").split())


def file_name(address: str) -> str:
    """Returns what to call a picture without words: the file name in its URL, else "image"."""
    return " ".join(unquote(path_of(address).rpartition("/")[2]).split()) or "image"


def is_spacer(image: Node) -> bool:
    """Returns whether an image without alt text is decoration: not known to be large, and not in a figure."""
    sizes = _sizes(image)
    if all(size.isdecimal() and int(size[:9]) > SPACER for size in sizes):
        return False
    return closest(image, "figure") is None or any(size.isdecimal() and int(size[:9]) <= SPACER for size in sizes)


def is_tracker(image: Node) -> bool:
    """Returns whether an image is too small to be seen."""
    return any(size.isdecimal() and int(size[:9]) <= TRACKER for size in _sizes(image))


def _sizes(image: Node) -> tuple[str, str]:
    return attribute(image, "width") or "", attribute(image, "height") or ""
