"""A clock for pages without workers."""

from dehusk.base.errors import Skipped
from dehusk.jobs.clock import in_time
from dehusk.page import Page

PAGES = [Page("<p>x", name=name) for name in ("quick", "endless", "also quick")]


def read(page: Page) -> None:
    while page.name == "endless":
        pass


def test_a_page_that_takes_too_long_is_skipped_and_the_next_has_its_own_time() -> None:
    skipped: list[Skipped] = []
    assert [page.name for page in in_time(PAGES, 0.1, read, skipped.append)] == ["quick", "also quick"]
    assert skipped == [Skipped("endless", "took more than 0.1 s")]


def test_without_a_limit_all_pages_are_read() -> None:
    skipped: list[Skipped] = []
    names: list[str] = []
    list(in_time(PAGES, 0, lambda page: names.append(page.name), skipped.append))
    assert names == [page.name for page in PAGES]
    assert skipped == []
