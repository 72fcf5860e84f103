"""The extension in a real Chromium with the installed service: what the toolbar button does to a page."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self
from urllib.request import urlopen
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, Playwright

from browsing import LANTERN, Watched
from conftest import SHARED
from toolbar import Card, Toolbar, with_extension

ENDLESS = "/endless.html"
"""A page of each site that never ends."""
DEHUSK = Path(sys.executable).with_name("dehusk")
YELLOW, GREY, TINT = "rgb(255, 243, 176)", "rgb(238, 238, 238)", "rgb(253, 226, 221)"


class Site:
    """The demo site on loopback under any host name, in a folder that tests may change, with a log of requests."""

    def __init__(self, folder: Path, port: int, asked: list[tuple[str, str, str]]) -> None:
        self.folder, self.port, self._asked = folder, port, asked

    def url(self, host: str, path: str = LANTERN) -> str:
        """The URL of a page on a site with this name."""
        return f"http://{host}.test:{self.port}/{path}"

    def asked(self, host: str) -> list[tuple[str, str]]:
        """The requested paths of a site, with the cookies of each request."""
        own = [(path, cookie) for name, path, cookie in self._asked if name.startswith(f"{host}.test")]
        return [(path, cookie) for path, cookie in own if path != "/favicon.ico"]


@pytest.fixture(scope="module")
def site(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site") / "site"
    shutil.copytree(demo_folder, folder)
    asked: list[tuple[str, str, str]] = []
    closed = threading.Event()

    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.headers["Host"], self.path, self.headers.get("Cookie", "")))
            if self.path == ENDLESS:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!DOCTYPE html><p>The beginning of a page." + b" " * 4096)
                closed.wait()
            else:
                super().do_GET()

        def end_headers(self) -> None:
            self.send_header("Set-Cookie", "known=yes; Path=/")
            self.send_header("Cache-Control", "no-store")
            if "strict" in self.headers["Host"]:
                self.send_header("Content-Security-Policy", "default-src 'none'")
            super().end_headers()

        def log_message(self, *_: object) -> None:
            """Logs nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        server.daemon_threads = True
        yield Site(folder, server.server_port, asked)
        closed.set()
        server.shutdown()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store") / "sites.store"


@pytest.fixture(scope="module")
def service(store: Path) -> Iterator[str]:
    """The line that the installed `dehusk serve` prints."""
    home = {**os.environ, "XDG_DATA_HOME": str(store.parent / "data")}
    command = [str(DEHUSK), "serve", "--port", "0", "--store", str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=home) as process:
        assert process.stdout
        line = process.stdout.readline().strip()
        assert line, "the service did not start"
        yield line
        process.terminate()


@pytest.fixture(scope="module")
def unpaired(playwright: Playwright, chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toolbar]:
    with with_extension(playwright, chromium, tmp_path_factory.mktemp("profile")) as toolbar:
        yield toolbar


@pytest.fixture
def toolbar(unpaired: Toolbar, service: str) -> Toolbar:
    """The extension, paired with the service."""
    address, _, token = service.partition("/#token=")
    unpaired.run(f"chrome.storage.local.set({json.dumps({'address': address, 'token': token})})")
    return unpaired


@pytest.fixture
def tab(unpaired: Toolbar) -> Iterator[Page]:
    """A tab of the browser with the extension."""
    page = unpaired.context.new_page()
    yield page
    page.close()


def marks(page: Page) -> dict[str, str]:
    """The marked elements of a page, with their classes."""
    told = "all => all.map(one => [`${one.localName}.${one.className}`, one.dataset.dehusk])"
    return dict(page.locator("[data-dehusk]").evaluate_all(told))


def husks(page: Page) -> set[str]:
    return {element for element, mark in marks(page).items() if mark == "husk"}


def style(page: Page, selector: str, name: str) -> str:
    return str(page.evaluate(f"getComputedStyle(document.querySelector({json.dumps(selector)}))[{json.dumps(name)}]"))


def html(page: Page) -> str:
    return str(page.evaluate("document.documentElement.outerHTML"))


def test_one_click_tints_the_template_of_a_page_and_nothing_else(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("tint"))
    menu = toolbar.click(tab)
    assert husks(tab) == {"header.top", "nav.crumbs", "aside.side", "button.buy", "section.related", "footer.foot"}
    assert style(tab, "footer", "backgroundColor") == TINT
    assert style(tab, "main p", "backgroundColor") != TINT
    assert re.search(r"\d\d% of this page’s text is template", menu.text)
    menu.close()


def test_a_second_click_leaves_the_page_as_it_is_shown(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("second"))
    menu = toolbar.click(tab)
    menu.choose("Show content only")
    menu.close()
    menu = toolbar.click(tab)
    assert style(tab, "footer", "display") == "none"
    menu.close()


def test_content_only_hides_the_template_and_show_template_hides_the_content(
    toolbar: Toolbar, tab: Page, site: Site
) -> None:
    tab.goto(site.url("views"))
    menu = toolbar.click(tab)
    menu.choose("Show content only")
    assert not tab.locator("header.top").is_visible()
    assert not tab.locator("footer.foot").is_visible()
    assert tab.locator("main h1").is_visible()
    assert tab.locator("main").bounding_box()["width"] > 800  # type: ignore[index] # the column of the menu is removed
    menu.choose("Show template")
    assert tab.locator("header.top").is_visible()
    assert style(tab, "main h1", "webkitTextFillColor") == "rgba(0, 0, 0, 0)"
    menu.close()


def test_the_restored_page_has_no_trace_of_the_extension(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("trace"))
    before = html(tab)
    menu = toolbar.click(tab)
    for view in ("Show template", "Show content only", "What changed since my last visit", "Tint the template"):
        menu.choose(view)
        assert html(tab) != before
    menu.choose("The page as it was")
    assert html(tab) == before
    assert style(tab, "footer", "backgroundColor") != TINT
    menu.close()


