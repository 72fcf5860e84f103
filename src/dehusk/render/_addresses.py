"""Addresses of links and images, as they are written: absolute, safe to follow, and not too long."""

import re
from urllib.parse import urljoin

from dehusk.base.urls import on_the_web
from dehusk.page import Page
from dehusk.render.writing import AS_LEARNED, Writing

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_SAFE = frozenset({"http:", "https:", "mailto:", "tel:", "ftp:"})
_UNSEEN = re.compile(r"[\x00-\x1f\x7f]")  # browsers leave them out of an address
_TO_QUOTE = re.compile(r"[\s()<>\"'`|]|\\(?!&)")

_ENTITY = re.compile(r"&(?=#?\w+;)")

ROOM = 4
"""What absolute addresses may add to a page, in times its size. The base of a page is repeated in each of them."""


def is_safe(address: str) -> bool:
    """Whether an address is relative, or of a scheme that runs nothing."""
    scheme = _SCHEME.match(_UNSEEN.sub("", address).strip())
    return scheme is None or scheme.group().lower() in _SAFE


class Addresses:
    """Makes the addresses of one page absolute, as long as there is room."""

    def __init__(self, page: Page, writing: Writing = AS_LEARNED) -> None:
        base = writing.base_of(page)
        self._base = base if on_the_web(base) else ""  # saved pages claim to be files of another machine
        self._room = ROOM * len(page.html)

    def __call__(self, address: str | None) -> str:
        """The address to write; "" if there is none, or it is not safe to follow."""
        address = _UNSEEN.sub("", address or "").strip()
        if not is_safe(address):
            return ""
        address = self.absolute(address)
        address = _ENTITY.sub(r"\\&", address)
        return _TO_QUOTE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found.group().encode()), address)

    def absolute(self, address: str) -> str:
        """The address as a whole; as it is if there is no room left, or nothing to make it whole with."""
        if not address or not self._base or _SCHEME.match(address):
            return address
        try:
            whole = urljoin(self._base, address)
        except ValueError:  # such as a bracket that does not close
            return address
        if len(whole) - len(address) > self._room:
            return address
        self._room -= len(whole) - len(address)
        return whole
