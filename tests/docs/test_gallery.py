"""The gallery: ten kinds of pages, each with its picture, and cleaned as the picture shows."""

import re
from pathlib import Path

import gallery_sites
import pytest

import dehusk

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("site", gallery_sites.SITES, ids=lambda site: site.kind)
def test_menus_and_side_bars_go_and_the_text_stays(site: gallery_sites.GallerySite) -> None:
    pages = site.html()
    template = dehusk.learn(pages.values())
    for html, (title, body) in zip(pages.values(), site.pages.items(), strict=True):
        text = template.clean(html).text
        assert title in text
        assert not [item for item in (*site.menu, *site.side) if re.search(rf"^{re.escape(item)}$", text, re.MULTILINE)]
        first = re.findall(r"<p>([^<]+)</p>", body)[0]
        assert first in text


def test_every_site_has_a_picture_in_the_gallery() -> None:
    page = (DOCS / "explanation" / "gallery.md").read_text("utf-8")
    shown = re.findall(r"\(\.\./gallery/(.+)\.png\)", page)
    assert shown == [site.kind.replace(" ", "-") for site in gallery_sites.SITES]
    assert len(shown) == 10
    assert all((DOCS / "gallery" / f"{name}.png").is_file() for name in shown)
