"""Sampling: a few pages of each site, independent of the order of pages."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from dehusk.page import Page
from dehusk.templates.sampling import LARGE_FRACTION, Sample, Sampler, Samples, cut, sample_of, weight

PAGES = [
    ("a.example", Page(f"<p>{number % 7}", name=f"{number}", url="http://a.example/", encoding=encoding))
    for number in range(20)
    for encoding in (None, "utf-8")
] + [("", Page(b"<p>\xff")), ("\udc80", Page("<p>\udc80", name="\udc80"))]


HELD = st.sampled_from([None, 0, 1500])
"""Bytes that are held in memory: those of all pages, of none, of some before they are stored."""


@given(st.integers(1, 8), HELD, st.randoms(use_true_random=False))
def test_the_smallest_hashes_of_each_site_are_kept_in_any_order(most: int, held: int | None, random: Random) -> None:
    with Samples(most, held) as samples:
        for site, page in random.sample(PAGES, len(PAGES)):
            samples.add(site, page)
        assert list(samples.sites) == ["", "a.example", "\udc80"]
        kept = list(samples.pages("a.example"))
        digests = sorted({page.digest for site, page in PAGES if site == "a.example"})[:most]
        assert [page.digest for page in kept] == digests
        # Among equal pages, the one with the first name, and without an encoding.
        assert [(page.name, page.encoding) for page in kept] == [
            (min(other.name for _, other in PAGES if other.digest == digest), None) for digest in digests
        ]


@given(HELD)
def test_pages_come_back_as_they_were(held: int | None) -> None:
    with Samples(3, held) as samples:
        samples.add("x", Page(b"<p>\xe9", name="caf\udce9", url="http://x/\udce9", encoding="latin-1"))
        (page,) = samples.pages("x")
    assert (page.html, page.name, page.url, page.encoding) == (
        b"<p>\xe9",
        "caf\udce9",
        "http://x/\udce9",
        "latin-1",
    )


def test_pages_that_are_held_are_the_very_ones() -> None:
    known = [Page(f"<p>{number}") for number in range(3)]
    for held in (None, 0):
        with Samples(3, held) as samples:
            for page in known:
                samples.add("x", page)
            assert samples.in_memory is (held is None)
            assert all(page in known for page in samples.pages("x")) is samples.in_memory
            assert [row.page().digest for row in samples.rows("x")] == sorted(page.digest for page in known)


@given(HELD)
def test_a_site_that_was_not_seen_has_no_pages(held: int | None) -> None:
    with Samples(3, held) as samples:
        assert list(samples.sites) == []
        assert list(samples.pages("x")) == []


def chosen(pages: list[Page], most: int | None, memory: int | None) -> tuple[list[str], list[str]]:
    sample = sampled(pages, most, memory)
    return [page.name for page in sample.pages], list(sample.left_out)


def sampled(pages: list[Page], most: int | None, memory: int | None) -> Sample:
    sampler = Sampler(most, memory)
    for page in pages:
        sampler.add(page)
    return sampler.sample


MIXED = [Page("<p>a" * (number * number % 97), name=f"{number:03d}") for number in range(60)]


@given(st.integers(1, 60), st.integers(200_000, 4_000_000), st.randoms(use_true_random=False))
def test_the_pages_that_fit_are_the_same_in_any_order(most: int, memory: int, random: Random) -> None:
    names, left_out = chosen(random.sample(MIXED, len(MIXED)), most, memory)
    assert (names, left_out) == chosen(MIXED, most, memory)
    by_name = {page.name: page for page in MIXED}
    assert {*names, *left_out} == set(chosen(MIXED, most, None)[0])
    if len(names) > 1:  # otherwise it may be the beginning of a page
        assert sum(weight(by_name[name]) for name in names) <= memory
        assert all(weight(by_name[name]) <= memory // LARGE_FRACTION for name in names)


def test_pages_with_many_elements_weigh_more_than_their_bytes() -> None:
    assert weight(Page("<p>a" * 1000)) > 10 * weight(Page("word" * 1000))
    assert weight(Page(b"<p>a" * 1000)) == weight(Page("<p>a" * 1000))
    assert weight(Page("<b>a</b>" * 1000)) < weight(Page("<b>a<b>a" * 1000))


def test_if_all_pages_are_too_large_the_beginning_of_one_is_used() -> None:
    pages = [Page(f"<p>{number}" * 1000, name=f"{number}", url="http://a.example/") for number in range(3)]
    found = sampled(pages, 9, memory=70_000)
    (page,) = found.pages
    assert weight(page) <= 70_000
    assert page.url == "http://a.example/"
    assert isinstance(page.html, str)
    assert page.html == (f"<p>{page.name}" * 1000)[: len(page.html)]
    assert len(found.left_out) == 3
    assert cut(page) is page


@given(st.integers(200_000, 4_000_000), st.randoms(use_true_random=False))
def test_pages_from_a_database_count_like_pages_in_memory(memory: int, random: Random) -> None:
    with Samples(40, held=0) as samples:
        for page in MIXED:
            samples.add("", page)
        stored = Sample.of(samples.pages(""), memory)
    in_memory = sampled(random.sample(MIXED, len(MIXED)), 40, memory)
    assert [page.digest for page in stored.pages] == [page.digest for page in in_memory.pages]
    assert list(stored.left_out) == list(in_memory.left_out)


def test_among_equal_pages_the_first_by_name_url_and_encoding_counts() -> None:
    twins = [
        Page("<p>a", name=name, url=url, encoding=encoding)
        for name in "ba"
        for url in ("http://b.example/", "http://a.example/")
        for encoding in ("utf-8", None)
    ]
    for order in (twins, twins[::-1]):
        (page,) = sample_of(order, None).pages
        assert (page.name, page.url, page.encoding) == ("a", "http://a.example/", None)


def test_a_single_large_page_is_not_left_out() -> None:
    page = Page("<p>a" * 1000, name="large")
    assert Sample.of([page], weight(page)) == Sample([page], [])
    assert Sample.of([], 1) == Sample([], [])
    assert Sample.of([page], weight(page) // 2).left_out == ["large"]
