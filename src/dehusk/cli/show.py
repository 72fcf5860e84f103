"""dehusk show: a report to look at."""

import argparse
import time
from contextlib import ExitStack
from pathlib import Path

from dehusk.cli.common import (
    SkippedPages,
    add_method,
    add_source,
    add_template,
    progress,
    report_outliers,
    say,
    source_for,
    templates_for,
)
from dehusk.errors import SourceError, UsageError
from dehusk.files import written_whole
from dehusk.page import Page
from dehusk.sources import Source
from dehusk.template import Template
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
    skipped = SkippedPages(None)
    with ExitStack() as stack:
        source = source_for(options, stack, options.output, options.template)
        templates = templates_for(options, source, skipped.add)
        skipped.tell(options)
        if len(templates.by_site) > 1:
            raise UsageError(
                f"{len(templates.by_site)} sites in one source; a report is about one, give its pages alone"
            )
        (learned,) = templates.by_site.values()
        report_outliers(templates, options)
        pages = _show(options, source, learned)
    families = f"{len(learned.families)} families" if len(learned.families) > 1 else "one family"
    seconds = time.perf_counter() - started
    say(f"{pages} pages in {families}, {seconds:.1f} s: open {options.output} in a browser", options)
    return 0


def _show(options: argparse.Namespace, source: Source, learned: Template) -> int:
    """Writes the report and says how many pages it is about."""
    shares = []
    for item in progress(source, source, "measuring", options):
        if isinstance(item, Page):
            marking = learned.mark(item)
            shares.append(Share(item.name, marking.family, sum(map(len, item.tree.text)), marking.share_removed))
    if not shares:
        raise SourceError(f"{options.source[0]}: no page to show")
    fullest = max(shares, key=lambda share: (share.removed * share.length, share.name)).name
    wanted = choose(shares)
    pages = {item.name: item for item in source if isinstance(item, Page) and item.name in {*wanted, fullest}}
    site = " and ".join(Path(place).name or place for place in options.source[:3])
    views = [shown(learned, pages[name]) for name in wanted]
    with written_whole(Path(options.output)) as file:
        file.write(report(site, learned, shares, views, pages[fullest]))
    return len(shares)
