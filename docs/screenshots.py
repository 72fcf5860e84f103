"""Take the screenshots of the documentation: the demo site in a real Chromium, with the installed service.

Usage: `make screenshots` takes all of them. `python docs/screenshots.py docs NAME ...` takes some; it needs `tests` and
`examples` in PYTHONPATH.
"""

import argparse
import base64
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

import demo_site
from browsing import QUIET, inside, served, serving_dehusk, shown
from toolbar import Menu, Toolbar, with_extension

SITE = "tidewater.test"
PRODUCT = "shop/pier-lantern.html"
DARK = [{"name": "prefers-color-scheme", "value": "dark"}]

SCROLLING_MS = 1500
"""How long the page takes to scroll to the first change."""


@dataclass
class Studio:
    """The subjects of the pictures: the demo site, the service, and a browser with the extension."""

    folder: Path
    stack: ExitStack
    playwright: Playwright

    @property
    def chromium(self) -> str:
        """The path of the browser."""
        return shutil.which("chromium") or "chromium"

    @cached_property
    def site(self) -> Path:
        """The demo site as files that may be changed."""
        site = self.folder / "site"
        for name, html in demo_site.pages().items():
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).write_text(html, "utf-8")
        return site

    @cached_property
    def port(self) -> str:
        """The port of the demo site."""
        return self.stack.enter_context(served(self.site)).rpartition(":")[2]

    @cached_property
    def service(self) -> str:
        """The printed line of `dehusk serve`."""
        return self.stack.enter_context(_service(self.folder))

    @cached_property
    def toolbar(self) -> Toolbar:
        """The browser with the extension, paired with the service."""
        toolbar = self.stack.enter_context(with_extension(self.playwright, self.chromium, self.folder / "profile"))
        toolbar.pair(self.service)
        return toolbar

    @cached_property
    def browser(self) -> Browser:
        """A browser without the extension."""
        browser = self.playwright.chromium.launch(executable_path=self.chromium, args=[*QUIET])
        self.stack.callback(browser.close)
        return browser

    @cached_property
    def viewer(self) -> str:
        """The URL of the viewer with the demo site."""
        (self.folder / "viewer").mkdir()
        return self.stack.enter_context(serving_dehusk(self.folder / "viewer", self.site)).printed

    def looked_at(self, address: str, *, dark: bool = False, phone: bool = False) -> Page:
        """The viewer or a report, with a page of the shop."""
        size = {"width": 390, "height": 844} if phone else {"width": 1280, "height": 800}
        scheme = "dark" if dark else "light"
        page = self.browser.new_context(viewport=size, color_scheme=scheme).new_page()  # type: ignore[arg-type]
        page.goto(address)
        page.locator("#frame[data-page]").wait_for()
        if phone:
            page.click("#fold")
        shown(page, "pier-lantern")
        if not phone:
            page.fill("#search", "")
            page.locator("#search").blur()
        return page

    def run(self, *words: object) -> None:
        """Runs a command of dehusk."""
        subprocess.run([str(Path(sys.executable).with_name("dehusk")), *map(str, words), "-q"], check=True)

    def tab(self, host: str = SITE) -> Page:
        """A page of the demo site in a new tab; each host is a separate site."""
        page = self.toolbar.context.new_page()
        page.goto(f"http://{host}:{self.port}/{PRODUCT}")
        return page

    def composed(self, html: str) -> bytes:
        """A picture of some HTML."""
        page = self.toolbar.context.new_page()
        page.set_content(f"<style>body{{margin:0;display:inline-block}}</style>{html}")
        picture = page.locator("body").screenshot()
        page.close()
        return picture


@contextmanager
def _service(folder: Path) -> Iterator[str]:
    command = [str(Path(sys.executable).with_name("dehusk")), "serve", "--port", "0", "--store", str(folder / "store")]
    home = {**os.environ, "XDG_DATA_HOME": str(folder)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=home) as process:
        yield process.stdout.readline().strip() if process.stdout else ""
        process.terminate()


def _picture(menu: Menu) -> str:
    """The open menu as a data URL."""
    return "data:image/png;base64," + str(menu.send("Page.captureScreenshot")["data"])


def _with_menu(studio: Studio, page: Page, menu: Menu) -> bytes:
    """The page with the menu at its place in the browser."""
    below = "data:image/png;base64," + base64.b64encode(page.screenshot()).decode()
    above = "position:absolute;right:24px;top:8px;border:1px solid #0003;border-radius:10px;box-shadow:0 8px 32px #0005"
    images = f'<img src="{below}" style="display:block"><img src="{_picture(menu)}" style="{above}">'
    return studio.composed(f'<div style="position:relative">{images}</div>')


