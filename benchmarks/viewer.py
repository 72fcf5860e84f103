"""Prints how long the viewer takes to show a page of a large site, in a real Chromium.

    PYTHONPATH=tests:examples python benchmarks/viewer.py [SOURCE] [--old DIR] [--pages N]

Starts `dehusk serve` with SOURCE (by default N pages made from the demo site), opens the viewer, and goes to the next
page some times. With `--old`, the `src` folder of another version, both are measured in turns.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

import demo_site
from browsing import QUIET

NEXT = 12
"""How many times the next page is opened."""

NOTED = """
addEventListener("DOMContentLoaded", () => {
  window.shownAt = 0;
  const frame = document.getElementById("frame");
  new MutationObserver(() => { if (frame.dataset.page) window.shownAt = performance.now(); })
    .observe(frame, { attributeFilter: ["data-page"] });
});
"""
"""Notes when a page is shown, in the browser itself."""


@dataclass
class Times:
    """Seconds: to the first paint of the viewer, to its first page, to each next page; and the number of pages."""

    paint: list[float] = field(default_factory=list)
    page: list[float] = field(default_factory=list)
    next: list[float] = field(default_factory=list)
    listed: str = ""

    def line(self, name: str) -> str:
        """A row of the table."""
        worst = max(self.next)
        figures = (median(self.paint), median(self.page), self.page[0], median(self.next), worst)
        return f"| {name} | {self.listed} | " + " | ".join(f"{one:.2f}" for one in figures) + " |"


def made(folder: Path, count: int) -> Path:
    """A site of so many pages: those of the demo site again and again, each with a sentence of its own."""
    pages = list(demo_site.pages().items())
    for number in range(count):
        name, html = pages[number % len(pages)]
        file = folder / "site" / f"{number:04}-{name.replace('/', '-')}"
        file.parent.mkdir(exist_ok=True)
        file.write_text(html.replace("</h1>", f"</h1><p>Number {number} of its kind.</p>", 1), "utf-8")
    return folder / "site"


@contextmanager
def serving(source: Path, package: Path) -> Iterator[str]:
    """The printed address of a service of one version."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "dehusk", "serve", str(source), "--port", "0", "--store", f"{folder}/s", "-q"]
        home = {**os.environ, "XDG_DATA_HOME": folder, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=home) as process:
            try:
                yield process.stdout.readline().strip() if process.stdout else ""
            finally:
                process.terminate()


def _shown(page: Page) -> float:
    """When a page was shown, in milliseconds. Waits for it."""
    while not (at := float(page.evaluate("window.shownAt"))):
        time.sleep(0.01)
    return at


def measure(browser: Browser, address: str, times: Times) -> None:
    """Opens the viewer and goes through some pages."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(NOTED)
    page.goto(address)
    shown_at = _shown(page)
    times.paint.append(
        float(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")) / 1e3
    )
    times.page.append(shown_at / 1e3)
    for _ in range(NEXT):
        time.sleep(0.5)  # as long as a quick reader looks at a page
        asked = float(
            page.evaluate("() => { window.shownAt = 0; const at = performance.now(); ACTIONS.j(); return at; }")
        )
        times.next.append((_shown(page) - asked) / 1e3)
    times.listed = page.locator("#count").inner_text()
    context.close()


def main(given: Sequence[str] | None = None) -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", nargs="?", type=Path)
    parser.add_argument("--old", type=Path, metavar="DIR", help="the src folder of another version")
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--times", type=int, default=3, help="how often the viewer is opened")
    options = parser.parse_args(given)
    ours = Path(__file__).parents[1] / "src"
    versions = {**({"old": options.old} if options.old else {}), "new": ours}
    times = {name: Times() for name in versions}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        source = options.source or made(Path(folder), options.pages)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=[*QUIET])
        measure_all(browser, source, versions, times, options.times)
        browser.close()
    print("| version | pages | first paint | first page | first page, cold | next page | next page, worst |")
    print("|---|---|---|---|---|---|---|")
    for name, found in times.items():
        print(found.line(name))


def measure_all(browser: Browser, source: Path, versions: dict[str, Path], times: dict[str, Times], count: int) -> None:
    """Opens each version so many times."""
    browser.new_page().goto("about:blank")  # the first page of a browser is slow
    for name, package in versions.items():
        with serving(source, package) as address:
            for _ in range(count):
                measure(browser, address, times[name])


if __name__ == "__main__":
    main()
