"""Prints the cost of learning as a multiple of parsing the same pages:  python benchmarks/single.py DATA

DATA has the layout of bench.evaluation.datasets. Measures how long it takes to learn from a single page and clean it,
and to learn from up to 24 pages of a site. Parsing and learning take turns, and the best of a few rounds counts, in
processor time. Prints medians over pages or sites.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from statistics import median

import turbohtml

import dehusk
from dehusk.bench.evaluation.datasets import single_pages, sites
from dehusk.bench.evaluation.tools import in_turns
from dehusk.core import SAMPLE

ROUNDS = 3
EVERY = 40


def parsed(pages: Sequence[bytes]) -> None:
    """Only parses the pages."""
    for html in pages:
        turbohtml.parse(html, positions=False)


def alone(pages: Sequence[bytes]) -> str:
    """Learns from one page and cleans it."""
    return dehusk.clean(pages[0]).text


def measured(
    work: Callable[[Sequence[bytes]], object], pages: Sequence[bytes], rounds: int
) -> tuple[float, float, float]:
    """Kilobytes per page, milliseconds per page to parse it, and the time of the work as a multiple of that."""
    took = in_turns({"parse": parsed, "work": work}, pages, rounds=rounds)
    size = sum(map(len, pages)) / len(pages) / 1000
    return size, 1000 * took["parse"] / len(pages), took["work"] / took["parse"]


def main() -> None:
    """Prints a table of ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="on each page or site (%(default)s)")
    parser.add_argument("--every", type=int, default=EVERY, metavar="N", help="take every N-th page (%(default)s)")
    parser.add_argument("--every-site", type=int, default=4, metavar="N", help="take every N-th site (%(default)s)")
    options = parser.parse_args()
    found: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for page in islice(single_pages(options.data), None, None, options.every):
        html = [page.html.encode("utf-8", "replace")]
        found[f"one page: {page.dataset}"].append(measured(alone, html, options.rounds))
    for site in islice(sites(options.data), None, None, options.every_site):
        pages = [file.read_bytes() for file in sorted(site.gold)[:SAMPLE]]
        found[f"a site: {site.kind}"].append(measured(dehusk.learn, pages, options.rounds))
    print("                            n   kB/page  parse ms  times the parse: median    most")
    for name, rows in sorted(found.items()):
        size, parse, ratio = (median(column) for column in zip(*rows, strict=True))
        most = max(row[2] for row in rows)
        print(f"{name:24s} {len(rows):4d} {size:9.0f} {parse:9.2f} {ratio:24.1f} {most:7.1f}")


if __name__ == "__main__":
    main()
