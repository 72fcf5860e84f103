"""Which site a page belongs to: its host, or the domain that somebody registered."""

from functools import cache
from typing import TYPE_CHECKING

from dehusk.base import urls
from dehusk.page import Page

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

BY = ("host", "domain")
"""The ways to tell sites apart."""


def site_of(page: Page, by: str = "host") -> str:
    """The site of a page; "" for pages without a URL, which are one site."""
    host = urls.host(page.url)
    if by == "host" or not host:
        return host
    return _suffixes().privatesuffix(host) or host  # a host without a public suffix is its own site


@cache
def _suffixes() -> "PublicSuffixList":
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(accept_unknown=False)
