"""Fixtures: a real Chromium, the demo site on loopback, and the installed `dehusk serve`."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

import demo_site
from browsing import QUIET, Watched, served

WAIT = 30_000
"""Milliseconds to wait for a page. Long, because a busy machine must not fail the tests."""
expect.set_options(timeout=WAIT)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium; skips the test if it is not installed."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not found:
        pytest.skip("no Chromium here: install the package chromium to run the tests in a browser")
    return found


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """Playwright for one module. Its event loop must not run in tests of other modules."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def browser(chromium: str, playwright: Playwright) -> Iterator[Browser]:
    """A headless Chromium."""
    launched = playwright.chromium.launch(executable_path=chromium, args=[*QUIET])
    yield launched
    launched.close()


@pytest.fixture
def watched() -> Watched:
    """The log of the browser in this test."""
    return Watched()


@pytest.fixture
def page(browser: Browser, watched: Watched) -> Iterator[Page]:
    """A tab in a new browser context."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(WAIT)
    watched.watch(context)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo site as files."""
    folder = tmp_path_factory.mktemp("demo") / "crawl"
    for name, html in demo_site.pages().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(html, "utf-8")
    return folder


@pytest.fixture(scope="session")
def demo_url(demo_folder: Path) -> Iterator[str]:
    """The demo site on loopback."""
    with served(demo_folder) as url:
        yield url