def test_the_template_is_extracted_by_votes_and_the_default_is_one_click_away(
    toolbar: Toolbar, tab: Page, site: Site
) -> None:
    tab.goto(site.url("votes"))
    menu = toolbar.click(tab)
    menu.choose("Extract template by votes of linked pages")
    assert re.search(r"By 2 of 3 votes; \d+ pages loaded; not saved", menu.text)
    assert style(tab, "footer", "backgroundColor") == TINT
    menu.choose("Tint the template")
    assert "votes;" not in menu.text
    assert "footer.foot" in husks(tab)
    menu.close()


def test_linked_pages_are_read_once_without_cookies_and_within_limits(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("linked"))
    tab.reload()
    before = site.asked("linked")
    assert before[-1][1] == "known=yes"
    menu = toolbar.click(tab)
    menu.choose("Show template")
    asked = site.asked("linked")[len(before) :]
    assert 3 <= len(asked) <= 12
    assert len(set(asked)) == len(asked)
    assert all(path.endswith(".html") and not cookie for path, cookie in asked)
    menu.close()


def test_a_page_is_not_said_to_be_compared_and_alone(toolbar: Toolbar, tab: Page, site: Site) -> None:
    links = "<nav><a href=/pair-one.html>One</a> <a href=/pair-two.html>Two</a></nav>"
    story = "".join(f"<p>Part {n} of what both pages say about the harbour and its boats.</p>" for n in range(5))
    for name in ("one", "two"):  # one is a copy of the other
        html = f"<!DOCTYPE html><title>Harbour</title>{links}<h1>Harbour</h1>{story}"
        (site.folder / f"pair-{name}.html").write_text(html, "utf-8")
    tab.goto(site.url("pair", "pair-one.html"))
    menu = toolbar.click(tab)
    assert "Judged by itself: 1 linked page did not help" in menu.text
    assert "earned from one page" not in menu.text
    menu.close()


def test_typed_text_is_not_read(toolbar: Toolbar, tab: Page, site: Site) -> None:
    body = (
        "<form><input name=a><input type=password name=b value=given><input type=hidden value=csrf>"
        "<textarea>old</textarea><select><option>one<option selected>two</select><input type=submit value=Send></form>"
        "<div contenteditable>draft</div><script>var session = 'inline'</script>"
        "<script type='application/ld+json'>{}</script><p>Said to everybody.</p>"
    )
    (site.folder / "form.html").write_text(f"<!DOCTYPE html><title>Form</title><body>{body}", "utf-8")
    tab.goto(site.url("form", "form.html"))
    tab.fill("[name=a]", "my name")
    tab.fill("[name=b]", "my password")
    tab.fill("textarea", "my letter")
    toolbar.click(tab).close()
    read = toolbar.card(tab).beside("dehusk.snapshot().html")
    for secret in ("my name", "my password", "my letter", "given", "csrf", "old", "selected", "draft", "inline"):
        assert secret not in read
    assert "Said to everybody." in read
    assert 'value="Send"' in read


def test_a_part_that_was_removed_after_the_page_was_read_is_skipped(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("moving"))
    menu = toolbar.click(tab)
    tab.evaluate("document.querySelector('aside').remove(); document.body.prepend(document.createElement('header'))")
    menu.choose("Show template")
    menu.choose("Tint the template")
    assert husks(tab) == {"header.top", "nav.crumbs", "button.buy", "section.related", "footer.foot"}
    assert "1 place changed meanwhile" in menu.text
    menu.close()


def test_noscript_does_not_hide_the_rest_of_the_page(toolbar: Toolbar, tab: Page, site: Site) -> None:
    rewritten(site, "noscript.html", ("<body>", "<body><noscript><iframe src=/counter></noscript>"))
    tab.goto(site.url("noscript", "shop/noscript.html"))
    toolbar.click(tab).close()
    assert "footer.foot" in husks(tab)


def test_a_page_with_the_strictest_policy_is_tinted_too(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("strict"))
    menu = toolbar.click(tab)
    assert "footer.foot" in husks(tab)
    assert style(tab, "footer", "backgroundColor") == TINT
    menu.choose("What changed since my last visit")
    assert toolbar.card(tab).inside("getComputedStyle(root.querySelector('.card')).position") == "fixed"
    menu.close()


def test_a_text_node_is_tinted_without_a_new_element(toolbar: Toolbar, tab: Page, site: Site) -> None:
    body = "<div>First <a href=/>link</a> second</div><p>Text.</p>"
    (site.folder / "loose.html").write_text(f"<!DOCTYPE html><title>Loose</title><body>{body}", "utf-8")
    tab.goto(site.url("loose", "loose.html"))
    toolbar.click(tab).close()
    before = html(tab)
    beside = toolbar.card(tab).beside
    beside("dehusk.paint.mark(dehusk.places.find(dehusk.snapshot(), 'body > div::text(2)'), 'husk', {})")
    assert tab.evaluate("String([...CSS.highlights.get('dehusk-husk')][0])").strip() == "second"
    assert (
        tab.evaluate("getComputedStyle(document.querySelector('div'), '::highlight(dehusk-husk)').backgroundColor")
        == TINT
    )
    assert html(tab) == before
    beside("dehusk.paint.clear()")
    assert tab.evaluate("CSS.highlights.size") == 0


# ------------------------------------------------------------------------------------------------- what changed


def rewritten(site: Site, name: str, *changes: tuple[str, str]) -> None:
    """Writes another version of the lantern page under a new name."""
    page = (site.folder / LANTERN).read_text("utf-8")
    for old, new in changes:
        assert old in page
        page = page.replace(old, new)
    (site.folder / "shop" / name).write_text(page, "utf-8")


NEW = "<p>Now with a spare wick of plaited cotton, which lasts for a whole winter of evenings.</p>"


