"""Pages, templates and stores that several threads use at once."""

import pickle
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import dehusk
import demo_site
from dehusk import render
from dehusk.methods import METHODS
from dehusk.page import Page
from dehusk.page.dom import Lent

THREADS = 8
HTML = {f"https://tidewater.example/{name}": html.encode() for name, html in demo_site.pages().items()}


@pytest.fixture(autouse=True)
def _switching() -> Iterator[None]:
    """Threads take turns as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.fixture(scope="module")
def template() -> dehusk.Template:
    return dehusk.learn([Page(html, url=url) for url, html in HTML.items()])


def at_once(works: list[Callable[[], Any]]) -> list[Any]:
    """Runs each work in a thread of its own, all from the same moment."""
    start = threading.Barrier(len(works))

    def started(work: Callable[[], Any]) -> Any:
        start.wait()
        return work()

    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(started, works))


def everything(template: dehusk.Template, page: Page) -> dict[str, Any]:
    return everything_of(template.clean(page))


def everything_of(cleaned: dehusk.Cleaned) -> dict[str, Any]:
    row = cleaned.to_dict(["text", "markdown", "html", "parts", "fit", "length"])
    return {**row, "removed": cleaned.removed, "shown": repr(cleaned), "role": cleaned.marking.role(0)}


def some(cleaned: dehusk.Cleaned, first: str) -> tuple[Any, ...]:
    """All the content of a cleaned page, beginning with one format."""
    getattr(cleaned, first)
    return cleaned.text, cleaned.markdown, cleaned.html, len(cleaned.removed), cleaned.metadata, cleaned.share_removed


@pytest.fixture
def unheld(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where the document of a page was used by code that did not hold its lock."""
    locks: dict[int, Any] = {}
    places: list[str] = []

    def noted(lent: Lent) -> None:
        lock = locks.get(id(lent))
        if lock is not None and not lock._is_owned():
            places.append("".join(traceback.format_stack(limit=8)[:-2]))

    def made(page: Page, *args: Any, init: Any = Page.__init__, **options: Any) -> None:
        init(page, *args, **options)
        locks[id(page._lent)] = page.lock
        KEPT.append(page)  # so that no other page gets its id

    monkeypatch.setattr(Page, "__init__", made)
    for name in ("bare", "without", "attribute", "base_url", "parse", "silent", "_whole", "charset", "gaps"):
        member = vars(Lent)[name]
        read = getattr(member, "func", None) or getattr(member, "fget", None)

        def used(lent: Lent, *args: Any, use: Any = read or member) -> Any:
            noted(lent)
            return use(lent, *args)

        monkeypatch.setattr(Lent, name, property(used) if read else used)
    return places


KEPT: list[Page] = []


def test_whoever_uses_the_document_of_a_page_holds_its_lock(template: dehusk.Template, unheld: list[str]) -> None:
    edited = template.edited(dehusk.Edit.new("body > header", keep=True))
    pages = [Page(html, url=url) for url, html in HTML.items()]
    for page in pages:
        for cleaned in (edited.clean(page), template.clean(page, keep=["comment"]), dehusk.clean(page)):
            everything_of(cleaned)
            for view in (render.template_html, render.content_html, partial(render.numbered_html, regions=[(1, True)])):
                view(cleaned.marking)
        for name in ("tree", "nodes", "numbers", "canonical_url", "title", "titles", "language", "charset", "base_url"):
            getattr(page, name)
        edited.fit(page)
        edited.edits_on(page)
        page.text_without([])
    change = dehusk.diff(pages[0], pages[1], edited)
    for name in ("html", "json", "summary", "verdict"):
        getattr(change, name)
    for method in METHODS:
        everything(dehusk.learn(pages[::4], method=method), pages[1])
    assert unheld == []


def test_a_new_page_gives_the_same_to_all_threads(template: dehusk.Template) -> None:
    for url, html in HTML.items():
        right = everything(template, Page(html, url=url))
        page = Page(html, url=url)
        assert at_once([partial(everything, template, page)] * THREADS) == [right] * THREADS


def test_a_cleaned_page_gives_the_same_to_all_threads(template: dehusk.Template) -> None:
    for url, html in HTML.items():
        right = some(template.clean(Page(html, url=url)), "text")
        cleaned = template.clean(Page(html, url=url), keep=["navigation"] if "shop" in url else [])
        if "shop" in url:
            right = some(template.clean(Page(html, url=url), keep=["navigation"]), "text")
        firsts = ("text", "html", "markdown", "removed", "metadata", "parts", "share_removed", "warnings")
        assert at_once([partial(some, cleaned, first) for first in firsts]) == [right] * THREADS


def test_pages_can_be_learned_from_compared_and_cleaned_at_the_same_time(template: dehusk.Template) -> None:
    pages = [Page(html, url=url) for url, html in HTML.items()]
    again = [Page(html, url=url) for url, html in HTML.items()]
    changed = dehusk.diff(again[0], again[1], template).json
    cleaned = [everything(template, page) for page in again]
    works: list[Callable[[], Any]] = [
        *[lambda: dehusk.learn(pages).to_json()] * 2,
        *[lambda: dehusk.learn(reversed(pages)).to_json()] * 2,
        *[lambda: dehusk.diff(pages[0], pages[1], template).json] * 2,
        *[lambda: [everything(template, page) for page in pages]] * 2,
    ]
    learned = template.to_json()
    assert at_once(works) == [learned] * 4 + [changed] * 2 + [cleaned] * 2


def test_two_pages_compared_in_both_directions_do_not_block_each_other(template: dehusk.Template) -> None:
    old, new = (Page(html, url=url) for url, html in list(HTML.items())[:2])
    ways = [lambda: dehusk.diff(old, new, template).html, lambda: dehusk.diff(new, old, template).html]
    assert len({*at_once(ways * 4)}) == 2


def test_a_store_says_that_it_is_of_another_thread(tmp_path: Path) -> None:
    with dehusk.Store(tmp_path / "sites.store") as store:
        store.add([Page(html, url=url) for url, html in HTML.items()])
        with (
            ThreadPoolExecutor(1) as threads,
            pytest.raises(dehusk.UsageError, match="opened in another thread; open it once in each thread"),
        ):
            threads.submit(store.template, "tidewater.example").result()


def test_a_store_can_be_opened_in_each_thread(tmp_path: Path, template: dehusk.Template) -> None:
    path = tmp_path / "sites.store"

    def used(number: int) -> str:
        with dehusk.Store(path) as store:
            store.add([Page(html, url=url) for url, html in list(HTML.items())[number::THREADS]])
        with dehusk.Store(path) as store:
            return str(store.template("tidewater.example").site)

    assert {*at_once([partial(used, number) for number in range(THREADS)])} == {"tidewater.example"}
    with dehusk.Store(path) as store:
        assert store.template("tidewater.example").pages == template.pages


def test_a_page_that_was_used_can_be_pickled() -> None:
    page = Page(b"<p>mine", url="https://e.example/", encoding="utf-8", origin={"file": "a.warc"})
    assert page.title == ""
    again = pickle.loads(pickle.dumps(page))
    assert (again.html, again.url, again.name, again.encoding, again.origin) == (
        (page.html, page.url, page.name, page.encoding, page.origin)
    )
