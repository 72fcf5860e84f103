"""The site of a page."""

import pytest

from dehusk.page import Page
from dehusk.templates.site_names import site_of


@pytest.mark.parametrize(
    ("url", "host", "domain"),
    [
        ("https://www.Shop.site.co.uk:8080/a", "www.shop.site.co.uk", "site.co.uk"),
        ("http://site.example./", "site.example", "site.example"),
        ("http://127.0.0.1/", "127.0.0.1", "127.0.0.1"),
        ("http://localhost/", "localhost", "localhost"),
        ("http://[", "", ""),
        ("a.html", "", ""),
        (None, "", ""),
    ],
)
def test_a_site_is_a_host_or_a_registered_domain(url: str | None, host: str, domain: str) -> None:
    page = Page("<p>x", url=url)
    assert site_of(page) == host
    assert site_of(page, "domain") == domain
