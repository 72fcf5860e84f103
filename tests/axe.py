"""axe-core, the checker of accessibility, as Chromium has it in its developer tools."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import Page

BUNDLE = "devtools/third_party/lighthouse/lighthouse-dt-bundle.js"
_START = "`/*! axe v"
_LISTENING = re.compile(r"DevTools listening on ws://([^/]+)/")
_END = re.compile(r"(?<!\\)`")


def source(chromium: str, folder: Path) -> str | None:
    """The literal with the script, as it is in the bundle of this browser; None if it has none."""
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]
    with subprocess.Popen(
        [*command, f"--user-data-dir={folder}", "about:blank"], stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            said = process.stderr or ()
            host = next((found[1] for line in said if (found := _LISTENING.search(line))), None)
            if host is None:
                return None
            with urlopen(f"http://{host}/{BUNDLE}", timeout=30) as answer:
                bundle = answer.read().decode()
        except OSError:
            return None
        finally:
            process.terminate()
    start = bundle.find(_START)
    end = _END.search(bundle, start + 1)
    return bundle[start : end.end()] if start >= 0 and end else None


def violations(page: Page, script: str) -> list[str]:
    """What axe finds wrong on the page, without what is in its frames."""
    if not page.evaluate("'axe' in window"):
        literal = page.evaluate(f"() => {script}")
        page.evaluate(f"() => {{ {literal} }}")
    found: dict[str, Any] = json.loads(page.evaluate("axe.run(document, { iframes: false }).then(JSON.stringify)"))
    return [f"{one['id']}: {node['html'][:120]}" for one in found["violations"] for node in one["nodes"]]