def test_a_changed_page_shows_additions_in_yellow_and_removed_text_in_grey(
    toolbar: Toolbar, tab: Page, site: Site
) -> None:
    rewritten(site, "news.html")
    tab.goto(site.url("news", "shop/news.html"))
    menu = toolbar.click(tab)
    menu.choose("Save template")
    menu.choose("What changed since my last visit")
    assert "This is your first visit" in menu.text
    menu.close()
    gone = re.search(r"<p>(The lantern that hangs.*?)</p>", (site.folder / LANTERN).read_text("utf-8"), re.DOTALL)
    assert gone
    rewritten(
        site,
        "news.html",
        (gone[0], ""),
        ('<section class="specs">', f'{NEW}<section class="specs">'),
        ("€89.00", "€79.00"),
    )
    tab.reload()
    menu = toolbar.click(tab)
    menu.choose("What changed since my last visit")
    assert "content changes since" in menu.text
    assert style(tab, "main > p", "backgroundColor") == YELLOW
    assert words(toolbar.card(tab)) == ["€79.00"]
    assert tab.inner_text(".price dehusk-gone") == "€89.00"
    assert style(tab, ".description > dehusk-gone", "backgroundColor") == GREY
    assert "The lantern that hangs" in tab.inner_text(".description > dehusk-gone")
    assert "€89.00 €79.00" in toolbar.card(tab).text
    menu.choose("The page as it was")
    assert "dehusk" not in html(tab)
    menu.close()


def words(card: Card) -> list[str]:
    """The texts that are marked as added, word by word."""
    found = card.beside("[...(CSS.highlights.get('dehusk-added') ?? [])].map(range => range.toString())")
    return [str(text) for text in found]


def test_only_the_words_that_changed_are_marked_and_steps_lead_to_each(toolbar: Toolbar, tab: Page, site: Site) -> None:
    text = "<p id={0}>A <b>{1} wick</b> of plaited cotton burns for a whole {2} of long evenings here.</p>"
    far = "<p style='height: 3000px'>Far.</p>"

    def write(wick: str, season: str) -> None:
        new = far + text.format("first", wick, "winter") + far + text.format("second", "spare", season)
        rewritten(site, "words.html", ('<section class="specs">', f'<div>{new}</div><section class="specs">'))

    write("spare", "winter")
    tab.goto(site.url("words", "shop/words.html"))
    menu = toolbar.click(tab)
    menu.choose("Save template")
    menu.choose("What changed since my last visit")
    menu.close()
    write("thick spare", "year")
    tab.reload()
    before = html(tab)
    menu = toolbar.click(tab)
    menu.choose("What changed since my last visit")
    card = toolbar.card(tab)
    assert words(card) == ["thick", "year"]
    assert tab.inner_text("#second dehusk-gone") == "winter"
    assert "1 of 2" in card.text
    menu.close()
    seen = "one => { const at = one.getBoundingClientRect(); return at.top >= 0 && at.bottom <= innerHeight }"
    tab.wait_for_function(f"({seen})(document.querySelector('#first'))")
    card.click("Next")
    card.wait("2 of 2")
    tab.wait_for_function(f"({seen})(document.querySelector('#second'))")
    card.click("Previous")
    card.wait("1 of 2")
    menu = toolbar.click(tab)
    menu.choose("The page as it was")
    assert html(tab) == before
    assert tab.evaluate("document.querySelector('#second').childNodes.length") == 3  # as before: text, b, text
    menu.close()


def test_a_badge_says_who_tinted_the_page_and_takes_the_tint_off(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("badge"))
    before = html(tab)
    toolbar.click(tab).close()
    card = toolbar.card(tab)
    assert "Tinted by dehusk" in card.inside("root.querySelector('.badge').innerText")
    card.click("Take it off")
    tab.wait_for_selector("[data-dehusk]", state="detached")
    assert html(tab) == before


def test_frames_of_the_same_site_are_judged_and_others_are_not(toolbar: Toolbar, tab: Page, site: Site) -> None:
    frames = (
        f'<iframe name=own src="/{LANTERN}" width=800 height=600></iframe>'
        f'<iframe name=other src="{site.url("elsewhere")}" width=800 height=600></iframe>'
    )
    rewritten(site, "frames.html", ("</main>", f"{frames}</main>"))
    tab.goto(site.url("frames", "shop/frames.html"))
    menu = toolbar.click(tab)
    own, other = tab.frame(name="own"), tab.frame(name="other")
    assert own
    assert other
    own.wait_for_selector("footer[data-dehusk=husk]", state="attached")  # the menu does not wait for frames
    assert own.locator("dehusk-panel").count() == 0
    assert other.locator("[data-dehusk]").count() == 0
    menu.choose("Show content only")
    own.wait_for_selector("footer", state="hidden")
    menu.close()
    toolbar.card(tab).click("Take it off")
    own.wait_for_selector("[data-dehusk]", state="detached")


def test_template_changes_are_dimmed_and_counted(toolbar: Toolbar, tab: Page, site: Site) -> None:
    rewritten(site, "husk.html")
    tab.goto(site.url("husk", "shop/husk.html"))
    menu = toolbar.click(tab)
    menu.choose("Save template")
    menu.choose("What changed since my last visit")
    menu.close()
    rewritten(
        site,
        "husk.html",
        ("Every parcel leaves on the morning ferry", "Every parcel leaves on the evening ferry this week"),
    )
    tab.reload()
    menu = toolbar.click(tab)
    menu.choose("What changed since my last visit")
    assert "Only the template changed" in menu.text
    assert "1 template change is dimmed" in menu.text
    assert marks(tab) == {"p.": "rewritten husk"}
    assert float(style(tab, "aside p", "opacity")) < 1
    menu.close()


def test_an_unchanged_page_is_reported_as_unchanged(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("same"))
    before = datetime.now(ZoneInfo("Asia/Tokyo"))
    for said in ("This is your first visit", "Nothing changed since"):
        menu = toolbar.click(tab)
        menu.choose("What changed since my last visit")
        assert said in menu.text
        told = menu.text
        menu.close()
        tab.reload()
    minutes = 1 + (datetime.now(ZoneInfo("Asia/Tokyo")) - before) // timedelta(minutes=1)
    times = [before + timedelta(minutes=minute) for minute in range(minutes + 1)]
    assert any(f", {time.hour % 12 or 12}:{time.minute:02}" in told for time in times)


