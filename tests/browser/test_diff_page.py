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
  const every = [...document.querySelectorAll('body *')].map(e => {
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
    page.locator("header ol a").first.click()
    expect(page.locator("[data-dehusk]:target")).to_be_in_viewport()
    assert page.url.partition("#")[0] == written
