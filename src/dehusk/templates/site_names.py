"""The site of a page: its host, or its registered domain."""

from functools import cache
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


@cache
def _suffixes() -> "PublicSuffixList":
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(accept_unknown=False)
