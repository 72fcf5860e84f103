"""Prints the time of other tools as a multiple of dehusk's:  python benchmarks/peers.py DATA

DATA has the layout of bench.evaluation.datasets. For each site, dehusk's template is learned before the clock starts.
Then the tools get the same pages in turns, and the best of a few rounds counts, in processor time. Above 1, dehusk is
faster. Tools that are not installed are named and left out (`pip install --group bench` installs all). A page that a
tool fails on is left out from both sides of its ratio.
"""

import argparse
import logging
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from statistics import median

import dehusk
from dehusk import methods
from dehusk.bench.evaluation.datasets import sites
from dehusk.bench.evaluation.tools import EXTRACTORS, PARSERS, Tool, in_turns, installed

OURS = "dehusk"
PAGES = 3
ROUNDS = 5
TOOLS = {**EXTRACTORS, **PARSERS}


def cleaned(template: dehusk.Template, html: bytes) -> str:
    """The page's content as text."""
    return template.clean(html).text


def ratios(timed: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The time of each tool on the pages of a site, as a multiple of ours; without pages that it fails on."""
    found = {}
    for name in TOOLS:
        pages = [page for page in timed if name in page]
        if pages:
            found[name] = sum(page[name] for page in pages) / sum(page[OURS] for page in pages)
    return found


def main() -> None:
    """Prints a table of ratios, a column for each set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--method", choices=methods.METHODS, default=methods.DEFAULT)
    parser.add_argument("--pages", type=int, default=PAGES, help="of each site (%(default)s)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="on each page (%(default)s)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th site (%(default)s)")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)  # the tools log much about odd pages
    peers = installed(TOOLS)
    for name, (package, _) in TOOLS.items():
        if name not in peers:
            print(f"left out: {name} ({package} is not installed)")
    ours: dict[str, list[float]] = defaultdict(list)
    theirs: dict[str, list[dict[str, float]]] = defaultdict(list)
    failed: Counter[str] = Counter()
    for site in islice(sites(options.data), None, None, options.every):
        template = dehusk.learn(site.pages, method=options.method)
        tools: dict[str, Tool] = {OURS: partial(cleaned, template), **peers}
        files = sorted(site.gold)[: options.pages]
        timed = [in_turns(tools, file.read_bytes(), rounds=options.rounds) for file in files]
        failed.update(name for page in timed for name in peers if name not in page)
        ours[site.kind].append(1000 * sum(page[OURS] for page in timed) / len(timed))
        theirs[site.kind].append(ratios(timed))
    kinds = sorted(ours)
    print(f"processor time as a multiple of dehusk's ({options.method}); medians over sites")
    print(f"{'':32s}" + "".join(f"{kind:>14s}" for kind in kinds))
    print(f"{'sites':32s}" + "".join(f"{len(ours[kind]):14d}" for kind in kinds))
    print(f"{'dehusk, milliseconds a page':32s}" + "".join(f"{median(ours[kind]):14.2f}" for kind in kinds))
    for name in peers:
        label = f"{name} {version(TOOLS[name][0])}"
        found = [[site[name] for site in theirs[kind] if name in site] for kind in kinds]
        print(f"{label:32s}" + "".join(f"{median(column):14.2f}" if column else f"{'-':>14s}" for column in found))
    for name, pages in failed.items():
        print(f"{name} failed on {pages} pages")


if __name__ == "__main__":
    main()