# ---------------------------------------------------------------------------------------------------- Fix this


def test_a_correction_is_previewed_saved_used_by_the_command_line_and_undone(
    toolbar: Toolbar, tab: Page, site: Site, store: Path, tmp_path: Path
) -> None:
    tab.goto(site.url("fix"))
    toolbar.click(tab).choose("Fix this")
    fix = toolbar.card(tab)
    assert "aside.side" in husks(tab)
    tab.mouse.click(150, 440)  # the box below the side menu
    fix.wait("On other pages of the site")
    assert "aside.side" not in husks(tab)  # the page shows the effect before it is saved
    assert "→" in fix.text
    assert "morning ferry" not in cleaned(store, site, tmp_path)
    fix.click("Save")
    fix.wait("Saved")
    assert "morning ferry" in cleaned(store, site, tmp_path)
    fix.click("Undo")
    fix.wait("Undone")
    assert "aside.side" in husks(tab)
    assert "morning ferry" not in cleaned(store, site, tmp_path)


def test_after_a_correction_the_label_says_the_new_verdict(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("bubble"))
    toolbar.click(tab).choose("Fix this")
    fix = toolbar.card(tab)
    label = "root.querySelector('.label').textContent"
    tab.mouse.move(150, 440)
    assert fix.inside(label).startswith("Template:")
    tab.mouse.click(150, 440)
    fix.wait("On other pages of the site")
    tab.keyboard.press("Enter")
    fix.wait("Saved")
    assert fix.inside(label).startswith("Content:")


def cleaned(store: Path, site: Site, folder: Path) -> str:
    """The output of the command line for the page, with the same store."""
    source, out = folder / "page.jsonl", folder / "out.jsonl"
    page = {"url": site.url("fix"), "html": (site.folder / LANTERN).read_text("utf-8")}
    source.write_text(json.dumps(page) + "\n", "utf-8")
    out.unlink(missing_ok=True)
    subprocess.run([DEHUSK, "clean", source, "--store", store, "-o", out, "-q"], check=True)
    return out.read_text("utf-8")


def test_a_larger_or_smaller_part_can_be_chosen_with_the_keys(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("larger"))
    toolbar.click(tab).choose("Fix this")
    fix = toolbar.card(tab)
    tab.mouse.click(150, 440)
    fix.wait("body > div.columns > aside.side\n")
    tab.keyboard.press("ArrowDown")
    fix.wait("body > div.columns > aside.side > p\n")
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("ArrowUp")
    fix.wait("body > div.columns\n")
    tab.keyboard.press("Escape")
    fix.wait("Click a tinted part")
    tab.keyboard.press("Escape")
    fix.closed()
    assert "aside.side" in husks(tab)


def test_clicks_made_by_a_script_of_the_page_are_ignored(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("madeup"))
    toolbar.click(tab).choose("Fix this")
    fix = toolbar.card(tab)
    tab.evaluate("document.querySelector('aside').click()")
    tab.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))")
    tab.wait_for_timeout(300)
    assert "Click a tinted part" in fix.text


def test_links_do_not_lead_away_while_a_page_is_fixed(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("away"))
    toolbar.click(tab).choose("Fix this")
    tab.click("header .logo")
    toolbar.card(tab).wait("On other pages of the site")
    assert tab.url == site.url("away")


# ---------------------------------------------------------------------------------------------- hostile pages

HOSTILE = """<!DOCTYPE html>
<title>Hostile</title>
<meta http-equiv=refresh content="600;url=/refreshed.html">
<script>
Object.prototype.husk = 1;
window.dehusk = new Proxy({}, { get() { alert("read") } });
</script>
<style>
p { background: url(/style.png) }
[data-dehusk] { background: url(/marked.png) }
[data-dehusk-view] body { background: url(/viewed.png) }
</style>
<body data-dehusk="mine" onclick="alert('clicked')">
<header><a href="javascript:alert('link')">Home</a> <a href="/linked.html">Other</a></header>
<svg><script>/* svg */</script><a href="javascript:alert('svg')"><text>x</text></a></svg>
<iframe srcdoc="<p>frame"></iframe>
<form action="/sent"><input name=q></form>
<noscript><img src=/noscript.png></noscript><template><img src=/template.png></template>
<p>DEEP</p>
<p>Here is the text of a page that means no good, and goes on for a while to say so.</p>
</body>"""
LINKED = """<!DOCTYPE html>
<title>Linked</title>
<script src=/linked.js></script>
<script>alert("linked")</script>
<link rel=stylesheet href=/linked.css>
<img src=/linked.png onerror="alert('image')">
<iframe src=/framed.html></iframe>
<header><a href="/hostile.html">Back</a></header>
<p>Other text of the linked page."""


def test_a_hostile_page_runs_and_fetches_nothing_because_of_us(toolbar: Toolbar, tab: Page, site: Site) -> None:
    (site.folder / "hostile.html").write_text(HOSTILE.replace("DEEP", "<i>" * 600 + "deep"), "utf-8")
    (site.folder / "linked.html").write_text(LINKED, "utf-8")
    watched = Watched()
    watched.watch(tab.context)
    tab.goto(site.url("hostile", "hostile.html"))
    menu = toolbar.click(tab)
    for view in ("Show content only", "Show template", "What changed since my last visit", "Tint the template"):
        menu.choose(view)
    assert marks(tab)
    menu.choose("The page as it was")
    menu.close()
    tab.wait_for_timeout(300)
    # What the page fetches by itself. Its style can see our attributes, as it can see any attribute.
    own = {"/hostile.html", "/style.png", "/marked.png", "/viewed.png"}
    assert {path for path, _ in site.asked("hostile")} <= own | {"/linked.html"}
    assert watched.dialogs == []
    assert tab.get_attribute("body", "data-dehusk") == "mine"


