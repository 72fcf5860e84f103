"""dehusk learn: learn the template of a site and keep it in a file."""

import argparse
import time
from pathlib import Path

from dehusk.cli.common import add_method, add_source, progress, report_outliers, say, written
from dehusk.errors import UsageError
from dehusk.run import learn_source
from dehusk.sources import open_source


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `dehusk learn`."""
    add_source(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the template file to write")
    add_method(parser)


def run(options: argparse.Namespace) -> int:
    """Learns and saves."""
    started = time.perf_counter()
    if "-" in options.source:
        raise UsageError("one page does not show what is template; give a folder")
    source = open_source(options.source, leave_out=written(options.output))
    items = progress(source, len(source.names), "learning", options)
    learned = learn_source(items, method=options.method, sample=options.sample)
    learned.save(Path(options.output))
    report_outliers(learned, options)
    say(f"learned from {learned.pages} pages in {time.perf_counter() - started:.1f} s: {options.output}", options)
    return 0
