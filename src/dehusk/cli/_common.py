"""Options shared by several commands."""

import argparse
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from dehusk.base.errors import UsageError, did_you_mean
from dehusk.base.options import Option
from dehusk.base.system import cores
from dehusk.jobs.workers import PAGE_SECONDS
from dehusk.render import writing
from dehusk.render.writing import Writing
from dehusk.roles import Role
from dehusk.sources import OPTIONS
from dehusk.sources.web.fetching import DELAY, MAX_PAGES, TIMEOUT, Fetching
from dehusk.templates.site_names import BY


def add_source(parser: argparse.ArgumentParser, *, stdin: bool = False) -> None:
    """Adds SOURCE and the options for reading it; with `stdin`, "-" stands for standard input."""
    parser.add_argument(
        "source",
        nargs="+",
        metavar="SOURCE",
        help="a folder of pages (one site) or files, also as zip or tar; WARC, WACZ, JSON, JSON Lines or Parquet files;"
        f" a sitemap or feed, a .txt list of URLs, a URL{'; - for one page on standard input' * stdin}",
    )
    add_choice(parser, "--by", BY, "how to group pages with URLs into sites (default: host)")
    add_options(parser, OPTIONS)
    add_fetching(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="print only errors")


def add_visited(parser: argparse.ArgumentParser) -> None:
    """Adds SOURCE of the commands that look at pages again, and the options for reading it."""
    parser.add_argument(
        "source",
        nargs="+",
        metavar="SOURCE",
        help="a folder, files, archives, a URL, a .txt list of URLs, or a sitemap",
    )
    add_options(parser, OPTIONS)
    add_fetching(parser, anew=True)


def add_options(parser: "argparse.ArgumentParser | Group", options: Iterable[Option]) -> None:
    """Adds declared options of sources, outputs or writers."""
    for option in options:
        flag = f"--{option.spelled}"
        if option.default is False:
            parser.add_argument(flag, action="store_true", help=option.help)
            continue
        if option.default is True:
            helps = f"leave out {option.help}"
            parser.add_argument(f"--no-{option.spelled}", dest=option.name, action="store_false", help=helps)
            continue
        helps = f"{option.help} (default: {option.unset or option.default or 'none'})"
        values: dict[str, Any] = {"type": one_of(option.choices)} if option.choices else {}
        if option.values and not option.choices:
            values = {"type": _value_of(option)}
        if option.many:
            values = {"type": several_of(option.choices), "action": "extend"}
        default = [] if option.many else option.default
        parser.add_argument(flag, default=default, metavar=option.metavar, help=helps, **values)


def _value_of(option: Option) -> Callable[[str], Any]:
    """Argument type: a value of a declared option."""

    def checked(text: str) -> Any:
        try:
            return option.value(text)
        except UsageError:
            raise argparse.ArgumentTypeError(f"{text!r} is not {option.possible}") from None

    return checked


def chosen_options(options: argparse.Namespace, declared: Iterable[Option]) -> dict[str, Any]:
    """The declared options whose values differ from the defaults."""
    return {option.name: value for option in declared if (value := getattr(options, option.name)) != option.default}


def add_writing(parser: argparse.ArgumentParser, no_effect: Collection[str] = ()) -> None:
    """Adds the options for writing pages, except those without an effect on what the command writes."""
    group = parser.add_argument_group("writing", f"ROLE is one of {', '.join(Role)}; separate several with commas")
    add_options(group, (option for option in writing.OPTIONS if option.name not in no_effect))


def writing_of(options: argparse.Namespace) -> Writing:
    """The `Writing` that the options ask for."""
    return Writing(**chosen_options(options, (option for option in writing.OPTIONS if option.name in options)))


def add_husk(parser: argparse.ArgumentParser, without: str) -> None:
    """Adds the template option of the commands that compare versions of pages. `without`: what is done if not given."""
    parser.add_argument(
        "-t",
        "--template",
        type=Path,
        metavar="FILE",
        help=f"a template from dehusk learn, to tell content from husk (default: none, {without})",
    )


