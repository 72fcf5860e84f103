"""A browser without background requests, a log of what it does, and local servers for folders."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import BrowserContext, Dialog, Locator, Page

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
"""Arguments for a Chromium that makes no background requests and cannot reach other machines."""


@dataclass
class Watched:
    """A log of a browser context: requests, dialogs, console messages and script errors."""

    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def watch(self, context: BrowserContext) -> None:
        """Starts logging the events of a context."""
        context.on("request", lambda request: self.requests.append(request.url))
        context.on("dialog", self._dismissed)
        context.on("console", lambda message: self.console.append(message.text))
        context.on("weberror", lambda error: self.errors.append(str(error.error)))

    def clear(self) -> None:
        """Forgets all events."""
        for events in (self.requests, self.dialogs, self.console, self.errors):
            events.clear()

    def _dismissed(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serves a folder on loopback while the context is open; yields its URL."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Logs nothing."""


@dataclass(frozen=True)
class Service:
    """A running `dehusk serve`: the printed address, its store and its process."""

    printed: str
    store: Path
    process: subprocess.Popen[str]

    @property
    def url(self) -> str:
        """The address without the token."""
        return self.printed.partition("#")[0]

    @property
    def token(self) -> str:
        """The token."""
        return self.printed.partition("#token=")[2]

    def ask(self, path: str, body: object = None) -> Any:
        """Sends a request to the service and returns the answer."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        with urlopen(Request(f"{self.url}api/{path}", data, headers), timeout=60) as answer:
            return json.load(answer)


@contextmanager
def serving_dehusk(folder: Path, *sources: Path) -> Iterator[Service]:
    """Runs the installed `dehusk serve` with its files in this folder while the context is open."""
    store = folder / "sites.store"
    command = [Path(sys.executable).with_name("dehusk"), "serve", *sources, "--port", "0", "--store", store]
    home = {**os.environ, "XDG_DATA_HOME": str(folder / "data")}
    with subprocess.Popen([*map(str, command), "-q"], stdout=subprocess.PIPE, text=True, env=home) as process:
        assert process.stdout
        try:
            yield Service(process.stdout.readline().strip(), store, process)
        finally:
            process.terminate()


LANTERN = "shop/pier-lantern.html"
"""The page of the demo site that most tests show."""


def at_lantern(page: Page, address: str) -> Page:
    """Opens this page in the viewer by its address: a search would load the first page of the site before it."""
    page.goto(address)
    page.locator(f"#frame[data-page$='{LANTERN}']").wait_for()
    return page


def shown(page: Page, name: str) -> Page:
    """Opens this page of the site in the viewer."""
    page.fill("#search", name)
    page.locator(".row").first.click()
    page.locator(f"#frame[data-page*='{name}']").wait_for()
    return page


def inside(page: Page, selector: str) -> Locator:
    """Finds elements of the page that the viewer shows."""
    return page.frame_locator("#frame").locator(selector)
