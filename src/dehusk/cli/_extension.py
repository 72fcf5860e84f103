"""dehusk extension: print the folder of the browser extension, and the steps to install it."""

import argparse
import webbrowser
from importlib.resources import files
from pathlib import Path

from dehusk.base.errors import UsageError
from dehusk.cli import examples

STEPS = """\
The browser extension is in this folder:

  {folder}

1. Chromium, Chrome, Edge: open chrome://extensions, and switch on "Developer mode".
   Firefox 140 or newer: open about:debugging#/runtime/this-firefox
2. Click "Load unpacked", and choose the folder.
   Firefox: click "Load Temporary Add-on", and choose manifest.json in the folder.
3. Run dehusk serve, and open the address that it prints.
4. Click the button of dehusk beside the address bar, and "Pair now" in its menu.

The button now tints the template of any page. With pictures: {pictures}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk extension`."""
    parser.add_argument("--open", action="store_true", help="open the steps with pictures in the browser")
    parser.add_argument("--folder", action="store_true", help="print only the folder")
    examples(parser, "dehusk extension", "dehusk extension --open")


def run(options: argparse.Namespace) -> int:
    """Prints the folder and the steps."""
    folder = Path(str(files("dehusk"))) / "extension"
    if not (folder / "manifest.json").is_file():
        raise UsageError(f"{folder}: the extension is missing; reinstall dehusk")
    pictures = (folder / "steps.html").as_uri()
    print(folder if options.folder else STEPS.format(folder=folder, pictures=pictures), end="\n" * options.folder)
    if options.open and not webbrowser.open(pictures):
        raise UsageError(f"no browser could be started; open {pictures}")
    return 0
