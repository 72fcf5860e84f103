"""Fixtures: a real Chromium, the demo site on loopback, and the installed `dehusk serve`."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page, Playwright, ViewportSize, expect, sync_playwright

import demo_site
from browsing import QUIET, Watched, served

WAIT = 30_000
"""Milliseconds to wait for a page. Long, because a busy machine must not fail the tests."""
expect.set_options(timeout=WAIT)

WINDOW: ViewportSize = {"width": 1280, "height": 800}
_OPENED = pytest.StashKey[ExitStack]()
_STARTED = pytest.StashKey[dict[str, Any]]()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium; skips the test if it is not installed."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not found:
        pytest.skip("no Chromium here: install the package chromium to run the tests in a browser")
    return found


@pytest.fixture(scope="session")
def opened_once(pytestconfig: pytest.Config) -> ExitStack:
    """What all tests of this folder share. It is closed after the last of them: see below."""
    return pytestconfig.stash.setdefault(_OPENED, ExitStack())


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Closes the browser before tests of other folders: the event loop of Playwright must not run in them."""
    if nextitem is None or nextitem.path.parent != item.path.parent:
        item.config.stash.setdefault(_OPENED, ExitStack()).close()
        item.config.stash[_STARTED] = {}


@pytest.fixture(scope="module")
def playwright(pytestconfig: pytest.Config, opened_once: ExitStack) -> Playwright:
    """Playwright, started once for all modules in a row."""
    started = pytestconfig.stash.setdefault(_STARTED, {})
    if "playwright" not in started:
        started["playwright"] = opened_once.enter_context(sync_playwright())
    return cast("Playwright", started["playwright"])


@pytest.fixture(scope="module")
def browser(chromium: str, playwright: Playwright, pytestconfig: pytest.Config, opened_once: ExitStack) -> Browser:
    """A headless Chromium, launched once for all modules in a row."""
    started = pytestconfig.stash[_STARTED]
    if "browser" not in started:
        launched = playwright.chromium.launch(executable_path=chromium, args=[*QUIET])
        started["browser"] = launched
        opened_once.callback(launched.close)
    return cast("Browser", started["browser"])


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[tuple[Page, Watched]]:
    """The only tab of the tests of a module, and its log. A new one for each test would cost more than most tests."""
    context = browser.new_context(viewport=WINDOW)
    context.set_default_timeout(WAIT)
    watched = Watched()
    watched.watch(context)
    yield context.new_page(), watched
    context.close()


@pytest.fixture
def watched(tab: tuple[Page, Watched]) -> Watched:
    """The log of the browser in this test."""
    return tab[1]


@pytest.fixture
def page(tab: tuple[Page, Watched]) -> Iterator[Page]:
    """An empty tab, as large and as light as in all tests."""
    page, context = tab[0], tab[0].context
    tab[1].clear()
    yield page
    for other in context.pages[1:]:
        other.close()
    page.unroute_all(behavior="ignoreErrors")
    context.clear_permissions()
    page.goto("about:blank")
    page.set_viewport_size(WINDOW)
    page.emulate_media(color_scheme="light")


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
