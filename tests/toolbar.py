"""The browser extension in a real Chromium: its toolbar button, and the menu that opens."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page, Playwright
from playwright.sync_api import Error as PlaywrightError

from browsing import QUIET

EXTENSION = Path(__file__).parents[1] / "src" / "dehusk" / "extension"
PATIENCE_S = 60.0
LONGEST_PAUSE = 200.0
"""Milliseconds between two questions."""
NAMES = "--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""Sites need their own host names here: the extension may always access 127.0.0.1, other hosts only after a click."""


@dataclass(frozen=True, slots=True)
class Toolbar:
    """The extension, operated like a user would."""

    context: BrowserContext
    session: CDPSession
    id: str

    def click(self, page: Page) -> "Menu":
        """Clicks the button while this page is active; returns the menu when it is ready."""
        menu = self.open(page)
        menu.done()
        return menu

    def open(self, page: Page) -> "Menu":
        """Clicks the button while this page is active; returns the menu as soon as it is open."""
        self._close_all(page)
        page.bring_to_front()
        self.session.send("Extensions.triggerAction", {"id": self.id, "targetId": self._tab(page)})
        for _ in _patiently(page, "the menu did not open"):
            if menus := self._menus():
                return Menu(self.session, menus[0], page)
        raise AssertionError

    def _tab(self, page: Page) -> str:
        """The target of the tab of a page. The browser knows its address a moment after the page is there."""
        for _ in _patiently(page, "no tab has the address of the page"):
            tabs = self.session.send("Target.getTargets", {"filter": [{"type": "tab"}]})["targetInfos"]
            if found := [str(one["targetId"]) for one in tabs if one["url"] == page.url]:
                return found[0]
        raise AssertionError

    def _close_all(self, page: Page) -> None:
        """Closes open menus, so that an old one is not mistaken for the new one."""
        for _ in _patiently(page, "the last menu is still open"):
            menus = self._menus()
            if not menus:
                return
            for one in menus:
                _close(self.session, one)

    def _menus(self) -> list[str]:
        """The open menus, at most one."""
        targets = self.session.send("Target.getTargets")["targetInfos"]
        return [one["targetId"] for one in targets if one["url"] == self.url("popup.html")]

    def card(self, page: Page) -> "Card":
        """Our card on a page."""
        return Card(page, self.id)

    def url(self, name: str) -> str:
        """The URL of a page of the extension."""
        return f"chrome-extension://{self.id}/{name}"

    def run(self, script: str) -> Any:
        """Runs a script in the background of the extension and returns its value."""
        worker = (self.context.service_workers or [self.context.wait_for_event("serviceworker")])[0]
        return worker.evaluate(script)

    def options(self) -> Page:
        """Opens the options in a tab."""
        page = self.context.new_page()
        page.goto(self.url("options.html"))
        return page

    def pair(self, line: str) -> None:
        """Pastes the printed line of the service."""
        page = self.options()
        page.fill("#line", line)
        page.click("#pairing button")
        page.wait_for_selector("#result.good")
        page.close()


class MenuClosedError(Exception):
    """The menu closed before it answered."""


