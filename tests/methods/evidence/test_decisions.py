"""What the default method makes of things that some want and others do not; docs/methods.md says the same."""

from typing import Any

import pytest

import dehusk
from dehusk.methods.evidence.verdicts import KEEP
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


def text(**options: Any) -> str:
    pages = ENGLISH.pages()
    return dehusk.learn(pages, **options).clean(pages[0]).text


@pytest.mark.parametrize("thing", THINGS)
def test_what_is_around_an_article_goes(thing: str) -> None:
    kept = text()
    assert all(piece in kept for piece in STORY.said)
    assert THINGS[thing] not in kept


@pytest.mark.parametrize("thing", ["comments", "breadcrumbs", "contents", "related"])
def test_what_is_to_be_kept_is_kept_and_nothing_else(thing: str) -> None:
    kept = text(keep=[thing])
    assert [name for name, words in THINGS.items() if words in kept] == [thing]
    assert all(piece in kept for piece in STORY.said)


def test_several_things_can_be_kept_at_once() -> None:
    kept = text(keep=["comments", "related"])
    assert {name for name, words in THINGS.items() if words in kept} == {"comments", "related"}


def test_a_cookie_banner_related_links_and_contents_need_no_name_to_go() -> None:
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


def test_how_style_sheets_place_things_is_no_name_for_what_is_related() -> None:
    names = KEEP["related"]
    assert names.search(".related-posts")
    assert not names.search(".relative .flex")