FIELDS = [
    "parentElement",
    "children",
    "childNodes",
    "localName",
    "id",
    "classList",
    "isConnected",
    "firstElementChild",
    "nodeType",
    "getAttribute",
    "setAttribute",
    "removeAttribute",
    "querySelector",
    "closest",
    "contains",
    "getClientRects",
    "getBoundingClientRect",
    "scrollIntoView",
    "textContent",
    "addEventListener",
    "prepend",
    "after",
    "replaceChildren",
]


def test_a_form_whose_fields_are_named_like_properties_is_like_any_other(
    toolbar: Toolbar, tab: Page, site: Site
) -> None:
    fields = "".join(f"<input name={name} type=hidden>" for name in FIELDS)
    form = f"<form class=search>{fields}<p id=words>Search for words in the whole shop, and in the journal.</p></form>"
    draft = f"<form contenteditable>{fields}<p>draft</p></form>"
    text = "<main><p>The ferry leaves at seven in the morning, and comes back when the tide allows it.</main>"
    for name in ("fields.html", "other.html", "third.html"):
        links = "<nav><a href=fields.html>One</a> <a href=other.html>Two</a> <a href=third.html>Three</a></nav>"
        html = f"<!DOCTYPE html><title>Fields</title><body>{links}{form}{draft}<h1>{name}</h1>{text}"
        (site.folder / name).write_text(html, "utf-8")
    tab.goto(site.url("fields", "fields.html"))
    before = html_of(tab)
    menu = toolbar.click(tab)
    assert "did not work" not in menu.text
    assert "changed meanwhile" not in menu.text
    assert any(mark.startswith("form") for mark in shown_marks(tab))
    for view in ("Show content only", "Show template", "What changed since my last visit", "Tint the template"):
        menu.choose(view)
        assert "did not work" not in menu.text
    card = toolbar.card(tab)
    assert "draft" not in card.beside("dehusk.snapshot().html")
    menu.choose("The page as it was")
    assert html_of(tab) == before
    menu.choose("Fix this")
    box = tab.evaluate("document.getElementById('words').getBoundingClientRect().toJSON()")
    tab.mouse.click(box["x"] + 5, box["y"] + 5)
    card.wait("body > form.search")
    tab.keyboard.press("ArrowDown")
    card.wait("body > form.search > ")


def html_of(page: Page) -> str:
    return str(page.evaluate("new XMLSerializer().serializeToString(document)"))


def shown_marks(page: Page) -> list[str]:
    """The tags and marks of marked elements, read so that no field of a form is taken for a property."""
    read = "Reflect.get(Element.prototype, 'localName', one) + ' ' + Element.prototype.getAttribute.call(one, NAME)"
    script = f"[...document.querySelectorAll('[data-dehusk]')].map(one => {read})".replace("NAME", "'data-dehusk'")
    return list(page.evaluate(script))


FAKING = """() => {
  const fake = document.createElement("div");
  fake.setAttribute("data-dehusk-panel", "");
  fake.innerHTML = "<button id=fake style='position:fixed;left:9px;top:9px'>Save</button>";
  document.documentElement.append(fake);
  const orders = [{ act: "reset" }, { act: "save" }, { ask: "save", about: { path: "body", keep: false } }];
  for (const said of [...orders, { progress: "Pair again" }]) {
    postMessage(said, "*");
    document.dispatchEvent(new CustomEvent("message", { detail: said }));
    dispatchEvent(new MessageEvent("message", { data: said }));
  }
  return [typeof window.chrome?.runtime?.sendMessage, typeof window.dehusk];
}"""
MOVING = """() => {
  const mine = [...document.querySelectorAll("[data-dehusk-panel]")].find(one => !one.querySelector("#fake"));
  const box = document.body.appendChild(document.createElement("div"));
  box.style.opacity = 0;
  box.append(mine);
}"""


def test_messages_and_a_card_of_the_page_itself_do_nothing(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("faking"))
    toolbar.click(tab).choose("Fix this")
    fix = toolbar.card(tab)
    assert tab.evaluate(FAKING) == ["undefined", "undefined"]
    tab.wait_for_timeout(300)
    assert "Click a tinted part" in fix.text
    assert "aside.side" in husks(tab)
    assert "Corrections for this site" not in fix.text
    assert fix.beside("Object.hasOwn(dehusk.panel, 'host')") is False


def test_a_card_that_the_page_has_moved_cannot_be_clicked(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("moving"))
    toolbar.click(tab).choose("Fix this")
    fix = toolbar.card(tab)
    tab.mouse.click(150, 440)
    fix.wait("On other pages of the site")
    tab.evaluate(MOVING)
    fix.click("Save")
    tab.wait_for_timeout(300)
    assert "Saved" not in fix.text


def test_a_page_that_removes_the_card_whenever_it_appears_does_not_stop_the_extension(
    toolbar: Toolbar, tab: Page, site: Site
) -> None:
    tab.goto(site.url("removing"))
    tab.evaluate(
        "new MutationObserver(() => document.querySelector('[data-dehusk-panel]')?.remove())"
        ".observe(document, { childList: true, subtree: true, attributes: true })"
    )
    menu = toolbar.click(tab)
    menu.choose("What changed since my last visit")
    assert "first visit" in menu.text
    menu.choose("Tint the template")
    assert "aside.side" in husks(tab)
    menu.close()


SPYING = """() => {
  window.seen = [];
  customElements.define("dehusk-panel", class extends HTMLElement {
    constructor() {
      super();
      window.seen.push(this.attachInternals());
    }
  });
}"""
REFUSING = """() => customElements.define("dehusk-panel", class extends HTMLElement {
  static disabledFeatures = ["shadow"];
})"""


def test_a_page_with_an_element_of_our_name_sees_nothing_of_our_card(toolbar: Toolbar, tab: Page, site: Site) -> None:
    """The class of an element may look into its closed shadow tree: ours must not be one that a page can define."""
    tab.goto(site.url("spying"))
    tab.evaluate(SPYING)
    menu = toolbar.click(tab)
    menu.choose("What changed since my last visit")
    assert "first visit" in menu.text
    assert "This is your first visit" in toolbar.card(tab).text
    assert tab.evaluate("window.seen.filter(one => one.shadowRoot).length") == 0
    assert "-" not in tab.evaluate(
        "document.querySelector('[data-dehusk-panel]').localName"
    )  # such names have no class
    menu.close()