def extension(studio: Studio) -> bytes:
    """One click: the template tinted, and the menu."""
    page = studio.tab()
    menu = studio.toolbar.click(page)
    picture = _with_menu(studio, page, menu)
    menu.close()
    return picture


def extension_changes(studio: Studio) -> bytes:
    """What changed since the last visit."""
    page = studio.tab("changes.test")
    menu = studio.toolbar.click(page)
    menu.choose("Save template")
    menu.choose("What changed since my last visit")
    menu.close()
    file = studio.site / PRODUCT
    before = file.read_text("utf-8")
    after = before.replace("€89.00", "€79.00").replace("morning ferry", "evening ferry this week")
    first = after.index("<p>", after.index('class="description"'))
    second = after.index("</p>", first) + 4
    file.write_text(f"{after[:first]}<p>Now with a spare wick of plaited cotton.</p>{after[second:]}", "utf-8")
    page.reload()
    menu = studio.toolbar.click(page)
    menu.choose("What changed since my last visit")
    menu.close()
    file.write_text(before, "utf-8")
    page.wait_for_timeout(SCROLLING_MS)
    return page.screenshot()


def extension_fix(studio: Studio) -> bytes:
    """A correction, before it is saved."""
    page = studio.tab("fix.test")
    studio.toolbar.click(page).choose("Fix this")
    card = studio.toolbar.card(page)
    page.mouse.click(150, 440)
    card.wait("On other pages of the site")
    return page.screenshot()


def extension_menus(studio: Studio) -> bytes:
    """The menu when the service is down, when it is not paired, and in dark mode."""
    page, pictures = studio.tab("menus.test"), []
    line = {"address": studio.service.partition("/#")[0], "token": studio.service.partition("token=")[2]}
    for settings in ({"address": "http://127.0.0.1:9"}, {**line, "token": "wrong-token"}, line):
        studio.toolbar.run(f"chrome.storage.local.set({settings})")
        menu = studio.toolbar.click(page)
        if settings is line:
            menu.send("Emulation.setEmulatedMedia", features=DARK)
        pictures.append(_picture(menu))
        menu.close()
    images = "".join(f'<img src="{one}" style="outline:1px solid #0002">' for one in pictures)
    return studio.composed(
        f'<div style="display:flex;gap:24px;align-items:start;padding:24px;background:#e9ebe4">{images}</div>'
    )


def extension_options(studio: Studio) -> bytes:
    """The options."""
    page = studio.toolbar.options()
    page.set_viewport_size({"width": 760, "height": 720})
    page.click("#test")
    page.wait_for_selector("#result.good")
    return page.screenshot()


def viewer(studio: Studio) -> bytes:
    """A correction in the viewer, drawn on the page before it is saved."""
    page = studio.looked_at(studio.viewer)
    inside(page, "aside.side h2").first.click()
    page.get_by_role("button", name="Keep on 14 pages").wait_for()
    return page.screenshot()


def viewer_table(studio: Studio) -> bytes:
    """The columns of a table on a page, with a selected one, and the rows beside it."""
    page = studio.looked_at(studio.viewer)
    page.click("[data-look=table]")
    page.get_by_text("14 rows of 12 columns").wait_for()
    page.get_by_text("of the text of its 30 pages").wait_for()
    page.get_by_label("Name of the column price").focus()
    page.wait_for_timeout(300)
    return page.screenshot()


def viewer_dark(studio: Studio) -> bytes:
    """A page beside its content, with another method, in dark mode."""
    page = studio.looked_at(studio.viewer, dark=True)
    page.select_option("#method", "rtdm")
    inside(page, "[data-husk-changed]").first.wait_for(state="attached")
    page.get_by_text("of the text of its 30 pages").wait_for()
    page.click("[data-look=beside]")
    return page.screenshot()


def viewer_plain(studio: Studio) -> bytes:
    """A page without style sheets: its template tinted, and its content for reading."""
    site = studio.folder / "harbour-office" / "pages"
    site.mkdir(parents=True)
    pages = [page.splitlines() for page in PLAIN_PAGES.strip().split("\n\n")]
    menu = "".join(f"<li><a href={title.split()[0].lower()}.html>{title}</a>" for title, *_ in pages)
    for title, *paragraphs in pages:
        text = "".join(f"<p>{one}</p>" for one in paragraphs)
        file = site / f"{title.split()[0].lower()}.html"
        file.write_text(PLAIN_PAGE.format(title=title, menu=menu, text=text), "utf-8")
    studio.run("show", site, "-o", studio.folder / "plain.html")
    pictures = []
    for view in ("tinted", "content"):
        page = studio.browser.new_context(viewport={"width": 1000, "height": 760}).new_page()
        page.goto(f"{(studio.folder / 'plain.html').as_uri()}#page=berths.html&view={view}")
        page.locator("#frame[data-page]").wait_for(state="attached")
        page.wait_for_timeout(300)
        pictures.append(page.screenshot())
    return _beside(studio, pictures)


