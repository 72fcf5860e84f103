"""The browser extension in a real Firefox, driven over its own protocol (Marionette).

Usage: `python tests/firefox.py` loads the extension into a headless Firefox with a new profile, and prints its id,
whether it is active, and the heading of its options. It connects only to this machine.
"""

import contextlib
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

EXTENSION = Path(__file__).parents[1] / "src" / "dehusk" / "extension"
PATIENCE_S = 60.0
# All names resolve to this machine, and there are no background requests.
QUIET: Mapping[str, object] = {
    "marionette.port": 0,  # any free port
    "network.dns.forceResolve": "127.0.0.1",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "app.update.enabled": False,
    "app.normandy.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "extensions.update.enabled": False,
    "services.settings.server": "http://127.0.0.1:9/",
    "toolkit.telemetry.server": "",
}
_ABOUT = """
const [id, done] = arguments;
const { AddonManager } = ChromeUtils.importESModule("resource://gre/modules/AddonManager.sys.mjs");
AddonManager.getAddonByID(id).then(found => done({
  active: found.isActive,
  name: found.name,
  version: found.version,
  host: WebExtensionPolicy.getByID(id).mozExtensionHostname,
}));
"""
_IN_MENU = """
const [argument, done] = arguments;
const menu = document.querySelector(".webextension-popup-browser");
if (!menu) return done(false);
const { messageManager } = menu;
const listener = { receiveMessage: ({ data }) => {
  messageManager.removeMessageListener("dehusk:said", listener);
  done(data);
} };
messageManager.addMessageListener("dehusk:said", listener);
messageManager.loadFrameScript("data:," + encodeURIComponent(`{
  const argument = ${JSON.stringify(argument)};
  sendAsyncMessage("dehusk:said", Boolean(SCRIPT));
}`), false);
setTimeout(() => done(false), 2000);
"""
_CHOOSE = _IN_MENU.replace(
    "SCRIPT",
    "(one => one?.checkVisibility() && !one.disabled && (one.click(), true))(content.document.querySelector(argument))",
)
_SAYS = _IN_MENU.replace("SCRIPT", "content.document.body?.innerText.includes(argument)")
_CLOSE = """
const menu = document.querySelector(".webextension-popup-browser");
menu?.closest("panel")?.hidePopup();
return Boolean(menu);
"""
_CLICK = """
const { ExtensionParent } = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs");
const { extension } = WebExtensionPolicy.getByID(arguments[0]);
return ExtensionParent.apiManager.global.browserActionFor(extension).triggerAction(window);
"""


class FirefoxError(Exception):
    """An error reported by Firefox."""


class Firefox:
    """A running Firefox."""

    def __init__(self, connection: socket.socket) -> None:
        self._stream = connection.makefile("rwb")
        self._asked = 0
        self._read()  # the greeting of the server

    def _read(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            one = self._stream.read(1)
            if not one:
                raise FirefoxError("Firefox has gone")
            length += one
        return json.loads(self._stream.read(int(length[:-1])))

    def send(self, command: str, **parameters: object) -> Any:
        """Sends a command of the protocol."""
        self._asked += 1
        message = json.dumps([0, self._asked, command, parameters]).encode()
        self._stream.write(b"%d:%s" % (len(message), message))
        self._stream.flush()
        _, _, error, result = self._read()
        if error:
            raise FirefoxError(f"{command}: {error['message']}")
        return result.get("value", result) if isinstance(result, dict) else result

    def run(self, script: str, *arguments: object, context: str = "content", waits: bool = False) -> Any:
        """Runs a script in the page or, with "chrome", in the browser itself, and returns its value."""
        self.send("Marionette:SetContext", value=context)
        try:
            command = "WebDriver:ExecuteAsyncScript" if waits else "WebDriver:ExecuteScript"
            return self.send(command, script=script, args=list(arguments))
        finally:
            self.send("Marionette:SetContext", value="content")

    def open(self, url: str) -> None:
        """Opens a page in the tab."""
        self.send("WebDriver:Navigate", url=url)

    def until(self, script: str) -> Any:
        """Waits until a script in the page returns a true value."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if found := self.run(script):
                return found
            time.sleep(0.05)
        raise FirefoxError(f"never came true: {script}")

    def install(self) -> str:
        """Loads the extension from its folder, also for private windows; returns its id."""
        return str(self.send("Addon:Install", path=str(EXTENSION), temporary=True, allowPrivateBrowsing=True))

    def about(self, extension: str) -> Mapping[str, Any]:
        """Whether an extension is active, its name and version, and the host name of its pages."""
        found: Mapping[str, Any] = self.run(_ABOUT, extension, context="chrome", waits=True)
        return found

    def click(self, extension: str) -> None:
        """Clicks the toolbar button of an extension. A menu that is still open is closed first."""
        end = time.monotonic() + PATIENCE_S
        while self.run(_CLOSE, context="chrome") and time.monotonic() < end:
            time.sleep(0.1)
        self.run(_CLICK, extension, context="chrome")

    def choose(self, selector: str) -> None:
        """Clicks a button of the open menu of an extension, as soon as it can be seen."""
        self._until_in_chrome(_CHOOSE, selector)

    def menu(self, text: str) -> None:
        """Waits until the open menu of an extension has this text."""
        self._until_in_chrome(_SAYS, text)

    def _until_in_chrome(self, script: str, argument: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if self.run(script, argument, context="chrome", waits=True):
                return
            time.sleep(0.1)
        raise FirefoxError(f"the menu has no {argument}")

    def private_window(self) -> None:
        """Opens a private window and goes on in it."""
        handle = self.send("WebDriver:NewWindow", type="window", private=True)["handle"]
        self.send("WebDriver:SwitchToWindow", handle=handle, focus=True)


@contextmanager
def firefox(path: str) -> Iterator[Firefox]:
    """Runs a headless Firefox with a new profile while the context is open."""
    with tempfile.TemporaryDirectory() as folder:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in QUIET.items()]
        Path(folder, "user.js").write_text("".join(lines), "utf-8")
        command: Sequence[str] = [
            path,
            "--headless",
            "--marionette",
            "--remote-allow-system-access",
            "--no-remote",
            "--profile",
            folder,
        ]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                with _connected(Path(folder, "MarionetteActivePort")) as connection:
                    started = Firefox(connection)
                    started.send("WebDriver:NewSession")
                    yield started
                    with contextlib.suppress(FirefoxError):
                        started.send("Marionette:Quit", flags=["eForceQuit"])
            finally:
                process.terminate()


def _connected(told: Path) -> socket.socket:
    """Connects to the port that Firefox writes to a file once it is listening."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        with contextlib.suppress(OSError, ValueError):  # there is no file yet, or it is empty
            return socket.create_connection(("127.0.0.1", int(told.read_text())), timeout=PATIENCE_S)
        time.sleep(0.05)
    raise FirefoxError("Firefox did not start")


def installed() -> str | None:
    """The path of a Firefox, if there is one."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


def main() -> int:
    """Load the extension and print its id and state."""
    path = installed()
    if not path:
        print("There is no Firefox here: install the package firefox-esr.")
        return 1
    with firefox(path) as browser:
        extension = browser.install()
        about = browser.about(extension)
        print(f"{about['name']} {about['version']} ({extension}) is {'active' if about['active'] else 'NOT ACTIVE'}.")
        browser.open(f"moz-extension://{about['host']}/options.html")
        heading = browser.until("return document.querySelector('h2')?.textContent")
        print(f"Its options open: {heading}.")
        return 0 if about["active"] else 1


if __name__ == "__main__":
    sys.exit(main())
