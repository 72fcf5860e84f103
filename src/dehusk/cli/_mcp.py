"""dehusk mcp: the tools clean, learn and diff for agents."""

import argparse
import signal
from pathlib import Path

from dehusk.cli import examples
from dehusk.cli._common import needs_extra


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `dehusk mcp`."""
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="the templates of sites (default: the one of dehusk serve)"
    )
    examples(parser, "dehusk mcp", "dehusk mcp --store sites.store")


def run(options: argparse.Namespace) -> int:
    """Answers on standard input and output until the agent is done."""
    with needs_extra("mcp"):
        from dehusk.server.answers import ServiceFiles
        from dehusk.server.mcp import server
    from dehusk.server.running import private_store
    from dehusk.server.snapshots import beside

    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # nothing is half-written, and standard input is waited for
    store = private_store(options.store)
    server(ServiceFiles(store, beside(store))).run("stdio")
    return 0
