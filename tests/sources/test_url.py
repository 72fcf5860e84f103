"""A single URL as a source, with other pages of its site to learn from."""

from collections.abc import Iterable, Iterator

import pytest

import demo_site
from dehusk.base.errors import FetchError, Skipped
from dehusk.page import Page
from dehusk.sources._url import NEIGHBOURS, Url, first_links
from dehusk.sources.web.crawl import Fetcher
from dehusk.templates.links import Load, complete_subdigraph, over
from loopback import Server, answer, redirect, serving


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as started:
        for path, html in demo_site.pages().items():
            started.routes[f"/{path}"] = answer(html)
        yield started


@pytest.fixture
def fetcher() -> Iterator[Fetcher]:
    with Fetcher(allow_private=True, delay=0) as made:
        yield made


def pages(items: Iterable[Page | Skipped]) -> list[Page]:
    return [item for item in items if isinstance(item, Page)]


def test_only_the_page_itself_is_cleaned_and_others_are_learned_from(server: Server, fetcher: Fetcher) -> None:
    url = server.url("/index.html")
    source = Url(url, fetcher)
    assert [item.name for item in source] == list(source.names) == [url]
    assert server.pages_asked == ["/index.html"]
    found = pages(source.to_learn_from())
    assert found[0] is source.page
    assert len(found) == 11
    assert len({page.url for page in found}) == 11
    assert all(page.url and page.url.startswith(server.url("/")) for page in found)


def test_links_are_followed_in_document_order_on_the_same_host_only(server: Server, fetcher: Fetcher) -> None:
    server.routes["/key"] = answer(
        '<a href="/c"></a><a href="http://elsewhere.invalid/x"></a><a href="/missing">1</a><a href="a#x">2</a>'
        '<a href="/key#top">3</a><a href="mailto:me@x">4</a><a href="/again">5</a><a href="/a">6</a><a href="/b">7</a>'
    )
    server.routes |= {f"/{name}": answer(f"<p>{name}") for name in "abc"}
    server.routes["/again"] = redirect("/a")
    items = list(Url(server.url("/key"), fetcher).to_learn_from())
    assert [item.url for item in pages(items)] == [server.url(path) for path in ("/key", "/c", "/a", "/b")]
    assert items[-1] == Skipped(server.url("/missing"), "HTTP 404")
    key = fetcher.fetch(server.url("/key"))
    two = first_links(key, over(fetcher.fetch), pages=2)
    assert [page.url for page in two] == [server.url("/c"), server.url("/a")]


def test_with_few_links_the_links_of_linked_pages_are_followed(server: Server, fetcher: Fetcher) -> None:
    found = pages(Url(server.url("/shop/harbour-mug.html"), fetcher).to_learn_from())
    assert [page.url for page in found[1:3]] == [server.url("/index.html"), server.url("/about/plain.html")]
    assert len({page.url for page in found}) == 11
    assert sum("/shop/" in str(page.url) for page in found) > 5


def test_a_site_that_is_down_is_given_up(server: Server, fetcher: Fetcher) -> None:
    server.routes["/key"] = answer("".join(f'<a href="/{n}">{n}</a>' for n in range(99)))
    assert len(list(Url(server.url("/key"), fetcher).to_learn_from())) == 1 + 2 * NEIGHBOURS
    assert len(server.pages_asked) == 1 + 2 * NEIGHBOURS


def test_another_function_to_choose_pages_can_be_given(server: Server, fetcher: Fetcher) -> None:
    menu = "".join(f'<a href="/menu/{name}">{name}</a>' for name in "abcd")
    server.routes |= {f"/menu/{name}": answer(f"{menu}<p>{name}") for name in "abcd"}

    def choose(page: Page, load: Load) -> Iterable[Page]:
        return complete_subdigraph(page, load, size=3).pages

    found = pages(Url(server.url("/menu/a"), fetcher, choose=choose).to_learn_from())
    assert sorted(str(page.url)[-1] for page in found) == ["a", "b", "c", "d"]


def test_a_url_that_cannot_be_fetched_is_an_error(server: Server, fetcher: Fetcher) -> None:
    source = Url(server.url("/nothing"), fetcher)
    with pytest.raises(FetchError, match="/nothing: HTTP 404"):
        list(source)
