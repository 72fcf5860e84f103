"""Lines of a page, and their places."""

import time

import pytest

from dehusk.page import Page
from dehusk.tables import lines as lines_of_page
from dehusk.tables.lines import DEEPEST, Read
from dehusk.tables.records import learn


def read(body: str) -> Read:
    page = Page(f"<body>{body}</body>")
    return Read(page, bytes(len(page.tree)))


def lines(page: Read) -> list[list[str]]:
    return [[page.tree.text[node] for node in line.pieces] for line in page.lines]


def test_texts_side_by_side_are_one_line() -> None:
    assert lines(read("<p>By <a>Ann</a>, <a>Bo</a><br>1999</p><p>End</p>")) == [
        ["By", "Ann", ",", "Bo"],
        ["1999"],
        ["End"],
    ]


def test_what_the_template_has_is_left_out() -> None:
    page = Page("<body><nav>Menu</nav><p>Text</p></body>")
    gone = bytearray(len(page.tree))
    gone[1] = gone[2] = 1
    assert lines(Read(page, gone)) == [["Text"]]


def test_a_place_has_names_that_last() -> None:
    page = read("<div id=main><p class='lead odd post-12'>One</p><p class=lead>Two</p></div>")
    assert {page.path(line.first) for line in page.lines} == {"body > div#main > p.lead"}
    assert [page.exact(line.first) for line in page.lines] == [
        "body > div#main > p.lead",
        "body > div#main > p.lead[2]",
    ]


def test_unclosed_inline_elements_around_a_block_do_not_count() -> None:
    page = read("<i><div class=post>One</div><i><div class=post>Two</div>")
    assert {page.path(line.first) for line in page.lines} == {"body > div.post"}


def test_a_very_deep_page_has_short_places() -> None:
    page = read("<div>" * 5000 + "deep")
    assert page.path(page.lines[0].first).count(">") == DEEPEST


@pytest.mark.parametrize(
    "body",
    [
        "<div>" * 20_000 + "deep",
        "<b>x" * 4_000,
        "<p>Label %s:</p>" * 1_500,
        "<div><div class=post>Words</div></div>" * 1_500,
    ],
)
def test_tables_of_hostile_pages_take_a_moment(body: str) -> None:
    pages = [read(body + f"<p>{number}</p>") for number in range(3)]
    started = time.process_time()
    learn(pages)
    assert time.process_time() - started < 5


def test_places_have_a_limit_together(monkeypatch: pytest.MonkeyPatch) -> None:
    body = f"<div class={'n' * 50}>" * 50 + "<p>word</p>" * 300
    whole = read(body)
    assert len({whole.exact(line.first) for line in whole.lines}) == 300
    monkeypatch.setattr(lines_of_page, "ROOM", 100_000)
    limited = read(body)
    places = [limited.exact(line.first) for line in limited.lines]
    assert sum(map(len, set(places))) < 200_000
    assert lines(limited) == lines(whole)
    assert places[-1] == places[-2]  # that of the element around them


def test_siblings_that_are_alike_share_the_text_of_their_place() -> None:
    page = read("<div>" * 50 + "<p>word</p>" * 300)
    assert len({id(page.path(line.block)) for line in page.lines}) == 1


def test_items_share_the_flags_of_what_they_have_of_the_template() -> None:
    page = read("<p>One</p><p>Two</p>")
    first, second = (page.within_node(node).whole() for node in page.elements)
    assert first._gone is second._gone
