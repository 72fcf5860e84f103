"""A browser that asks for nothing by itself, what it did, and folders on loopback for it to look at."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import BrowserContext, Dialog

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
"""Arguments of a Chromium that asks for nothing by itself, and finds no other machine."""


@dataclass
class Watched:
    """What a browser context did: each request, each dialog, each line of the console, each error of a script."""

    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def watch(self, context: BrowserContext) -> None:
        """Writes down what happens in a context from now on."""
        context.on("request", lambda request: self.requests.append(request.url))
        context.on("dialog", self._dismissed)
        context.on("console", lambda message: self.console.append(message.text))
        context.on("weberror", lambda error: self.errors.append(str(error.error)))

    def _dismissed(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A folder on loopback, for as long as the context lasts: gives its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Says nothing."""
