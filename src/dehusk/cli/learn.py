"""dehusk learn: learn the templates of sites and keep them."""

import argparse
import time
from contextlib import ExitStack
from pathlib import Path

from dehusk.cli.common import (
    SkippedPages,
    add_method,
    add_source,
    learned_from,
    plural,
    report_outliers,
    say,
    source_for,
)
from dehusk.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `dehusk learn`."""
    add_source(parser)
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help="the template file; for several sites a folder of them"
    )
    add_method(parser)


def run(options: argparse.Namespace) -> int:
    """Learns and saves."""
    started = time.perf_counter()
    if "-" in options.source:
        raise UsageError("one page does not show what is template; give a folder")
    if options.output == "-":
        raise UsageError("a template is written to a file; give its name with -o")
    skipped = SkippedPages(None)
    with ExitStack() as stack:
        learned = learned_from(options, source_for(options, stack, options.output), skipped.add)
    skipped.tell(options)
    learned.save(Path(options.output))
    report_outliers(learned, options)
    alone = sum(one.pages < 2 for one in learned.by_site.values())
    if alone:
        say(f"warning: {alone} of {plural(len(learned.by_site), 'site')} had a single page to learn from", options)
    sites = f"{len(learned.by_site)} sites, " if len(learned.by_site) > 1 else ""
    seconds = time.perf_counter() - started
    say(f"learned from {sites}{plural(learned.pages, 'page')} in {seconds:.1f} s: {options.output}", options)
    return 0
