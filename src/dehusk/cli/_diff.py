"""dehusk diff: show what changed between two versions of a page."""

import argparse
from pathlib import Path

from dehusk.base.files import written_whole
from dehusk.base.system import time_limit
from dehusk.cli import examples
from dehusk.cli._common import add_fetching, add_husk, add_page_seconds, fetching
from dehusk.cli._telling import say
from dehusk.comparing import Verdict
from dehusk.jobs.watch import Versions

CODES = {Verdict.NOTHING: 0, Verdict.HUSK: 0, Verdict.CONTENT: 3, Verdict.REDESIGNED: 4}
"""Exit codes with --exit-code. 1 and 2 are errors."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk diff`."""
    parser.add_argument(
        "old", metavar="OLD", help="the old version of the page: a file, a URL, or - for standard input"
    )
    parser.add_argument("new", metavar="NEW", help="the new version")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="OUT",
        help="a .html file with the new page and its changes marked, or a .json file (default: print a summary)",
    )
    add_husk(parser, "each version is judged by itself")
    parser.add_argument(
        "--exit-code",
        action="store_true",
        help="exit with 3 if the content changed, and with 4 if the page was redesigned",
    )
    add_fetching(parser, anew=True)
    add_page_seconds(parser, "fail if comparing takes")
    parser.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    examples(
        parser,
        "dehusk diff monday.html tuesday.html",
        "dehusk diff monday.html https://example.org/page -t site.husk -o changes.html",
    )


def run(options: argparse.Namespace) -> int:
    """Compares the versions and writes a file, or prints a summary."""
    versions = Versions(options.old, options.new, options.template, options.output, fetching(options))
    with time_limit(options.page_seconds):
        compared = versions.diff()
        text = compared.summary if options.output is None else versions.text(compared)
    if options.output is None and not options.quiet:
        print(text, end="")
    elif options.output is not None:
        with written_whole(options.output) as file:
            file.write(text)
        say(f"{compared.headline}: see {options.output}", options)
    return CODES[compared.verdict] if options.exit_code else 0
