"""dehusk tune: choose the value of a method's option for a site, from pages whose content is known."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from dehusk.base.errors import UsageError
from dehusk.cli import examples
from dehusk.cli._common import add_page_seconds, add_source, chosen_options, fetching
from dehusk.cli._learning import sample
from dehusk.cli._telling import Bar, plural, say
from dehusk.core import SAMPLE, Learning
from dehusk.jobs.clock import in_time
from dehusk.jobs.site_templates import edits_at
from dehusk.jobs.tuning import Gold, Tried, by_edits, by_selector, tune, values_of
from dehusk.methods import typed_method
from dehusk.page import Page
from dehusk.sources import OPTIONS, Reading, open_source, pages_of
from dehusk.templates.sampling import sample_of

METHOD = "style-tree"
OPTION = "threshold"
WIDTH = 40
"""The length of the bar of an F1 of 1, in characters."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk tune`."""
    add_source(parser)
    parser.add_argument(
        "--method", default=METHOD, metavar="NAME[:OPTION=VALUE,...]", help="the method (default: %(default)s)"
    )
    parser.add_argument("--option", default=OPTION, metavar="NAME", help="the option to tune (default: %(default)s)")
    parser.add_argument(
        "--values", metavar="VALUE,...", help="the values to try (default: of a share, 0 to 1 in steps of 0.05)"
    )
    parser.add_argument("--selector", metavar="CSS", help="matches the content of the pages (default: use --edits)")
    parser.add_argument(
        "--edits",
        type=Path,
        metavar="FILE",
        help="a template file whose edits say what is content (default: use --selector)",
    )
    parser.add_argument(
        "--sample",
        type=sample,
        default=SAMPLE,
        metavar="N",
        help="number of pages to learn from (default: %(default)s)",
    )
    add_page_seconds(parser)
    examples(
        parser,
        "dehusk tune crawl/ --selector main",
        "dehusk tune crawl/ --method chunks --values 2,4,8 --edits site.husk",
    )


def run(options: argparse.Namespace) -> int:
    """Prints the scores of each value, and the best one."""
    method, (given, _) = typed_method(options.method)
    option = options.option.replace("-", "_")
    if option in given:
        raise UsageError(f"{options.option} has a value in --method; leave it out there, since it is what is tuned")
    values = values_of(method.name, option, options.values.split(",") if options.values else ())
    gold = _gold(options)
    learning = Learning(method.name, options.sample, options={**given, option: values[0]})
    pages = _pages(options, learning.looked_at)
    tried = []
    with Bar(options) as bar:
        for one in tune(pages, learning, option, values, gold, options.page_seconds):
            tried.append(one)
            bar.show(options.option, len(tried), len(values), "value")
    for line in _curve(options.option, tried):
        print(line)
    best = max(tried, key=lambda one: one.f1)
    joiner = "," if ":" in options.method else ":"
    say(
        f"best on {plural(len(pages), 'page')}: --method {options.method}{joiner}{options.option}={best.value}", options
    )
    return 0


def _gold(options: argparse.Namespace) -> Gold:
    if bool(options.selector) == bool(options.edits):
        raise UsageError("what is content? give a CSS selector with --selector, or a template with edits with --edits")
    if options.selector:
        return by_selector(options.selector)
    edits = [edit for own in edits_at(options.edits).values() for edit in own]
    if not edits:
        raise UsageError(f"{options.edits}: no template with edits; make some with dehusk edit")
    return by_edits(edits)


def _pages(options: argparse.Namespace, most: int | None) -> Sequence[Page]:
    with ExitStack() as stack:
        fetcher = lambda: stack.enter_context(fetching(options).open())  # noqa: E731
        own = [options.edits] if options.edits else []
        reading = Reading(fetcher, own, chosen_options(options, OPTIONS))
        pages = sample_of(pages_of(open_source(options.source, reading)), most).pages
        late = lambda page: say(f"skipped {page.name}: {page.reason}", options)  # noqa: E731
        return list(in_time(pages, options.page_seconds, lambda page: page.tree, late))


def _curve(name: str, tried: Sequence[Tried]) -> Iterator[str]:
    """A table of the scores, with a bar for each F1."""
    width = max(len(name), *(len(str(one.value)) for one in tried))
    yield f"{name:>{width}}  precision  recall     F1"
    for one in tried:
        bar = "#" * round(WIDTH * one.f1)
        yield f"{one.value!s:>{width}}  {one.precision:9.3f}  {one.recall:6.3f}  {one.f1:5.3f}  {bar}".rstrip()
