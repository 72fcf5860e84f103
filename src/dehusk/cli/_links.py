"""dehusk links: list the links of pages, each with the role of the part it is in."""

import argparse

from dehusk.cli import _clean, examples
from dehusk.cli._common import add_options, add_source
from dehusk.outputs import FORMATS, STDOUT

_FORMAT = "links"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk links`."""
    add_source(parser, stdin=True)
    parser.add_argument(
        "-o",
        "--output",
        default=STDOUT,
        metavar="OUT",
        help="a .jsonl file; with --crawl-next a .txt file (default: standard output)",
    )
    add_options(parser, FORMATS[_FORMAT].options)
    _clean.add_job(parser, no_effect=["images", "links", "front_matter"])
    examples(
        parser,
        "dehusk links crawl/ --base-url https://example.org/ -o links.jsonl",
        "dehusk links crawl.warc.gz --crawl-next -o next.txt",
    )


def run(options: argparse.Namespace) -> int:
    """Writes the links of all pages."""
    options.format = _FORMAT
    return _clean.run(options)
