"""Draw the icons of the browser extension from an SVG, in the sizes that browsers need.

Usage: `python docs/draw_icons.py src/dehusk/extension/icons` reads `icon.svg` there and writes the PNG files.
Needs Chromium.
"""

import argparse
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

SIZES = (16, 32, 48, 128)


def main() -> None:
    """Draw all icons."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    drawing = (folder / "icon.svg").read_text("utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for size in SIZES:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<style>*{{margin:0}}svg{{display:block;width:{size}px;height:{size}px}}</style>{drawing}"
            )
            page.screenshot(path=folder / f"{size}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
