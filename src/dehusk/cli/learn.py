"""dehusk learn: learn the templates of sites and keep them."""

import argparse
import time
from contextlib import ExitStack
from pathlib import Path

from dehusk.cli.common import (
    SkippedPages,
    add_method,
    add_source,
    add_store,
    learned_from,
    open_store,
    pages_of,
    plural,
    progress,
    report_outliers,
    say,
    source_for,
)
from dehusk.errors import TemplateError, UsageError
from dehusk.sources import to_learn_from


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `dehusk learn`."""
    add_source(parser)
    parser.add_argument("-o", "--output", metavar="OUT", help="the template file; for several sites a folder of them")
    add_store(parser)
    parser.add_argument(
        "--update", action="store_true", help="with --store: the sites have been made anew, begin a new version of each"
    )
    add_method(parser)


def run(options: argparse.Namespace) -> int:
    """Learns and saves."""
    started = time.perf_counter()
    if "-" in options.source:
        raise UsageError("one page does not show what is template; give a folder")
    if bool(options.output) == bool(options.store):
        raise UsageError("where to? give a file with -o, or a store with --store")
    if options.output == "-":
        raise UsageError("a template is written to a file; give its name with -o")
    if options.update and not options.store:
        raise UsageError("--update begins new versions in a store; name it with --store")
    skipped = SkippedPages(None)
    learned = _into_store(options, skipped) if options.store else _into_files(options, skipped)
    say(f"{learned} in {time.perf_counter() - started:.1f} s: {options.store or options.output}", options)
    return 0


def _into_files(options: argparse.Namespace, skipped: SkippedPages) -> str:
    with ExitStack() as stack:
        learned = learned_from(options, source_for(options, stack, options.output), skipped.add)
    skipped.tell(options)
    learned.save(Path(options.output))
    report_outliers(learned, options)
    alone = sum(one.pages < 2 for one in learned.by_site.values())
    if alone:
        say(f"warning: {alone} of {plural(len(learned.by_site), 'site')} had a single page to learn from", options)
    sites = f"{len(learned.by_site)} sites, " if len(learned.by_site) > 1 else ""
    return f"learned from {sites}{plural(learned.pages, 'page')}"


def _into_store(options: argparse.Namespace, skipped: SkippedPages) -> str:
    with ExitStack() as stack:
        source = source_for(options, stack, options.store)
        store = open_store(options, stack)
        items = progress(to_learn_from(source), source, "learning", options)
        added = store.add(pages_of(items, skipped.add), update=options.update)
    skipped.tell(options)
    if not added.sites:
        raise TemplateError("none of these is a page; give a folder or archive that holds HTML")
    return (
        f"{plural(added.pages, 'page')} of {plural(added.sites, 'site')}, {plural(added.learned, 'template')} learned"
    )
