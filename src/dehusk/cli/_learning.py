"""Options of learning: a method with its own options, and what all methods share."""

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
"""The options of learning that all methods have."""


def short_ways() -> list[Option]:
    """The options of the default method, which have flags of their own."""
    return list(methods.method(methods.DEFAULT).options.values())


def add_learning(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """How to learn; where `several` methods may be given, they are a list."""
    group = parser.add_argument_group("learning")
    repeated = "may be repeated, to compare them; " if several else ""
    add_method(group, f"{repeated}see dehusk methods (default: {methods.DEFAULT})", several=several)
    group.add_argument(
        "--sample", type=sample, metavar="N", help=f"how many pages of a family to learn from (default: {SAMPLE})"
    )
    group.add_argument(
        "--no-dedupe",
        dest="dedupe",
        action="store_false",
        default=None,
        help="learn from every copy of a page (default: copies count once)",
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
    """The option for a method, or for several."""
    parser.add_argument(
        "--method",
        metavar="NAME[:OPTION=VALUE,...]",
        action="append" if several else "store",
        help=f"such as rtdm, or style-tree:threshold=0.5; {meaning}",
    )


def job_for(options: argparse.Namespace, *own: str | None, **more: Any) -> Job:
    """The job that the options ask for; `own` are files of the command that are not pages."""
    template = getattr(options, "template", None)
    names = (*SHARED, *(option.name for option in short_ways()))
    if template and (given := [name for name in names if getattr(options, name) is not None]):
        name = given[0].replace("dedupe", "no-dedupe").replace("_", "-")
        raise UsageError(f"--{name} is about learning, and -t is what was learned; leave one of them out")
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
    """The method that was typed, with its own options and those that have flags. If `strict`, it must have these."""
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
    """A number of pages to learn from."""
    if count(text) < 2:
        raise argparse.ArgumentTypeError("a template is learned from two pages or more")
    return int(text)
