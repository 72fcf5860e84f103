"""dehusk learn: learn the templates of sites and save them."""

import argparse
import time
from pathlib import Path

from dehusk.base.errors import UsageError
from dehusk.cli import examples
from dehusk.cli._common import add_processes, add_source, add_store
from dehusk.cli._learning import add_learning, job_for
from dehusk.cli._telling import Bar, plural, say, tell_missing, tell_outliers, tell_skipped
from dehusk.jobs.result import Skips
from dehusk.jobs.site_templates import edits_at
from dehusk.outputs import STDOUT
from dehusk.sources import STDIN


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk learn`."""
    add_source(parser)
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="the template file, or a folder for several sites (default: use --store)"
    )
    add_store(parser)
    parser.add_argument(
        "--update",
        action="store_true",
        help="with --store: begin a new version of each template, because the sites have been redesigned",
    )
    parser.add_argument(
        "--columns", action="store_true", help="learn the columns of dehusk table, too (default: only the template)"
    )
    add_learning(parser)
    add_processes(parser)
    examples(parser, "dehusk learn crawl/ -o site.husk", "dehusk learn 00001.warc.gz 00002.warc.gz --store sites.store")


def run(options: argparse.Namespace) -> int:
    """Learns templates and saves them."""
    started = time.perf_counter()
    if STDIN in options.source:
        raise UsageError("cannot learn a template from one page; give a folder")
    if bool(options.output) == bool(options.store):
        raise UsageError("where to save the template? give a file with -o, or a store with --store")
    if options.output == STDOUT:
        raise UsageError("a template cannot be written to standard output; give a file with -o")
    if options.update and not options.store:
        raise UsageError("--update needs --store")
    learned = _into_store(options) if options.store else _into_files(options)
    say(f"{learned} in {time.perf_counter() - started:.1f} s: {options.store or options.output}", options)
    return 0


def _into_files(options: argparse.Namespace) -> str:
    skips = Skips()
    job = job_for(
        options, options.output, jobs=options.jobs, page_seconds=options.page_seconds, columns=options.columns
    )
    before = edits_at(Path(options.output))
    with Bar(options) as bar:
        learned = job.learn(edits=before, progress=bar, skipped=skips.add)
    tell_skipped(skips.reasons, skips.first, options)
    learned.save(Path(options.output), before=before)
    if carried := sum(len(template.edits) for template in learned.by_site.values()):
        say(f"{plural(carried, 'edit')} carried over; to list or undo them, use dehusk edit", options)
    tell_missing(learned.missing, options)
    tell_outliers(learned, options)
    alone = sum(template.pages < 2 for template in learned.by_site.values())
    if alone:
        say(f"warning: {alone} of {plural(len(learned.by_site), 'site')} had only one page to learn from", options)
    sites = f"{len(learned.by_site)} sites, " if len(learned.by_site) > 1 else ""
    return f"learned from {sites}{plural(learned.pages, 'page')}"


def _into_store(options: argparse.Namespace) -> str:
    skips = Skips()
    job = job_for(
        options, store=options.store, jobs=options.jobs, page_seconds=options.page_seconds, columns=options.columns
    )
    with Bar(options) as bar:
        added = job.add_to_store(update=options.update, progress=bar, skipped=skips.add)
    tell_skipped(skips.reasons, skips.first, options)
    tell_missing(added.missing, options)
    return (
        f"{plural(added.pages, 'page')} of {plural(added.sites, 'site')}, {plural(added.learned, 'template')} learned"
    )
