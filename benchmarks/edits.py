"""Prints how much edits add to the cost of cleaning a page:  python benchmarks/edits.py DATA

DATA has the layout of bench.evaluation.datasets. Prints medians over sites of the processor time, relative to the same
template without edits: with edits whose places are not on the page, and with edits of parts of the page, half to keep
and half to drop. The templates take turns on each page, and the best of a few rounds counts.
"""

import argparse
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

from clean import milliseconds, output

import dehusk
from dehusk.base.tree import TEXT
from dehusk.bench.evaluation.datasets import sites
from dehusk.bench.evaluation.tools import OUTPUTS
from dehusk.marking.edits import Edit
from dehusk.page import Page
from dehusk.page.places import Naming

PAGES = 6
ROUNDS = 5
FEW, MANY = 5, 50


def edited(template: dehusk.Template, html: bytes, number: int) -> dehusk.Template:
    """The template with `number` edits of nodes spread over the page."""
    tree = Page(html).tree
    naming = Naming(tree)
    nodes = [node for node, tag in enumerate(tree.tag) if tag != TEXT and node]
    for count, node in enumerate(nodes[:: max(1, len(nodes) // number)][:number]):
        template = template.edited(Edit.new(naming.kind(node), keep=bool(count % 2)))
    return template


def strange(template: dehusk.Template, number: int) -> dehusk.Template:
    """The template with `number` edits of places that no page has."""
    for count in range(number):
        template = template.edited(Edit.new(f"body > div > strange-{count}", keep=False))
    return template


def main() -> None:
    """Prints one line for each number of edits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the data set")
    parser.add_argument("--every", type=int, default=8, metavar="N", help="take every N-th site (%(default)s)")
    options = parser.parse_args()
    ratios: dict[str, list[float]] = {}
    for site in islice(sites(options.data), None, None, options.every):
        pages = [path.read_bytes() for path in islice(site.gold, PAGES)]
        plain = dehusk.learn(pages)
        works = {"none": plain}
        for number in (FEW, MANY):
            works[f"{number} elsewhere"] = strange(plain, number)
            works[f"{number} on the page"] = edited(plain, pages[0], number)
        found = milliseconds(
            {name: partial(output, one, OUTPUTS["text"]) for name, one in works.items()}, pages, ROUNDS
        )
        for name, cost in zip(works, found, strict=True):
            ratios.setdefault(name, []).append(cost / found[0])
    for name, some in ratios.items():
        print(f"{name:20} {median(some):.2f}")


if __name__ == "__main__":
    main()
