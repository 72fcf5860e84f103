"""Copies of a page are found, and do not change what is learned."""

from collections.abc import Callable
from random import Random

import pytest

import dehusk
from dehusk.page import Page
from dehusk.templates.copies import originals
from journals import ENGLISH, JOURNALS

STORIES = ENGLISH.pages()
Copy = Callable[[str, int], str]


def names(pages: list[Page]) -> set[str]:
    return {page.name for page in originals(pages)}


def pages(*copies: list[str]) -> list[Page]:
    """Pages named after their story."""
    return [Page(html, name=str(number)) for copy in copies for number, html in enumerate(copy)]


def with_comment(html: str, number: int) -> str:
    return f"{html}<!-- {number} -->"


def with_counter(html: str, number: int) -> str:
    return html.replace("</article>", f"<p>{1234 + 777 * number:,} views</p></article>")


def printed(html: str, _: int) -> str:
    """The same story with another template."""
    title, story = html.partition("<title>")[2].partition("</title>")[0], html.partition("<main>")[2]
    story = story.partition("<section")[0]
    return f"<title>{title}</title><body><p>Printed from our web site</p>{story}<p>Close this window</p></body>"


COPIES = [with_comment, with_counter, printed]


@pytest.mark.parametrize("copy", COPIES)
@pytest.mark.parametrize("most", [1, 2, 3, len(STORIES)])
def test_one_of_each_set_of_copies_is_kept(copy: Copy, most: int) -> None:
    stories = STORIES[:most]
    every = pages(stories, *([copy(html, number) for html in stories] for number in range(2)))
    assert len(originals(every)) == most
    assert names(every) == set(map(str, range(most)))


@pytest.mark.parametrize("language", JOURNALS)
def test_pages_that_share_a_template_are_not_copies(language: str) -> None:
    stories = JOURNALS[language].pages()
    for most in (2, 3, len(stories)):
        assert len(originals(pages(stories[:most]))) == most


def test_records_that_differ_in_a_few_short_fields_are_not_copies() -> None:
    frame = "<nav>" + "".join(f"<a href=/{n}>Shelf number {n}</a>" for n in range(80)) + "</nav>"
    records = [
        f"<title>The shop</title>{frame}<h1>{name}</h1><b>{price} crowns</b>"
        for name, price in (("Bread", 12), ("Salt", 3), ("Smoked fish", 40))
    ]
    assert len(originals(pages(records))) == len(originals(pages(records[:2]))) + 1 == 3


def test_a_list_of_whole_stories_is_not_a_copy_of_each_story() -> None:
    night = "as the harbour tells it at night when the boats are in and the lamps are lit"
    told = ["".join(f"<p>The {story} story, {part}, {night}.</p>" for part in "abcdef") for story in "ABCD"]
    every = [f"<title>{n}</title><body>{story}" for n, story in enumerate([*told, "".join(told)])]
    assert len(originals(pages(every))) == len(every)


def test_the_order_of_the_pages_makes_no_difference() -> None:
    every = pages(STORIES, [with_counter(html, 1) for html in STORIES])
    found = originals(every)
    for seed in range(5):
        Random(seed).shuffle(every)
        assert originals(every) == found


def test_three_copies_of_each_page_give_the_template_of_one() -> None:
    thrice = [with_comment(html, number) for html in STORIES for number in range(3)]
    one, three = dehusk.learn(STORIES), dehusk.learn(thrice)
    assert one.to_json() == three.to_json()
    assert [one.clean(html).text for html in STORIES] == [three.clean(html).text for html in STORIES]


def test_copies_count_separately_on_request() -> None:
    copies = [with_comment(html, number) for html in STORIES for number in range(3)]
    assert dehusk.learn(copies).pages == len(STORIES)
    assert dehusk.learn(copies, dedupe=False).pages == len(copies)


def test_pages_without_text_are_not_copies() -> None:
    pages = [Page("<img src=a>"), Page("<p><img src=b></p>")]
    assert len(originals(pages)) == 2
