"""dehusk demo: write the demo site, clean it, and say where to look."""

import argparse
from pathlib import Path

from dehusk import cli
from dehusk.base.errors import UsageError
from dehusk.base.files import writing
from dehusk.cli import demo_site

FOLDER = "dehusk-demo"
PAGE = "shop/pier-lantern.html"
"""The page whose template is found through its links, and whose text is shown."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk demo`."""
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=Path(FOLDER),
        metavar="DIR",
        help="the folder to write to; new, empty, or of an earlier demo (default: %(default)s)",
    )
    cli.examples(parser, "dehusk demo", "dehusk demo /tmp/demo")


def run(options: argparse.Namespace) -> int:
    """Writes the site, runs the commands that a user would run, and says where their results are."""
    folder: Path = options.folder
    site, text, report, template = (folder / name for name in ("site", "text", "report.html", "template"))
    with writing(str(folder)):
        if folder.is_dir() and any(folder.iterdir()) and not (site / PAGE).is_file():
            raise UsageError(f"{folder} has other files; choose a new folder: dehusk demo DIR")
        pages = demo_site.write(site)
    print(f"The demo site: {pages} pages of a shop and a journal in {site}", flush=True)
    _run("clean", site, "-o", text)
    _run("show", site, "-o", report)
    _run("template", site / PAGE, "--root", site, "-o", template)
    print(f"Compare {site / PAGE}, with its menus, and {text / PAGE.replace('.html', '.txt')}, without.")
    print(f"Open {report} in a browser to see what is template on each page, and why.")
    return 0


def _run(*words: object) -> None:
    """Prints and runs a command. It raises a DehuskError if it fails."""
    print("$ dehusk", *words, flush=True)
    cli.run([str(word) for word in words])
