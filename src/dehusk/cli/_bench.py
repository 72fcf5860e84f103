"""dehusk bench: the papers' experiments and the public benchmarks, rerun."""

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
from dehusk.bench.evaluation.measures import weights_file
from dehusk.cli import examples
from dehusk.cli._common import add_choice, number, one_of, processes
from dehusk.cli._learning import add_method
from dehusk.cli._telling import Bar, plural, say
from dehusk.methods import typed_method

CACHE_LIMIT = 2000
RUNS = 100
NAMED_PAGES = 10
"""Pages left out that are named in the terminal."""
TRAINED_ON = (
    "The weights of the default that comes with dehusk were trained on pages of these sets: {}. Its figures on them "
    "are too good; --weights FOLDER takes weights that never saw the brand of a page."
)
NEVER_SEEN = "The default has weights that never saw the brand of the page that they clean."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `dehusk bench`."""
    parser.description = "Rerun the experiments of the papers and of the field's benchmarks on a data set with gold."
    parser.add_argument("name", type=_experiment(parser), metavar="NAME", help=f"{', '.join(EXPERIMENTS)}, or {ALL}")
    parser.add_argument("data", type=Path, metavar="DATA", help="the folder of a data set in a layout that is known")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="where report.html and results.json go"
    )
    add_choice(parser, "--layout", LAYOUTS, "the layout of DATA (default: as its folders tell)")
    parser.add_argument(
        "--selector", metavar="CSS", help="DATA is a folder of pages whose content this picks (default: it is not)"
    )
    parser.add_argument(
        "--weights",
        type=Path,
        metavar="FOLDER",
        help="weights without each part of the brands, as training/accuracy.py keeps them (default: those of dehusk)",
    )
    add_method(parser, "measured beside all methods; may be repeated (default: none beside them)", several=True)
    amount = parser.add_argument_group("how much")
    amount.add_argument("--quick", action="store_true", help="a first look: a quarter of the sites, pages and runs")
    amount.add_argument("--all", action="store_true", help="all sites and pages (default: a sample of large sets)")
    amount.add_argument(
        "--runs", type=number, default=RUNS, metavar="N", help="runs of k-means (default: %(default)s; the papers: 800)"
    )
    amount.add_argument("--seed", type=number, default=1, metavar="N", help="for what is drawn (default: %(default)s)")
    amount.add_argument("--jobs", type=processes, default=cores(), metavar="N", help="processes (default: all cores)")
    kept = parser.add_argument_group("what is kept")
    kept.add_argument(
        "--cache", type=Path, metavar="FILE", help="keep what was measured here (default: in your cache folder)"
    )
    kept.add_argument(
        "--cache-limit",
        type=number,
        default=CACHE_LIMIT,
        metavar="MB",
        help="the most megabytes of it that are kept after a run (default: %(default)s)",
    )
    kept.add_argument("--clear-cache", action="store_true", help="forget what was measured before")
    parser.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    examples(
        parser,
        "dehusk bench content ../shared/data -o bench/ --quick",
        "dehusk bench content manual/ --selector main -o bench/",
    )


def run(options: argparse.Namespace) -> int:
    """Runs the experiments of a name and writes the report."""
    from dehusk.bench.bench_report import BenchReport
    from dehusk.bench.measuring import Bench
    from dehusk.bench.texts import BenchSettings, Cache

    started = time.perf_counter()
    if options.quick and options.all:
        raise UsageError("--quick and --all exclude each other; leave one of them out")
    if options.weights and not all(weights_file(options.weights, 0, part).is_file() for part in range(FOLDS)):
        raise UsageError(
            f"{options.weights}: no weights for all {FOLDS} parts; training/accuracy.py --weights FOLDER makes them"
        )
    extra = tuple(options.method or ())
    for words in extra:
        typed_method(words, files=False)
    experiments = bench.chosen(options.name)
    for experiment in experiments:
        experiment.check()
    data = open_data(options.data, layout=options.layout, selector=options.selector)
    _make_ready(options.output)
    cache = Cache(options.cache or _cache_path())
    if options.clear_cache:
        cache.clear()
    with Bar(options) as bar:
        work = Bench(
            data,
            BenchSettings(cache.path, options.weights, extra),
            options.jobs,
            quick=options.quick,
            everything=options.all,
            runs=options.runs,
            seed=options.seed,
            progress=lambda task, done, total: bar.show(task, done, total, "group"),
        )
        try:
            ran, unfit = bench.run(work, experiments, options.output)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("what was measured is kept; the same command goes on") from None
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
        with written_whole(options.output / name) as file:
            file.write(text)
    for why in unfit:
        say(f"left out {why}", options)
    seconds = time.perf_counter() - started
    say(
        f"{plural(len(ran), 'experiment')}, {seconds:.0f} s: open {options.output / 'report.html'} in a browser",
        options,
    )
    return 0


def _make_ready(folder: Path) -> None:
    """Makes the folder of a report: one that cannot be written is told before anything is measured."""
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
    """The name of an experiment. Once it is known, the help tells what it reruns."""

    def checked(text: str) -> str:
        name = one_of([*EXPERIMENTS, ALL])(text)
        paragraphs = [f"{chosen.name}: {chosen.shows}.\n{chosen.reruns}" for chosen in bench.chosen(name)]
        parser.description = "\n\n".join(paragraphs)
        return name

    return checked


def _command(options: argparse.Namespace) -> str:
    """The command that makes the same report again."""
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
    """Where things that can be made again are kept."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "dehusk" / "bench.sqlite"
