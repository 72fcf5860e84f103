"""A list of URLs as a source."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dehusk.base.errors import Skipped, SourceError
from dehusk.page import Page
from dehusk.sources import Reading, open_source
from dehusk.sources._url import UrlList
from dehusk.sources.web.crawl import Fetcher
from loopback import Server, answer, serving


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as started:
        yield started


@pytest.fixture
def fetcher() -> Iterator[Fetcher]:
    with Fetcher(allow_private=True, delay=0) as made:
        yield made


def test_a_list_is_fetched_in_its_order_and_failures_keep_their_place(
    server: Server, fetcher: Fetcher, tmp_path: Path
) -> None:
    server.routes |= {"/b": answer("<p>b"), "/a": answer("<p>a")}
    b, a, missing = (server.url(path) for path in ("/b", "/a", "/missing"))
    listed = tmp_path / "urls.txt"
    listed.write_text(f"\ufeff# our pages\n{b}\r\n\n  {missing}  \nno url\n{a}\n{b}\n", "utf-8")
    source = UrlList(listed, fetcher)
    assert source.names == [b, missing, "no url", a]
    for _ in range(2):
        items = list(source)
        assert [item.name for item in items] == source.names
        assert [item.html for item in items if isinstance(item, Page)] == [b"<p>b", b"<p>a"]
        assert items[1:3] == [Skipped(missing, "HTTP 404"), Skipped("no url", "only http and https are fetched")]
    assert server.pages_asked == ["/b", "/missing", "/a"]


def test_a_list_that_is_missing_or_empty_is_an_error_that_names_it(fetcher: Fetcher, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("# nothing\n")
    for name, why in (("empty.txt", "no URLs"), ("none.txt", "no such file")):
        with pytest.raises(SourceError, match=f"{name}: {why}"):
            UrlList(tmp_path / name, fetcher)


def test_a_url_listed_by_several_sources_comes_once(server: Server, fetcher: Fetcher, tmp_path: Path) -> None:
    server.routes |= {f"/{name}": answer(f"<p>{name}") for name in "abc"}
    a, b, c = (server.url(f"/{name}") for name in "abc")
    (tmp_path / "one.txt").write_text(f"{a}\n{b}\n")
    (tmp_path / "two.txt").write_text(f"{c}\n{b}\n")
    (tmp_path / "rows.jsonl").write_text(json.dumps({"url": a, "html": "<p>a, as it was"}))
    places = (tmp_path / "one.txt", tmp_path / "two.txt", a, tmp_path / "rows.jsonl")
    source = open_source([str(place) for place in places], Reading(fetcher=lambda: fetcher))
    for _ in range(2):
        assert [item.name for item in source] == [a, b, c, a]
