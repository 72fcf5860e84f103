"""dehusk check: tell whether the templates of sites still hold for their pages."""

import argparse
import json
from pathlib import Path

from dehusk.base.files import written_whole
from dehusk.cli import examples
from dehusk.cli._common import add_page_seconds, add_visited, chosen_options, fetching
from dehusk.cli._telling import plural, say, tell_skipped
from dehusk.jobs.checking import Check
from dehusk.jobs.result import Skips
from dehusk.sources import OPTIONS
from dehusk.templates.drift import State

BROKE = 3
"""The exit code if a site was redesigned."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk check`."""
    add_visited(parser)
    parser.add_argument(
        "-t",
        "--template",
        type=Path,
        metavar="FILE",
        help="what dehusk learn wrote: a file or folder (default: --store)",
    )
    parser.add_argument("--store", type=Path, metavar="FILE", help="a store of templates (default: -t)")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="OUT",
        help="write all to this JSON file (default: none)",
    )
    parser.add_argument(
        "--relearn",
        action="store_true",
        help="learn columns from SOURCE, too, and say where those are now that are gone",
    )
    add_page_seconds(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="print only sites that do not hold, and errors")
    examples(
        parser,
        "dehusk check https://example.org/sitemap.xml -t site.husk",
        "dehusk check crawl.warc.gz --store sites.store -o state.json",
    )


def run(options: argparse.Namespace) -> int:
    """Prints a line for each site. Returns 3 if a site was redesigned, so that cron and CI can act."""
    check = Check(
        options.source,
        options.template,
        options.store,
        [options.output] if options.output else [],
        chosen_options(options, OPTIONS),
        fetching(options),
        options.relearn,
        options.page_seconds,
    )
    skips = Skips()
    states = check.run(skips.add)
    tell_skipped(skips.reasons, skips.first, options)
    for state in states:
        if not options.quiet or state.state is not State.HOLDS:
            print(state)
    if options.output:
        with written_whole(options.output) as file:
            json.dump([state.to_dict() for state in states], file, ensure_ascii=False, indent=1)
            file.write("\n")
        say(f"{plural(len(states), 'site')} checked: {options.output}", options)
    return BROKE if any(state.state is State.REDESIGNED for state in states) else 0
