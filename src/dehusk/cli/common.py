"""What several commands share: options, progress, and the way from a source to its template."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from dehusk import methods
from dehusk.page import Page
from dehusk.run import Done, learn_source
from dehusk.sources import Skipped, Source
from dehusk.template import SAMPLE, Template, load

_Item = TypeVar("_Item")


def add_source(parser: argparse.ArgumentParser) -> None:
    """SOURCE, which every command takes, and `-q`."""
    parser.add_argument(
        "source",
        nargs="+",
        metavar="SOURCE",
        help="a folder of pages (one site), or files; - for one page on standard input",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")


def add_method(parser: argparse.ArgumentParser) -> None:
    """How to learn."""
    parser.add_argument(
        "--method", default=methods.DEFAULT, metavar="NAME", help="see dehusk methods (default: %(default)s)"
    )
    parser.add_argument(
        "--sample", type=_pages, default=SAMPLE, metavar="N", help="pages to learn from (default: %(default)s)"
    )


def add_template(parser: argparse.ArgumentParser) -> None:
    """What was learned before."""
    parser.add_argument(
        "-t", "--template", metavar="FILE", help="a template that dehusk learn wrote; else learn from SOURCE"
    )


def template_for(options: argparse.Namespace, source: Source, skipped: list[Done | Skipped] | None = None) -> Template:
    """The template given with `-t`, or one learned from the source; what was skipped on the way is noted."""
    if options.template:
        return load(options.template)
    items = progress(source, len(source.names), "learning", options)
    return learn_source(_noted(items, skipped), method=options.method, sample=options.sample)


def _noted(items: Iterable[Page | Skipped], skipped: list[Done | Skipped] | None) -> Iterator[Page | Skipped]:
    for item in items:
        if skipped is not None and isinstance(item, Skipped):
            skipped.append(item)
        yield item


def written(*places: str | None) -> list[Path]:
    """What a command writes or keeps itself, which is no page of the source though it may lie inside."""
    return [Path(place) for place in places if place and place != "-"]


def progress(items: Iterable[_Item], total: int, what: str, options: argparse.Namespace) -> Iterator[_Item]:
    """The items, with a bar on a terminal once it takes more than a second."""
    if options.quiet or not sys.stderr.isatty():
        return iter(items)
    from tqdm import tqdm

    return iter(tqdm(items, total=total, desc=what, unit="page", delay=1, leave=False, file=sys.stderr))


def say(line: str, options: argparse.Namespace) -> None:
    """A line for the person, on standard error, unless `-q`."""
    if not options.quiet:
        print(line, file=sys.stderr)


def report_outliers(learned: Template, options: argparse.Namespace) -> None:
    """Names the pages that the template was learned without."""
    if learned.outliers:
        names = ", ".join(learned.outliers[:5]) + (", ..." if len(learned.outliers) > 5 else "")
        say(
            f"learned without {len(learned.outliers)} of {learned.pages} pages that do not share the template: {names}",
            options,
        )


def _pages(text: str) -> int:
    number = int(text)
    if number < 2:
        raise argparse.ArgumentTypeError("a template is learned from two pages or more")
    return number
