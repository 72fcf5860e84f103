"""Prints the accuracy of the default method on sites and pages that it was not trained on, by cross-validation.

    python training/accuracy.py DATA --score SCORE [--cache FOLDER] [--weights FOLDER] [--json FILE] [--article-body]

DATA has the layout of bench.evaluation.datasets. For each assignment of brands to five folds, trains without each fold
and lets the scorer run `dehusk clean --weights` on the sites and single pages of that fold, while training the next.
--cache keeps rows and trees, so that nothing is measured or trained twice. --weights keeps the weights and figures of
each fold, so that an interrupted run can be resumed; use an empty folder after a change of the code. SCORE is a script
that takes DATA, --list, --cmd, --rows, --urls, --only and --json. --article-body scores news a second time with
`dehusk clean --article-body`, and prints both figures: the gold of some has no title, byline, date and caption.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from statistics import fmean

from boosting import RECORDS
from kinds import kind_of, likely
from train import Training, Unseen, training, written

from dehusk.base.files import written_whole
from dehusk.bench.evaluation.datasets import FOLDS, brand, fold_of_brand, page_brand, single_pages, sites
from dehusk.bench.evaluation.measures import weights_file
from dehusk.methods.evidence.second_look import PAGE_KINDS

ASSIGNMENTS = 1
WORST = 5

Figures = dict[str, dict[str, list[float]]]
"""By set, and by site or page: precision, recall and F1; for records, the shares of fields and of text kept."""

NEWS = frozenset({"news-big9", "news-daniel", "news-dragnet", "pages-dragnet", "pages-l3s", "pages-wcxb article"})
"""The sets, or kinds of pages of sets, that are news."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A site or single page to score: its name for the scorer, its set, kind and brand."""

    name: str
    dataset: str
    kind: str | None
    brand: str

    @property
    def is_page(self) -> bool:
        """Whether it is a single page; its name is then its URL."""
        return self.dataset.startswith("pages-")

    @property
    def is_news(self) -> bool:
        """Whether its gold is the body of an article."""
        return self.dataset in NEWS or f"{self.dataset} {self.kind}" in NEWS


def all_scored(data: Path) -> Iterator[Scored]:
    """All sites and single pages."""
    for site in sites(data):
        yield Scored(site.path, site.kind, None, brand(site.name))
    for page in single_pages(data):
        yield Scored(page.url, f"pages-{page.dataset}", page.kind, page_brand(page.html, page.url))


def run_scorer(options: argparse.Namespace, weights: Path, left_out: Sequence[Scored], *, body: bool) -> None:
    """Scores the left-out sites and pages with these weights; writes the figures beside the weights.

    With `body`, scores only the bodies of the articles among them.
    """
    clean = f"{Path(sys.executable).with_name('dehusk')} clean {{src}} -o {{out}} --quiet --jobs 1 --weights {weights}"
    if body:
        clean, left_out = f"{clean} --article-body", [one for one in left_out if one.is_news]
    names, urls = weights.with_suffix(".list"), weights.with_suffix(".urls")
    names.write_text("".join(f"{one.name}\n" for one in left_out if not one.is_page), "utf-8")
    urls.write_text("".join(f"{one.name}\n" for one in left_out if one.is_page), "utf-8")
    ways = (
        (names, ["--list", names, "--cmd", f"{clean} --format text"]),
        (urls, ["--urls", urls, "--rows", f"{clean} --format jsonl", "--only", "pages"]),
    )
    figures: Figures = {}
    for listed, way in ways:
        if listed.stat().st_size:
            found = listed.with_suffix(f"{listed.suffix}.json")
            job = [sys.executable, options.score, options.data, *way, "--json", found]
            subprocess.run(list(map(str, job)), check=True, stdout=subprocess.DEVNULL)
            figures |= json.loads(found.read_text("utf-8"))
            found.unlink()
    with written_whole(figures_file(weights, body=body)) as file:
        json.dump(figures, file)


def figures_file(weights: Path, *, body: bool = False) -> Path:
    """The file of the figures of some weights; with `body`, of those of the bodies of articles."""
    return weights.with_suffix(".body-scores" if body else ".scores")


def work(options: argparse.Namespace, scored: Sequence[Scored], files: Sequence[Path]) -> None:
    """Trains and scores the folds that are not done yet. One fold is scored while the next is trained."""
    ways = (False, True) if options.article_body else (False,)
    missing = {file: [body for body in ways if not figures_file(file, body=body).exists()] for file in files}
    untrained = [file for file, bodies in missing.items() if bodies and not file.exists()]
    trained = training(options.data, options.cache) if untrained else None
    with ThreadPoolExecutor(1) as scorer:
        jobs: list[Future[None]] = []
        for file, bodies in missing.items():
            number, fold = map(int, file.stem.split("-"))
            if trained and file in untrained:
                train_without(replace(trained, assignment=number), fold, file)
            left_out = [one for one in scored if fold_of_brand(one.brand, number) == fold]
            jobs += [scorer.submit(run_scorer, options, file, left_out, body=body) for body in bodies]
        for job in jobs:
            job.result()


def train_without(trained: Training, fold: int, file: Path) -> None:
    """Trains without a fold and writes the weights; prints how often they predict the kind of its pages correctly."""
    weights = trained.weights(frozenset({fold}))
    with written_whole(file) as kept:
        kept.write(written(weights))
    unseen = [one for one in trained.shown if one.whole and trained.fold(one) == fold and kind_of(one)]
    part = Unseen.by(trained.first_pass(frozenset({fold})), unseen)
    right: dict[str, list[bool]] = defaultdict(list)
    for one, found in zip(unseen, likely(trained.kinds(frozenset({fold})), unseen, part.pages), strict=True):
        right[str(kind_of(one))].append(PAGE_KINDS[found.argmax()] == kind_of(one))
    shares = ", ".join(f"{kind} {fmean(found):.2f} of {len(found)}" for kind, found in sorted(right.items()))
    print(f"{file.stem}: {file.stat().st_size:,} bytes; kinds predicted correctly: {shares}", flush=True)


