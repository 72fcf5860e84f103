"""Options for learning: those of all methods, and those of the chosen method."""

import argparse
from typing import Any

from dehusk import methods
from dehusk.base.errors import UsageError
from dehusk.base.options import Option
from dehusk.cli._common import Group, chosen_options, count, fetching, one_of
from dehusk.core import SAMPLE
from dehusk.jobs.job import Job
from dehusk.methods import Method, TypedOptions, typed_method
from dehusk.page import Page
from dehusk.sources import OPTIONS

SHARED = ("method", "sample", "dedupe")
"""Options that all methods share."""


def short_ways() -> list[Option]:
    """The options of the default method, which can also be given as separate flags."""
    return list(methods.method(methods.DEFAULT).options.values())


def add_learning(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """Adds the options for learning. With `several`, --method may be repeated and gives a list."""
    group = parser.add_argument_group("learning")
    repeated = "may be repeated, to compare them; " if several else ""
    add_method(group, f"{repeated}see dehusk methods (default: {methods.DEFAULT})", several=several)
    group.add_argument(
        "--sample", type=sample, metavar="N", help=f"number of pages of a family to learn from (default: {SAMPLE})"
    )
    group.add_argument(
        "--no-dedupe",
        dest="dedupe",
        action="store_false",
        default=None,
        help="learn from all copies of a page (default: only from one)",
    )
    own = parser.add_argument_group(f"learning with the method {methods.DEFAULT}")
    for option in short_ways():
        own.add_argument(
            f"--{option.spelled}",
            dest=option.name,
            type=one_of(option.choices) if option.choices else str,
            metavar=f"{{{','.join(option.choices)}}}" if option.choices else "FILE" if option.is_file else "VALUE",
            help=f"{option.help} (default: {option.usual})",
        )


def add_method(parser: argparse.ArgumentParser | Group, meaning: str, *, several: bool) -> None:
    """Adds --method; with `several` it may be repeated."""
    parser.add_argument(
        "--method",
        metavar="NAME[:OPTION=VALUE,...]",
        action="append" if several else "store",
        help=f"for example rtdm, or style-tree:threshold=0.5; {meaning}",
    )


def job_for(options: argparse.Namespace, *own: str | None, **more: Any) -> Job:
    """The job that the options ask for. `own` are files of the command itself, which are not read as pages."""
    template = getattr(options, "template", None)
    names = (*SHARED, *(option.name for option in short_ways()))
    if template and (given := [name for name in names if getattr(options, name) is not None]):
        name = given[0].replace("dedupe", "no-dedupe").replace("_", "-")
        raise UsageError(f"--{name} is an option for learning and has no effect with -t; leave one of them out")
    method, (values, files) = method_for(options, options.method)
    not_pages = [file for name, file in files.items() if not isinstance(values[name], Page)]
    return Job(
        options.source,
        template=template,
        by=options.by,
        source_options=chosen_options(options, OPTIONS),
        fetching=fetching(options),
        leave_out=[file for file in (*own, *not_pages) if file],
        method=options.method and method.name,
        sample=options.sample,
        dedupe=options.dedupe,
        method_options=values,
        **more,
    )


def method_for(options: argparse.Namespace, words: str | None, *, strict: bool = True) -> tuple[Method, TypedOptions]:
    """The method given as `words`, with its options and those given as flags.

    If `strict`, a flag that the method does not have is an error; else it is ignored.
    """
    method, (values, files) = typed_method(words or methods.DEFAULT)
    for short in short_ways():
        text = getattr(options, short.name)
        if text is None or not (strict or short.name in method.options):
            continue
        flag = f"--{short.spelled}"
        if short.name not in method.options:
            raise UsageError(f"the method {method.name} has no {flag}; leave it out, or choose another method")
        if short.name in values:
            raise UsageError(f"{short.spelled} is given twice, with --method and {flag}; leave one of them out")
        values[short.name] = short.value(text)
        files |= {short.name: text} if short.is_file else {}
    return method, TypedOptions(values, files)


def sample(text: str) -> int:
    """Argument type: a number of pages to learn from, 2 or more."""
    if count(text) < 2:
        raise argparse.ArgumentTypeError("learning a template needs two pages or more")
    return int(text)
