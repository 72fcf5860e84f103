"""The posts of a thread: where they begin, who wrote them and when; and how they are written."""

from collections.abc import Sequence

import pytest

import dehusk
from dehusk import render
from dehusk.page import Node, Page
from dehusk.page.elements import select
from dehusk.templates.posts import FORUM, posts_of

WORDS = {
    "ann": "Which rope do you take for an old boat that lies in the harbour all winter, and why that one?",
    "bob": "Hemp, because it does not slip. I have had the same rope for eleven winters, and it still holds well.",
    "cat": "Hemp rots. Take a rope of nylon, and look after it in spring, when the ice is gone from the harbour.",
}
POST = (
    "<div class='post'><div class='user'><a class='username' href='/members/{0}'>{0}</a>"
    "<dl><dt>Joined:</dt><dd>3 May 2001</dd></dl></div>"
    "<div class='head'>{1} March 2020</div><div class='words'><p>{2}</p></div></div>"
)
POSTS = "".join(POST.format(name, number, said) for number, (name, said) in enumerate(WORDS.items(), 1))
THREAD = f"<title>Old ropes</title><body><h1>Old ropes</h1><div class='posts'>{POSTS}</div>"
SIGNED = [("ann", "2020-03-01"), ("bob", "2020-03-02"), ("cat", "2020-03-03")]


def without(html: str, selector: str = ".user, .head") -> tuple[Page, Sequence[Node]]:
    page = Page(html)
    return page, select(page.body, selector)


def signed(html: str, selector: str = ".user, .head") -> list[tuple[str, str]]:
    return [(post.author, post.date) for post in posts_of(*without(html, selector), FORUM, signed=True)]


def test_posts_have_the_author_and_the_date_that_were_removed() -> None:
    assert signed(THREAD) == SIGNED
    assert signed(THREAD, ".user") == [(name, "") for name, _ in SIGNED]
    assert signed(THREAD, ".nothing") == [("", "")] * 3


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "<div class='head'>1 March 2020</div>",
            "<div class=head><time datetime='2020-03-01T10:00'>one day</time></div>",
        ),
        ("<a class='username' href='/members/ann'>ann</a>", "<a href='/u/ann'><b>A</b><b>ann</b></a>"),
        ("<a class='username' href='/members/ann'>ann</a>", "<span itemprop=author>by <b>ann</b></span>"),
        ("<div class='posts'><div class='post'>", "<div class='post first'>"),  # the first post is apart
    ],
)
def test_authors_and_dates_are_found_as_forums_write_them(before: str, after: str) -> None:
    assert before in THREAD
    assert signed(THREAD.replace(before, after, 1)) == SIGNED


def test_what_repeats_without_an_author_or_a_date_is_not_a_post() -> None:
    html = "<body>" + "".join(f"<div class=part><div class=sub><p>{said}</p></div></div>" for said in WORDS.values())
    assert signed(html) == []
    assert signed("<body><p>x</p>") == signed("") == []
    assert signed("<div>" * 200 + "<b class=author>ann</b>" + "</div>" * 200 + "<b class=author>bob</b>") == []


RULE = "-" * 20


def test_posts_are_separated_by_a_rule() -> None:
    page, gone = without(THREAD)
    posts = posts_of(page, gone, FORUM, signed=True)
    before = render.html(page, [])
    ann, bob, cat = WORDS.values()
    assert render.text(page, gone, posts=posts) == (f"Old ropes\n\n{ann}\n\n{RULE}\n\n{bob}\n\n{RULE}\n\n{cat}\n")
    signs = [f"{name}, {date}" for name, date in SIGNED]
    parts = [f"{sign}\n\n{said}" for sign, said in zip(signs, WORDS.values(), strict=True)]
    assert render.markdown(page, gone, posts=posts) == "# Old ropes\n\n" + "\n\n---\n\n".join(parts) + "\n"
    assert render.html(page, []) == before


@pytest.mark.parametrize(("around", "tag"), [("ol", "li"), ("table", "tr"), ("section", "article")])
def test_posts_in_lists_and_tables_are_not_items_and_rows(around: str, tag: str) -> None:
    inside = ("<td>", "</td>") if tag == "tr" else ("", "")
    html = THREAD.replace("<div class='posts'>", f"<{around}>").replace(
        "<div class='post'>", f"<{tag} class=post>{inside[0]}"
    )
    html = html.replace("</p></div></div>", f"</p></div>{inside[1]}</{tag}>")
    page, gone = without(html)
    ann, bob, cat = WORDS.values()
    written = render.text(page, gone, posts=posts_of(page, gone, FORUM, signed=True))
    assert written == f"Old ropes\n\n{ann}\n\n{RULE}\n\n{bob}\n\n{RULE}\n\n{cat}\n"


def test_a_thread_of_a_forum_is_cleaned_to_its_posts() -> None:
    cleaned = dehusk.clean(THREAD)
    assert cleaned.kind == "forum"
    assert cleaned.text.count(f"\n\n{RULE}\n\n") == 2
    assert cleaned.markdown.count("\n\n---\n\n") == 2
    assert cleaned.to_dict(["markdown"])["markdown"] == cleaned.markdown
    assert all(f"\n\n{name}\n\n" in cleaned.markdown for name, _ in SIGNED)


def test_other_pages_have_no_posts() -> None:
    story = "".join(
        f"<div class=post><p class=head>{day} March 2020</p><p>{said}</p></div>" for day, said in WORDS.items()
    )
    cleaned = dehusk.clean(
        f"<title>A shop</title><body><main><h1>A shop</h1><p>{' '.join(WORDS.values()) * 5}</p>{story}"
    )
    assert cleaned.kind != "forum"
    assert RULE not in cleaned.text
