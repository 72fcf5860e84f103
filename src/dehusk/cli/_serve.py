"""dehusk serve: run the local service of the viewer and the browser extension."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from dehusk.base.extras import needs_extra
from dehusk.base.files import writing
from dehusk.base.urls import on_the_web
from dehusk.cli import examples
from dehusk.cli._common import add_choice, add_fetching, add_options, chosen_options, fetching
from dehusk.cli._telling import Bar, plural, say, tell_skipped
from dehusk.jobs.job import Job
from dehusk.jobs.result import Skips
from dehusk.server import catalogue
from dehusk.server.snapshots import DAYS, MEGABYTES, beside
from dehusk.sources import OPTIONS
from dehusk.sources.beside import archived_files
from dehusk.templates.site_names import BY, folder_name

HOST, PORT = "127.0.0.1", 8377
_LARGEST_AMOUNT = 100_000  # days or megabytes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk serve`."""
    parser.add_argument(
        "source", nargs="*", metavar="SOURCE", help="folders, files, archives or URLs to learn first (default: none)"
    )
    parser.add_argument("--host", default=HOST, help="the address to listen on (default: %(default)s, this machine)")
    parser.add_argument("--port", type=_port, default=PORT, metavar="N", help="the port (default: %(default)s)")
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="the store of templates (default: dehusk.store in your data folder)"
    )
    parser.add_argument(
        "--new-token", action="store_true", help="make a new token and exit; a running service accepts it at once"
    )
    snapshots = parser.add_argument_group("snapshots of visited pages")
    snapshots.add_argument(
        "--snapshot-days", type=_amount, default=DAYS, metavar="N", help="how long they are kept (default: %(default)s)"
    )
    snapshots.add_argument(
        "--snapshot-megabytes",
        type=_amount,
        default=MEGABYTES,
        metavar="N",
        help="maximum size of all snapshots together (default: %(default)s)",
    )
    add_choice(parser, "--by", BY, "how to group pages with URLs into sites (default: host)")
    add_options(parser, OPTIONS)
    add_fetching(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="print only the address and errors")
    examples(parser, "dehusk serve crawl/", "dehusk serve --new-token")


def run(options: argparse.Namespace) -> int:
    """Learns the sources, then serves until stopped."""
    with needs_extra("serve"):
        from dehusk.server.answers import ServiceFiles
        from dehusk.server.app import ServiceSettings
        from dehusk.server.running import check
        from dehusk.server.running import run as serve
    from dehusk.server.guards import Listening, TokenFile
    from dehusk.server.running import data_folder, private_store

    listening, token = Listening(options.host, options.port), TokenFile(data_folder() / "token")
    if options.new_token:
        token.renew()
        print(f"{listening.url}#token={token.token()}")
        return 0
    check(listening)
    store = private_store(options.store, options.by)
    _learn(options, store)
    snapshots = beside(store, options.snapshot_days, options.snapshot_megabytes)
    snapshots.listed()  # deletes snapshots that are too old
    if not listening.local:
        say(
            f"warning: connections to {options.host} are not encrypted; others on the network can read the token",
            options,
        )
    serve(
        ServiceSettings(ServiceFiles(store, snapshots, _folders(options.source)), listening, token),
        lambda address: _print(f"{address.url}#token={token.token()}"),
    )
    return 0


def _print(address: str) -> None:
    with writing("to standard output"):
        print(address, flush=True)


def _learn(options: argparse.Namespace, store: Path) -> None:
    """Learns the sources into the store, and adds all their pages to the catalogue.

    The pages of a folder, which have no URLs, become a site named after it.
    """
    if not options.source:
        return
    with catalogue.filling(catalogue.beside(store)) as filling:
        for source in options.source:
            skips = Skips()
            job = Job(
                source,
                store=store,
                by=options.by,
                source_options=chosen_options(options, OPTIONS),
                fetching=fetching(options),
            )
            with Bar(options) as bar, job.open(progress=bar, skipped=skips.add) as work:
                added = work.add_to_store(nameless=_name(source), read=filling.add)
            filling.add_files(archived_files(source))
            tell_skipped(skips.reasons, skips.first, options)
            say(f"{source}: {plural(added.pages, 'page')} of {plural(added.sites, 'site')}", options)


def _name(source: str) -> str:
    """The name of the site of pages without URLs; "" for a source on the web."""
    return "" if on_the_web(source) else folder_name(Path(source))


def _folders(sources: Sequence[str]) -> dict[str, Path]:
    """The folders among the sources, by site name."""
    return {_name(source): Path(source).resolve() for source in sources if Path(source).is_dir()}


def _amount(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number <= _LARGEST_AMOUNT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to {_LARGEST_AMOUNT:,}")
    return number


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; give a number up to 65535")
    return int(text)
