"""dehusk show: a report to look at."""

import argparse
import time
from pathlib import Path

from dehusk.cli.common import (
    add_method,
    add_source,
    add_template,
    progress,
    report_outliers,
    say,
    template_for,
    written,
)
from dehusk.errors import SourceError, UsageError
from dehusk.files import written_whole
from dehusk.page import Page
from dehusk.sources import open_source
from dehusk.viewer.report import Share, choose, report, shown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `dehusk show`."""
    add_source(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the report to write, one HTML file")
    add_template(parser)
    add_method(parser)


def run(options: argparse.Namespace) -> int:
    """Learns if need be, measures every page, and shows some."""
    started = time.perf_counter()
    if "-" in options.source:
        raise UsageError("a report is about a site; give a folder")
    source = open_source(options.source, leave_out=written(options.output, options.template))
    learned = template_for(options, source)
    report_outliers(learned, options)
    shares = []
    for item in progress(source, len(source.names), "measuring", options):
        if isinstance(item, Page):
            removed = learned.mark(item).share_removed
            shares.append(Share(item.name, sum(map(len, item.tree.text)), removed))
    if not shares:
        raise SourceError(f"{options.source[0]}: no page to show")
    fullest = max(shares, key=lambda share: (share.removed * share.length, share.name)).name
    wanted = choose(shares)
    pages = {item.name: item for item in source if isinstance(item, Page) and item.name in {*wanted, fullest}}
    site = " and ".join(Path(place).resolve().name for place in options.source[:3])
    views = [shown(learned, pages[name]) for name in wanted]
    with written_whole(Path(options.output)) as file:
        file.write(report(site, learned, shares, views, pages[fullest]))
    say(f"{len(shares)} pages in {time.perf_counter() - started:.1f} s: open {options.output} in a browser", options)
    return 0
