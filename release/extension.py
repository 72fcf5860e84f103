"""Builds the browser extension for the stores:  python release/extension.py OUT

Writes OUT/dehusk-VERSION-chromium.zip and OUT/dehusk-VERSION-firefox.zip. Each has only the keys of the manifest that
its browser knows. The same files give the same bytes.
"""

import argparse
import json
import zipfile
from pathlib import Path
from typing import Any

EXTENSION = Path(__file__).parents[1] / "src" / "dehusk" / "extension"
NOT_PACKED = {"manifest.json", "steps.html", "icon.svg"}
_EPOCH = (1980, 1, 1, 0, 0, 0)


def manifest(browser: str) -> dict[str, Any]:
    """Returns the manifest for "chromium" or "firefox"."""
    known: dict[str, Any] = json.loads((EXTENSION / "manifest.json").read_text("utf-8"))
    other, background = {
        "chromium": ("browser_specific_settings", "scripts"),
        "firefox": ("minimum_chrome_version", "service_worker"),
    }[browser]
    del known[other], known["background"][background]
    return known


def build(browser: str, folder: Path) -> Path:
    """Writes the zip for a browser."""
    known = manifest(browser)
    path = folder / f"dehusk-{known['version']}-{browser}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(
            zipfile.ZipInfo("manifest.json", _EPOCH), json.dumps(known, indent=2, ensure_ascii=False) + "\n"
        )
        for file in sorted(EXTENSION.rglob("*")):
            if file.is_file() and file.name not in NOT_PACKED:
                packed.writestr(zipfile.ZipInfo(file.relative_to(EXTENSION).as_posix(), _EPOCH), file.read_bytes())
    return path


def main() -> None:
    """Builds both zips."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="OUT")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for browser in ("chromium", "firefox"):
        print(build(browser, folder))


if __name__ == "__main__":
    main()