def add_fetching(parser: argparse.ArgumentParser, *, anew: bool = False) -> None:
    """Adds the options for fetching pages. With `anew`, pages are fetched every time and --keep-fetched is left out."""
    group = parser.add_argument_group("fetching")
    group.add_argument("--allow-private", action="store_true", help="fetch from private and loopback addresses too")
    group.add_argument(
        "--delay",
        type=seconds,
        default=DELAY,
        metavar="SECONDS",
        help="time between two requests to a host (default: %(default)s)",
    )
    group.add_argument(
        "--timeout",
        type=seconds,
        default=TIMEOUT,
        metavar="SECONDS",
        help="how long to wait for a server to respond (default: %(default)s)",
    )
    group.add_argument(
        "--max-pages", type=count, default=MAX_PAGES, metavar="N", help="pages to fetch at most (default: %(default)s)"
    )
    group.add_argument("--user-agent", metavar="TEXT", help="the User-Agent sent to servers (default: dehusk/VERSION)")
    if anew:
        parser.set_defaults(keep_fetched=None)
        return
    group.add_argument(
        "--keep-fetched",
        type=Path,
        metavar="FILE",
        help="save fetched pages to this WARC file, and read them from it the next time (default: do not save)",
    )


def add_processes(parser: argparse.ArgumentParser) -> None:
    """Adds the options for worker processes and their time limit."""
    parser.add_argument(
        "-j",
        "--jobs",
        type=processes,
        default=cores(),
        metavar="N",
        help="processes that learn and clean (default: all cores, here %(default)s)",
    )
    add_page_seconds(parser)


def add_page_seconds(parser: argparse.ArgumentParser, meaning: str = "skip a page that takes") -> None:
    """Adds the limit of processor time for a page."""
    parser.add_argument(
        "--page-seconds",
        type=seconds,
        default=PAGE_SECONDS,
        metavar="SECONDS",
        help=f"{meaning} more processor time than this; 0 for no limit (default: %(default)s)",
    )


def add_store(parser: argparse.ArgumentParser) -> None:
    """Adds the option for a store of templates."""
    parser.add_argument(
        "--store",
        metavar="FILE",
        help="a file with the templates of many sites; every run adds to it (default: none)",
    )


def add_template(parser: argparse.ArgumentParser) -> None:
    """Adds the option for a saved template."""
    parser.add_argument(
        "-t",
        "--template",
        metavar="FILE",
        help="a file or folder written by dehusk learn (default: learn from SOURCE)",
    )


def add_choice(parser: "argparse.ArgumentParser | Group", option: str, names: Iterable[str], meaning: str) -> None:
    """Adds an option that takes one of a few names."""
    known = list(names)
    parser.add_argument(option, type=one_of(known), metavar=f"{{{','.join(known)}}}", help=meaning)


Group = argparse._ArgumentGroup  # noqa: SLF001  # the class has no public name


def fetching(options: argparse.Namespace) -> Fetching:
    """The `Fetching` that the options ask for."""
    return Fetching(
        delay=options.delay,
        timeout=options.timeout,
        max_pages=options.max_pages,
        user_agent=options.user_agent,
        allow_private=options.allow_private,
        keep=options.keep_fetched,
    )


def one_of(names: Sequence[str]) -> Callable[[str], str]:
    """Argument type: one of the names."""

    def checked(text: str) -> str:
        if text not in names:
            meant = did_you_mean(text, names)
            raise argparse.ArgumentTypeError(f"{text!r} is unknown; choose one of {', '.join(names)}{meant}")
        return text

    return checked


def number(text: str, meaning: str = "a whole number, 1 or more") -> int:
    """Argument type: a whole number, 1 or more."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not {meaning}")
    return int(text)


count = partial(number, meaning="a number of pages")
processes = partial(number, meaning="a number of processes")


def several_of(names: Collection[str]) -> Callable[[str], list[str]]:
    """Argument type: names separated by commas."""
    checked = one_of([str(name) for name in names])
    return lambda text: [checked(name.strip()) for name in text.split(",")]


def seconds(text: str) -> float:
    """Argument type: a number of seconds, 0 or more."""
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not math.isfinite(number) or number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return number
