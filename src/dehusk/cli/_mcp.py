"""dehusk mcp: serve clean, chunks, learn, table and diff to agents as MCP tools."""

import argparse
import signal
from pathlib import Path

from dehusk.base.extras import needs_extra
from dehusk.cli import examples


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk mcp`."""
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="the store of templates (default: the same as dehusk serve)"
    )
    examples(parser, "dehusk mcp", "dehusk mcp --store sites.store")


def run(options: argparse.Namespace) -> int:
    """Serves on standard input and output until the client disconnects."""
    with needs_extra("mcp"):
        from dehusk.server.answers import ServiceFiles
        from dehusk.server.mcp import server
    from dehusk.server.running import private_store
    from dehusk.server.snapshots import beside

    signal.signal(
        signal.SIGTERM, signal.SIG_DFL
    )  # no cleanup needed, and our handler would not interrupt the read of standard input
    store = private_store(options.store)
    server(ServiceFiles(store, beside(store))).run("stdio")
    return 0
