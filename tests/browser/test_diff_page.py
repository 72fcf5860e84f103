"""The page that `dehusk diff` writes, in a real Chromium."""

import pytest
from playwright.sync_api import Page, expect

import dehusk
import demo_site

LANTERN = demo_site.pages()["shop/pier-lantern.html"]
# The smallest contrast between any text and its background, as defined by WCAG.
CONTRAST = """() => {
  const light = color => { const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map(c => c / 255)
      .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b };
  const behind = e => { for (; e; e = e.parentElement) {
      const color = getComputedStyle(e).backgroundColor; if (!color.endsWith(', 0)')) return color; } };
  const every = [...document.querySelectorAll('body *')].filter(e => e.checkVisibility()).map(e => {
      const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => x - y);
      return (b + .05) / (a + .05) });
  return Math.min(...every);
}"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of a page with all kinds of changes and a table that is too wide for a phone."""
    wide = f"<table><tr>{'<td>measure in fathoms</td>' * 12}</tr></table>"
    new = (
        LANTERN.replace("€89.00", "€79.00")
        .replace("morning ferry", "evening ferry")
        .replace("</main>", f"{wide}</main>")
    )
    file = tmp_path_factory.mktemp("diff") / "diff.html"
    template = dehusk.learn([html for name, html in demo_site.pages().items() if name.startswith("shop/")])
    file.write_text(dehusk.diff(LANTERN, new, template=template).html, "utf-8")
    return file.as_uri()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_its_texts_have_enough_contrast(page: Page, written: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(written)
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    assert dark == (scheme == "dark")
    assert page.evaluate(CONTRAST) >= 4.5


def test_it_fits_a_phone_and_its_list_leads_to_the_changes(page: Page, written: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(written)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.locator("summary").click()
    page.locator("header ol a").first.click()
    expect(page.locator("[data-dehusk]:target")).to_be_in_viewport()
    assert page.url.partition("#")[0] == written


def test_the_list_leaves_the_page_on_the_screen(page: Page, written: str) -> None:
    page.goto(written)
    expect(page.locator("main").get_by_text("Tidewater Harbour Shop").first).to_be_in_viewport()
    page.locator("summary").click()
    assert page.locator("header ol").evaluate("list => list.offsetHeight <= .4 * innerHeight + 1")


def test_steps_lead_from_change_to_change_and_back(page: Page, written: str) -> None:
    page.goto(written)
    bar = page.locator("body > nav:visible")
    expect(bar).to_have_count(0)
    page.get_by_role("link", name="Go to the first change").click()
    expect(bar).to_contain_text("1 of ")
    bar.get_by_role("link", name="Next").click()
    expect(bar).to_contain_text("2 of ")
    expect(page.locator("[data-dehusk]:target")).to_be_in_viewport()
    bar.get_by_role("link", name="Previous").click()
    expect(bar).to_contain_text("1 of ")
    expect(bar.get_by_role("link", name="Previous")).to_have_count(0)


def test_the_husk_can_be_hidden_with_its_changes(page: Page, written: str) -> None:
    page.goto(written)
    menu = page.locator("main").get_by_text("Journal", exact=True).first
    expect(menu).to_be_visible()
    page.get_by_label("show the husk").uncheck()
    expect(menu).to_be_hidden()
    expect(page.locator("main > div ins", has_text="79.00")).to_be_visible()


def test_both_versions_can_be_seen_side_by_side(page: Page, written: str) -> None:
    page.goto(written)
    table = page.get_by_role("table").filter(has_text="Before")
    expect(table).to_be_hidden()
    page.get_by_role("radio", name="side by side").check()
    row = table.get_by_role("row").filter(has_text="€79.00")
    expect(row.locator("td").nth(0)).to_have_text("€89.00")
    expect(row.locator("td").nth(1)).to_have_text("€79.00")
    expect(page.locator("main > div")).to_be_hidden()
