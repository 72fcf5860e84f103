"""The site of a page: its host, or its registered domain."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.base import urls
from dehusk.page import Page

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

BY = ("host", "domain")
"""How pages are assigned to sites."""


def site_of(page: Page, by: str = "host") -> str:
    """Returns the site of a page; "" for pages without a URL, which form one site."""
    host = urls.host(page.url)
    if by == "host" or not host:
        return host
    return _suffixes().privatesuffix(host) or host  # a host without a public suffix is its own site


_UNTELLING = frozenset(
    {
        "data",
        "dist",
        "htdocs",
        "html",
        "out",
        "output",
        "page",
        "pages",
        "public",
        "public_html",
        "site",
        "static",
        "web",
        "www",
    }
)
"""Names of folders and files that say nothing about the site in them."""


def folder_name(path: Path) -> str:
    """Returns the name of a site in a folder or file: its name, or that of the innermost folder with a telling one."""
    whole = path.resolve()
    names = [place.name for place in (whole, *whole.parents) if place.name]
    telling = (name for name in names if name.partition(".")[0].lower() not in _UNTELLING)
    return next(telling, whole.name)


@cache
def _suffixes() -> "PublicSuffixList":
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(accept_unknown=False)
