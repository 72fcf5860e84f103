"""dehusk bench: reruns the papers' experiments and public benchmarks."""

import argparse
import os
import shlex
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryFile

from dehusk import bench
from dehusk.base.errors import OutputError, Skipped, UsageError
from dehusk.base.files import unwritable, written_whole
from dehusk.base.system import cores
from dehusk.bench import ALL, EXPERIMENTS
from dehusk.bench.evaluation.datasets import FOLDS
from dehusk.bench.evaluation.layouts import LAYOUTS, open_data
from dehusk.cli import examples
from dehusk.cli._common import add_choice, number, one_of, processes
from dehusk.cli._learning import add_method
from dehusk.cli._telling import Bar, plural, say
from dehusk.methods import typed_method

CACHE_LIMIT = 2000
RUNS = 100
LINE_EVERY = 60.0
"""Seconds between two lines of progress of a task in a log."""
NAMED_PAGES = 10
"""Number of skipped pages that are named in the terminal."""
TRAINED_ON = (
    "The weights of the default method were trained on pages of these sets: {}. Its scores on them are too high; "
    "--weights FOLDER takes weights that were trained without the brand of each page."
)
NEVER_SEEN = "Each page was cleaned with weights that were trained without the brand of the page."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk bench`."""
    parser.description = "Rerun the experiments of the papers and public benchmarks on a data set with gold standard."
    parser.add_argument("name", type=_experiment(parser), metavar="NAME", help=f"{', '.join(EXPERIMENTS)}, or {ALL}")
    parser.add_argument("data", type=Path, metavar="DATA", help="the folder of a data set in a known layout")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="the folder for report.html and results.json"
    )
    add_choice(parser, "--layout", LAYOUTS, "the layout of DATA (default: detected from its folders)")
    parser.add_argument(
        "--selector", metavar="CSS", help="DATA is a folder of pages; this selects their content (default: none)"
    )
    parser.add_argument(
        "--weights",
        type=Path,
        metavar="FOLDER",
        help="cross-validation weights that training/accuracy.py wrote (default: the weights of dehusk)",
    )
    add_method(parser, "measured in addition to all methods; may be repeated (default: none)", several=True)
    amount = parser.add_argument_group("amount")
    amount.add_argument("--quick", action="store_true", help="use only a quarter of the sites, pages and runs")
    amount.add_argument("--all", action="store_true", help="all sites and pages (default: a sample of large sets)")
    amount.add_argument(
        "--runs", type=number, default=RUNS, metavar="N", help="runs of k-means (default: %(default)s; the papers: 800)"
    )
    amount.add_argument("--seed", type=number, default=1, metavar="N", help="random seed (default: %(default)s)")
    amount.add_argument("--jobs", type=processes, default=cores(), metavar="N", help="processes (default: all cores)")
    kept = parser.add_argument_group("cache")
    kept.add_argument(
        "--cache", type=Path, metavar="FILE", help="the file for cached results (default: in your cache folder)"
    )
    kept.add_argument(
        "--cache-limit",
        type=number,
        default=CACHE_LIMIT,
        metavar="MB",
        help="maximum size of the cache after a run, in megabytes (default: %(default)s)",
    )
    kept.add_argument("--clear-cache", action="store_true", help="delete the cached results first")
    parser.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    examples(
        parser,
        "dehusk bench content ../shared/data -o bench/ --quick",
        "dehusk bench content manual/ --selector main -o bench/",
    )


def run(options: argparse.Namespace) -> int:
    """Runs the chosen experiments and writes the report."""
    from dehusk.bench.bench_report import BenchReport
    from dehusk.bench.measuring import Bench
    from dehusk.bench.texts import BenchSettings, Cache, assignments

    started = time.perf_counter()
    if options.quick and options.all:
        raise UsageError("--quick and --all exclude each other; leave one of them out")
    if options.weights and not assignments(options.weights):
        raise UsageError(
            f"{options.weights}: not all {FOLDS} folds have weights; run training/accuracy.py --weights FOLDER"
        )
    extra = tuple(options.method or ())
    for words in extra:
        typed_method(words, files=False)
    experiments = bench.chosen(options.name)
    for experiment in experiments:
        experiment.check()
    with Bar(options) as bar:
        _progress(bar, options, started)("looking at the data", 0, None)
        data = open_data(options.data, layout=options.layout, selector=options.selector)
    _make_ready(options.output)
    cache = Cache(options.cache or _cache_path())
    if options.clear_cache:
        cache.clear()
    with Bar(options) as bar:
        work = Bench(
            data,
            BenchSettings(cache.path, options.weights, methods=extra),
            options.jobs,
            quick=options.quick,
            everything=options.all,
            runs=options.runs,
            seed=options.seed,
            progress=_progress(bar, options, started),
        )
        try:
            ran, unfit = bench.run(work, experiments, options.output)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("results so far are cached; run the same command to continue") from None
        finally:
            bar.close()
            _say_left_out(work.left_out, options)
    cache.trim(options.cache_limit * 1_000_000)
    seen = bench.trained_on(ran)
    notes = [NEVER_SEEN] if options.weights else [TRAINED_ON.format(", ".join(seen))] if seen else []
    notes += [f"Left out: {why}." for why in unfit]
    report = BenchReport(_command(options), str(options.data), data.layout, ran, work.left_out, work.not_drawn, notes)
    pictures = {f"plots/{name}": picture for name, picture in report.pictures().items()}
    for name, text in {**pictures, "results.json": report.json(), "report.html": report.html()}.items():
        with written_whole(options.output / name, inside=options.output) as file:
            file.write(text)
    for why in unfit:
        say(f"left out {why}", options)
    seconds = time.perf_counter() - started
    say(
        f"{plural(len(ran), 'experiment')}, {seconds:.0f} s: open {options.output / 'report.html'} in a browser",
        options,
    )
    return 0


def _progress(bar: Bar, options: argparse.Namespace, started: float) -> Callable[[str, int, int | None], None]:
    """Shows progress: a bar on a terminal; elsewhere, such as in a log, a line when a task begins and each minute."""
    last, said = "", started

    def show(task: str, done: int, total: int | None) -> None:
        nonlocal last, said
        now = time.perf_counter()
        if not bar.shown and (task != last or now - said >= LINE_EVERY):
            number = f"{done} of " * (task == last) + plural(total, "group") if total is not None else ""
            say(f"{now - started:.0f} s: {task}{f', {number}' * bool(number)}", options)
            said = now
        last = task
        bar.show(task, done, total, "group")

    return show


def _make_ready(folder: Path) -> None:
    """Creates the output folder; raises OutputError before anything is measured if it is not writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OutputError(f"cannot write to {folder}: {unwritable(error)}") from error


def _say_left_out(pages: Sequence[Skipped], options: argparse.Namespace) -> None:
    for page in pages[:NAMED_PAGES]:
        say(f"left out {page.name}: {page.reason}", options)
    if len(pages) > NAMED_PAGES:
        say(f"left out {plural(len(pages) - NAMED_PAGES, 'more page')}", options)


def _experiment(parser: argparse.ArgumentParser) -> Callable[[str], str]:
    """Argument type for the name of an experiment; also sets the help text to what that experiment reruns."""

    def checked(text: str) -> str:
        name = one_of([*EXPERIMENTS, ALL])(text)
        paragraphs = [f"{chosen.name}: {chosen.shows}.\n{chosen.reruns}" for chosen in bench.chosen(name)]
        parser.description = "\n\n".join(paragraphs)
        return name

    return checked


def _command(options: argparse.Namespace) -> str:
    """The command that reproduces the report."""
    words = ["dehusk", "bench", options.name, str(options.data), "-o", str(options.output)]
    flags = {"--quick": options.quick, "--all": options.all}
    values = {"--layout": options.layout, "--selector": options.selector, "--weights": options.weights}
    numbers = {"--runs": (options.runs, RUNS), "--seed": (options.seed, 1)}
    words += [flag for flag, given in flags.items() if given]
    words += [word for method in options.method or () for word in ("--method", method)]
    words += [word for option, value in values.items() if value for word in (option, str(value))]
    words += [word for option, (value, usual) in numbers.items() if value != usual for word in (option, str(value))]
    return shlex.join(words)


def _cache_path() -> Path:
    """The default path of the cache."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "dehusk" / "bench.sqlite"
