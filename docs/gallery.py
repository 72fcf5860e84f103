"""Makes the pictures of the gallery: `make gallery`. Each shows a page of our own before and after cleaning.

Usage: `python docs/gallery.py FOLDER`. It needs Chromium, and `tests` in PYTHONPATH.
"""

import shutil
import sys
from html import escape
from pathlib import Path

from gallery_sites import SITES, GallerySite
from playwright.sync_api import sync_playwright

import dehusk
from browsing import QUIET

WIDTH, HEIGHT = 1500, 760
_BOTH = """<style>body{{margin:0;display:flex;gap:16px;background:#888;padding:12px}}
body p{{font:bold 15px sans-serif;color:#fff}}
div{{flex:1}}iframe{{width:100%;height:700px;border:0;background:#fff}}p{{margin:0 0 6px}}</style>
<div><p>before</p><iframe srcdoc="{before}"></iframe></div>
<div><p>after</p><iframe srcdoc="{after}"></iframe></div>"""


def cleaned(site: GallerySite) -> tuple[str, dehusk.Cleaned]:
    """The first page of a site, and the same page cleaned with the template of the site."""
    pages = site.html()
    return pages["page-0.html"], dehusk.learn(pages.values()).clean(pages["page-0.html"])


def file_name(site: GallerySite) -> str:
    """The name of a site's picture."""
    return f"{site.kind.replace(' ', '-')}.png"


def main() -> int:
    """Takes all pictures."""
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or "chromium"
        with playwright.chromium.launch(executable_path=chromium, args=[*QUIET]) as browser:
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            for site in SITES:
                before, after = cleaned(site)
                page.set_content(_BOTH.format(before=escape(before), after=escape(after.html)), wait_until="load")
                page.screenshot(path=folder / file_name(site))
                print(f"{file_name(site)}: {after.share_removed:.0%} removed, kind {after.kind}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