def viewer_phone(studio: Studio) -> bytes:
    """The viewer on a phone, in light and dark mode."""
    pictures = []
    for dark in (False, True):
        page = studio.looked_at(studio.viewer, dark=dark, phone=True)
        inside(page, "h1").click()
        page.get_by_role("button", name="Remove on 14 pages").wait_for()
        pictures.append(page.screenshot())
    return _beside(studio, pictures)


def report(studio: Studio) -> bytes:
    """The report as a file, with the pointer on a part of a page."""
    studio.run("show", studio.site, "-o", studio.folder / "report.html")
    page = studio.looked_at((studio.folder / "report.html").as_uri())
    inside(page, "aside.side li").nth(2).hover()
    return page.screenshot()


def diff(studio: Studio) -> bytes:
    """Two versions of a page, compared."""
    old, new, husk = studio.site / PRODUCT, studio.folder / "new.html", studio.folder / "site.husk"
    after = old.read_text("utf-8").replace("€89.00", "€79.00").replace("morning ferry", "evening ferry this week")
    first = after.index("</p>", after.index('class="description"')) + 4
    new.write_text(f"{after[:first]}<p>Now with a spare wick of plaited cotton.</p>{after[first:]}", "utf-8")
    studio.run("learn", studio.site, "-o", husk)
    studio.run("diff", old, new, "-t", husk, "-o", studio.folder / "diff.html")
    pictures = []
    for scheme, width in (("light", 900), ("dark", 390)):
        size = {"width": width, "height": 900}
        page = studio.browser.new_context(viewport=size, color_scheme=scheme).new_page()  # type: ignore[arg-type]
        page.goto((studio.folder / "diff.html").as_uri())
        pictures.append(page.screenshot())
        page.get_by_role("link", name="Go to the first change").click()
        pictures.append(page.screenshot())
    return _beside(studio, pictures)


PLAIN_PAGE = (
    "<!DOCTYPE html><html lang=en><title>{title} - Harbour Office</title><link rel=stylesheet href=lost.css>"
    "<p><a href=berths.html>Harbour Office</a> Open from seven to five</p><ul>{menu}</ul><h1>{title}</h1>{text}"
    "<p>Harbour Office, 1 Quay Street. Calls to the harbour master cost nothing.</p>"
)
PLAIN_PAGES = """
Berths for visitors
Visitors find eleven berths along the north quay, each with water and a ladder. The depth at low tide is three metres.
Tell the office your length and your draught before you arrive. A berth is kept for you until six in the evening.
The first night is free for boats that seek shelter from a storm, and for anyone who brings the post.

Tides of the week
High water comes at a quarter past four on Monday and forty minutes later on each day that follows.
The gauge at the lighthouse is right to a hand's breadth; the one at the slip was moved and is not.

The ferry to the island
The ferry leaves when the bell has rung twice, with at most forty people and no carts. In fog it waits for the wind.
Bicycles travel on the foredeck. Dogs pay nothing but need a leash, since the skipper has a cat.

Fees of the harbour
A boat of up to eight metres pays nine crowns for a night, a longer one a crown more for each metre begun.
Water is free. Power is paid by the meter on the post, in coins, which the office changes.
"""


def _beside(studio: Studio, pictures: Sequence[bytes]) -> bytes:
    """Joins pictures side by side."""
    images = "".join(
        f'<img src="data:image/png;base64,{base64.b64encode(one).decode()}" style="flex:none;outline:1px solid #0002">'
        for one in pictures
    )
    page = studio.browser.new_page()
    page.set_content(
        f'<body style="margin:0;width:max-content;display:flex;gap:32px;padding:24px;background:#e9ebe4">{images}'
    )
    return page.locator("body").screenshot()


PICTURES: Mapping[str, Callable[[Studio], bytes]] = {
    "viewer": viewer,
    "viewer-table": viewer_table,
    "viewer-dark": viewer_dark,
    "viewer-plain": viewer_plain,
    "viewer-phone": viewer_phone,
    "report": report,
    "diff": diff,
    "extension": extension,
    "extension-changes": extension_changes,
    "extension-fix": extension_fix,
    "extension-menus": extension_menus,
    "extension-options": extension_options,
}


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", default=list(PICTURES), metavar="NAME", help=", ".join(PICTURES))
    options = parser.parse_args()
    names: Sequence[str] = options.names
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        studio = Studio(folder, stack, stack.enter_context(sync_playwright()))
        for name in names:
            (options.folder / f"{name}.png").write_bytes(PICTURES[name](studio))
            print(f"{name}.png")


if __name__ == "__main__":
    main()