def test_a_page_cannot_forbid_our_card(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("forbidding"))
    tab.evaluate(REFUSING)
    menu = toolbar.click(tab)
    menu.choose("What changed since my last visit")
    assert "first visit" in menu.text
    assert "This is your first visit" in toolbar.card(tab).text
    menu.close()


COVERING = """() => {
  const cover = document.body.appendChild(document.createElement("div"));
  cover.popover = "manual";
  cover.style.cssText = "position:fixed;inset:0;width:100vw;height:100vh;margin:0;background:white;pointer-events:none";
  cover.textContent = "Click here to go on reading";
  cover.showPopover();
}"""


def test_a_card_that_the_page_has_covered_cannot_be_used(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("covering"))
    toolbar.click(tab).choose("Fix this")
    fix = toolbar.card(tab)
    tab.mouse.click(150, 440)
    fix.wait("On other pages of the site")
    assert fix.beside("dehusk.panel.isSeen()") is True
    tab.evaluate(COVERING)
    tab.wait_for_timeout(200)
    while fix.beside("dehusk.panel.isSeen()"):  # the browser tells us a little later
        tab.wait_for_timeout(50)
    fix.click("Save")
    tab.keyboard.press("Enter")
    fix.wait("Something on this page covers this card")
    tab.wait_for_timeout(300)
    assert "Saved" not in fix.text
    tab.evaluate("document.querySelector('[popover]').remove()")
    while not fix.beside("dehusk.panel.isSeen()"):
        tab.wait_for_timeout(50)
    fix.click("Save")
    fix.wait("Saved")


PROBING = """() => [
  ...["kept: Cat", "Categories - Galley"].map(text => find(text, true, false, true)),
  (document.execCommand("selectAll"), getSelection().toString().includes("Other side")),
]"""
FONT = "<style>@font-face { font-family: ui-monospace; src: url(/font.ttf) }</style>"


def test_a_page_learns_nothing_of_the_card_and_cannot_make_it_small(toolbar: Toolbar, tab: Page, site: Site) -> None:
    rewritten(site, "probing.html", ("</head>", f"{FONT}</head>"))
    tab.goto(site.url("probing", "shop/probing.html"))
    toolbar.click(tab).choose("Fix this")
    fix = toolbar.card(tab)
    tab.mouse.click(150, 440)
    fix.wait("On other pages of the site")
    # The card says these to the user.
    told = fix.inside("[...root.querySelectorAll('[data-text]')].map(one => one.dataset.text).join()")
    assert "/shop/" in told
    assert "kept: Cat" in told
    assert tab.evaluate(PROBING) == [False] * 3
    assert "/font.ttf" not in [path for path, _ in site.asked("probing")]

    tab.evaluate("document.documentElement.style.zoom = 0.05")
    tab.keyboard.press("Enter")
    tab.evaluate("document.documentElement.style.zoom = ''")
    fix.wait("covers this card or changes how it looks")
    # A card that was removed and made again is not used before the browser has said that the user sees it.
    tab.evaluate(COVERING)
    tab.evaluate("document.querySelector('[data-dehusk-panel]').remove()")
    assert fix.beside("dehusk.panel.card('Fix this', null), dehusk.panel.isSeen()") is False
    # The address is changed by a script, and the menu is opened: the correction goes on, and can be cancelled.
    tab.evaluate("history.pushState(null, '', '/elsewhere.html')")
    toolbar.click(tab).close()
    tab.keyboard.press("Escape")
    fix.wait("Click a tinted part")
    assert "Corrections for this site" not in fix.text
    tab.keyboard.press("Escape")
    fix.closed()
    tab.evaluate("document.querySelector('[popover]').remove()")
    fix.click("Take it off")  # also after a card that was covered
    tab.wait_for_selector("[data-dehusk]", state="detached")


NAMED = """<!DOCTYPE html>
<title>Named</title>
<script>
window.made = [];
customElements.define("own-element", class extends HTMLElement {
  constructor() { super(); made.push("element"); }
});
</script>
<form id=dehusk><input name=paint><input name=main></form><iframe name=dehusk></iframe>
<form data-dehusk-panel><input name=remove></form>
<own-element><img src=/none.png onerror="made.push('image')"></own-element>
<audio autoplay src=/none.mp3 onerror="made.push('sound')"></audio>
<template><input type=hidden value=csrf><script>var session = 'inline'</script></template>
<nav><a href=/named.html>One</a> <a href=/named.html?2>Two</a></nav>
<main><p>The ferry leaves at seven in the morning, and comes back when the tide allows it.</p></main>
<footer>All rights reserved</footer>"""


def test_a_page_of_our_names_is_read_and_nothing_of_it_is_made_loaded_or_played_again(
    toolbar: Toolbar, tab: Page, site: Site
) -> None:
    (site.folder / "named.html").write_text(NAMED, "utf-8")
    tab.goto(site.url("named", "named.html"))
    tab.wait_for_function("made.length === 3")
    menu = toolbar.click(tab)
    assert "did not work" not in menu.text
    menu.choose("Show template")
    menu.close()
    assert marks(tab)
    read = toolbar.card(tab).beside("dehusk.snapshot().html")
    assert "The ferry" in read
    assert "csrf" not in read
    assert "inline" not in read
    assert sorted(tab.evaluate("made")) == ["element", "image", "sound"]
    assert [path for path, _ in site.asked("named") if "none" in path] == ["/none.png", "/none.mp3"]


