"""What several commands share: options, progress, and the way from a source to its templates."""

import argparse
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from dehusk import methods
from dehusk.errors import Skipped, UsageError
from dehusk.files import reason
from dehusk.jobs.run import Templates, learn_source
from dehusk.jobs.store import Store, Stored
from dehusk.learning import SAMPLE
from dehusk.methods.evidence.learn import FAVORS, GRAINS
from dehusk.methods.evidence.verdicts import KEEP
from dehusk.options import Option
from dehusk.page import Page
from dehusk.sites.names import BY, site_of
from dehusk.sources import OPTIONS, Reading, Source, open_source, to_learn_from

if TYPE_CHECKING:
    from dehusk.web.crawl import Fetcher

_Item = TypeVar("_Item")
OWN = ("grain", "favor", "keep", "weights")
"""The options of methods that the command line has."""
LEARNING = ("method", "sample", "dedupe", *OWN)
"""The options that are about learning."""
_NAMED = 100  # so many skipped pages are named; of more, the reasons are counted, and a log names each


def add_source(parser: argparse.ArgumentParser) -> None:
    """SOURCE and how to read it."""
    parser.add_argument(
        "source",
        nargs="+",
        metavar="SOURCE",
        help="a folder of pages (one site) or files; WARC, WACZ, JSON Lines or Parquet files; a sitemap, a .txt list "
        "of URLs, a URL; - for one page on standard input",
    )
    parser.add_argument("--by", choices=BY, help="what is one site, among URLs (default: host)")
    add_options(parser, OPTIONS)
    add_fetching(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")


def add_options(parser: argparse.ArgumentParser, options: Iterable[Option]) -> None:
    """What sources or outputs declare that they can be told."""
    for one in options:
        flag = f"--{one.name.replace('_', '-')}"
        if one.default is False:
            parser.add_argument(flag, action="store_true", help=one.help)
        else:
            parser.add_argument(flag, default=one.default, metavar="NAME", help=f"{one.help} (default: %(default)s)")


def add_fetching(parser: argparse.ArgumentParser) -> None:
    """How to fetch what is on the web."""
    fetching = parser.add_argument_group("fetching")
    fetching.add_argument("--allow-private", action="store_true", help="fetch from private and loopback addresses too")
    fetching.add_argument("--delay", type=seconds, metavar="SECONDS", help="between two requests to a host")
    fetching.add_argument("--timeout", type=seconds, metavar="SECONDS", help="that a server may be silent")
    fetching.add_argument("--max-pages", type=count, metavar="N", help="to fetch at most")
    fetching.add_argument("--user-agent", metavar="TEXT", help="how to introduce ourselves")
    fetching.add_argument(
        "--keep-fetched", metavar="FILE", help="keep what is fetched as a WARC file, and take from it again"
    )


def add_method(parser: argparse.ArgumentParser) -> None:
    """How to learn."""
    learning = parser.add_argument_group("learning")
    learning.add_argument("--method", metavar="NAME", help=f"see dehusk methods (default: {methods.DEFAULT})")
    learning.add_argument("--sample", type=sample, metavar="N", help=f"pages to learn from (default: {SAMPLE})")
    learning.add_argument("--dedupe", action="store_true", default=None, help="leave near duplicates out of learning")
    evidence = parser.add_argument_group("learning with the method evidence")
    evidence.add_argument(
        "--grain", choices=GRAINS, help="keep labels inside content, or drop all that repeats (default: regions)"
    )
    evidence.add_argument("--favor", choices=[name for name in FAVORS if name], help="where in doubt")
    evidence.add_argument(
        "--keep",
        type=kept,
        action="extend",
        metavar="WHAT",
        help=f"what is dropped otherwise, by the names of its elements: {', '.join(KEEP)}; several with commas",
    )
    evidence.add_argument("--weights", metavar="FILE", help="a model of your own, as the training writes it")


def add_store(parser: argparse.ArgumentParser) -> None:
    """Where templates of many sites are."""
    parser.add_argument(
        "--store", metavar="FILE", help="the templates of many sites in one file, which every run adds to"
    )


def add_template(parser: argparse.ArgumentParser) -> None:
    """What was learned before."""
    parser.add_argument(
        "-t", "--template", metavar="FILE", help="what dehusk learn wrote, a file or a folder; else learn from SOURCE"
    )


def fetcher(options: argparse.Namespace, stack: ExitStack) -> "Fetcher":
    """What fetches pages as the options say, until the stack is closed."""
    from dehusk.web.crawl import Fetcher

    given = {
        "delay": options.delay,
        "timeout": options.timeout,
        "max_pages": options.max_pages,
        "user_agent": options.user_agent,
        "keep": Path(options.keep_fetched) if options.keep_fetched else None,
    }
    said = {name: value for name, value in given.items() if value is not None}
    return stack.enter_context(Fetcher(allow_private=options.allow_private, **said))


def source_for(options: argparse.Namespace, stack: ExitStack, *own: str | None) -> Source:
    """The source; `own` are the places that the command writes or keeps itself, which are no pages."""
    places = [Path(place) for place in (*own, options.keep_fetched, options.weights) if place and place != "-"]
    twice = [place for place, times in Counter(place.resolve() for place in places).items() if times > 1]
    if twice:
        raise UsageError(f"{twice[0]} is given for two different things; choose another place for one")
    reading = Reading(
        fetcher=lambda: fetcher(options, stack),
        leave_out=places,
        options={one.name: getattr(options, one.name) for one in OPTIONS},
    )
    return open_source(options.source, reading)


def templates_for(
    options: argparse.Namespace, source: Source, skipped: Callable[[Skipped], object] = lambda _: None
) -> Templates:
    """The templates given with `-t`, or learned from the source."""
    if options.template:
        if given := _given(options, LEARNING):
            raise UsageError(
                f"--{next(iter(given))} is about learning, and -t is what was learned; leave one of them out"
            )
        return Templates.load(Path(options.template), options.by)
    return learned_from(options, source, skipped)


def learned_from(options: argparse.Namespace, source: Source, skipped: Callable[[Skipped], object]) -> Templates:
    """The templates learned from the source; what could not be read on the way is told."""
    items = progress(to_learn_from(source), source, "learning", options)
    noted = (_noted(item, skipped) for item in items)
    return learn_source(noted, by=options.by or "host", **{"method": methods.DEFAULT, **learning(options)})


def open_store(options: argparse.Namespace, stack: ExitStack) -> Store:
    """The store of `--store`, until the stack is closed; a new one learns as the options say."""
    return stack.enter_context(Store(options.store, by=options.by, **learning(options)))


def stored_for(
    options: argparse.Namespace, source: Source, stack: ExitStack, skipped: Callable[[Skipped], object]
) -> Stored:
    """The templates of the store, which learns those that it lacks."""
    if options.template:
        raise UsageError("-t and --store both have templates; leave one of them out")
    store = open_store(options, stack)
    looked = progress(source, source, "looking", options)
    # A page by itself is compared with others, which may have to be fetched: not if its site is known.
    if any(site_of(page, store.by) not in store for page in looked if isinstance(page, Page)):
        items = progress(to_learn_from(source), source, "learning", options)
        store.add(pages_of(items, skipped), only_new=True)
    return Stored(store, options.store_version)


def pages_of(items: Iterable[Page | Skipped], skipped: Callable[[Skipped], object]) -> Iterator[Page]:
    """The pages among the items; what could not be read is told."""
    for item in items:
        if isinstance(item, Page):
            yield item
        else:
            skipped(item)


def learning(options: argparse.Namespace) -> dict[str, Any]:
    """How to learn, as far as the options say it."""
    how = methods.method(options.method or methods.DEFAULT)
    given = _given(options, LEARNING)
    for name in given.keys() & set(OWN):
        if name not in how.options:
            raise UsageError(f"the method {how.name} has no --{name}; leave it out, or choose another method")
    if options.weights:
        given["weights"] = _weights(Path(options.weights))
    return given


def _given(options: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Those of the options that were given."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _weights(path: Path) -> dict[str, Any]:
    """The content of a file of weights, once it is known to be a model."""
    import json

    from dehusk.methods.evidence.learn import model_of

    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read weights {path}: {reason(error)}") from error
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise UsageError(f"{path}: no weights of the method evidence; make some with make train")
    try:
        model_of(data)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    return data


def _noted(item: Page | Skipped, skipped: Callable[[Skipped], object]) -> Page | Skipped:
    if isinstance(item, Skipped):
        skipped(item)
    return item


def progress(
    items: Iterable[_Item], source: Source, what: str, options: argparse.Namespace, *, done: int = 0
) -> Iterator[_Item]:
    """The items, with a bar on a terminal once it takes more than a second; so many were done before."""
    if options.quiet or not sys.stderr.isatty():
        return iter(items)
    from tqdm import tqdm

    total = len(source.names) if source.names is not None else None
    return iter(tqdm(items, what, total, leave=False, file=sys.stderr, unit="page", delay=1, initial=done))


def say(line: str, options: argparse.Namespace) -> None:
    """A line for the person, on standard error, unless `-q`."""
    if not options.quiet:
        print(line, file=sys.stderr)


class SkippedPages:
    """What was skipped: counted by reason, the first named, and each written to a log if there is one."""

    def __init__(self, log: IO[str] | None) -> None:
        self._log = log
        self._first: list[Skipped] = []
        self._reasons: Counter[str] = Counter()

    def add(self, one: Skipped) -> None:
        """One more."""
        import json

        self._reasons[one.reason] += 1
        if len(self._first) <= _NAMED:
            self._first.append(one)
        if self._log:
            self._log.write(json.dumps({"name": one.name, "reason": one.reason}, ensure_ascii=False) + "\n")

    def __len__(self) -> int:
        return self._reasons.total()

    @property
    def first(self) -> Skipped | None:
        """The first of them."""
        return self._first[0] if self._first else None

    def tell(self, options: argparse.Namespace) -> None:
        """Names each, or of very many how many there are of each reason."""
        if len(self) <= _NAMED:
            for one in self._first:
                say(f"skipped {one.name}: {one.reason}", options)
            return
        reasons = sorted(self._reasons.items(), key=lambda reason: (-reason[1], reason[0]))
        for why, pages in reasons[:_NAMED]:
            say(f"skipped {pages}: {why}", options)
        if others := reasons[_NAMED:]:  # such as a site each
            say(f"skipped {sum(pages for _, pages in others)} for {plural(len(others), 'other reason')}", options)
        say("--log FILE names each", options)


def report_outliers(learned: Templates, options: argparse.Namespace) -> None:
    """Names the pages that the templates were learned without."""
    names = learned.outliers
    if names:
        shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
        say(f"learned without {len(names)} of {learned.pages} pages that do not share the template: {shown}", options)


def plural(number: int, thing: str) -> str:
    """So many of a thing."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def count(text: str) -> int:
    """A number of pages."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of pages")
    return int(text)


def kept(text: str) -> list[str]:
    """A list of things to keep."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in KEEP:
            raise argparse.ArgumentTypeError(f"{name!r} cannot be kept; choose of {', '.join(KEEP)}")
    return names


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
