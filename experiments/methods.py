"""Prints the comparison of Huang's thesis (2011, chapter 5) on real pages:  python experiments/methods.py DATA

DATA has the layout of dehusk.evaluation.datasets; used are its manuals. RBM-TD, PS-TD and CPS-TD are compared with
RTDM-TD, the optimum, on pairs of pages that follow each other by content hash: how much of its template they find, and
in what share of its time.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import mean, median

from dehusk.evaluation import datasets
from dehusk.evaluation.measures import Score
from dehusk.evaluation.timing import timed
from dehusk.kernels.matching import match
from dehusk.methods import _sequences as sequences
from dehusk.methods import bottom_up, consolidated_prufer, prufer, rtdm
from dehusk.methods._subtree import prune
from dehusk.page import Page
from dehusk.tree import Classes, Numbered

PAIRS = 20
ROUNDS = 3

METHODS: dict[str, Callable[[Numbered, Numbered], Sequence[int]]] = {
    "bottom-up": bottom_up.extract_subtree,
    "prufer": prufer.extract_subtree,
    "consolidated-prufer": consolidated_prufer.extract_subtree,
}


@dataclass(frozen=True, slots=True)
class Result:
    """One method on one pair: its scores by node and by path label, whether it is a common subtree, and its time."""

    nodes: Score
    paths: Score
    common: bool
    seconds: float
    reference_seconds: float


def pairs(site: Path, count: int) -> Iterator[tuple[Numbered, Numbered]]:
    """The first pairs of neighbours among a site's pages, in the order of their content hashes."""
    pages = sorted(
        (Page(file.read_bytes()) for file in sorted((site / "pages").rglob("*.html"))), key=lambda p: p.digest
    )
    classes = Classes()
    trees = [classes.number(page.tree) for page in pages[: count + 1]]
    return pairwise(trees)


def found(
    method: Callable[[Numbered, Numbered], Sequence[int]], pair: tuple[Numbered, Numbered]
) -> tuple[list[int], float]:
    """The nodes of the first tree that are template, and the seconds it takes to find them."""
    flags, seconds = timed(partial(method, *pair), rounds=ROUNDS)
    return [node for node, flag in enumerate(flags) if flag], seconds


def score(found: Counter[int], wanted: Counter[int]) -> Score:
    """How well a bag agrees with another."""
    return Score.of((found & wanted).total(), found.total(), wanted.total())


def is_common(first: Numbered, second: Numbered, nodes: list[int]) -> bool:
    """Whether these nodes of the first tree are a subtree of the second too."""
    if not nodes:
        return True
    label = first.label[:0]
    label.extend(first.label[node] for node in nodes)
    return bool(match(label, prune(first.parent, nodes)[1], second.label, second.size))


def compare(pair: tuple[Numbered, Numbered]) -> dict[str, Result]:
    """Every method on one pair, and RTDM-TD as the reference."""
    wanted, reference_seconds = found(rtdm.extract_subtree, pair)
    path = pair[0].path
    results = {}
    for name, method in METHODS.items():
        nodes, seconds = found(method, pair)
        by_path = score(Counter(path[node] for node in nodes), Counter(path[node] for node in wanted))
        by_node = score(Counter(nodes), Counter(wanted))
        results[name] = Result(by_node, by_path, is_common(*pair, nodes), seconds, reference_seconds)
    return results


def show_scores(title: str, sites: dict[str, list[dict[str, Result]]], pick: Callable[[Result], Score]) -> None:
    """A table of one kind of score: F a site, then means over the sites."""
    print(f"\n{title}\n{'':24s}" + "".join(f"{name:>28s}" for name in METHODS))
    means: dict[str, list[Score]] = defaultdict(list)
    for site, results in sites.items():
        row = ""
        for name in METHODS:
            scores = [pick(result[name]) for result in results]
            average = Score(*(mean(column) for column in zip(*scores, strict=True)))
            means[name].append(average)
            row += f"{'  '.join(f'{value:.3f}' for value in average):>28s}"
        print(f"{site:24s}{row}")
    overall = ("  ".join(f"{mean(s[k] for s in means[name]):.3f}" for k in range(3)) for name in METHODS)
    print(f"{'mean over sites':24s}" + "".join(f"{row:>28s}" for row in overall))


def show_times(sites: dict[str, list[dict[str, Result]]]) -> None:
    """A table of time as a share of RTDM-TD's."""
    print(f"\nTime as a share of RTDM-TD's\n{'':24s}{'RTDM-TD, ms':>14s}" + "".join(f"{name:>22s}" for name in METHODS))
    everything = [result for results in sites.values() for result in results]
    for site, results in [*sites.items(), ("all pairs", everything)]:
        reference = [next(iter(result.values())).reference_seconds for result in results]
        shares = (sum(result[name].seconds for result in results) / sum(reference) for name in METHODS)
        print(f"{site:24s}{mean(reference) * 1000:14.3f}" + "".join(f"{share:22.2f}" for share in shares))
    ratios = (
        median(result[name].seconds / result[name].reference_seconds for result in everything) for name in METHODS
    )
    print(f"{'median pair':38s}" + "".join(f"{ratio:22.2f}" for ratio in ratios))


def show_growth(folders: Sequence[Path]) -> None:
    """Time and dominant matches against the size of trees, in doubling steps over all pairs of neighbours."""
    groups: dict[int, list[tuple[float, ...]]] = defaultdict(list)
    for site in folders:
        for pair in pairs(site, 10_000):
            nodes = (len(pair[0]) + len(pair[1])) / 2
            seconds = [found(method, pair)[1] * 1000 for method in (rtdm.extract_subtree, *METHODS.values())]
            dominant = [sequences.count_dominant(*pair, kind) for kind in (sequences.EXTENDED, sequences.CONSOLIDATED)]
            groups[int(nodes).bit_length()].append((nodes, *seconds, *dominant))
    names = ["nodes", "rtdm, ms", *(f"{name}, ms" for name in METHODS), "dominant PS", "dominant CPS"]
    print("\nMeans over pairs by size of tree\n   pairs" + "".join(f"{name:>25s}" for name in names))
    for _, rows in sorted(groups.items()):
        print(f"{len(rows):8d}" + "".join(f"{mean(column):25.3f}" for column in zip(*rows, strict=True)))


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th site (%(default)s)")
    options = parser.parse_args()
    folders = [site.pages.parent for site in datasets.sites(options.data, "docs")][:: options.every]
    sites = {folder.name: [compare(pair) for pair in pairs(folder, PAIRS)] for folder in folders}
    nothing = Score(0.0, 0.0, 0.0)
    show_scores("Precision, recall, F by node", sites, lambda result: result.nodes)
    show_scores("The same by path label", sites, lambda result: result.paths)
    show_scores("By node, 0 for what is no common subtree", sites, lambda r: r.nodes if r.common else nothing)
    show_scores("By path label, 0 for what is no common subtree", sites, lambda r: r.paths if r.common else nothing)
    show_times(sites)
    show_growth(folders)


if __name__ == "__main__":
    main()
