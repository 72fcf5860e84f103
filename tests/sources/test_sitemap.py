"""Sitemaps as sources, including broken and circular ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dehusk.base.errors import Skipped, SourceError
from dehusk.page import Page
from dehusk.sources import Reading, open_source
from dehusk.sources import _sitemap as sitemap
from dehusk.sources._sitemap import Sitemap
from dehusk.sources.web.crawl import Fetcher
from loopback import Server, answer, packed, serving


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as started:
        started.routes |= {f"/{name}": answer(f"<p>{name}") for name in "abcd"}
        yield started


@pytest.fixture
def fetcher() -> Iterator[Fetcher]:
    with Fetcher(allow_private=True, delay=0) as made:
        yield made


def urlset(server: Server, *paths: str) -> str:
    entries = "".join(
        f"<url>\n <loc> {server.url(path)}\n</loc><lastmod>2024-01-01</lastmod>"
        f"<image:image><image:loc>{server.url('/x.png')}</image:loc></image:image></url>"
        for path in paths
    )
    spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/x"'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {spaces}>{entries}</urlset>'


def index(server: Server, *paths: str) -> str:
    entries = "".join(f"<sitemap><loc>{server.url(path)}</loc></sitemap>" for path in paths)
    return f"<sitemapindex>{entries}</sitemapindex>"


def xml(text: str | bytes) -> bytes:
    return answer(text, kind="application/xml")


def read(source: Sitemap) -> tuple[list[str], list[tuple[str, str]]]:
    items = list(source)
    skipped = [(item.name.rpartition("/")[2], item.reason) for item in items if isinstance(item, Skipped)]
    return [item.name.rpartition("/")[2] for item in items if isinstance(item, Page)], skipped


def test_a_sitemap_lists_pages_and_failures_keep_their_place(server: Server, fetcher: Fetcher) -> None:
    server.routes["/sitemap.xml"] = xml(urlset(server, "/b", "/missing", "/a", "/b"))
    source = Sitemap(server.url("/sitemap.xml"), fetcher)
    assert source.names == [server.url(path) for path in ("/b", "/missing", "/a")]
    for _ in range(2):
        assert [item.name for item in source] == source.names
    assert read(source) == (["b", "a"], [("missing", "HTTP 404")])
    assert server.pages_asked == ["/sitemap.xml", "/b", "/missing", "/a"]


@pytest.mark.parametrize("kind", ["xml", "gz", "gz twice", "utf-16", "bom", "lines"])
def test_a_sitemap_may_be_plain_packed_or_xml(server: Server, fetcher: Fetcher, kind: str) -> None:
    text = urlset(server, "/a", "/b")
    routes = {
        "xml": xml(text),
        "gz": answer(packed(text), kind="application/x-gzip"),
        "gz twice": answer(packed(packed(text)), Content_Encoding="gzip"),
        "utf-16": xml(text.replace("UTF-8", "UTF-16").encode("utf-16")),
        "bom": xml("\ufeff" + text),
        "lines": answer(f"\ufeff{server.url('/a')}\r\n\n{server.url('/b')}\n", kind="text/plain"),
    }
    server.routes["/sitemap"] = routes[kind]
    assert Sitemap(server.url("/sitemap"), fetcher).names == [server.url("/a"), server.url("/b")]


def test_an_index_leads_to_its_sitemaps_in_order(server: Server, fetcher: Fetcher) -> None:
    server.routes["/i"] = xml(index(server, "/1", "/deeper", "/gone", "/2"))
    server.routes["/deeper"] = xml(index(server, "/3.gz"))
    server.routes["/1"] = xml(urlset(server, "/d"))
    server.routes["/2"] = xml(urlset(server, "/a"))
    server.routes["/3.gz"] = answer(packed(urlset(server, "/c", "/d")), kind="application/gzip")
    assert read(Sitemap(server.url("/i"), fetcher)) == (["d", "c", "a"], [("gone", "HTTP 404")])


def test_a_sitemap_that_lists_itself_is_read_once(server: Server, fetcher: Fetcher) -> None:
    server.routes["/i"] = xml(index(server, "/i", "/1", "/j", "/i"))
    server.routes["/j"] = xml(index(server, "/i"))
    server.routes["/1"] = xml(urlset(server, "/a"))
    again = "a sitemap that is listed again; read once"
    assert read(Sitemap(server.url("/i"), fetcher)) == (["a"], [("i", again)])
    assert server.pages_asked == ["/i", "/1", "/j", "/a"]


def test_a_sitemap_that_lists_only_itself_is_an_error(server: Server, fetcher: Fetcher) -> None:
    server.routes["/i"] = xml(index(server, "/i"))
    with pytest.raises(SourceError, match="/i: a sitemap that is listed again"):
        Sitemap(server.url("/i"), fetcher)


def test_listed_addresses_are_never_opened_as_files(server: Server, fetcher: Fetcher, tmp_path: Path) -> None:
    secret = tmp_path / "secret.xml"
    secret.write_text(urlset(server, "/c"))
    entries = f"<sitemap><loc>{secret.as_uri()}</loc></sitemap><sitemap><loc>{secret}</loc></sitemap>"
    local = tmp_path / "sitemap.xml"
    local.write_text(f"<x><sitemapindex>{entries}</sitemapindex><url><loc>{server.url('/a')}</loc></url></x>")
    pages, skipped = read(Sitemap(local, fetcher))
    assert pages == ["a"]
    assert [why for _, why in skipped] == ["only http and https are fetched"] * 2


def test_an_entry_that_is_not_a_url_is_skipped_and_the_others_are_read(server: Server, fetcher: Fetcher) -> None:
    bad = "".join(f"<url><loc>{loc}</loc></url>" for loc in ("http://[", "//[x]/", "http://\u2100.example/"))
    entries = urlset(server, "/a", "/b").replace("</url>", f"</url>{bad}", 1)
    server.routes["/sitemap.xml"] = xml(entries.encode())
    pages, skipped = read(Sitemap(server.url("/sitemap.xml"), fetcher))
    assert pages == ["a", "b"]
    assert [why for _, why in skipped] == ["not a valid URL"] * 3


def test_an_index_with_an_entry_that_is_not_a_url_leads_to_the_others(server: Server, fetcher: Fetcher) -> None:
    server.routes["/a.xml"] = xml(urlset(server, "/a"))
    listed = index(server, "/a.xml").replace("<sitemapindex>", "<sitemapindex><sitemap><loc>http://[</loc></sitemap>")
    server.routes["/sitemap.xml"] = xml(listed)
    pages, skipped = read(Sitemap(server.url("/sitemap.xml"), fetcher))
    assert (pages, skipped) == (["a"], [("[", "not a valid URL")])


def test_a_local_sitemap_lists_pages_on_the_web(server: Server, fetcher: Fetcher, tmp_path: Path) -> None:
    local = tmp_path / "sitemap.xml.gz"
    local.write_bytes(packed(index(server, "/1")))
    server.routes["/1"] = xml("<urlset><url><loc>/a</loc></url><url><loc>b&amp;c</loc></url></urlset>")
    server.routes["/b&c"] = answer("<p>b&c")
    assert read(Sitemap(local, fetcher)) == (["a", "b&c"], [])


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"<!DOCTYPE html><html><body><url><loc>http://x/</loc></url>", "not a sitemap"),
        (b"just words", "not a sitemap"),
        (b"", "not a sitemap"),
        (b"<rss></rss>", "a sitemap or feed that lists no pages"),
        (b"<urlset><url><lo", "a damaged sitemap: "),
        (b"\x1f\x8b\x08 no gzip at all", "damaged"),
        (packed("<urlset></urlset>")[:-9], "truncated"),
        (packed(b" " * 60_000_000), "too large"),
    ],
)
def test_a_file_that_is_not_a_sitemap_is_an_error_with_the_reason(
    fetcher: Fetcher, tmp_path: Path, data: bytes, why: str
) -> None:
    local = tmp_path / "sitemap.xml"
    local.write_bytes(data)
    with pytest.raises(SourceError) as caught:
        Sitemap(local, fetcher)
    assert str(caught.value).startswith(f"{local}: {why}")


@pytest.mark.parametrize("name", ["shift_jis", "undefined", "hex", "no-such"])
def test_a_sitemap_in_an_encoding_that_cannot_be_read_is_an_error(fetcher: Fetcher, tmp_path: Path, name: str) -> None:
    local = tmp_path / "sitemap.xml"
    local.write_text(f"<?xml version='1.0' encoding='{name}'?><urlset><url><loc>http://x/</loc></url></urlset>")
    with pytest.raises(SourceError, match="a damaged sitemap"):
        Sitemap(local, fetcher)


def test_a_sitemap_is_not_followed_into_the_depth(fetcher: Fetcher, tmp_path: Path) -> None:
    local = tmp_path / "sitemap.xml"
    local.write_text("<urlset><url><loc>http://x.example/</loc></url>" + "<url>" * 10**5)
    source = Sitemap(local, fetcher)
    assert source.names == ["http://x.example/"]
    assert list(source._skipped) == [Skipped(str(local), "a damaged sitemap: nested too deeply")]


def test_an_entry_without_an_address_is_left_out(fetcher: Fetcher, tmp_path: Path) -> None:
    local = tmp_path / "feed.xml"
    local.write_text("<feed><entry><link/></entry><entry><link href='http://x.example/'/></entry></feed>")
    assert Sitemap(local, fetcher).names == ["http://x.example/"]


def test_entities_do_not_explode(fetcher: Fetcher, tmp_path: Path) -> None:
    lines = ['<!ENTITY a0 "ha">', *(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9))]
    local = tmp_path / "sitemap.xml"
    local.write_text(f"<!DOCTYPE urlset [{''.join(lines)}]><urlset><url><loc>http://x/&a9;</loc></url></urlset>")
    with pytest.raises(SourceError, match="not a sitemap"):
        Sitemap(local, fetcher)


def test_a_truncated_sitemap_gives_the_entries_before_the_cut(server: Server, fetcher: Fetcher) -> None:
    text = urlset(server, "/a", "/b", "/c")
    server.routes["/s"] = xml(text[: text.index("/c")])
    pages, skipped = read(Sitemap(server.url("/s"), fetcher))
    assert pages == ["a", "b"]
    assert skipped[0][0] == "s"
    assert skipped[0][1].startswith("a damaged sitemap: ")


def test_a_missing_sitemap_is_an_error_that_names_it(server: Server, fetcher: Fetcher, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="/none: HTTP 404"):
        Sitemap(server.url("/none"), fetcher)
    with pytest.raises(SourceError, match=r"none\.xml: no such file"):
        Sitemap(tmp_path / "none.xml", fetcher)


def small(**options: Any) -> Fetcher:
    return Fetcher(allow_private=True, delay=0, **options)


def test_at_most_as_many_pages_are_listed_as_may_be_fetched(server: Server) -> None:
    server.routes["/i"] = xml(index(server, "/1", "/2"))
    server.routes["/1"] = xml(urlset(server, "/a", "/b", "/c", "/d"))
    with small(max_pages=2) as fetcher:
        pages, skipped = read(Sitemap(server.url("/i"), fetcher))
    assert pages == ["a", "b"]
    assert skipped == [
        ("1", "lists more than the limit of 2 pages; the rest is left out"),
        ("2", "a sitemap beyond the limit of 2 pages"),
    ]
    assert "/2" not in server.asked


def test_the_number_of_sitemaps_is_limited(server: Server, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "MAX_SITEMAPS", 2)
    server.routes["/i"] = xml(index(server, "/1", "/2", "/3"))
    server.routes["/1"] = xml(urlset(server, "/a"))
    pages, skipped = read(Sitemap(server.url("/i"), fetcher))
    assert pages == ["a"]
    assert skipped == [("i", "leads to more than 2 sitemaps; the rest is left out")]


RSS = """<rss version="2.0"><channel><link>{0}/home</link><item><title>A</title><link>{0}/a</link></item>
<item><link> {0}/b </link><enclosure url="{0}/c"/></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><link href="{0}/home"/><entry><link rel="edit" href="{0}/c"/>
<link href="{0}/a"/></entry><entry><link rel="alternate" href="/b"/></entry></feed>"""


@pytest.mark.parametrize("feed", [RSS, ATOM], ids=["rss", "atom"])
@pytest.mark.parametrize("name", ["/news.xml", "/news.rss", "/feed"])
def test_a_feed_lists_pages(server: Server, fetcher: Fetcher, feed: str, name: str) -> None:
    server.routes[name] = xml(feed.format(server.url("")))
    source = open_source([server.url(name)], Reading(fetcher=lambda: fetcher))
    assert source.names == [server.url("/a"), server.url("/b")]
