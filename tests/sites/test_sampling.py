"""Sampling: a few pages of each site, the same whatever the order they come in."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from dehusk.page import Page
from dehusk.sites.sampling import Samples

PAGES = [
    ("a.example", Page(f"<p>{number % 7}", name=f"{number}", url="http://a.example/", encoding=encoding))
    for number in range(20)
    for encoding in (None, "utf-8")
] + [("", Page(b"<p>\xff")), ("\udc80", Page("<p>\udc80", name="\udc80"))]


@given(st.integers(1, 8), st.randoms(use_true_random=False))
def test_the_smallest_hashes_of_each_site_are_kept_in_any_order(most: int, random: Random) -> None:
    with Samples(most) as samples:
        for site, page in random.sample(PAGES, len(PAGES)):
            samples.add(site, page)
        assert list(samples.sites) == ["", "a.example", "\udc80"]
        kept = list(samples.pages("a.example"))
        digests = sorted({page.digest for site, page in PAGES if site == "a.example"})[:most]
        assert [page.digest for page in kept] == digests
        # Of equal pages, the one with the first name, and without an encoding.
        assert [(page.name, page.encoding) for page in kept] == [
            (min(other.name for _, other in PAGES if other.digest == digest), None) for digest in digests
        ]


def test_pages_come_back_as_they_were() -> None:
    with Samples(3) as samples:
        samples.add("x", Page(b"<p>\xe9", name="caf\udce9", url="http://x/\udce9", encoding="latin-1"))
        (page,) = samples.pages("x")
    assert (page.html, page.name, page.url, page.encoding) == (
        b"<p>\xe9",
        "caf\udce9",
        "http://x/\udce9",
        "latin-1",
    )


def test_a_site_that_was_not_seen_has_no_pages() -> None:
    with Samples(3) as samples:
        assert list(samples.sites) == []
        assert list(samples.pages("x")) == []
