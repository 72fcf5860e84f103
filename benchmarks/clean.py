"""Prints the cost of cleaning a page as a multiple of parsing it:  python benchmarks/clean.py DATA

DATA has the layout of bench.evaluation.datasets. Prints medians over the sites of each set; each site has its own
learned template. A row is text and metadata. `parts` only finds the parts; `row+parts` also writes them. Parsing and
cleaning alternate on each page for a few rounds, and the best round in processor time counts: so ratios are reliable.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

import turbohtml

import dehusk
from dehusk import methods, render
from dehusk.bench.evaluation.datasets import sites
from dehusk.bench.evaluation.tools import OUTPUTS, in_turns
from dehusk.templates.posts import posts_of

PAGES = 10
ROUNDS = 7


def milliseconds(
    works: Mapping[str, Callable[[bytes], object]], pages: Sequence[bytes], rounds: int
) -> tuple[float, ...]:
    """Returns milliseconds per page for each work."""
    best = [in_turns(works, html, rounds=rounds) for html in pages]
    return tuple(1000 * sum(page[name] for page in best) / len(pages) for name in works)


def output(template: dehusk.Template, ask: Callable[[dehusk.Cleaned], object], html: bytes) -> object:
    """Cleans a page and creates one of the outputs."""
    return ask(template.clean(html))


def alike(template: dehusk.Template, html: bytes) -> bool:
    """Whether the fast path has exactly the same output as marking every node."""
    cleaned, marking = template.clean(html), template.mark(html)
    page = marking.page
    gone = render.unseen(page, [page.nodes[node] for node in marking.topmost])
    posts, signed = (posts_of(page, gone, cleaned.kind, signed=signed) for signed in (False, True))
    return (
        cleaned.text == render.text(page, gone, posts=posts)
        and cleaned.html == render.html(page, gone)
        and cleaned.markdown == render.markdown(page, gone, title=marking.title, posts=signed)
    )


def main() -> None:
    """Prints a table of milliseconds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--method", choices=methods.METHODS, default=methods.DEFAULT)
    parser.add_argument("--pages", type=int, default=PAGES, help="pages per site (%(default)s)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds per page (%(default)s)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th site (%(default)s)")
    options = parser.parse_args()
    kinds: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    same: list[bool] = []
    for site in islice(sites(options.data), None, None, options.every):
        pages = [file.read_bytes() for file in sorted(site.gold)[: options.pages]]
        template = dehusk.learn(site.pages, method=options.method)
        same += [alike(template, html) for html in pages]
        works: dict[str, Callable[[bytes], object]] = {
            "parse": turbohtml.parse,
            **{name: partial(output, template, ask) for name, ask in OUTPUTS.items()},
        }
        size = sum(map(len, pages)) / len(pages) / 1000
        kinds[site.kind].append((size, *milliseconds(works, pages, options.rounds)))
    print(f"{sum(same)} of {len(same)} pages come out the same as by marking every node")
    print(f"method {options.method}; medians over sites: kilobytes, milliseconds to parse, multiples of that to clean")
    print("set            sites     kB   parse" + "".join(f"{name:>10s}" for name in OUTPUTS))
    for kind, rows in sorted(kinds.items()):
        size, parse = (median(row[number] for row in rows) for number in (0, 1))
        ratios = (median(row[number] / row[1] for row in rows) for number in range(2, 2 + len(OUTPUTS)))
        print(f"{kind:14s} {len(rows):5d} {size:6.0f} {parse:7.2f}" + "".join(f"{ratio:10.2f}" for ratio in ratios))


if __name__ == "__main__":
    main()
