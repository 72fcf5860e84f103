"""What several commands share: options, progress, and messages."""

import argparse
import math
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from dehusk import kernels, methods
from dehusk.base.errors import Skipped, UsageError, did_you_mean, listed, shown
from dehusk.base.files import reason
from dehusk.base.options import Option
from dehusk.base.system import cores
from dehusk.core import SAMPLE
from dehusk.jobs.job import Job
from dehusk.jobs.progress import Phase, Progress
from dehusk.jobs.result import NAMED
from dehusk.jobs.site_templates import Templates
from dehusk.jobs.workers import PAGE_SECONDS
from dehusk.marking.edits import Edit
from dehusk.methods.evidence.judging import FAVORS, GRAINS
from dehusk.render import writing
from dehusk.render.writing import Writing
from dehusk.roles import Role
from dehusk.sources import OPTIONS
from dehusk.sources.web.fetching import DELAY, MAX_PAGES, TIMEOUT, Fetching
from dehusk.templates.site_names import BY

if TYPE_CHECKING:
    from tqdm import tqdm

OWN = ("grain", "favor", "weights")
"""The options of methods that the command line has."""
LEARNING = ("method", "sample", "dedupe", *OWN)
"""The options that are about learning."""
NOT_COMPILED = (
    "dehusk runs without its compiled loops: the same results, several times slower; install it again with a C compiler"
)


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
    return {one.name: value for one in declared if (value := getattr(options, one.name)) != one.default}


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


