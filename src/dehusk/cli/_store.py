"""dehusk store: list the templates in a store, or write one to a file."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from dehusk.base.errors import UsageError, shown
from dehusk.cli import examples
from dehusk.cli._common import number
from dehusk.cli._telling import say
from dehusk.jobs.store import Store
from dehusk.outputs.target import refuse_sources


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk store`."""
    parser.add_argument("store", metavar="FILE", help="a store written by dehusk learn --store")
    parser.add_argument("--site", metavar="NAME", help="only this site (default: all sites)")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="write the template of the site to this file (default: list the templates)",
    )
    parser.add_argument(
        "--version", type=number, metavar="N", help="with -o: the version of the template (default: the newest)"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print only errors and lists")
    examples(parser, "dehusk store sites.store", "dehusk store sites.store --site example.org -o example.husk")


def run(options: argparse.Namespace) -> int:
    """Lists sites and versions on standard output, or writes one template to a file."""
    if options.output and options.site is None:
        raise UsageError("a template file is for one site; choose it with --site")
    if options.version and not options.output:
        raise UsageError("--version needs -o")
    with Store(options.store, create=False) as store:
        if options.output:
            refuse_sources([Path(options.output)], [store.path])
            store.template(options.site, options.version).save(Path(options.output))
            say(f"template of {options.site or 'pages without a URL'} written: {options.output}", options)
        elif options.site is None:
            _list(store, store.sites())
        else:
            if not store.versions(options.site):
                store.template(options.site)  # raises: the site has no template
            _list(store, [options.site])
    return 0


def _list(store: Store, sites: Iterable[str]) -> None:
    """Prints a line for each version, with tabs between the columns."""
    print("site", "version", "pages", "learned", sep="\t")
    for site in sites:
        for version in store.versions(site):
            print(shown(site) or "(no URL)", version.number, version.pages, version.learned, sep="\t")