class Menu:
    """The open menu. Playwright does not support such pages, so the protocol of the browser is used."""

    def __init__(self, session: CDPSession, target: str, page: Page) -> None:
        self._session, self._page, self._target = session, page, target
        self._answers: dict[int, Any] = {}
        self._asked = 0
        session.on("Target.receivedMessageFromTarget", self._received)
        self._id = session.send("Target.attachToTarget", {"targetId": target, "flatten": False})["sessionId"]

    def _received(self, message: dict[str, Any]) -> None:
        if message["sessionId"] == self._id:
            answer = json.loads(message["message"])
            self._answers[answer.get("id", 0)] = answer

    def send(self, method: str, **parameters: object) -> Any:
        """Sends a command of the protocol."""
        self._asked += 1
        message = {"id": self._asked, "method": method, "params": parameters}
        self._session.send("Target.sendMessageToTarget", {"sessionId": self._id, "message": json.dumps(message)})
        for _ in _patiently(self._page, f"no answer to {method}"):
            gone = not self.open  # read first: a menu may close right after it answers
            if self._asked in self._answers:
                return self._answers.pop(self._asked).get("result")
            if gone:
                raise MenuClosedError
        raise AssertionError

    def run(self, script: str) -> Any:
        """Runs a script in the menu and returns its value."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        return answer["result"].get("value")

    @property
    def open(self) -> bool:
        """Whether the menu is still open."""
        targets = self._session.send("Target.getTargets")["targetInfos"]
        return any(one["targetId"] == self._target for one in targets)

    @property
    def text(self) -> str:
        """The text of the menu."""
        return str(self.run("document.body.innerText"))

    def wait(self, text: str) -> None:
        """Waits until the menu has this text."""
        for _ in _patiently(self._page, f"the menu does not say {text}"):
            if text in (self.run("document.body?.innerText") or ""):
                return

    def done(self) -> None:
        """Waits until it is no longer busy."""
        for _ in _patiently(self._page, "the menu is still busy"):
            try:
                if not self.open or self.run("document.body?.dataset.ready ?? ''"):
                    return
            except (MenuClosedError, PlaywrightError):  # it has just closed
                return

    def choose(self, text: str) -> None:
        """Clicks the button with this text."""
        script = (
            f"[...document.querySelectorAll('button')].find(one => one.innerText.trim() === {json.dumps(text)}).click()"
        )
        self.run(script)
        self.done()

    def close(self) -> None:
        """Closes the menu, like a click outside of it."""
        _close(self._session, self._target)
        for _ in _patiently(self._page, "the menu does not close"):
            if not self.open:
                return


def _close(session: CDPSession, target: str) -> None:
    with suppress(PlaywrightError):  # it may close by itself at the same time
        session.send("Target.closeTarget", {"targetId": target})


class Card:
    """Our card on a page. Its shadow tree is closed, so it is read from the content script."""

    def __init__(self, page: Page, extension: str) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)
        found: list[dict[str, Any]] = []
        self._session.on("Runtime.executionContextCreated", lambda one: found.append(one["context"]))
        self._session.send("Runtime.enable")
        top = self._session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        of_page = [one for one in found if one["auxData"]["frameId"] == top]
        self._context = next(one["id"] for one in of_page if extension in one["origin"])

    def beside(self, script: str) -> Any:
        """Runs a script as a content script and returns its value."""
        about = {"expression": script, "contextId": self._context, "returnByValue": True, "awaitPromise": True}
        return self._session.send("Runtime.evaluate", about)["result"].get("value")

    def inside(self, script: str) -> Any:
        """Runs a script with `root`, the closed shadow tree, and returns its value."""
        return self.beside(
            f"(root => {script})(chrome.dom.openOrClosedShadowRoot(document.querySelector('[data-dehusk-panel]')))"
        )

    @property
    def text(self) -> str:
        """The text of the card."""
        return str(self.inside("root.querySelector('.card').innerText"))

    def click(self, text: str) -> None:
        """Clicks a button with the mouse, like a user."""
        script = """{
            const one = [...root.querySelectorAll("button:enabled")].find(one => one.innerText.startsWith(TEXT));
            one?.scrollIntoView();
            const at = one?.getBoundingClientRect();
            return at && [at.x + at.width / 2, at.y + at.height / 2];
        }"""
        for _ in _patiently(self._page, f"no button {text}"):
            if box := self.inside(script.replace("TEXT", json.dumps(text))):
                self._page.mouse.click(*box)
                return

    def wait(self, text: str) -> None:
        """Waits until the card has this text."""
        for _ in _patiently(self._page, f"the card does not say {text}"):
            if text in self.text:
                return

    def closed(self) -> None:
        """Waits until the card is closed and the badge has taken its place."""
        for _ in _patiently(self._page, "the card is still open"):
            if self.inside("root?.querySelector('.card').hidden && !root.querySelector('.badge').hidden"):
                return


def _patiently(page: Page, complaint: str) -> Iterator[None]:
    end, pause = time.monotonic() + PATIENCE_S, 20.0
    while time.monotonic() < end:
        yield
        page.wait_for_timeout(pause)
        pause = min(pause * 1.3, LONGEST_PAUSE)  # each question costs the browser time, too
    raise AssertionError(complaint)


@contextmanager
def with_extension(playwright: Playwright, chromium: str, profile: Path, *more: str) -> Iterator[Toolbar]:
    """Runs a Chromium with the extension while the context is open."""
    quiet: Sequence[str] = [one for one in QUIET if not one.startswith("--host-resolver-rules")]
    context = playwright.chromium.launch_persistent_context(
        profile,
        executable_path=chromium,
        ignore_default_args=["--headless", "--disable-extensions"],
        args=[
            *quiet,
            NAMES,
            "--headless=new",
            f"--disable-extensions-except={EXTENSION}",
            f"--load-extension={EXTENSION}",
            "--disable-features=DisableLoadExtensionCommandLineSwitch",
            "--enable-unsafe-extension-debugging",
            *more,
        ],
        viewport={"width": 1280, "height": 800},
        timezone_id="Asia/Tokyo",
    )
    context.set_default_timeout(PATIENCE_S * 1000)
    workers = context.service_workers or [context.wait_for_event("serviceworker")]
    browser = context.browser
    assert browser
    yield Toolbar(context, browser.new_browser_cdp_session(), workers[0].url.split("/")[2])
    context.close()