COUNTING = """(number => {
  const page = document.createElement("div");
  for (let n = 0; n < number; n++) {
    const grid = page.appendChild(document.createElement("section"));
    grid.style.display = "grid";
    grid.append("Text", document.createElement("p"), document.createElement("p"), document.createElement("b"));
  }
  document.body.replaceChildren(page);
  const snapshot = dehusk.snapshot();
  const [get, search, { Highlight }] = [Reflect.get, Document.prototype.querySelector, globalThis];
  const count = { read: 0, searched: 0, made: 0 };
  Reflect.get = (...given) => (count.read++, get(...given));
  Document.prototype.querySelector = function (path) { count.searched += path.length; return search.call(this, path); };
  globalThis.Highlight = class extends Highlight {
    constructor(...given) {
      super(...given);
      count.made += 1 + given.length;
    }
  };
  let found = 0;
  for (let n = 1; n <= number; n++) for (const part of ["::text", " > b", " > p:nth-of-type(2)"]) {
    const place = dehusk.places.find(snapshot, `body > div > section:nth-of-type(${n})${part}`);
    if (place) found += 1, dehusk.paint.mark(place, "husk", {});
  }
  dehusk.paint.slots();
  dehusk.paint.close();
  dehusk.paint.clear();
  Object.assign(Reflect, { get });
  Document.prototype.querySelector = search;
  globalThis.Highlight = Highlight;
  return [found, count.read, count.searched, count.made];
})"""


def test_the_work_for_places_and_marks_grows_with_their_number_only(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("counting"))
    toolbar.click(tab).close()
    beside = toolbar.card(tab).beside
    few, many = beside(f"{COUNTING}(100)"), beside(f"{COUNTING}(400)")
    assert (few[0], many[0]) == (300, 1200)
    assert all(much <= 4.5 * little for little, much in zip(few, many, strict=True))
    assert many[3] == 1


def test_the_menu_never_hangs_silently(toolbar: Toolbar, tab: Page, site: Site) -> None:
    """With a frame that never ends, a page that loads itself again, and one that never ends."""
    frames = "".join(f"<iframe src={src} width=500 height=400></iframe>" for src in (ENDLESS, f"/{LANTERN}"))
    rewritten(site, "framed.html", ("</main>", f"{frames}</main>"))
    tab.goto(site.url("hanging", "shop/framed.html"), wait_until="commit")
    tab.wait_for_selector("footer")
    menu = toolbar.click(tab)
    assert "of this page’s text is template" in menu.text
    tab.frame_locator("iframe >> nth=1").locator("[data-dehusk]").first.wait_for(state="attached")
    menu.close()
    tab.goto(site.url("again"))
    tab.evaluate("new MutationObserver(() => location.reload()).observe(document, { subtree: true, attributes: true })")
    menu = toolbar.click(tab)
    assert "The page has changed meanwhile" in menu.text
    menu.close()
    tab.goto(site.url("endless", ENDLESS.lstrip("/")), wait_until="commit")
    menu = toolbar.open(tab)
    menu.wait("Waiting for the page: it is still loading, or busy…")
    menu.close()


REPLACING = """() => {
  const html = document.documentElement.cloneNode(true);
  document.replaceChild(html, document.documentElement);
}"""
SHUFFLING = """() => setInterval(() => {
  const parts = [...document.body.querySelectorAll("p, li, aside, nav, section")];
  const one = parts[Math.floor(Math.random() * parts.length)];
  one?.parentNode.insertBefore(one, one.parentNode.firstChild);
  for (const marked of document.querySelectorAll("[data-dehusk]")) marked.removeAttribute("data-dehusk");
}, 5)"""


def test_a_page_that_replaces_or_shuffles_its_elements_under_us_is_still_answered(
    toolbar: Toolbar, tab: Page, site: Site
) -> None:
    for name, script in (("replacing", REPLACING), ("shuffling", SHUFFLING)):
        tab.goto(site.url(name))
        menu = toolbar.click(tab)
        tab.evaluate(script)
        for view in ("Show content only", "Show template", "What changed since my last visit", "Tint the template"):
            menu.choose(view)
            assert "did not work" not in menu.text, name
        menu.choose("The page as it was")
        assert tab.locator("[data-dehusk]").count() == 0
        menu.close()