def joined(files: Iterable[Path], scored: Sequence[Scored], *, body: bool = False) -> Figures:
    """The figures of all folds of one assignment together; pages by set and kind. `body`: of the bodies of articles."""
    of_page = {one.name: one for one in scored if one.is_page}
    kinds: dict[str, set[str | None]] = defaultdict(set)
    for one in scored:
        kinds[one.dataset].add(one.kind)
    found: Figures = defaultdict(dict)
    for file in files:
        for dataset, by_name in json.loads(figures_file(file, body=body).read_text("utf-8")).items():
            if dataset != "pages":
                found[dataset] |= by_name
                continue
            for url, figures in by_name.items():
                page = of_page[url]
                found[page.dataset][url] = figures
                if page.kind and len(kinds[page.dataset]) > 1:
                    found[f"{page.dataset} {page.kind}"][url] = figures
    return found


def of_sets(figures: Figures) -> dict[str, list[float]]:
    """The means of each set."""
    return {dataset: means(by_name.values()) for dataset, by_name in figures.items()}


def over_rounds(by_round: Sequence[dict[str, list[float]]]) -> dict[str, list[float]]:
    """The means of each set over all assignments."""
    return {dataset: means([one[dataset] for one in by_round]) for dataset in by_round[0]}


def show(title: str, means: dict[str, list[float]]) -> None:
    """Prints a line for each set."""
    for dataset, numbers in sorted(means.items()):
        if dataset in RECORDS:
            print(f"{title:14s} {dataset:26s} fields {numbers[0]:.4f}  text {numbers[1]:.4f}", flush=True)
        else:
            print(f"{title:14s} {dataset:26s} P {numbers[0]:.4f}  R {numbers[1]:.4f}  F {numbers[2]:.4f}", flush=True)


def show_table(by_round: Sequence[dict[str, list[float]]]) -> None:
    """Prints a table of all sets (F1, or fields and text kept), and one of the kinds of single pages.

    The rows: the means over all assignments, then the lowest and the highest of the assignments.
    """
    columns = {name: [one[name] for one in by_round] for name in by_round[0]}
    rows = {name: (means(column), *map(list, extremes(column))) for name, column in columns.items()}
    sets = [name for name in rows if " " not in name]
    for names in (sorted(sets), sorted(rows.keys() - set(sets))):
        print("|", " | ".join(names), "|", flush=True)
        for row in range(1 if len(by_round) == 1 else 3):
            print("|", " | ".join(cell(name, rows[name][row]) for name in names), "|", flush=True)


def extremes(rows: Iterable[Sequence[float]]) -> tuple[Iterable[float], Iterable[float]]:
    """The least and the largest number of each column."""
    columns = list(zip(*rows, strict=True))
    return map(min, columns), map(max, columns)


def cell(dataset: str, numbers: Sequence[float]) -> str:
    """The figures of a set in the table."""
    return f"{numbers[0]:.3f} of {numbers[1]:.2f}" if dataset in RECORDS else f"{numbers[2]:.3f}"


def show_worst(figures: Figures) -> None:
    """Prints the worst sites and pages of each set."""
    for dataset, by_name in sorted(figures.items()):
        if " " not in dataset:
            by = 0 if dataset in RECORDS else 2
            worst = sorted((numbers[by], name) for name, numbers in by_name.items())[:WORST]
            print(f"  worst of {dataset}:", ", ".join(f"{name} {number:.3f}" for number, name in worst), flush=True)


def means(rows: Iterable[Sequence[float]]) -> list[float]:
    """The mean of each column."""
    return [fmean(column) for column in zip(*rows, strict=True)]


def main() -> None:
    """Prints the means of each assignment, the worst sites and pages, and the means over assignments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--score", type=Path, required=True, help="the scorer")
    parser.add_argument("--assignments", type=int, default=ASSIGNMENTS, help="default: %(default)s")
    parser.add_argument("--cache", type=Path, help="a folder to keep rows and trees in")
    parser.add_argument("--weights", type=Path, help="a folder to keep the weights and figures of each fold in")
    parser.add_argument("--article-body", action="store_true", help="score news a second time, with this option")
    parser.add_argument("--json", type=Path, help="write the figures of every site and page, assignment by assignment")
    options = parser.parse_args()
    scored = list(all_scored(options.data))
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.weights or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        pairs = product(range(options.assignments), range(FOLDS))
        files = [weights_file(folder, number, left_out) for number, left_out in pairs]
        work(options, scored, files)
        by_round = [files[k : k + FOLDS] for k in range(0, len(files), FOLDS)]
        rounds = [joined(those, scored) for those in by_round]
        bodies = [joined(those, scored, body=True) for those in by_round] if options.article_body else []
    by_assignment = [of_sets(figures) for figures in rounds]
    for number, figures in enumerate(rounds):
        show(f"assignment {number}", by_assignment[number])
        show_worst(figures)
    show("mean", over_rounds(by_assignment))
    show_table(by_assignment)
    if bodies:
        show("article body", over_rounds([of_sets(figures) for figures in bodies]))
    if options.json:
        options.json.write_text(json.dumps(rounds), "utf-8")


if __name__ == "__main__":
    main()
