"""What cleaning a page costs, compared with parsing it:  python benchmarks/clean.py DATA

DATA has the layout of dehusk.evaluation.datasets: real sites below docs, news and products. Per set, medians over sites
of milliseconds a page, with a template learned from the site; all in one run, so that the ratios mean something.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from pathlib import Path
from statistics import median

import turbohtml

import dehusk
from dehusk import methods, render
from dehusk.evaluation.datasets import sites

PAGES = 10
ROUNDS = 7


def milliseconds(works: Sequence[Callable[[bytes], object]], pages: Sequence[bytes]) -> list[float]:
    """What each costs per page: of a few rounds the best on every page, in turns, as a machine is never idle."""
    total = [0.0] * len(works)
    for html in pages:
        best = [inf] * len(works)
        for _ in range(ROUNDS):
            for number, work in enumerate(works):
                started = time.perf_counter()
                work(html)
                best[number] = min(best[number], time.perf_counter() - started)
        total = [one + more for one, more in zip(total, best, strict=True)]
    return [seconds / len(pages) * 1000 for seconds in total]


def as_text(template: dehusk.Template, html: bytes) -> str:
    """The page's content as text."""
    return template.clean(html).text


def as_html(template: dehusk.Template, html: bytes) -> str:
    """The page's content as HTML."""
    return template.clean(html).html


def alike(template: dehusk.Template, html: bytes) -> bool:
    """Whether a page comes out the same as by marking every node, byte for byte."""
    cleaned, marking = template.clean(html), template.mark(html)
    base = marking.page.base_url
    return (
        cleaned.text == render.text(marking.page.without(marking.gone))
        and cleaned.html == render.html(marking.page.without(marking.gone), marking.page)
        and cleaned.markdown == render.markdown(marking.page.without(marking.gone), base)
    )


def main() -> None:
    """Prints a table of milliseconds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--method", default=methods.DEFAULT)
    options = parser.parse_args()
    kinds: dict[str, list[tuple[float, float, float, float]]] = defaultdict(list)
    same: list[bool] = []
    for site in sites(options.data):
        pages = [file.read_bytes() for file in sorted(site.pages.rglob("*.html"))[:PAGES]]
        template = dehusk.learn(site.pages, method=options.method)
        same += [alike(template, html) for html in pages]
        works = (turbohtml.parse, partial(as_text, template), partial(as_html, template))
        parse, text, html = milliseconds(works, pages)
        kinds[site.kind].append((sum(map(len, pages)) / len(pages) / 1000, parse, text, html))
    print(f"{sum(same)} of {len(same)} pages come out the same as by marking every node")
    print(f"method {options.method}; medians over sites, milliseconds a page")
    print("set            sites     kB   parse    text    html  text/parse  html/parse")
    for kind, rows in sorted(kinds.items()):
        size, parse, text, html = (median(column) for column in zip(*rows, strict=True))
        numbers = f"{size:6.0f} {parse:7.2f} {text:7.2f} {html:7.2f}"
        ratios = median(row[2] / row[1] for row in rows), median(row[3] / row[1] for row in rows)
        print(f"{kind:14s} {len(rows):5d} {numbers} {ratios[0]:11.2f} {ratios[1]:11.2f}")


if __name__ == "__main__":
    main()