class Stranger:
    """Another program on a port: answers everything, and passes on questions to the service to get its proof."""

    def __init__(self, service: str, *, redirects: bool = False) -> None:
        self.asked: list[tuple[str, str | None]] = []
        asked, real = self.asked, service.partition("/#")[0]

        class Handler(SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append((self.path, self.headers["Authorization"]))
                self.send_response(307 if redirects else 200)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Location", real + self.path)
                self.end_headers()
                if not redirects:
                    self.wfile.write(urlopen(real + self.path).read() if self.path.startswith("/hello") else b"{}")

            def do_POST(self) -> None:
                self.do_GET()

            def log_message(self, *_: object) -> None:
                """Logs nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.port = self._server.server_port
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def learned_nothing(self) -> bool:
        """Whether it was asked for a proof, and got nothing else."""
        return bool(self.asked) and all(path.startswith("/hello?nonce=") and not token for path, token in self.asked)


def test_another_program_at_the_port_gets_neither_token_nor_page(
    toolbar: Toolbar, tab: Page, site: Site, service: str
) -> None:
    with Stranger(service) as stranger:
        toolbar.run(f"chrome.storage.local.set({{ address: 'http://localhost:{stranger.port}' }})")
        tab.goto(site.url("stranger"))
        menu = toolbar.click(tab)
        assert "does not know the token" in menu.text
        assert "Pair the extension" in menu.text
        menu.run(f"document.getElementById('line').value = {json.dumps(service)}")
        menu.choose("Pair")
        assert "of this page’s text is template" in menu.text
        menu.close()
    assert stranger.learned_nothing


@pytest.mark.parametrize("redirects", [False, True])
def test_pairing_while_another_program_listens_at_the_port_tells_it_nothing(
    toolbar: Toolbar, service: str, *, redirects: bool
) -> None:
    token = service.partition("#token=")[2]
    with Stranger(service, redirects=redirects) as stranger:
        page = toolbar.options()
        page.fill("#line", f"http://127.0.0.1:{stranger.port}/#token={token}")
        page.click("#pairing button")
        page.wait_for_selector("#result.bad")
        said = page.inner_text("#result")
        page.close()
    assert ("No service answers" if redirects else "does not know the token") in said
    assert stranger.learned_nothing


# ------------------------------------------------------------------------------------------------------ errors


def test_without_the_service_the_menu_shows_the_command_that_starts_it(toolbar: Toolbar, tab: Page, site: Site) -> None:
    toolbar.run("chrome.storage.local.set({ address: 'http://127.0.0.1:9' })")
    tab.goto(site.url("down"))
    menu = toolbar.click(tab)
    assert "dehusk is not running" in menu.text
    assert "dehusk serve --port 9" in menu.text
    assert marks(tab) == {}
    menu.close()


def test_a_wrong_token_is_reported_and_can_be_replaced_in_the_menu(
    toolbar: Toolbar, tab: Page, site: Site, service: str
) -> None:
    toolbar.run("chrome.storage.local.set({ token: 'wrong-token' })")
    tab.goto(site.url("token"))
    menu = toolbar.click(tab)
    assert "Pair the extension with dehusk" in menu.text
    menu.run(f"document.getElementById('line').value = {json.dumps(service)}")
    menu.choose("Pair")
    assert "of this page’s text is template" in menu.text
    menu.close()


def test_on_a_page_of_the_browser_itself_the_menu_says_that_it_does_not_work(toolbar: Toolbar, tab: Page) -> None:
    tab.goto("chrome://version")
    menu = toolbar.click(tab)
    assert "Not on this page" in menu.text
    menu.close()


def test_a_page_that_is_too_large_is_reported(toolbar: Toolbar, tab: Page, site: Site) -> None:
    (site.folder / "large.html").write_text(f"<p>Large.</p><!--{'x' * 11_000_000}-->", "utf-8")
    tab.goto(site.url("large", "large.html"))
    menu = toolbar.click(tab)
    assert "This page is too large" in menu.text
    assert "11.0 MB" in menu.text
    menu.close()


# ----------------------------------------------------------------------------------------------------- options


def test_pasting_the_printed_line_pairs_the_extension(unpaired: Toolbar, service: str) -> None:
    unpaired.run("chrome.storage.local.clear()")
    unpaired.pair(service)
    assert unpaired.run("chrome.storage.local.get()")["token"] == service.partition("=")[2]


def test_the_viewer_of_a_service_pairs_the_extension_with_one_click(unpaired: Toolbar, tab: Page, service: str) -> None:
    unpaired.run("chrome.storage.local.clear()")
    page = unpaired.options()
    page.wait_for_selector("#paired.bad")
    assert page.inner_text("#paired") == "Not paired yet."
    tab.goto(service)
    tab.wait_for_function("sessionStorage.getItem('dehusk-token')")
    menu = unpaired.click(tab)
    assert "Pair with this dehusk?" in menu.text
    menu.choose("Pair now")
    assert "Paired with dehusk" in menu.text
    menu.close()
    address, _, token = service.partition("/#token=")
    assert unpaired.run("chrome.storage.local.get()") == {"address": address, "token": token}
    page.reload()
    page.wait_for_selector("#paired.good")
    assert page.inner_text("#paired").endswith(f" at {address}.")
    page.close()


def test_a_page_that_only_pretends_to_be_the_viewer_does_not_pair(
    toolbar: Toolbar, tab: Page, site: Site, service: str
) -> None:
    tab.goto(f"http://127.0.0.1:{site.port}/{LANTERN}")
    tab.evaluate("sessionStorage.setItem('dehusk-token', 'of-another-program')")
    toolbar.run("globalThis.stored = 0; chrome.storage.onChanged.addListener(() => { stored += 1 })")
    menu = toolbar.click(tab)
    menu.choose("Pair now")
    assert "Paired with" not in menu.text
    assert "is not dehusk serve" in menu.text
    menu.close()
    assert toolbar.run("chrome.storage.local.get()")["token"] == service.partition("=")[2]
    assert toolbar.run("stored") == 0  # not even until it failed: the menu may be closed meanwhile


def test_the_options_refuse_an_address_on_another_machine(toolbar: Toolbar) -> None:
    page = toolbar.options()
    page.click("summary")
    page.fill("#address", "http://example.org:8377")
    page.click("#byhand button")
    page.wait_for_selector("#result.bad")
    assert "must be on this computer" in page.inner_text("#result")
    page.close()


def test_stored_pages_are_listed_and_deleted(toolbar: Toolbar, tab: Page, site: Site) -> None:
    tab.goto(site.url("kept"))
    menu = toolbar.click(tab)
    menu.choose("What changed since my last visit")
    menu.close()
    page = toolbar.options()
    row = page.locator("li", has_text="kept.test")
    row.get_by_role("button").click()
    row.wait_for(state="detached")
    page.close()


def test_the_menu_has_a_keyboard_shortcut(toolbar: Toolbar) -> None:
    assert "Alt+Shift+H" in str(toolbar.run("chrome.commands.getAll()"))


# --------------------------------------------------------------------------------------------------- real sites


def test_on_a_real_manual_the_menus_are_tinted_and_the_text_is_not(toolbar: Toolbar, tab: Page, site: Site) -> None:
    manual = SHARED / "docs" / "tomcat10-docs"
    if not manual.exists():
        pytest.skip(f"no data at {SHARED}")
    shutil.copytree(manual / "pages", site.folder / "manual", dirs_exist_ok=True)
    tab.goto(site.url("manual", "manual/class-loader-howto.html"))
    menu = toolbar.click(tab)
    content = json.loads((manual / "site.json").read_text("utf-8"))["content_selector"]
    assert "Compared with 3 linked pages" in menu.text
    tinted = "one => Boolean(one.closest('[data-dehusk=husk]'))"
    assert tab.locator(f"{content} p").evaluate_all(f"all => all.filter({tinted}).length") == 0
    assert tab.locator("nav li").evaluate_all(f"all => all.every({tinted})")
    menu.close()
