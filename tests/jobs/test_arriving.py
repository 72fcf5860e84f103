"""Pages that arrive one by one or together are cleaned as `dehusk clean` cleans them."""

from pathlib import Path

import pytest

import dehusk
import demo_crawl
from dehusk.base.errors import Skipped, UsageError
from dehusk.core import Learning
from dehusk.jobs import arriving
from dehusk.jobs.arriving import Arriving, clean_all_of
from dehusk.jobs.result import Done
from dehusk.page import Page
from dehusk.templates.cleaned import Cleaned

PAGES = [Page(html, url=url) for url, html in demo_crawl.PAGES.items()]


def text(cleaned: Cleaned, _: str) -> str:
    return cleaned.text


def texts(outcomes: list[Done | Skipped]) -> dict[str, str]:
    return {one.name: one.piece for one in outcomes if isinstance(one, Done)}


def test_pages_together_have_the_text_of_dehusk_clean(tmp_path: Path) -> None:
    expected = demo_crawl.texts(tmp_path)
    assert texts([done for _, done in clean_all_of(PAGES, text)]) == expected
    for name, path in demo_crawl.learned(tmp_path).items():
        assert texts([done for _, done in clean_all_of(PAGES, text, **{name: path})]) == expected
    assert list(clean_all_of([], text)) == []


def test_pages_are_held_until_there_are_enough() -> None:
    waiting: Arriving[int] = Arriving(enough=3)
    ready = [waiting.add(page, number) for number, page in enumerate(PAGES[:5])]
    assert ready == [[], [], [0, 1, 2], [3], [4]]
    assert isinstance(waiting.clean(PAGES[0], text), Done)
    assert waiting.held == 0


def test_what_is_held_at_the_end_has_the_text_of_dehusk_clean(tmp_path: Path) -> None:
    waiting: Arriving[Page] = Arriving()
    other = Page("<h1>Elsewhere</h1><p>Words", url="https://elsewhere.example/")
    assert not [ready for page in (*PAGES, other) for ready in waiting.add(page, page)]
    assert waiting.held == len(PAGES) + 1
    assert waiting.clean(other, text) == Skipped(other.name, "no template for elsewhere.example")
    done = texts([waiting.clean(page, text) for page in waiting.rest()])
    assert "Elsewhere" in done.pop(other.name)
    assert done == demo_crawl.texts(tmp_path)


def test_the_largest_site_is_learned_early_if_too_much_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arriving, "MOST_HELD", len(PAGES[0].html) + len(PAGES[1].html))
    waiting: Arriving[int] = Arriving()
    small = Page("<p>Hello", url="https://small.example/")
    assert [waiting.add(page, n) for n, page in enumerate((PAGES[0], small, PAGES[1]))] == [[], [], [0, 2]]
    assert list(waiting.rest()) == [1]


def test_a_site_that_cannot_be_learned_costs_only_its_own_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("too odd")

    waiting: Arriving[Page] = Arriving(enough=2)
    good = Page("<p>Hello", url="https://good.example/")
    waiting.add(good, good)
    assert list(waiting.rest()) == [good]
    monkeypatch.setattr(Learning, "template", fail)
    assert [waiting.add(page, page) for page in PAGES[:3]] == [[], PAGES[:2], [PAGES[2]]]
    failed = waiting.clean(PAGES[0], text)
    assert isinstance(failed, Skipped)
    assert failed.reason == "tidewater.example could not be learned: ValueError: too odd"
    assert isinstance(waiting.clean(good, text), Done)


def test_a_page_that_cannot_be_cleaned_costs_only_itself() -> None:
    def odd(cleaned: Cleaned, _: str) -> str:
        if cleaned.page is PAGES[1]:
            raise ValueError("too odd")
        return cleaned.text

    outcomes = [done for _, done in clean_all_of([Skipped("a", "empty"), *PAGES[:3]], odd)]
    assert outcomes[0] == Skipped("a", "empty")
    assert outcomes[2] == Skipped(PAGES[1].name, "could not be cleaned: ValueError: too odd")
    assert len(texts(outcomes)) == 2


def test_options_that_contradict_each_other_are_refused() -> None:
    template = dehusk.learn(PAGES)
    with pytest.raises(UsageError, match="cannot be combined"):
        Arriving(template=template, store="site.store")
    with pytest.raises(UsageError, match="leave out sample"):
        Arriving(template=template, sample=3)
    with pytest.raises(UsageError, match="choose host or domain"):
        list(clean_all_of(PAGES, text, by="colour"))


def test_a_site_that_takes_too_long_to_learn_is_skipped_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arriving, "PAGE_SECONDS", 0.0001)
    own = Arriving[None]()
    long = "".join(f"<p>Tide {number}</p>" for number in range(5_000))
    pages = [Page(f"{long}<p>{number}", url=f"http://e.example/{number}") for number in range(2)]
    assert [note for page in pages for note in own.add(page, None)] == []
    assert len(list(own.rest())) == 2
    outcome = own.clean(pages[0], text)
    assert isinstance(outcome, Skipped)
    assert "took more than" in outcome.reason
