"""The browser extension in a real Chromium: its button in the toolbar, and the menu that opens."""

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

EXTENSION = Path(__file__).parents[1] / "extension"
PATIENCE_S = 60.0
NAMES = "--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""Sites have names of their own here. The extension may always ask 127.0.0.1; on these it depends on its button."""


@dataclass(frozen=True, slots=True)
class Toolbar:
    """The extension as a person meets it."""

    context: BrowserContext
    session: CDPSession
    id: str

    def click(self, page: Page) -> "Menu":
        """Clicks the button while this page is in front; gives the menu, once it is done."""
        self._close_all(page)
        page.bring_to_front()
        tabs = self.session.send("Target.getTargets", {"filter": [{"type": "tab"}]})["targetInfos"]
        tab = next(one["targetId"] for one in tabs if one["url"] == page.url)
        self.session.send("Extensions.triggerAction", {"id": self.id, "targetId": tab})
        for _ in _patiently(page, "the menu did not open"):
            if menus := self._menus():
                menu = Menu(self.session, menus[0], page)
                menu.done()
                return menu
        raise AssertionError

    def _close_all(self, page: Page) -> None:
        """Closes what is still open, so that no old menu is taken for the new one."""
        for _ in _patiently(page, "the last menu is still open"):
            menus = self._menus()
            if not menus:
                return
            for one in menus:
                _close(self.session, one)

    def _menus(self) -> list[str]:
        """The menus that are open: one at most."""
        targets = self.session.send("Target.getTargets")["targetInfos"]
        return [one["targetId"] for one in targets if one["url"] == self.url("popup.html")]

    def card(self, page: Page) -> "Card":
        """Our card on a page."""
        return Card(page, self.id)

    def url(self, name: str) -> str:
        """The address of a page of the extension."""
        return f"chrome-extension://{self.id}/{name}"

    def run(self, script: str) -> Any:
        """What a script says in the background of the extension."""
        worker = (self.context.service_workers or [self.context.wait_for_event("serviceworker")])[0]
        return worker.evaluate(script)

    def options(self) -> Page:
        """The options, in a tab."""
        page = self.context.new_page()
        page.goto(self.url("options.html"))
        return page

    def pair(self, line: str) -> None:
        """Pastes the line that the service prints."""
        page = self.options()
        page.fill("#line", line)
        page.click("#pairing button")
        page.wait_for_selector("#result.good")
        page.close()


class MenuClosedError(Exception):
    """The menu closed before it answered."""


class Menu:
    """The open menu. Playwright knows no such pages, so it is asked through the browser's own protocol."""

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
        """One command of the protocol."""
        self._asked += 1
        message = {"id": self._asked, "method": method, "params": parameters}
        self._session.send("Target.sendMessageToTarget", {"sessionId": self._id, "message": json.dumps(message)})
        for _ in _patiently(self._page, f"no answer to {method}"):
            gone = not self.open  # asked first: a menu may close right after it answered
            if self._asked in self._answers:
                return self._answers.pop(self._asked).get("result")
            if gone:
                raise MenuClosedError
        raise AssertionError

    def run(self, script: str) -> Any:
        """What a script says in the menu."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        return answer["result"].get("value")

    @property
    def open(self) -> bool:
        """Whether the menu is still there."""
        targets = self._session.send("Target.getTargets")["targetInfos"]
        return any(one["targetId"] == self._target for one in targets)

    @property
    def text(self) -> str:
        """What the menu says."""
        return str(self.run("document.body.innerText"))

    def done(self) -> None:
        """Waits until it is no longer busy."""
        for _ in _patiently(self._page, "the menu is still busy"):
            try:
                if not self.open or self.run("document.body?.dataset.ready ?? ''"):
                    return
            except (MenuClosedError, PlaywrightError):  # it closed just now
                return

    def choose(self, text: str) -> None:
        """Clicks the button with this text."""
        script = (
            f"[...document.querySelectorAll('button')].find(one => one.innerText.trim() === {json.dumps(text)}).click()"
        )
        self.run(script)
        self.done()

    def close(self) -> None:
        """Closes the menu, as a click beside it would."""
        _close(self._session, self._target)
        for _ in _patiently(self._page, "the menu does not close"):
            if not self.open:
                return


def _close(session: CDPSession, target: str) -> None:
    with suppress(PlaywrightError):  # it closes by itself just now
        session.send("Target.closeTarget", {"targetId": target})


class Card:
    """Our card on a page. Its tree is closed to the page, so it is read from where the extension's own script runs."""

    def __init__(self, page: Page, extension: str) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)
        found: list[dict[str, Any]] = []
        self._session.on("Runtime.executionContextCreated", lambda one: found.append(one["context"]))
        self._session.send("Runtime.enable")
        self._context = next(one["id"] for one in found if extension in one["origin"])

    def beside(self, script: str) -> Any:
        """What a script says that runs beside the page, as ours does."""
        about = {"expression": script, "contextId": self._context, "returnByValue": True, "awaitPromise": True}
        return self._session.send("Runtime.evaluate", about)["result"].get("value")

    def inside(self, script: str) -> Any:
        """What a script says about `root`, the closed tree."""
        return self.beside(
            f"(root => {script})(chrome.dom.openOrClosedShadowRoot(document.querySelector('dehusk-panel')))"
        )

    @property
    def text(self) -> str:
        """What the card says."""
        return str(self.inside("root.querySelector('.card').innerText"))

    def click(self, text: str) -> None:
        """Clicks a button with the mouse, as a person does."""
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
        """Waits until the card says something."""
        for _ in _patiently(self._page, f"the card does not say {text}"):
            if text in self.text:
                return


def _patiently(page: Page, complaint: str) -> Iterator[None]:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        yield
        page.wait_for_timeout(20)
    raise AssertionError(complaint)


@contextmanager
def with_extension(playwright: Playwright, chromium: str, profile: Path, *more: str) -> Iterator[Toolbar]:
    """A Chromium with the extension, for as long as the context lasts."""
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
