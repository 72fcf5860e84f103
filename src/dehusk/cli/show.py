"""dehusk show: a report to look at."""

import argparse
import time
from pathlib import Path

from dehusk.cli.common import (
    Bar,
    add_method,
    add_roles,
    add_source,
    add_template,
    examples,
    job_for,
    say,
    tell_outliers,
    tell_skipped,
)
from dehusk.errors import UsageError, did_you_mean, listed
from dehusk.files import written_whole
from dehusk.jobs.result import Skips
from dehusk.jobs.templates import Templates
from dehusk.sources import STDIN
from dehusk.template import Template
from dehusk.viewer.report import report_on

_NAMED = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `dehusk show`."""
    add_source(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the report to write, one HTML file")
    parser.add_argument("--site", metavar="NAME", help="show this site (default: the only site of SOURCE)")
    add_template(parser)
    add_roles(parser)
    add_method(parser)
    examples(
        parser,
        "dehusk show crawl/ -o report.html",
        "dehusk show crawl.warc.gz --site example.org -o report.html",
    )


def run(options: argparse.Namespace) -> int:
    """Learns if need be, measures every page, and shows some."""
    started = time.perf_counter()
    if STDIN in options.source:
        raise UsageError("a report is about a site; give a folder")
    skips = Skips()
    job = job_for(options, options.output, site=options.site, keep=options.keep, drop=options.drop)
    with Bar(options) as bar, job.open(progress=bar, skipped=skips.add) as work:
        templates = work.learn()
        learned = _of_one_site(templates, options.site)
        total = None if work.source.names is None else len(work.source.names)
        site = options.site or " and ".join(Path(place).name or place for place in options.source[:3])
        report = report_on(
            work.source,
            learned,
            site,
            keep=options.keep,
            drop=options.drop,
            measured=lambda done: bar.show("measuring", done, total, "page"),
        )
    with written_whole(Path(options.output)) as file:
        file.write(report.html)
    tell_skipped(skips.reasons, skips.first, options)
    tell_outliers(templates, options)
    families = f"{len(learned.families)} families" if len(learned.families) > 1 else "one family"
    seconds = time.perf_counter() - started
    say(f"{report.pages} pages in {families}, {seconds:.1f} s: open {options.output} in a browser", options)
    return 0


def _of_one_site(templates: Templates, site: str | None) -> Template:
    """The template to show."""
    known = list(templates.by_site)
    if len(known) == 1:
        return templates.by_site[known[0]]
    if site is not None and site in templates.by_site:
        return templates.by_site[site]
    names = listed(known, _NAMED)
    if site is not None:
        raise UsageError(f"no template for {site}; there are templates for {names}{did_you_mean(site, known)}")
    raise UsageError(f"{len(known)} sites in one source; a report is about one, choose it with --site: {names}")
