"""Prints the cost of learning as a multiple of parsing the same pages:  python benchmarks/single.py DATA

DATA has the layout of bench.evaluation.datasets. Measures learning from a single page and cleaning it, beside other
tools that are installed, and learning from up to 24 pages of a site. Parsing and learning alternate for a few rounds,
and the best round in processor time counts. Prints medians over pages or sites. `--only wcxb` measures one set.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from math import isnan, nan
from pathlib import Path
from statistics import median

import turbohtml

import dehusk
from dehusk.bench.evaluation.datasets import single_pages, sites
from dehusk.bench.evaluation.tools import EXTRACTORS, OUTPUTS, Tool, in_turns, installed, muted
from dehusk.core import SAMPLE

ROUNDS = 3
EVERY = 40
OTHERS = ("resiliparse", "trafilatura")

Work = Callable[[Sequence[bytes]], object]


def parsed(pages: Sequence[bytes]) -> None:
    """Only parses the pages."""
    for html in pages:
        turbohtml.parse(html, positions=False)


def alone(ask: Callable[[dehusk.Cleaned], object], pages: Sequence[bytes]) -> object:
    """Learns from one page, cleans it, and creates one of the outputs."""
    return ask(dehusk.clean(pages[0]))


def by_tool(extract: Tool, pages: Sequence[bytes]) -> object:
    """Extracts the content of one page with another tool."""
    return extract(pages[0])


def measured(works: Mapping[str, Work], pages: Sequence[bytes], rounds: int) -> tuple[float, ...]:
    """Returns kilobytes and milliseconds of parsing per page, and the time of each work as a multiple of parsing.

    NaN for a tool that fails on a page.
    """
    took = in_turns({"parse": parsed, **works}, pages, rounds=rounds)
    size = sum(map(len, pages)) / len(pages) / 1000
    return size, 1000 * took["parse"] / len(pages), *(took.get(name, nan) / took["parse"] for name in works)


def middle(column: Sequence[float]) -> float:
    """Returns the median of the known numbers."""
    return median([number for number in column if not isnan(number)] or [nan])


def main() -> None:
    """Prints a table of ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds per page or site (%(default)s)")
    parser.add_argument("--every", type=int, default=EVERY, metavar="N", help="take every N-th page (%(default)s)")
    parser.add_argument("--every-site", type=int, default=4, metavar="N", help="take every N-th site (%(default)s)")
    parser.add_argument("--only", metavar="SET", help="measure only this set, for example wcxb or docs")
    options = parser.parse_args()
    others = installed({name: EXTRACTORS[name] for name in OTHERS})
    works: dict[str, Work] = {name: partial(alone, ask) for name, ask in OUTPUTS.items()}
    works |= {name: partial(by_tool, extract) for name, extract in others.items()}
    rows: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    chosen_pages = (page for page in single_pages(options.data) if options.only in (None, page.dataset))
    for page in islice(chosen_pages, None, None, options.every):
        html = [page.html.encode("utf-8", "replace")]
        with muted():
            rows[f"one page: {page.dataset}"].append(measured(works, html, options.rounds))
    chosen_sites = (site for site in sites(options.data) if options.only in (None, site.kind))
    for site in islice(chosen_sites, None, None, options.every_site):
        pages = [file.read_bytes() for file in sorted(site.gold)[:SAMPLE]]
        rows[f"a site: {site.kind}"].append(measured({"learn": dehusk.learn}, pages, options.rounds))
    print("Medians, as multiples of the parse. One page is learned and cleaned; a site is only learned.")
    for name in OTHERS:
        if name not in others:
            print(f"{name} is not installed, and is not measured.")
    heads = "".join(f"{name:>12s}" for name in works)
    print(f"                            n   kB/page  parse ms{heads}   the most")
    for name, measures in sorted(rows.items()):
        size, parse, *ratios = (middle(column) for column in zip(*measures, strict=True))
        columns = "".join(f"{ratio:12.1f}" for ratio in ratios).ljust(12 * len(works))
        most = max(measure[2] for measure in measures)
        print(f"{name:24s} {len(measures):4d} {size:9.0f} {parse:9.2f}{columns} {most:10.1f}")


if __name__ == "__main__":
    main()
