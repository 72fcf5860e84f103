"""URLs of pages."""

import pytest

from dehusk.base.urls import host, joined, normal, on_the_web, path_of, quoted, split, unquoted

SITE = "https://site.example/"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://SITE.example", "https://site.example/"),
        ("https://me:secret@site.example:443/", "https://site.example/"),
        ("http://site.example:80/a#b", "http://site.example/a"),
        ("https://site.example/a/./b/../../../c//d", "https://site.example/c//d"),
        ("https://site.example/a/%2e%2E/c", "https://site.example/c"),
        ("https://site.example//a/../c/.", "https://site.example//c/"),
        ("https://site.example/a b", "https://site.example/a%20b"),
        ("https://site.example/%7Eme/it%27s", "https://site.example/~me/it's"),
        ("https://site.example/ü", "https://site.example/%c3%bc"),
    ],
)
def test_urls_of_one_page_are_normalized_to_the_same(one: str, other: str) -> None:
    assert normal(one) == normal(other) == normal(normal(one) or "")


@pytest.mark.parametrize(
    ("one", "other"),
    [("a%2Fb", "a/b"), ("a?b", "a"), ("a%3Fb", "a?b"), ("A", "a"), ("%E9", "%E8"), ("a/", "a"), ("///", "")],
)
def test_urls_of_different_pages_stay_different(one: str, other: str) -> None:
    assert normal(SITE + one) != normal(SITE + other)


@pytest.mark.parametrize(
    ("link", "base", "whole"),
    [
        ("b", SITE + "a/c", SITE + "a/b"),
        (" ../b ", SITE + "a/c", SITE + "b"),
        ("//other.example", SITE, "https://other.example/"),
        ("mailto:me@site.example", SITE, None),
        ("javascript:void(0)", SITE, None),
        ("b", "", None),
        ("http://[", SITE, None),
        ("http:///a", SITE, None),
    ],
)
def test_a_link_to_a_page_is_made_absolute(link: str, base: str, whole: str | None) -> None:
    assert normal(link, base) == whole


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://me@WWW.Site.example.:8080/a", "www.site.example"),
        ("site.example/a", ""),
        ("http://[", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_the_host_of_a_url_is_normalized_and_empty_if_there_is_none(url: str | None, name: str) -> None:
    assert host(url) == name


def test_only_http_and_https_are_on_the_web() -> None:
    assert on_the_web("HTTPS://site.example")
    assert on_the_web("http://site.example")
    assert not any(map(on_the_web, ("ftp://site.example", "https:/a", "http", "./http://a", "-")))


@pytest.mark.parametrize("part", ["a b", "ü", "caf\udce9", "a/b", "a%2Fb", "it's", "100%"])
def test_a_step_of_a_path_is_the_same_after_quoting_and_back(part: str) -> None:
    assert unquoted(quoted(part)) == part
    assert quoted(part).isascii()
    assert "/" not in quoted(part)


@pytest.mark.parametrize("bad", ["http://[", "//[x]/a", "http://]/", "http://\u2100.example/a"])
def test_what_is_not_a_url_has_no_parts_and_raises_nothing(bad: str) -> None:
    assert split(bad) is None
    assert joined(SITE, bad) is None
    assert (path_of(bad), host(bad), normal(bad)) == ("", "", None)


@pytest.mark.parametrize("bad", ["\ud800", "a/\udfff?b", SITE + "\ud83d"])
def test_half_a_character_in_a_path_is_not_a_url(bad: str) -> None:
    assert normal(bad, SITE) is None


def test_parts_and_joined_urls_are_those_of_the_standard_library() -> None:
    parts = split(SITE + "a/b.html?c#d")
    assert parts is not None
    assert (parts.netloc, parts.path, parts.query) == ("site.example", "/a/b.html", "c")
    assert joined(SITE + "a/b", "../c") == SITE + "c"
    assert path_of(SITE + "a") == "/a"
