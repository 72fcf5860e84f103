"""Methods compared on pages without gold."""

from typing import Any

import pytest

from dehusk.base.errors import Skipped, TemplateError
from dehusk.core import Learning
from dehusk.jobs.method_rows import Tried, compared
from dehusk.page import Page
from dehusk.templates.template import Template
from journals import ENGLISH

PAGES = [Page(html, name=str(number)) for number, html in enumerate(ENGLISH.pages())]


def tried(name: str) -> Tried:
    return Tried.of(name, lambda: Learning.of(method=name).learn(PAGES))


def refused() -> Template:
    raise TemplateError("needs more pages")


def test_each_method_has_a_row_with_its_shares_and_times() -> None:
    first, second = compared([*PAGES, Skipped("a", "not HTML")], [tried("evidence"), tried("chunks")])
    assert (first.name, first.agreement, first.pages, first.failed) == ("evidence", 1.0, len(PAGES), 0)
    assert first.share_removed == pytest.approx(
        sum(template.share_removed * template.length for template in map(Learning().learn(PAGES).clean, PAGES))
        / first.length
    )
    assert second.share_removed is not None
    assert second.share_removed != first.share_removed
    assert second.agreement is not None
    assert 0 < 1 - second.agreement < 1
    assert min(first.learning, first.cleaning, second.learning, second.cleaning) > 0


def test_a_method_that_cannot_learn_is_a_row_that_says_so() -> None:
    first, second = compared(PAGES, [tried("evidence"), Tried.of("other", refused)])
    assert first.pages == len(PAGES)
    assert (second.problem, second.pages, second.share_removed, second.agreement) == ("needs more pages", 0, None, None)


def test_without_the_first_method_nothing_is_said_about_agreement() -> None:
    _, second = compared(PAGES, [Tried.of("other", refused), tried("chunks")])
    assert second.pages == len(PAGES)
    assert second.agreement is None


def test_a_page_that_a_method_cannot_clean_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    clean = Template.clean

    def broken(self: Template, page: Page, **options: Any) -> Any:
        if self.method == "chunks" and page.name == "1":
            raise RuntimeError
        return clean(self, page, **options)

    monkeypatch.setattr(Template, "clean", broken)
    told: list[int] = []
    first, second = compared(PAGES, [tried("evidence"), tried("chunks")], measured=told.append)
    assert (first.pages, first.failed) == (len(PAGES), 0)
    assert (second.pages, second.failed) == (len(PAGES) - 1, 1)
    assert told == list(range(1, len(PAGES) + 1))


def test_a_page_that_takes_too_long_to_parse_is_a_failed_page_of_each_method() -> None:
    long = Page("".join(f"<p>Tide {number}</p>" for number in range(20_000)), name="long")
    rows = compared([long], [tried("evidence"), tried("chunks"), Tried.of("other", refused)], page_seconds=0.0001)
    assert [(row.pages, row.failed) for row in rows] == [(0, 1), (0, 1), (0, 0)]
