"""URLs of links and images for output: absolute, with safe schemes, and limited in total length."""

import re

from dehusk.base.urls import joined, on_the_web
from dehusk.page import Page
from dehusk.render.writing import AS_LEARNED, Writing

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_SAFE = frozenset({"http:", "https:", "mailto:", "tel:", "ftp:"})
_UNSEEN = re.compile(r"[\x00-\x1f\x7f]")  # browsers ignore them in a URL
_TO_QUOTE = re.compile(r"[\s()<>\"'`|]|\\(?!&)")

_ENTITY = re.compile(r"&(?=#?\w+;)")

ROOM = 4
"""Maximum length added by absolute URLs, in multiples of the page's size: each URL repeats the base."""


def is_safe(address: str) -> bool:
    """Returns whether a URL is relative, or has a scheme that runs no code."""
    scheme = _SCHEME.match(_UNSEEN.sub("", address).strip())
    return scheme is None or scheme.group().lower() in _SAFE


class Addresses:
    """Makes the URLs of one page absolute, as long as ROOM allows."""

    def __init__(self, page: Page, writing: Writing = AS_LEARNED) -> None:
        self.writing = writing
        base = writing.base_of(page)
        self._base = base if on_the_web(base) else ""  # saved pages may have a file: URL of another machine
        self._room = ROOM * len(page.html)

    def __call__(self, address: str | None) -> str:
        """Returns the URL to write; "" if there is none or it is not safe."""
        address = _UNSEEN.sub("", address or "").strip()
        if not is_safe(address):
            return ""
        address = self.absolute(address)
        address = _ENTITY.sub(r"\\&", address)
        return _TO_QUOTE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found.group().encode()), address)

    def absolute(self, address: str) -> str:
        """Returns the absolute URL; unchanged if there is no room left or no base."""
        if not address or not self._base or _SCHEME.match(address):
            return address
        whole = joined(self._base, address)
        if whole is None or len(whole) - len(address) > self._room:
            return address
        self._room -= len(whole) - len(address)
        return whole
