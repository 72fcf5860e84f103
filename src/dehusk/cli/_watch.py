"""dehusk watch: show what changed in the content of pages since the last visit."""

import argparse
import sys
from contextlib import nullcontext
from pathlib import Path

from dehusk.base.errors import shown
from dehusk.base.files import written_whole
from dehusk.cli import examples
from dehusk.cli._common import add_husk, add_page_seconds, add_visited, chosen_options, fetching
from dehusk.cli._telling import plural, say
from dehusk.comparing import Diff
from dehusk.jobs.watch import Watch
from dehusk.sources import OPTIONS
from dehusk.templates.drift import State


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk watch`."""
    add_visited(parser)
    parser.add_argument(
        "--store", type=Path, required=True, metavar="FILE", help="the file that keeps the pages until the next visit"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="OUT",
        help="write JSON Lines to this file (default: standard output, on a terminal as text)",
    )
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE.html",
        help="write a page of what changed, by site, with both versions (default: none)",
    )
    add_husk(parser, "it is learned from the pages seen; the only page of a site is judged by itself")
    add_page_seconds(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    examples(
        parser,
        "dehusk watch https://example.org/ --store example.watch --report changes.html",
        "dehusk watch crawl/ --store crawl.watch -t site.husk -o changes.jsonl",
    )


def run(options: argparse.Namespace) -> int:
    """Visits the pages and writes a line for each page whose content changed."""
    watch = Watch(
        options.source,
        options.store,
        options.template,
        [options.output] if options.output else [],
        chosen_options(options, OPTIONS),
        fetching(options),
        options.page_seconds,
        options.report,
    )
    for_people = options.output is None and sys.stdout.isatty()
    output = written_whole(options.output) if options.output else nullcontext(sys.stdout)
    done = watch.visit(
        output, lambda page: say(f"skipped {page.name}: {page.reason}", options), _as_text if for_people else None
    )
    counts = f"{plural(done.read, 'page')} read, {done.new:,} new, {done.changed:,} with changed content"
    for state in done.states:
        if state.state is not State.HOLDS:
            say(f"warning: {state}", options)
    places = [options.output or ("" if for_people else "standard output"), options.report or ""]
    say(": ".join(filter(None, [counts, " and ".join(str(place) for place in places if place)])), options)
    return 0


def _as_text(compared: Diff) -> str:
    """Returns the changes of a page for people: its name, and an indented summary."""
    lines = [shown(compared.new.name), *(f"  {shown(line)}".rstrip() for line in compared.summary.splitlines())]
    return "\n".join(lines) + "\n"
