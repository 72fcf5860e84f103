"""The viewer in a real browser, as a report in one file."""

import base64
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import archives
import dehusk
import hostile
from browsing import LANTERN, Watched, at_lantern, inside, shown
from dehusk.cli import main
from dehusk.page.places import Naming


@pytest.fixture(scope="module")
def report(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of a report on the demo site with two methods."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    methods = ("--method", "evidence", "--method", "rtdm")
    assert main(["show", str(demo_folder), "-o", str(path), *methods, "--pages", "60", "-q"]) == 0
    return path.as_uri()


@pytest.fixture
def opened(page: Page, report: str) -> Page:
    """The report, with a page of the shop shown."""
    return at_lantern(page, f"{report}#page={LANTERN}")


def test_a_report_opens_from_a_file_and_fetches_nothing_else(page: Page, report: str, watched: Watched) -> None:
    page.goto(report)
    expect(page.locator("h1")).to_have_text("The Tidewater Journal")
    page.locator("#frame[data-page]").wait_for()
    assert watched.requests == [report]
    assert watched.console == watched.errors == []


def test_the_map_has_every_page_with_outliers_first_and_can_be_searched(page: Page, report: str) -> None:
    page.goto(report)
    expect(page.locator(".group").first).to_contain_text("Unlike the other pages · 2 pages")
    assert page.evaluate("map.rows.length") == 30
    page.get_by_role("button", name="Family 2").click()
    assert 5 < page.evaluate("map.shown.length") < 20
    page.get_by_role("button", name="All").click()
    page.fill("#search", "LANTERN shop")
    expect(page.locator(".row")).to_have_count(1)
    page.fill("#search", "no such page")
    expect(page.locator("#rows")).to_contain_text("No page matches.")


def test_a_bar_can_be_clicked(page: Page, report: str) -> None:
    page.goto(report)
    page.locator("#frame[data-page]").wait_for()
    page.locator("#bars").click(position={"x": 8, "y": 30})
    expect(page.locator("#title")).to_have_text("About this place")


def test_a_page_opens_at_its_content_and_comes_back_to_it(opened: Page) -> None:
    top = "element => Math.round(element.getBoundingClientRect().top)"
    assert 0 <= inside(opened, "h1").evaluate(top) < 300
    inside(opened, "html").evaluate("root => root.scrollTo(0, root.scrollHeight)")
    opened.click("#jump")
    assert 0 <= inside(opened, "h1").evaluate(top) < 300


def test_each_view_shows_what_it_is_called(opened: Page) -> None:
    title, menu, legend = inside(opened, "h1"), inside(opened, "header.top"), opened.locator("#legend")
    tint = "element => getComputedStyle(element).backgroundColor"
    for look, kept, gone, tinted in (
        ("Original", True, True, False),
        ("Tinted", True, True, True),
        ("Template", False, True, False),
        ("Side by side", True, True, True),
    ):
        opened.get_by_role("tab", name=look, exact=True).click()
        assert (title.is_visible(), menu.is_visible(), legend.is_visible()) == (kept, gone, tinted), look
        assert (menu.evaluate(tint) == "rgb(253, 226, 221)") == tinted


def test_content_is_set_for_reading_and_can_be_copied(opened: Page) -> None:
    opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened.get_by_role("tab", name="Content").click()
    reader = opened.frame_locator("#reader")
    expect(reader.locator("h1")).to_have_text("Pier Lantern")
    expect(reader.locator("body")).not_to_contain_text("Every parcel leaves")
    assert not opened.locator("#frame").is_visible()
    letters = "element => element.clientWidth / parseFloat(getComputedStyle(element).fontSize)"
    assert reader.locator("body").evaluate(letters) < 45  # em: about 80 letters a line
    for button, said in (("#copy-text", "Pier Lantern\n\n€89.00"), ("#copy-markdown", "# Pier Lantern\n\n€89.00")):
        opened.click(button)
        expect(opened.locator(button)).to_have_text("Copied")
        assert said in str(opened.evaluate("navigator.clipboard.readText()"))
    opened.emulate_media(color_scheme="dark")
    expect(reader.locator("body")).to_have_css("background-color", "rgb(38, 42, 35)")


def test_pictures_that_the_archive_has_are_in_the_content(page: Page, watched: Watched, tmp_path: Path) -> None:
    text = "<p>The tide comes in at four, and leaves again at ten, on most days of the year.</p>" * 6
    html = f"<title>Tides</title><ul><li><a href=/>Home</a></ul><h1>Tides</h1>{text}<p><img src=/a.png alt=Tide>{text}"
    gif = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
    records = [archives.record(name, archives.http(html.encode())) for name in ("1", "2")]
    records.append(archives.record("a.png", archives.http(gif, {"Content-Type": "image/png"})))
    (tmp_path / "crawl.warc").write_bytes(b"".join(records))
    assert main(["show", str(tmp_path / "crawl.warc"), "-o", str(tmp_path / "r.html"), "-q"]) == 0
    page.goto((tmp_path / "r.html").as_uri() + "#view=beside")
    for frame in ("#frame", "#reader"):
        picture = page.frame_locator(frame).get_by_alt_text("Tide")
        expect(picture).to_be_attached()
        assert picture.evaluate("picture => picture.naturalWidth") == 1
    assert watched.requests == [page.url.partition("#")[0]]


def test_a_report_has_tables_and_chunks_and_the_command_that_renames_a_column(opened: Page) -> None:
    opened.click("[data-look=table]")
    expect(opened.locator("#table-note")).to_have_text("14 rows of 12 columns")
    expect(
        inside(
            opened,
            "husk-columns button",
        ).filter(has_text="price")
    ).to_be_visible()
    opened.get_by_label("Name of the column price").fill("cost")
    opened.keyboard.press("Enter")
    expect(opened.locator("#table-note")).to_contain_text("dehusk edit site.husk --rename-column 'price=cost'")
    opened.click("[data-look=chunks]")
    expect(opened.locator("[data-chunk]").first).to_contain_text("The lantern that hangs on every third post")
    expect(opened.get_by_role("tab", name="Changes")).to_have_count(0)


def test_lists_whose_items_are_gone_leave_no_bullets(opened: Page) -> None:
    html = "<html lang='en'><body><ul><li> </li><li><p></p></li></ul><p>Words</p></body>"
    drawn = opened.evaluate(f"reader.written({{ ...view, html: {html!r} }})")
    assert "<li>" not in drawn
    assert "<p>Words</p>" in drawn


def test_side_by_side_both_show_the_same_block_while_scrolling(page: Page, tmp_path: Path) -> None:
    for number in range(3):
        text = "".join(
            f"<h2>Part {k} of {number}</h2><p>{f'What part {k} of page {number} says. ' * 30}" for k in range(20)
        )
        menu = "".join(f"<li><a href={k}>Menu item {k}</a>" for k in range(40))
        (tmp_path / f"{number}.html").write_text(f"<title>Page {number}</title><ul>{menu}</ul><main>{text}</main>")
    assert main(["show", str(tmp_path), "-o", str(tmp_path / "out.html"), "-q"]) == 0
    page.goto((tmp_path / "out.html").as_uri() + "#view=beside")
    page.locator("#frame[data-page]").wait_for()
    reader = page.frame_locator("#reader")
    top = "element => element.getBoundingClientRect().top"
    for frame, other in ((page.frame_locator("#frame"), reader), (reader, page.frame_locator("#frame"))):
        for part in ("Part 9 of", "Part 3 of"):
            frame.locator("h2", has_text=part).evaluate(
                "element => scrollBy(0, element.getBoundingClientRect().top - 90)"
            )
            page.wait_for_timeout(100)
            near = other.locator("h2", has_text=part).evaluate(top)
            assert abs(near - frame.locator("h2", has_text=part).evaluate(top)) < 40


def test_pointing_at_a_part_says_what_it_is_and_why_without_covering_it(opened: Page) -> None:
    inside(opened, "footer.foot p").hover()
    card = opened.locator("#card")
    expect(card).to_contain_text("goes")
    assert re.search(r"It is on \d+ of \d+ pages\. \d+% of its text repeats", card.inner_text())
    assert re.search(r"dehusk is \d+% sure that it is template", card.inner_text())
    frame, box = opened.locator("#frame").bounding_box(), card.bounding_box()
    assert frame is not None
    assert box is not None
    assert box["y"] >= frame["y"] + frame["height"]
    inside(opened, "h1").hover()
    expect(card).to_contain_text("Title · content: stays")
    expect(opened.locator("#hint")).to_contain_text("Point at a part of the page")


def test_a_click_pins_a_part_and_shows_the_command_that_corrects_it(opened: Page) -> None:
    inside(opened, "aside.side p").click()
    expect(opened.locator("#card code")).to_have_text("aside")
    opened.locator("#level").press("ArrowLeft")
    expect(opened.locator("#card code")).not_to_have_text("aside")
    opened.locator("#level").press("ArrowRight")
    opened.fill("#why", "It's ours")
    opened.click("#keep")
    told = opened.locator("pre.command").inner_text()
    assert "-o site.husk" in told
    assert "dehusk edit site.husk --keep 'body > div.columns > aside.side' --why 'It'\\''s ours'" in told
    opened.click("#cancel")
    expect(opened.locator("#card")).to_contain_text("No part is selected")


def test_a_correction_can_apply_to_one_of_several_similar_places(opened: Page) -> None:
    inside(opened, ".facts dd").nth(1).click()
    opened.locator("#level").fill("0")
    opened.get_by_label("only this one").check()
    opened.click("#drop")
    assert ":nth-of-type(2)" in opened.locator("pre.command").inner_text()
    assert inside(opened, "[data-husk-same]").count() == 0


def test_another_method_changes_headline_list_and_page(opened: Page) -> None:
    opened.fill("#search", "")
    told = [opened.locator(place).all_inner_texts() for place in ("#share", ".group", ".row .soft:nth-child(2)")]
    opened.select_option("#method", "rtdm")
    expect(opened.locator("#hint")).to_contain_text("With rtdm:")
    expect(inside(opened, "[data-husk-changed]").first).to_be_attached()
    expect(opened.locator("#summary")).to_contain_text("by the method rtdm")
    now = [opened.locator(place).all_inner_texts() for place in ("#share", ".group", ".row .soft:nth-child(2)")]
    assert [before != after for before, after in zip(told, now, strict=True)] == [True, True, True]
    opened.select_option("#method", "")
    expect(opened.locator("#share")).to_have_text(told[0][0])
    expect(opened.locator("#hint")).to_contain_text("Point at")
    expect(inside(opened, "[data-husk-changed]")).to_have_count(0)


def test_a_report_says_once_how_many_pages_it_has_and_keys_pass_over_the_others(
    page: Page, demo_folder: Path, tmp_path: Path
) -> None:
    assert main(["show", str(demo_folder / "shop"), "-o", str(tmp_path / "r.html"), "--pages", "3", "-q"]) == 0
    page.goto((tmp_path / "r.html").as_uri())
    expect(page.get_by_text("3 of 14 pages are in this file.")).to_have_count(1)
    page.locator("#frame[data-page]").wait_for()
    seen = set()
    for key in "kkkkjjjj":
        page.keyboard.press(key)
        chosen = page.locator(".row[aria-selected=true]").get_attribute("title")
        page.locator(f"#frame[data-page='{chosen}']").wait_for()
        seen.add(page.locator("#title").inner_text())
        expect(page.locator("#empty")).not_to_be_visible()
    assert len(seen) == 3
    page.locator(".row.absent").first.click()
    expect(page.locator("#empty")).to_contain_text(f"dehusk serve {demo_folder / 'shop'}")
    expect(page.locator("#frame")).not_to_be_visible()


def test_a_row_stays_while_a_finger_is_on_it(opened: Page) -> None:
    row = opened.locator(".row").first
    mark = "element => { element.mark = true; element.parentElement.dispatchEvent(new Event('scroll')); }"
    row.evaluate(mark)
    assert row.evaluate("element => element.mark")
    row.click()
    expect(opened.locator(".row").first).to_have_attribute("aria-selected", "true")


def test_keys_do_what_the_help_says(opened: Page) -> None:
    opened.locator("#frame").focus()
    opened.keyboard.press("3")
    expect(opened.get_by_role("tab", name="Content")).to_have_attribute("aria-selected", "true")
    opened.keyboard.press("2")
    opened.keyboard.press("n")
    first = opened.locator("#card").inner_text()
    opened.keyboard.press("n")
    assert opened.locator("#card").inner_text() != first
    opened.keyboard.press("Enter")
    level = opened.locator("#level")
    before = int(level.input_value())
    opened.keyboard.press("-")
    opened.keyboard.press("+")
    assert int(level.input_value()) == before
    opened.keyboard.press("f")
    expect(opened.locator("pre.command")).to_contain_text("dehusk edit")
    opened.keyboard.press("Escape")
    expect(opened.locator("#card")).to_contain_text("No part is selected")
    opened.keyboard.press("/")
    opened.keyboard.type("zzz")
    expect(opened.locator("#rows")).to_contain_text("No page matches.")
    opened.fill("#search", "")
    opened.locator("#rows").focus()
    title = opened.locator("#title").inner_text()
    opened.keyboard.press("j")
    expect(opened.locator("#title")).not_to_have_text(title)
    for key, dialog in (("e", "#edits"), ("?", "#help")):
        opened.keyboard.press(key)
        expect(opened.locator(dialog)).to_be_visible()
        opened.keyboard.press("Escape")
        expect(opened.locator(dialog)).not_to_be_visible()
    opened.keyboard.press("d")
    assert opened.evaluate("document.documentElement.dataset.theme") == "dark"


def test_the_browser_names_elements_as_python_does(opened: Page, demo_folder: Path) -> None:
    tree = dehusk.Page((demo_folder / "shop/pier-lantern.html").read_bytes()).tree
    naming = Naming(tree)
    nodes = [node for node, tag in enumerate(tree.tag) if tag != "#text"]
    told = opened.evaluate(
        "() => [frame.root.querySelector('body'), ...within(frame.root, 'body *')]"
        ".filter(one => tagOf(one) !== LOOSE).map(one => [pathTo(one), kindTo(one)])"
    )
    assert told == [[naming.path(node), naming.kind(node)] for node in nodes]


def test_thousands_of_pages_are_listed_and_only_those_in_sight_are_drawn(opened: Page) -> None:
    rows = (
        "Array.from({length: 20000}, (_, k) => ({...map.rows[0], id: `x${k}`, family: String(k % 7), outlier: false}))"
    )
    opened.fill("#search", "")
    opened.evaluate(f"map.show({rows})")
    assert opened.evaluate("map.shown.length") == 20_000
    assert opened.locator(".row").count() < 60
    opened.locator("#rows").focus()
    opened.keyboard.press("End")
    opened.evaluate("map.list.scrollTop = map.height")
    expect(opened.locator(".row").last).to_be_visible()


def test_every_state_has_an_address(opened: Page, report: str) -> None:
    opened.click("[data-look=beside]")
    opened.select_option("#method", "rtdm")
    expect(opened.locator("#hint")).to_contain_text("With rtdm:")
    inside(opened, "aside.side p").click()
    expect(opened.locator("#card code")).to_be_visible()
    said, shared = opened.locator("#described").inner_text(), opened.url
    for away in (False, True):
        if away:
            opened.goto("about:blank")
            opened.goto(shared)
        else:
            opened.reload()
        expect(opened.locator("#described")).to_have_text(said.replace("\n", ""), use_inner_text=False)
        expect(opened.locator("#title")).to_have_text("Pier Lantern")
        expect(opened.get_by_role("tab", name="Side by side")).to_have_attribute("aria-selected", "true")
        expect(opened.locator("#method")).to_have_value("rtdm")
    assert shared.startswith(f"{report}#page=shop%2Fpier-lantern.html&view=beside&method=rtdm&part=")


def test_back_returns_to_the_last_page_view_and_method(opened: Page) -> None:
    opened.fill("#search", "")
    opened.click("[data-look=content]")
    opened.select_option("#method", "rtdm")
    expect(opened.locator("#summary")).to_contain_text("by the method rtdm")
    opened.keyboard.press("Escape")
    opened.locator("#rows").press("ArrowDown")
    expect(opened.locator("#title")).not_to_have_text("Pier Lantern")
    opened.go_back()
    expect(opened.locator("#title")).to_have_text("Pier Lantern")
    opened.go_back()
    expect(opened.locator("#summary")).not_to_contain_text("by the method rtdm")
    expect(opened.locator("#method")).to_have_value("")
    opened.go_back()
    expect(opened.get_by_role("tab", name="Tinted")).to_have_attribute("aria-selected", "true")


def test_a_page_without_style_sheets_says_so_and_opens_where_template_and_content_meet(
    page: Page, tmp_path: Path
) -> None:
    site = tmp_path / "harbour" / "pages"
    site.mkdir(parents=True)
    for number in range(4):
        menu = "".join(f"<li><a href={k}.html>Harbour {k}</a>" for k in range(90))
        text = "".join(f"<p>{f'Berth {number} and tide {k} are told here. ' * 9}" for k in range(30))
        html = f"<ul id=menu>{menu}</ul><h1>Berth {number}</h1>{text}<footer>Feet</footer>"
        (site / f"{number}.html").write_text(f"<title>Berth {number}</title><link rel=stylesheet href=gone.css>{html}")
    assert main(["show", str(site), "-o", str(tmp_path / "out.html"), "-q"]) == 0
    page.goto((tmp_path / "out.html").as_uri())
    page.locator("#frame[data-page]").wait_for()
    expect(page.locator("h1")).to_have_text("harbour")
    expect(page.locator(".brand")).to_have_text("dehusk")
    expect(page.locator("#summary")).to_contain_text("of the text of its 4 pages is template: menus, headers")
    expect(page.locator("#plain")).to_contain_text("is shown in plain type")
    assert "system-ui" in inside(page, "body").evaluate("element => getComputedStyle(element).fontFamily")
    expect(inside(page, "h1")).to_be_in_viewport()
    expect(inside(page, "#menu li").last).to_be_in_viewport()
    expect(page.locator("#legend")).to_have_text("template: goes content: stays")
    shown(page, "2.html")
    expect(page.locator(".row[aria-selected=true] span").first).to_have_text(page.locator("#title").inner_text())
    words = page.locator("body").inner_text()
    assert not re.search(r"evidence|family|like the site|grain|in doubt \(", words, re.IGNORECASE), words


def test_it_can_be_used_on_a_phone(page: Page, report: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(report)
    page.locator("#frame[data-page]").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    begins = page.locator("#frame").bounding_box()
    assert begins is not None
    assert begins["y"] < 844 / 3
    expect(page.get_by_role("tab", name="Side by side")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Corrections")).to_be_in_viewport(ratio=1)
    assert not page.locator("#search").is_visible()
    page.click("#fold")
    page.fill("#search", "lantern")
    page.locator(".row").first.click()
    expect(page.locator("#fold-name")).to_have_text("Pier Lantern")
    inside(page, "h1").click()
    expect(page.locator("#drop")).to_be_in_viewport()
    expect(inside(page, "h1")).to_be_in_viewport()


def test_a_family_that_is_the_whole_site_has_the_share_of_the_site(opened: Page) -> None:
    opened.fill("#search", "")
    opened.evaluate(
        "map.show(map.rows.map((row, k) => ({...row, family: '1', outlier: false, length: 10 ** (k % 4)})))"
    )
    expect(opened.locator(".group")).to_contain_text(opened.evaluate("percent(shareOf(map.rows))"))
    assert opened.evaluate("shareOf([{length: 30, share_removed: 1}, {length: 10, share_removed: 0}])") == 0.75


def test_text_has_enough_contrast_in_light_and_dark(page: Page, report: str) -> None:
    page.goto(report)
    page.locator("#frame[data-page]").wait_for()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for ink in ("ink", "soft", "husk-ink", "kernel-ink", "change"):
            for ground in ("paper", "card", "well"):
                assert contrast(page, ink, ground) >= 4.5, (scheme, ink, ground)
        for mark in ("husk", "focus"):
            assert contrast(page, mark, "paper") >= 3, (scheme, mark)


def contrast(page: Page, one: str, other: str) -> float:
    """The contrast of two colours of the style sheet, as defined by WCAG."""

    def light(name: str) -> float:
        told = page.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue('--{name}')").strip("# ")
        told = "".join(digit * 2 for digit in told) if len(told) == 3 else told
        parts = [int(told[k : k + 2], 16) / 255 for k in (0, 2, 4)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def taken_over(folder: Path, target: Path, megabytes: int = 0) -> str:
    """The URL of a report on a few pages of the demo shop, one of them hostile."""
    for file in sorted((folder / "shop").iterdir())[:5]:
        (target / file.name).write_bytes(file.read_bytes())
    (target / "hostile.html").write_text(hostile.page("http://127.0.0.1:9", megabytes=megabytes))
    report, husk = target / "out" / "report.html", target / "out" / "site.husk"
    report.parent.mkdir()
    dehusk.learn(folder / "shop").save(husk)
    assert main(["show", str(target), "-o", str(report), "-t", str(husk), "-q"]) == 0
    return report.as_uri()


def test_a_hostile_page_runs_nothing_and_fetches_nothing(
    page: Page, watched: Watched, demo_folder: Path, tmp_path: Path
) -> None:
    report = taken_over(demo_folder, tmp_path)
    page.goto(report)
    shown(page, "hostile")
    page.wait_for_timeout(300)
    for look in ("original", "content", "template", "tinted", "original"):
        page.click(f"[data-look={look}]")
    for place in ("#script-link", "#tricky", "#data-link", "#away", "#blank", "#send"):
        inside(page, place).click(force=True)
    inside(page, "#away").click(button="middle", force=True)
    inside(page, "#form").evaluate("form => form.dispatchEvent(new Event('submit'))")
    page.wait_for_timeout(300)
    page.click("#cancel")
    assert watched.requests == [report]
    assert watched.dialogs == []
    assert watched.console == []
    assert len(page.context.pages) == 1
    assert len(page.frames) == 4
    assert page.url.partition("#")[0] == report
    assert inside(page, "[data-husk-pinned]").count() == 0


def test_a_huge_hostile_page_is_shown_as_text_only(
    page: Page, watched: Watched, demo_folder: Path, tmp_path: Path
) -> None:
    report = taken_over(demo_folder, tmp_path, megabytes=2)
    page.goto(report)
    page.locator(".row", has_text="hostile").click()
    expect(page.locator("#empty")).to_contain_text("too large to be shown")
    expect(page.locator("#text")).to_contain_text("One more paragraph")
    assert watched.requests == [report]
    assert watched.dialogs == []


def test_files_of_dehusk_template_run_and_fetch_nothing(
    page: Page, watched: Watched, demo_folder: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    for file in sorted((demo_folder / "shop").iterdir()):
        (site / "shop").mkdir(parents=True, exist_ok=True)
        (site / "shop" / file.name).write_bytes(file.read_bytes())
    taken = site / "shop" / "pier-lantern.html"
    taken.write_text(hostile.page("http://127.0.0.1:9").replace("<base", "<bass"))
    assert main(["template", str(taken), "--root", str(site), "-o", str(tmp_path / "out"), "-q"]) == 0
    for name in ("template.html", "content.html", "report.html"):
        watched.requests.clear()
        page.goto((tmp_path / "out" / name).as_uri())
        page.wait_for_timeout(200)
        assert watched.requests == [page.url.partition("#")[0]]
    assert watched.dialogs == []


def test_a_comparison_has_a_table_of_the_methods(page: Page, demo_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    methods = ("--method", "evidence", "--method", "chunks")
    assert main(["compare", str(demo_folder), "-o", str(path), *methods, "--pages", "2", "-q"]) == 0
    page.goto(path.as_uri())
    rows = page.locator("#compared-rows tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(1).locator("td").nth(0)).to_have_text("evidence")
    expect(rows.nth(1).locator("td").nth(2)).to_have_text("100%")
    expect(page.locator("#method option")).to_have_text(["usual", "chunks"])


def test_a_report_without_a_comparison_has_no_table(page: Page, report: str) -> None:
    page.goto(report)
    expect(page.locator("h1")).to_have_text("The Tidewater Journal")
    expect(page.locator("#compared")).to_be_hidden()
