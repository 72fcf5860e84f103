"""The viewer has no violation that axe finds, in any of its states, in light and dark, wide and on a phone."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import axe
from browsing import inside, shown
from dehusk.cli import main


@pytest.fixture(scope="module")
def script(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe; skips the test if this Chromium has none."""
    found = axe.source(chromium, tmp_path_factory.mktemp("profile"))
    if found is None:
        pytest.skip("this Chromium has no developer tools with axe")
    return found


@pytest.fixture(scope="module")
def report(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of a report on the demo site with two methods."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    methods = ("--method", "evidence", "--method", "rtdm")
    assert main(["show", str(demo_folder), "-o", str(path), *methods, "--pages", "20", "-q"]) == 0
    return path.as_uri()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_state_has_a_violation(page: Page, report: str, script: str, scheme: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(report)
    page.locator("#frame[data-page]").wait_for()
    if width < 820:
        page.click("#fold")
    shown(page, "pier-lantern")
    for look in ("content", "beside", "table", "chunks", "tinted"):
        page.click(f"[data-look={look}]")
        assert axe.violations(page, script) == [], look
    inside(page, "h1").click()
    expect(page.locator("#drop")).to_be_visible()
    assert axe.violations(page, script) == []
    page.click("#drop")
    for opens, dialog in (("e", "#edits"), ("?", "#help")):
        page.locator("#tabs button").first.press(opens)
        expect(page.locator(dialog)).to_be_visible()
        assert axe.violations(page, script) == [], dialog
        page.keyboard.press("Escape")
