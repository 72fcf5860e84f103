"""Links of a page by role."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import dehusk
from dehusk.roles import Role
from dehusk.templates import outlinks
from dehusk.templates.outlinks import worth

PARAGRAPH = "<p>This is what the page itself has to say, and it is long enough to be its content, with many words.</p>"
HTML = f"""<html><body><nav class=menu><ul><li><a href=/>Home</a></li>
<li><a href=/news>News</a></li><li><a href=/about>About us</a></li></ul></nav>
<main><h1>A list of lamps</h1>{PARAGRAPH}<p>Read <a href="lamps/one.html#top">about lamp one</a> and
<a href="https://other.example/two" rel="nofollow noopener">two</a>.</p>{PARAGRAPH}</main>
<div class=pagination><a href="?page=1">1</a>
<a href="?page=2">2</a> <a href="?page=3">3</a> <a href="?page=2">Next »</a></div>
<footer><a href="javascript:void(0)">Top</a><a href="mailto:a@e.example">Mail</a>
<a href=/terms>Terms of use and privacy</a></footer></body></html>"""
URL = "https://lamps.example/list/"


@pytest.fixture(scope="module")
def links() -> list[dehusk.Link]:
    return dehusk.clean(HTML, url=URL).links


def one(links: list[dehusk.Link], text: str) -> dehusk.Link:
    (found,) = [link for link in links if link.text == text]
    return found


def test_links_are_absolute_and_in_page_order(links: list[dehusk.Link]) -> None:
    assert [link.url for link in links] == [
        "https://lamps.example/",
        "https://lamps.example/news",
        "https://lamps.example/about",
        "https://lamps.example/list/lamps/one.html",
        "https://other.example/two",
        *[f"https://lamps.example/list/?page={number}" for number in (1, 2, 3, 2)],
        "https://lamps.example/terms",
    ]


def test_a_link_has_the_role_of_its_part(links: list[dehusk.Link]) -> None:
    assert one(links, "about lamp one").role is Role.BODY
    assert one(links, "News").role is Role.NAVIGATION
    assert one(links, "about lamp one").kept
    assert not one(links, "News").kept


def test_a_link_says_where_it_is_and_whether_it_leaves_the_site(links: list[dehusk.Link]) -> None:
    assert one(links, "two").leaves
    assert not one(links, "News").leaves
    assert one(links, "two").rel == "nofollow noopener"
    assert one(links, "two").place == "body > main > p:nth-of-type(2) > a:nth-of-type(2)"


def test_pagination_is_told(links: list[dehusk.Link]) -> None:
    assert [link.text for link in links if link.pagination] == ["1", "2", "3", "Next »"]


@pytest.mark.parametrize(
    ("link", "leads_on"),
    [
        ('<a href="/x" rel="next">Chapter two</a>', True),
        ('<a href="/list/page/2">2</a>', True),
        ('<ul class=pager><li><a href="/b">weiter</a></li></ul>', True),
        ('<a href="/forum?start=20">›</a>', True),
        ('<a href="/year/2011">2011</a>', False),
        ('<a href="/next">Next steps for our town</a>', False),
        ('<p>In <a href="/notes/5">5</a> of our notes.</p>', False),
        ('<a href="/list?page=2">A very long headline of an article that is on page two</a>', False),
    ],
)
def test_links_that_lead_on_and_others(link: str, leads_on: bool) -> None:
    html = f"<html><body><main><h1>List</h1>{PARAGRAPH}{link}{PARAGRAPH}</main></body></html>"
    (found,) = dehusk.clean(html, url=URL).links
    assert found.pagination is leads_on


def test_content_and_pagination_are_worth_most_and_other_sites_nothing(links: list[dehusk.Link]) -> None:
    ranks = {link.text: worth(link) for link in links}
    assert ranks["about lamp one"] == 0
    assert ranks["Next »"] == 1
    assert ranks["two"] is None
    assert (ranks["News"] or 0) > 1


def test_links_of_a_page_without_a_url_stay_as_they_are_written() -> None:
    links = dehusk.clean(HTML).links
    assert [link.url for link in links][3:5] == ["lamps/one.html", "https://other.example/two"]
    assert not any(link.leaves for link in links if "other" not in link.url)


def test_links_with_a_long_base_take_a_small_multiple_of_the_page() -> None:
    html = f"<base href='http://e.example/{'x' * 20_000}/'><p>{PARAGRAPH}</p>{'<p><a href=k>a link</a></p>' * 2_000}"
    found = dehusk.clean(html).links
    assert found
    assert sum(len(link.url) for link in found) < 6 * len(html)


def test_links_with_short_urls_are_never_left_out() -> None:
    links = "".join(f"<a href={number}>{number}</a>" for number in range(500))
    assert len(dehusk.clean(f"{PARAGRAPH}<p>{links}</p>", url=f"{URL}{'x' * 100}/").links) == 500


def test_the_names_of_an_element_are_searched_once_however_many_links_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []

    class Named:
        def search(self, names: str) -> None:
            searched.append(names)

    monkeypatch.setattr(outlinks, "_NAMED", Named())
    html = f"{PARAGRAPH}<div class='{'x' * 1000}'>{'<a href=/k>1</a>' * 300}</div>"
    assert len(dehusk.clean(html, url=URL).links) == 300
    assert sum("x" in names for names in searched) == 1


def test_the_text_of_nested_links_is_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlinks, "MOST_NODES", 10)
    links = dehusk.clean(f"{PARAGRAPH}<math>{'<a href=/k>x' * 100}", url=URL).links
    assert max(len(link.text) for link in links) < 20


def test_the_text_of_a_link_is_not_searched_from_the_beginning_of_the_page() -> None:
    class Texts(list[str]):
        def __iter__(self) -> Iterator[str]:
            raise AssertionError("read from the beginning")

    tree: Any = SimpleNamespace(text=Texts(["words", "", "a link"]), size=[3, 2, 1])
    assert outlinks._text(tree, 1) == "a link"
