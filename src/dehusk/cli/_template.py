"""dehusk template: find the template of one page through its links."""

import argparse
import time
from pathlib import Path

from dehusk.base.errors import UsageError
from dehusk.base.system import time_limit
from dehusk.cli import examples
from dehusk.cli._common import add_fetching, add_page_seconds, fetching, number
from dehusk.cli._telling import say
from dehusk.jobs.key_pages import KeyPage, LinkedTemplate
from dehusk.methods import etdm
from dehusk.outputs.target import refuse_sources
from dehusk.server.viewer.report import write, written
from dehusk.templates.links import LIMIT, SIZE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk template`."""
    parser.add_argument("key", metavar="KEYPAGE", help="the URL of a page, or a file whose links lead to other files")
    parser.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        required=True,
        help="the folder for template.html, content.html and report.html",
    )
    parser.add_argument(
        "--root", type=Path, metavar="DIR", help="read no file outside this folder (default: the folder of KEYPAGE)"
    )
    parser.add_argument(
        "--size",
        type=number,
        default=SIZE,
        metavar="N",
        help="number of pages to compare it with (default: %(default)s)",
    )
    parser.add_argument(
        "--votes",
        type=number,
        default=etdm.VOTES,
        metavar="N",
        help="regions on at least N of these pages are template (default: %(default)s)",
    )
    parser.add_argument(
        "--limit",
        type=number,
        default=LIMIT,
        metavar="N",
        help="maximum number of links to follow (default: %(default)s)",
    )
    add_fetching(parser)
    add_page_seconds(parser, "fail if a page takes")
    parser.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    examples(
        parser,
        "dehusk template https://example.org/page -o out/",
        "dehusk template site/news/today.html --root site/ -o out/",
    )


def run(options: argparse.Namespace) -> int:
    """Finds the template, writes it and prints a summary."""
    started = time.perf_counter()
    if options.votes > options.size:
        raise UsageError(
            f"--votes {options.votes} is more than --size {options.size}; give fewer --votes or a larger --size"
        )
    key = KeyPage(
        place=options.key,
        root=options.root,
        size=options.size,
        votes=options.votes,
        limit=options.limit,
        fetching=fetching(options),
    )
    folder = Path(options.output)
    if not key.on_the_web:
        refuse_sources([folder], [key.folder, Path(options.key).resolve().parent])
    with time_limit(options.page_seconds * (options.size + 1)):
        linked = key.find()
        files = written(linked)
    report = write(files, folder)
    for warning in [*_shortfall(linked, options.size), *linked.warnings]:
        say(f"warning: {options.key}: {warning}", options)
    nowhere = f", {linked.failed} link{'s' * (linked.failed > 1)} failed" if linked.failed else ""
    say(
        f"{linked.loaded} pages loaded{nowhere}, {len(linked.pages) - 1} compared with the key page, "
        f"{linked.share_removed:.0%} of its text is template, {time.perf_counter() - started:.1f} s: "
        f"open {report} in a browser",
        options,
    )
    return 0


def _shortfall(linked: LinkedTemplate, size: int) -> list[str]:
    others = len(linked.pages) - 1
    if others == size:
        return []
    have = f"only {others} pages that link to each other were" if others > 1 else "only 1 page was"
    return [f"{have} found, not {size}; check the template in report.html"]
