"""Options that several commands share."""

import argparse
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
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
    """SOURCE and how to read it; with `stdin` it may be standard input."""
    parser.add_argument(
        "source",
        nargs="+",
        metavar="SOURCE",
        help="a folder of pages (one site) or files; WARC, WACZ, JSON Lines or Parquet files; a sitemap, a .txt list "
        f"of URLs, a URL{'; - for one page on standard input' * stdin}",
    )
    add_choice(parser, "--by", BY, "what is one site, where pages have URLs (default: host)")
    add_options(parser, OPTIONS)
    add_fetching(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="print only errors")


def add_options(parser: "argparse.ArgumentParser | Group", options: Iterable[Option]) -> None:
    """What is declared that sources, outputs or writers can be told."""
    for option in options:
        flag = f"--{option.name.replace('_', '-')}"
        if option.default is False:
            parser.add_argument(flag, action="store_true", help=option.help)
            continue
        helps = f"{option.help} (default: {option.default or 'none'})"
        many: dict[str, Any] = {"type": several_of(option.choices), "action": "extend"} if option.many else {}
        default = [] if option.many else option.default
        parser.add_argument(flag, default=default, metavar=option.metavar, help=helps, **many)


def chosen_options(options: argparse.Namespace, declared: Iterable[Option]) -> dict[str, Any]:
    """Those of the declared options that differ from their defaults."""
    return {option.name: value for option in declared if (value := getattr(options, option.name)) != option.default}


def add_writing(parser: argparse.ArgumentParser) -> None:
    """How pages are written."""
    group = parser.add_argument_group("writing", f"ROLE is one of {', '.join(Role)}; several with commas")
    add_options(group, writing.OPTIONS)


def writing_of(options: argparse.Namespace) -> Writing:
    """How to write, as the options say."""
    return Writing(**chosen_options(options, writing.OPTIONS))


def add_husk(parser: argparse.ArgumentParser) -> None:
    """What tells content from husk where versions of pages are compared."""
    parser.add_argument(
        "-t",
        "--template",
        type=Path,
        metavar="FILE",
        help="what dehusk learn wrote, which tells content from husk (default: none, nearly all is content)",
    )


def add_fetching(parser: argparse.ArgumentParser, *, anew: bool = False) -> None:
    """How to fetch what is on the web. What is fetched `anew` each time cannot be kept for the next time."""
    group = parser.add_argument_group("fetching")
    group.add_argument("--allow-private", action="store_true", help="fetch from private and loopback addresses too")
    group.add_argument(
        "--delay",
        type=seconds,
        default=DELAY,
        metavar="SECONDS",
        help="wait between two requests to a host (default: %(default)s)",
    )
    group.add_argument(
        "--timeout",
        type=seconds,
        default=TIMEOUT,
        metavar="SECONDS",
        help="how long a server may be silent (default: %(default)s)",
    )
    group.add_argument(
        "--max-pages", type=count, default=MAX_PAGES, metavar="N", help="pages to fetch at most (default: %(default)s)"
    )
    group.add_argument("--user-agent", metavar="TEXT", help="the name sent to servers (default: dehusk/VERSION)")
    if anew:
        parser.set_defaults(keep_fetched=None)
        return
    group.add_argument(
        "--keep-fetched",
        type=Path,
        metavar="FILE",
        help="keep fetched pages in this WARC file, and take them from it the next time (default: do not keep them)",
    )


def add_processes(parser: argparse.ArgumentParser) -> None:
    """What does the work, and how long it may take."""
    parser.add_argument(
        "-j",
        "--jobs",
        type=processes,
        default=cores(),
        metavar="N",
        help="processes that learn and clean (default: all cores, here %(default)s)",
    )
    parser.add_argument(
        "--page-seconds",
        type=seconds,
        default=PAGE_SECONDS,
        metavar="SECONDS",
        help="skip a page that takes more processor time than this; 0 for no limit (default: %(default)s)",
    )


def add_store(parser: argparse.ArgumentParser) -> None:
    """Where templates of many sites are."""
    parser.add_argument(
        "--store",
        metavar="FILE",
        help="a file with the templates of many sites, which every run adds to (default: none)",
    )


def add_template(parser: argparse.ArgumentParser) -> None:
    """What was learned before."""
    parser.add_argument(
        "-t",
        "--template",
        metavar="FILE",
        help="a file or folder that dehusk learn wrote (default: learn from SOURCE)",
    )


def add_choice(parser: "argparse.ArgumentParser | Group", option: str, names: Iterable[str], meaning: str) -> None:
    """An option that is one of a few names."""
    known = list(names)
    parser.add_argument(option, type=one_of(known), metavar=f"{{{','.join(known)}}}", help=meaning)


Group = argparse._ArgumentGroup  # noqa: SLF001  # the class has no other name


def fetching(options: argparse.Namespace) -> Fetching:
    """How to fetch, as the options say."""
    return Fetching(
        delay=options.delay,
        timeout=options.timeout,
        max_pages=options.max_pages,
        user_agent=options.user_agent,
        allow_private=options.allow_private,
        keep=options.keep_fetched,
    )


@contextmanager
def needs_extra(name: str) -> Iterator[None]:
    """Around imports of what only an extra of the package installs: says how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "dehusk":
            raise
        raise UsageError(f"{error.name} is not installed; run: pip install 'dehusk[{name}]'") from error


def one_of(names: Sequence[str]) -> Callable[[str], str]:
    """A word that is one of a few."""

    def checked(text: str) -> str:
        if text not in names:
            meant = did_you_mean(text, names)
            raise argparse.ArgumentTypeError(f"{text!r} is unknown; choose one of {', '.join(names)}{meant}")
        return text

    return checked


def number(text: str, meaning: str = "a number from 1 on") -> int:
    """A number from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not {meaning}")
    return int(text)


count = partial(number, meaning="a number of pages")
processes = partial(number, meaning="a number of processes")


def several_of(names: Collection[str]) -> Callable[[str], list[str]]:
    """Words with commas between them, each one of a few."""
    checked = one_of([str(name) for name in names])
    return lambda text: [checked(name.strip()) for name in text.split(",")]


def seconds(text: str) -> float:
    """A time."""
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not math.isfinite(number) or number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return number
