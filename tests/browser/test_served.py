"""The viewer in a real browser, served by the installed `dehusk serve`."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, Route, expect

import demo_site
import hostile
from browsing import LANTERN, Service, Watched, at_lantern, inside, serving_dehusk, shown
from dehusk.cli import main

SITE = "tidewater.example"
HOSTILE = "http://taken.test/"
REFUSED = "Failed to load resource: the server responded with a status of 422"


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
    return at_lantern(page, f"{service.printed}&{urlencode({'site': SITE, 'page': demo_site.BASE_URL + LANTERN})}")


def test_a_site_is_chosen_and_searched(page: Page, service: Service) -> None:
    page.goto(service.printed)
    page.locator("#frame[data-page]").wait_for()
    page.select_option("#site", SITE)
    expect(page.locator("#count")).to_have_text("30")
    shown(page, "pier-lantern")


def test_the_token_is_removed_from_the_address_bar_and_only_the_service_is_contacted(
    opened: Page, service: Service, watched: Watched
) -> None:
    assert opened.url.startswith(f"{service.url}#site=tidewater.example&page=")
    assert service.token not in opened.url
    expect(opened.locator("h1")).to_have_text("The Tidewater Journal")
    expect(opened.locator("#site option")).to_have_count(2)
    assert all(asked.startswith(service.url) for asked in watched.requests)
    assert watched.console == watched.errors == []
    opened.reload()
    opened.locator("#frame[data-page$='pier-lantern.html']").wait_for()


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
    expect(inside(opened, "aside.side")).to_have_attribute("data-husk-will-stay", "")  # drawn before it is saved
    expect(opened.locator("#keep")).to_have_text("Keep on 14 pages")
    opened.fill("#why", "readers want to know")
    opened.click("#keep")
    expect(opened.locator("#toast")).to_have_text("Saved · Undo")
    expect(opened.locator("#edit-count")).to_have_text("1")
    expect(inside(opened, "aside.side")).not_to_have_attribute("data-husk-removed", "")
    inside(opened, "aside.side p").hover()
    expect(opened.locator("#card")).to_contain_text("content: stays · corrected")
    expect(opened.locator("#card")).to_contain_text("readers want to know")
    assert parcel in cleaned()
    opened.click("#open-edits")
    expect(opened.locator(".edit")).to_contain_text("Keep “Categories")
    expect(opened.locator(".edit")).not_to_contain_text("body >")
    opened.click("[data-undo]")
    expect(opened.locator("#edit-count")).to_have_text("0")
    expect(opened.locator("#edits")).to_contain_text("None yet")
    assert parcel not in cleaned()


def test_a_correction_can_be_undone_where_it_was_made_and_be_of_one_page(opened: Page) -> None:
    inside(opened, "aside.side p").click()
    opened.get_by_label("on this page alone").check()
    expect(opened.locator("#keep")).to_have_text("Keep on this page")
    opened.click("#keep")
    expect(opened.locator("#edit-count")).to_have_text("1")
    expect(inside(opened, "aside.side")).not_to_have_attribute("data-husk-removed", "")
    shown(opened, "harbour-mug")
    expect(inside(opened, "aside.side")).to_have_attribute("data-husk-removed", "")
    opened.click("#undo")
    expect(opened.locator("#edit-count")).to_have_text("0")


def test_a_correction_that_would_empty_pages_says_how_many(opened: Page) -> None:
    inside(opened, ".facts dd").first.click()
    said = opened.locator("#described").inner_text()
    opened.locator("#level").press("End")
    expect(opened.locator("#described")).not_to_have_text(said)  # it describes the larger part
    expect(opened.locator("#empties")).to_contain_text("nothing would be left of 14 pages")
    expect(opened.locator("#drop")).to_have_text("Remove anyway on 14 pages")
    opened.click("#cancel")


def test_columns_are_outlined_with_their_names_beside_the_rows_and_renamed_in_place(
    opened: Page, service: Service, watched: Watched
) -> None:
    opened.click("[data-look=table]")
    names = inside(opened, "husk-columns button")
    expect(names.filter(has_text="price")).to_have_text("price")
    value, outlines = inside(opened, ".price").bounding_box(), inside(opened, "husk-columns div").all()
    assert value
    around = [box for one in outlines if (box := one.bounding_box()) and abs(box["x"] - value["x"]) < 4]
    assert min(abs(box["y"] - value["y"]) + abs(box["height"] - value["height"]) for box in around) < 6
    expect(opened.locator("tr[aria-current]")).to_contain_text("€89.00")
    expect(opened.locator("#table-note")).to_have_text("14 rows of 12 columns")
    expect(opened.locator("#card")).to_be_hidden()

    names.filter(has_text="price").click()
    field = opened.get_by_label("Name of the column price")
    expect(field).to_be_focused()
    field.fill("maker")
    field.press("Enter")
    expect(opened.locator("#table-note")).to_have_text("maker is the name of another column; choose another name")
    expect(field).to_have_value("price")
    field.fill("cost")
    field.press("Enter")
    expect(opened.locator("#toast")).to_have_text("Saved · Undo")
    expect(names.filter(has_text="cost")).to_be_visible()
    edits = service.ask("sites/tidewater.example/edits")
    assert [(one["column"], one["name"]) for one in edits] == [("price", "cost")]

    opened.locator("[data-id] button", has_text="harbour-mug").click()
    opened.locator("#frame[data-page$='harbour-mug.html']").wait_for()
    expect(opened.locator("tr[aria-current]")).to_contain_text("€18.00")
    opened.reload()  # page, view and column are in the address
    expect(opened.locator("tr[aria-current] [data-on]")).to_have_text("€18.00")
    expect(inside(opened, "husk-columns [data-on]")).to_be_in_viewport()
    opened.locator("#frame").press("n")
    expect(opened).to_have_url(re.compile("part=maker$"))
    opened.click("#open-edits")
    expect(opened.locator(".edit")).to_contain_text("Rename the column price to cost")
    opened.click("[data-undo]")
    expect(opened.locator("#edit-count")).to_have_text("0")
    opened.get_by_role("button", name="Close").click()
    expect(opened.get_by_label("Name of the column price")).to_be_visible()
    # Playwright's own listeners are refused in the frame.
    told = [message for message in watched.console if "is sandboxed" not in message]
    assert [message.startswith(REFUSED) for message in told] == [True]
    assert watched.errors == []


def test_the_content_is_shown_in_chunks_of_a_chosen_size(opened: Page) -> None:
    shown(opened, "blog")
    opened.click("[data-look=chunks]")
    chunks = opened.locator("[data-chunk]")
    expect(chunks.first).to_be_visible()
    before = chunks.count()
    opened.select_option("#size", "500")
    expect(chunks).not_to_have_count(before)
    chunks.nth(1).locator(".link").click()
    said = chunks.nth(1).locator(".words").inner_text()
    assert 0 < len("".join(said.split())) <= 500
    assert opened.url.endswith("view=chunks&size=500&part=2")
    opened.reload()
    expect(opened.locator("[data-chunk][aria-current]")).to_contain_text(said.split("\n")[0])
    expect(opened.locator("#size")).to_have_value("500")
    opened.locator("#panel").press("p")
    expect(opened.locator("[data-chunk][aria-current]")).to_have_attribute("data-chunk", "1")


def test_what_changed_since_a_kept_version_is_shown(opened: Page, service: Service) -> None:
    opened.click("[data-look=changes]")
    expect(opened.locator("#panel")).to_contain_text("No other version of this page is kept")
    page = "shop/pier-lantern.html"
    old = demo_site.pages()[page].replace("€89.00", "€79.00")
    service.ask("visit", {"url": demo_site.BASE_URL + page, "html": old})
    opened.reload()
    expect(opened.locator("#version option")).to_have_text(re.compile("^your visit of 20"))
    expect(opened.locator("#hint")).to_contain_text("1 change of the content, 0 of the template.")
    compared = opened.frame_locator("#changed")
    expect(compared.locator("main > div ins")).to_have_text("€89.00")
    expect(compared.locator("main > div del")).to_have_text("€79.00")
    compared.get_by_role("link", name="Go to the first change").click()
    expect(compared.locator("[data-dehusk]:target")).to_be_in_viewport()
    assert opened.url.endswith("view=changes")


def test_templates_are_exported(opened: Page) -> None:
    opened.click("#open-export")
    for form, name, start in (
        ("template", "tidewater.example.husk", "{"),
        ("css", "tidewater.example.css", "/*"),
        ("wallabag", "tidewater.example.txt", "#"),
    ):
        with opened.expect_download() as saved:
            opened.click(f"[data-export={form}]")
        assert saved.value.suggested_filename == name
        assert Path(saved.value.path()).read_text("utf-8").startswith(start)


def test_a_service_has_all_pages_of_its_source_with_the_share_of_the_report_and_none_once_it_is_stopped(
    page: Page, tmp_path: Path
) -> None:
    site = tmp_path / "berths"
    site.mkdir()
    menu = "".join(f"<li><a href={k}.html>Harbour {k}</a>" for k in range(9))
    for number in range(150):
        text = f"Berth {number} is told of here. " * (5 + number % 40)
        (site / f"{number:03}.html").write_text(f"<title>Berth {number}</title><ul>{menu}</ul><main><p>{text}</main>")
    assert main(["show", str(site), "-o", str(tmp_path / "out.html"), "-q"]) == 0
    told = []
    with serving_dehusk(tmp_path, site) as started:
        for address in ((tmp_path / "out.html").as_uri(), started.printed):
            page.goto(address)
            expect(page.locator("#summary")).to_contain_text("of the text of its 150 pages is")
            told.append(page.locator("#share").inner_text())
            expect(page.locator("#count")).to_have_text("150")
            expect(page.locator(".row[aria-selected=true]")).to_be_in_viewport()
        page.fill("#search", "149.html")
        page.locator(".row").first.click()
        expect(page.locator("#title")).to_have_text("Berth 149")
        page.fill("#search", "")
        started.process.terminate()
        started.process.wait(60)
        for _ in range(3):  # the next page may have been read already
            page.locator("#rows").press("k")
        expect(page.locator("#message")).to_contain_text("The service does not answer")
        expect(page.locator("#main")).not_to_be_visible()
    assert told[0] == told[1]


def test_other_methods_and_grains_show_what_they_change(opened: Page) -> None:
    opened.select_option("#method", "bottom-up")
    expect(opened.locator("#hint")).to_contain_text("With bottom-up: ")
    expect(opened.locator("#summary")).to_contain_text("of the text of its 30 pages is")
    share = opened.locator("#share").inner_text()
    opened.select_option("#method", "")
    expect(opened.locator("#share")).not_to_have_text(share)
    opened.select_option("#grain", "nodes")
    expect(opened.locator("#hint")).to_contain_text("With every repeated text: ")
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
    assert len(page.frames) == 4
    assert page.url.startswith(f"{service.url}#")


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