def add_method(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """How to learn; where `several` methods may be given, they are a list."""
    learning = parser.add_argument_group("learning")
    learning.add_argument(
        "--method",
        metavar="NAME",
        action="append" if several else "store",
        help=f"see dehusk methods{'; may be repeated, to compare them' * several} (default: {methods.DEFAULT})",
    )
    learning.add_argument(
        "--sample", type=sample, metavar="N", help=f"how many pages of a family to learn from (default: {SAMPLE})"
    )
    learning.add_argument(
        "--no-dedupe",
        dest="dedupe",
        action="store_false",
        default=None,
        help="learn from every copy of a page (default: copies count once)",
    )
    evidence = parser.add_argument_group("learning with the method evidence")
    add_choice(evidence, "--grain", GRAINS, "keep labels inside content, or remove all that repeats (default: regions)")
    add_choice(
        evidence, "--favor", [name for name in FAVORS if name], "what to prefer where in doubt (default: neither)"
    )
    evidence.add_argument(
        "--weights", metavar="FILE", help="a model of your own, as training writes it (default: the one in dehusk)"
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


def add_choice(parser: "argparse.ArgumentParser | Group", option: str, names: Iterable[str], what: str) -> None:
    """An option that is one of a few names."""
    known = list(names)
    parser.add_argument(option, type=one_of(known), metavar=f"{{{','.join(known)}}}", help=what)


Group = argparse._ArgumentGroup  # noqa: SLF001  # the class has no other name


def examples(parser: argparse.ArgumentParser, *lines: str) -> None:
    """Ends the help of a command with examples."""
    parser.epilog = "\n  ".join(["examples:", *lines])


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


def job_for(options: argparse.Namespace, *own: str | None, **more: Any) -> Job:
    """The job that the options ask for; `own` are files of the command that are not pages."""
    template = getattr(options, "template", None)
    if template and (given := _given(options, LEARNING)):
        name = next(iter(given)).replace("dedupe", "no-dedupe")
        raise UsageError(f"--{name} is about learning, and -t is what was learned; leave one of them out")
    return Job(
        options.source,
        template=template,
        by=options.by,
        source_options=chosen_options(options, OPTIONS),
        fetching=fetching(options),
        leave_out=[place for place in (*own, options.weights) if place],
        **_learning(options),
        **more,
    )


def _learning(options: argparse.Namespace) -> dict[str, Any]:
    """How to learn, as far as the options say it."""
    how = methods.method(options.method or methods.DEFAULT)
    own = _given(options, OWN)
    for name in own:
        if name not in how.options:
            raise UsageError(f"the method {how.name} has no --{name}; leave it out, or choose another method")
    if options.weights:
        own["weights"] = _weights(Path(options.weights))
    return {"method": options.method, "sample": options.sample, "dedupe": options.dedupe, "method_options": own}


def _given(options: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Those of the options that were given."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _weights(path: Path) -> dict[str, Any]:
    """The content of a file of weights, once it is known to be a model."""
    import json

    from dehusk.methods.evidence.judging import model_of

    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read weights {path}: {reason(error)}") from error
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise UsageError(f"{path}: not weights of the method evidence; make some with make train")
    try:
        model_of(data)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    return data


class Bar(AbstractContextManager["Bar"]):
    """Progress on standard error: a bar on a terminal, and a line where a job continues an earlier one."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._shown = not options.quiet and sys.stderr is not None and sys.stderr.isatty()
        self._bar: tqdm[Any] | None = None
        self._what = ""

    def __enter__(self) -> Self:
        if not kernels.compiled():
            say(NOT_COMPILED, self._options)
        return self

    def __call__(self, progress: Progress) -> None:
        """Shows one step of a job."""
        if progress.phase is Phase.RESUMING:
            say(f"resuming: {plural(progress.done, 'page')} were done by an earlier run", self._options)
        elif progress.phase is Phase.RESTARTING:
            left = f"{self._options.output} was left unfinished by another job"
            say(f"{left}; starting from the beginning", self._options)
        else:
            units = {Phase.LEARNING: "site", Phase.WRITING: "file"}
            self.show(progress.phase, progress.done, progress.total, units.get(progress.phase, "page"))

    def show(self, what: str, done: int, total: int | None, unit: str) -> None:
        """Shows one step. What has many short steps is shown once it takes more than a second."""
        if not self._shown:
            return
        if self._bar is None or what != self._what:
            from tqdm import tqdm

            self.close()
            delay = 1 if unit == "page" else 0
            start = max(0, done - 1) if delay else done
            self._what = what
            self._bar = tqdm(
                None,
                what,
                total,
                leave=False,
                file=sys.stderr,
                unit=unit,
                delay=delay,
                initial=start,
                dynamic_ncols=True,
            )
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __exit__(self, *_: object) -> None:
        self.close()


def say(line: str, options: argparse.Namespace) -> None:
    """A line for the person, on standard error, unless `-q`."""
    if not options.quiet:
        print(shown(line), file=sys.stderr)


def tell_skipped(reasons: Mapping[str, int], first: Sequence[Skipped], options: argparse.Namespace) -> None:
    """Names the skipped pages; if there are too many, says how many there are of each reason."""
    if sum(reasons.values()) <= len(first):
        for one in first:
            say(f"skipped {one.name}: {one.reason}", options)
        return
    ordered = sorted(reasons.items(), key=lambda reason: (-reason[1], reason[0]))
    for why, pages in ordered[:NAMED]:
        say(f"skipped {pages}: {why}", options)
    if others := ordered[NAMED:]:  # such as one for each site
        say(f"skipped {sum(pages for _, pages in others)} for {plural(len(others), 'other reason')}", options)
    say("--log FILE names each", options)


def tell_outliers(learned: Templates, options: argparse.Namespace) -> None:
    """Names the pages that the templates were learned without."""
    names = learned.outliers
    if names:
        without = f"learned without {len(names)} of {learned.pages} pages that do not share the template"
        say(f"{without}: {listed(names, 5)}", options)
    if learned.left_out:
        without = f"learned without {plural(len(learned.left_out), 'page')} that would take too much memory or time"
        say(f"{without}: {listed(learned.left_out, 5)}", options)


def tell_missing(missing: Mapping[str, Sequence[Edit]], options: argparse.Namespace) -> None:
    """Names the edits that say nothing about the pages of their site any more."""
    for site, edits in missing.items():
        for edit in edits:
            place = f"{edit.path}{f' of {site}' if site else ''}"
            say(f"warning: edit {edit.id} has lost its place, {place}; take it back with dehusk edit --undo", options)


def plural(number: int, thing: str) -> str:
    """A number of things, such as "2 pages"."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def one_of(names: Sequence[str]) -> Callable[[str], str]:
    """A word that is one of a few."""

    def checked(text: str) -> str:
        if text not in names:
            meant = did_you_mean(text, names)
            raise argparse.ArgumentTypeError(f"{text!r} is unknown; choose one of {', '.join(names)}{meant}")
        return text

    return checked


def count(text: str) -> int:
    """A number of pages."""
    return _whole(text, "a number of pages")


def number(text: str) -> int:
    """A number from 1 on."""
    return _whole(text, "a number from 1 on")


def processes(text: str) -> int:
    """A number of processes."""
    return _whole(text, "a number of processes")


def _whole(text: str, what: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not {what}")
    return int(text)


def several_of(names: Collection[str]) -> Callable[[str], list[str]]:
    """Words with commas between them, each one of a few."""
    checked = one_of([str(name) for name in names])
    return lambda text: [checked(name.strip()) for name in text.split(",")]


def sample(text: str) -> int:
    """A number of pages to learn from."""
    if count(text) < 2:
        raise argparse.ArgumentTypeError("a template is learned from two pages or more")
    return int(text)


def seconds(text: str) -> float:
    """A time."""
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not math.isfinite(number) or number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return number
