"""What the default method keeps and removes in disputed cases; docs/methods.md has the same list."""

import re
from typing import Any

import pytest

import dehusk
from journals import ENGLISH, teaser

STORY, OTHERS = ENGLISH.stories[0], ENGLISH.stories[1:]
THINGS = {
    "menu": ENGLISH.menu[1],
    "cookies": ENGLISH.cookies,
    "teasers": teaser(OTHERS[1]),
    "related": OTHERS[0].title,
    "comments": STORY.comment,
    "breadcrumbs": f"{ENGLISH.name} / {ENGLISH.menu[0]}",
    "contents": f"- {STORY.parts[0][0]}",
    "footer": ENGLISH.imprint,
}


def text(**roles: Any) -> str:
    pages = ENGLISH.pages()
    return dehusk.learn(pages).clean(pages[0], writing=dehusk.Writing(**roles)).text


@pytest.mark.parametrize("thing", THINGS)
def test_everything_around_an_article_is_removed(thing: str) -> None:
    kept = text()
    assert all(piece in kept for piece in STORY.said)
    assert THINGS[thing] not in kept


@pytest.mark.parametrize(
    ("role", "things"),
    [
        ("comment", {"comments"}),
        ("breadcrumbs", {"breadcrumbs"}),
        ("contents", {"contents"}),
        ("related", {"related", "teasers"}),
        ("navigation", {"menu"}),
    ],
)
def test_only_the_roles_to_keep_are_kept(role: str, things: set[str]) -> None:
    kept = text(keep=[role])
    assert {name for name, words in THINGS.items() if words in kept} == things
    assert all(piece in kept for piece in STORY.said)


def test_several_roles_can_be_kept_at_once() -> None:
    kept = text(keep=["comment", "contents"])
    assert {name for name, words in THINGS.items() if words in kept} == {"comments", "contents"}


def test_cookie_banners_related_links_and_contents_are_removed_without_names() -> None:
    pages = [
        page.replace(' class="cookie-banner" id="cookies"', "")
        .replace(' class="related"', "")
        .replace(' class="toc"', "")
        for page in ENGLISH.pages()
    ]
    kept = dehusk.learn(pages).clean(pages[0]).text
    assert THINGS["cookies"] not in kept
    assert THINGS["related"] not in kept
    assert THINGS["contents"] not in kept


def test_what_a_page_has_twice_is_written_once() -> None:
    pages = [
        re.sub('<div class="body">(.*?)</div>', r'<div class="body">\1</div><div class="phone">\1</div>', page)
        for page in ENGLISH.pages()
    ]
    cleaned = dehusk.learn(pages).clean(pages[0])
    assert [pages[0].count(piece) - cleaned.text.count(piece) for _, piece in STORY.parts] == [1] * len(STORY.parts)
    assert all(cleaned.text.count(piece) == 1 for _, piece in STORY.parts)
    assert any(part.reason.endswith("written twice on this page") for part in cleaned.removed)
