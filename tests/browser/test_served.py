"""The viewer in a real browser, served by the installed `dehusk serve`."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

import demo_site
import hostile
from browsing import Service, Watched, inside, serving_dehusk, shown
from dehusk.cli import main

HOSTILE = "http://taken.test/"


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo site as a crawl with URLs."""
    path = tmp_path_factory.mktemp("crawl") / "crawl.jsonl"
    pages = demo_site.pages().items()
    path.write_text(
        "".join(json.dumps({"url": demo_site.BASE_URL + name, "html": html}) + "\n" for name, html in pages)
    )
    return path


@pytest.fixture(scope="module")
def service(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service with two sites: the demo site, and a site with one hostile page."""
    with serving_dehusk(tmp_path_factory.mktemp("service"), crawl) as started:
        shop = [html for name, html in demo_site.pages().items() if name.startswith("shop/")][:4]
        pages = [*shop, hostile.page("http://127.0.0.1:9").replace("<base", "<bass")]
        taken = [{"html": html, "url": f"{HOSTILE}{number}.html"} for number, html in enumerate(pages)]
        started.ask("learn", {"pages": taken})
        yield started


@pytest.fixture
def opened(page: Page, service: Service) -> Page:
    """The viewer with a page of the demo shop."""
    page.goto(service.printed)
    page.locator("#frame[data-page]").wait_for()
    page.select_option("#site", "tidewater.example")
    expect(page.locator("#count")).to_have_text("30")
    return shown(page, "pier-lantern")


def test_the_token_is_removed_from_the_address_bar_and_only_the_service_is_contacted(
    opened: Page, service: Service, watched: Watched
) -> None:
    assert opened.url == service.url
    expect(opened.locator("h1")).to_have_text("The Tidewater Journal")
    expect(opened.locator("#site option")).to_have_count(2)
    assert all(asked.startswith(service.url) for asked in watched.requests)
    assert watched.console == watched.errors == []
    opened.reload()
    opened.locator("#frame[data-page]").wait_for()


def test_a_correction_is_previewed_on_other_pages_saved_used_by_clean_and_undone(
    opened: Page, service: Service, crawl: Path, tmp_path: Path
) -> None:
    def cleaned() -> str:
        out = tmp_path / "out.jsonl"
        assert main(["clean", str(crawl), "-o", str(out), "--store", str(service.store), "-q"]) == 0
        texts = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
        return next(str(one["text"]) for one in texts if one["url"].endswith("pier-lantern.html"))

    parcel = "Every parcel leaves on the morning ferry"
    assert parcel not in cleaned()
    inside(opened, "aside.side p").click()
    opened.fill("#why", "readers want to know")
    opened.click("#keep")
    expect(opened.locator(".effects")).to_contain_text("On 3 other pages")
    expect(opened.locator(".effects")).to_contain_text(re.compile(r"5\d% → \d\d% goes; comes back: .*Categories"))
    opened.click("#save")
    expect(opened.locator("#edit-count")).to_have_text("1")
    expect(opened.locator("#said")).to_have_text("Saved.")  # the page is drawn again
    inside(opened, "aside.side p").hover()
    expect(opened.locator("#card")).to_contain_text("stays")
    expect(opened.locator("#card")).to_contain_text("readers want to know")
    assert parcel in cleaned()
    opened.click("#open-edits")
    expect(opened.locator("#edits")).to_contain_text("body > div.columns > aside.side")
    opened.click("[data-undo]")
    expect(opened.locator("#edit-count")).to_have_text("0")
    expect(opened.locator("#edits")).to_contain_text("None yet")
    assert parcel not in cleaned()


def test_other_methods_and_grains_show_what_they_change(opened: Page) -> None:
    opened.select_option("#method", "bottom-up")
    expect(opened.locator("#hint")).to_contain_text("With bottom-up: ")
    opened.select_option("#method", "")
    opened.select_option("#grain", "nodes")
    expect(opened.locator("#hint")).to_contain_text("With evidence, nodes: ")
    opened.select_option("#grain", "")
    expect(opened.locator("#hint")).to_contain_text("Point at")


def test_a_page_that_answers_late_does_not_take_the_place_of_the_next(opened: Page) -> None:
    opened.fill("#search", "shop")
    slow, quick = (opened.locator(".row").nth(place).get_attribute("data-id") for place in (0, -1))
    held: list[Route] = []
    opened.route(f"**/pages/{slow}?", lambda route: held.append(route))  # noqa: PLW0108  # a builtin cannot be a handler
    opened.locator(f"#row-{slow}").click()
    opened.locator(f"#row-{quick}").click()
    name = opened.locator(f"#row-{quick}").get_attribute("title")
    opened.locator(f"#frame[data-page$='{name}']").wait_for()
    share = opened.locator(f"#row-{quick} .soft").first.text_content()
    with opened.expect_response(f"**/pages/{slow}?") as late:
        held[0].continue_()
    late.value.finished()
    opened.select_option("#method", "bottom-up")
    expect(opened.locator("#hint")).to_contain_text(f"{share} → ")
    expect(opened.locator("#facts")).to_contain_text(str(name))


def test_a_hostile_page_runs_nothing_and_fetches_nothing(page: Page, service: Service, watched: Watched) -> None:
    page.goto(service.printed)
    page.locator("#frame[data-page]").wait_for()
    expect(page.locator("#site")).to_have_value("taken.test")
    shown(page, "4.html")
    for look in ("original", "content", "template", "tinted", "original"):
        page.click(f"[data-look={look}]")
    for place in ("#script-link", "#tricky", "#data-link", "#away", "#blank", "#send"):
        inside(page, place).click(force=True)
    page.wait_for_timeout(300)
    page.click("#cancel")
    assert all(asked.startswith(service.url) for asked in watched.requests)
    assert watched.dialogs == watched.console == watched.errors == []
    assert len(page.context.pages) == 1
    assert len(page.frames) == 2
    assert page.url == service.url


def test_a_wrong_token_is_reported_and_another_can_be_given(page: Page, service: Service) -> None:
    page.goto(f"{service.url}#token=wrong")
    expect(page.locator("#message")).to_contain_text("The token is missing or wrong")
    page.fill("#token", service.token)
    page.get_by_role("button", name="Use it").click()
    page.locator("#frame[data-page]").wait_for()
    expect(page.locator("#message")).not_to_be_visible()


def test_an_empty_store_says_what_to_type_and_a_stopped_service_how_to_start_it(page: Page, tmp_path: Path) -> None:
    with serving_dehusk(tmp_path) as started:
        page.goto(started.printed)
        expect(page.locator("#message")).to_contain_text("No site yet")
        expect(page.locator("#message")).to_contain_text("dehusk serve crawl/")
        started.process.terminate()
        started.process.wait(60)
        page.get_by_role("button", name="Reload").click()
        expect(page.locator("#message")).to_contain_text("The service does not answer")
        expect(page.locator("#message pre")).to_have_text("dehusk serve")
