"""Links with the same text and a new target."""

import json

import pytest

import dehusk
from dehusk import Page
from dehusk.comparing._changes import agreed
from dehusk.comparing._mapping import mapped
from dehusk.comparing._outline import outline

PAGE = (
    "<main><h1>The harbour</h1><p>All is told in <a href='{}'>the <b>manual</b></a>, and in no other place.</p></main>"
)


def pair(before: str, after: str) -> tuple[str, str]:
    return PAGE.format(before), PAGE.format(after)


def test_a_link_with_a_new_target_is_a_content_change() -> None:
    diff = dehusk.diff(*pair("/old.html", "https://other.example/new.html"))
    assert diff.verdict == "content"
    assert diff.headline == "One link leads elsewhere"
    (change,) = json.loads(diff.json)["changes"]
    assert change == {
        "kind": "link",
        "path": "body > main > p > a",
        "before": "/old.html",
        "after": "https://other.example/new.html",
        "husk": "",
    }
    assert "link body > main > p > a\n  the manual [-/old.html-] {+https://other.example/new.html+}" in diff.summary


def test_the_page_shows_the_link_and_its_old_target() -> None:
    html = dehusk.diff(*pair("/old.html", "/new.html")).html
    assert 'data-dehusk="link"' in html
    assert 'title="led to /old.html"' in html
    assert 'the manual <del data-dehusk="removed">/old.html</del> <ins data-dehusk="added">/new.html</ins>' in html


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/a.html#one", "/a.html#two"),
        (" /a.html", "/a.html"),
        ("#one", "#two"),
        ("javascript:one()", "javascript:two()"),
        ("javascript:one()", "/a.html"),
        ("", "/a.html"),
        ("https://site.example:443/a b", "https://SITE.example/a%20b"),
    ],
)
def test_a_link_to_the_same_page_or_to_no_page_is_not_a_change(before: str, after: str) -> None:
    diff = dehusk.diff(*pair(before, after))
    assert (diff.verdict, diff.changes) == ("nothing" if before == after else "husk only", [])


def test_invalid_urls_are_compared_as_text() -> None:
    (change,) = dehusk.diff(*pair("http://[a", "http://[b")).changes
    assert (change.before, change.after) == ("http://[a", "http://[b")


def test_a_change_of_the_query_is_husk() -> None:
    diff = dehusk.diff(*pair("/a?session=1", "/a?session=2"))
    assert diff.verdict == "husk only"
    assert [(one.kind, one.husk) for one in diff.changes] == [("link", "query")]
    assert 'data-dehusk="link husk"' in diff.html


def test_absolute_and_relative_urls_of_one_page_are_equal() -> None:
    old, new = pair("b.html", "https://site.example/a/b.html")
    at = "https://site.example/a/"
    assert dehusk.diff(Page(old, url=at), Page(new, url=at)).changes == []
    assert dehusk.diff(old, Page(new, url=at)).changes == []


def test_a_page_that_moved_together_with_its_links_has_no_changed_links() -> None:
    old, new = pair("b.html", "b.html")
    old_url, new_url = "https://site.example/14/a.html", "https://site.example/15/a.html"
    assert dehusk.diff(Page(old, url=old_url), Page(new, url=new_url)).changes == []


def test_a_link_around_several_lines_is_reported_once_and_two_links_in_a_line_separately() -> None:
    page = "<a href=/{0}><div>The first</div><div>Then</div></a><p><a href=/{0}1>One</a> <a href=/{0}2>two</a></p>"
    changes = dehusk.diff(page.format("x"), page.format("y")).changes
    assert [(one.before, one.after) for one in changes] == [("/x", "/y"), ("/x1", "/y1"), ("/x2", "/y2")]


def test_a_rewritten_line_is_reported_only_as_rewritten() -> None:
    old, new = pair("/a", "/b")
    (change,) = dehusk.diff(old, new.replace("no other place", "no other book")).changes
    assert change.kind == "changed"


def test_links_of_the_template_are_husk() -> None:
    pages = [
        f"<nav><a href=/{n}>Home of the harbour</a> <a href=/news>News of the harbour</a></nav>"
        f"<main><h1>Boat {n}</h1><p>This boat has {n} masts, and it came here from {n} ports far away.</p></main>"
        for n in range(1, 7)
    ]
    template = dehusk.learn(pages, method="bottom-up")
    diff = dehusk.diff(pages[0], pages[0].replace("/news", "/latest"), template)
    assert (diff.verdict, diff.headline) == ("husk only", "Only the husk changed: the menu")


def test_a_part_that_only_one_version_calls_template_is_content_in_both() -> None:
    html = "<ul><li>{}<li>a second line that stays as it was</ul><p>a paragraph that stays as it was</p><ol><li>{}</ol>"
    sides = [outline(Page(html.format(*words)).tree) for words in (("one", "x"), ("some other line, longer", "y"))]
    lines = [side.lines(0) for side in sides]
    mapping = mapped(*sides)
    old, new = agreed((sides[0], sides[1]), mapping, (lines[0][:2].__contains__, lambda _: False))
    assert [list(map(flags, side)) for flags, side in zip((old, new), lines, strict=True)] == [[False] * 4] * 2
    old, new = agreed((sides[0], sides[1]), mapping, (lines[0][:2].__contains__, lines[1][:1].__contains__))
    assert list(map(old, lines[0])) == [True, False, False, False]  # both call the first line template
