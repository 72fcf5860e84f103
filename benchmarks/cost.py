"""Prints and plots how cost grows:  python benchmarks/cost.py DATA [-o docs/cost.svg]

DATA has the layout of bench.evaluation.datasets. Prints four tables of processor time: cleaning by the size of the
page, learning by the number of pages, a whole job by the number of sites, and learning by method. With -o they are
plotted as well, which needs matplotlib (`pip install --group bench`). Larger sites, and more sites, are made of the
real pages by adding a unique paragraph to each.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import log2
from pathlib import Path
from statistics import median

import turbohtml

import dehusk
from dehusk import methods
from dehusk.bench.evaluation.datasets import sites
from dehusk.bench.evaluation.tools import timed
from dehusk.core import SAMPLE, Learning
from dehusk.jobs.site_templates import Templates, learn_source
from dehusk.page import Page
from dehusk.templates.site_names import site_of

ROUNDS = 3
SITE = 8
"""Number of pages of a site in a job, and of a real site to measure."""
GROWN = (2, 4, 8, 16, 24, 48, 120, 240, 480)
"""Numbers of pages of a site to learn."""
MANY = (4, 16, 64, 256)
"""Numbers of sites in a job."""

Points = Mapping[float, float]
"""Measured values by position on the x axis."""


def varied(html: bytes, note: str) -> bytes:
    """The page with a unique paragraph."""
    return html.replace(b"</body>", f"<p>{note}</p></body>".encode(), 1)


def text(template: dehusk.Template, page: Page | bytes) -> str:
    """The content of the page as text."""
    return template.clean(page).text


def by_page_size(data: Sequence[Sequence[bytes]]) -> tuple[Points, Points]:
    """Median milliseconds to parse and to clean a page, by its kilobytes rounded to a power of two."""
    parsing, cleaning = defaultdict(list), defaultdict(list)
    for pages in data:
        template = dehusk.learn(pages)
        for html in pages[:SITE]:
            size = 2.0 ** round(log2(max(len(html), 1) / 1000))
            parsing[size].append(1000 * timed(partial(turbohtml.parse, html), rounds=ROUNDS).seconds)
            cleaning[size].append(1000 * timed(partial(text, template, html), rounds=ROUNDS).seconds)
    told = [size for size in sorted(parsing) if len(parsing[size]) >= SITE]
    return {size: median(parsing[size]) for size in told}, {size: median(cleaning[size]) for size in told}


def by_pages(data: Sequence[Sequence[bytes]]) -> Points:
    """Median seconds to learn a site, by its number of pages, over some sites with enough real pages for a sample."""
    large = [pages for pages in data if len(pages) >= SAMPLE][::4]
    taken = {}
    for size in GROWN:
        made = ([varied(one[number % len(one)], str(number)) for number in range(size)] for one in large)
        taken[float(size)] = median(timed(partial(dehusk.learn, pages)).seconds for pages in made)
    return taken


def by_sites(data: Sequence[Sequence[bytes]]) -> tuple[Points, Points]:
    """Milliseconds per page for learning and for cleaning, by the number of sites in a job (all made from four)."""
    four = data[:: len(data) // 4][:4]

    def crawl(many: int) -> Iterator[Page]:
        for number in range(SITE):  # pages of a site are not adjacent
            for site in range(many):
                pages = four[site % len(four)]
                html = varied(pages[number % len(pages)], f"{number} of {site}")
                yield Page(html, url=f"http://site{site}.example/{number}")

    def clean(many: int, learned: Templates) -> None:
        for page in crawl(many):
            text(learned.by_site[site_of(page)], page)

    learning, cleaning = {}, {}
    for many in MANY:
        learned, seconds = timed(partial(learn_source, crawl(many), Learning()))
        learning[float(many)] = 1000 * seconds / (many * SITE)
        cleaning[float(many)] = 1000 * timed(partial(clean, many, learned)).seconds / (many * SITE)
    return learning, cleaning


def by_method(data: Sequence[Sequence[bytes]], most: int) -> dict[str, float]:
    """Median seconds to learn a site from the sample, by method, over some sites."""
    large = [pages[:SAMPLE] for pages in data if len(pages) >= SAMPLE]
    large = large[:: max(1, len(large) // most)]
    return {
        name: median(timed(partial(dehusk.learn, pages, method=name)).seconds for pages in large)
        for name in methods.METHODS
    }


def draw(place: Path, panels: Sequence[tuple[str, str, Mapping[str, Points]]], learned: Mapping[str, float]) -> None:
    """Plots the tables as lines with logarithmic axes, and the methods as bars. Equal figures give equal files."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams.update({"svg.hashsalt": "dehusk", "svg.fonttype": "none", "font.size": 9})
    figure = Figure(figsize=(9, 6.5), layout="constrained")
    axes = figure.subplots(2, 2).flat
    for (title, across, lines), axis in zip(panels, axes, strict=False):
        for label, points in lines.items():
            axis.plot(list(points), list(points.values()), marker="o", label=label)
        axis.set(title=title, xlabel=across, xscale="log", yscale="log")
        axis.grid(alpha=0.3)
        axis.legend()
    order = sorted(learned, key=learned.__getitem__)
    bars = figure.axes[-1]
    bars.barh(order, [learned[name] for name in order])
    bars.set(title=f"learning from {SAMPLE} pages, by method", xlabel="seconds")
    figure.savefig(place, format="svg", metadata={"Date": None})


def table(title: str, columns: Mapping[str, Points]) -> None:
    """Prints a table, a row for each position on the x axis."""
    print(f"\n{title}")
    first = next(iter(columns.values()))
    print(" ".join(f"{name:>12s}" for name in ("", *columns)))
    for place in first:
        print(" ".join([f"{place:12g}", *(f"{points[place]:12.2f}" for points in columns.values())]))


def main() -> None:
    """Measures, prints and plots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, metavar="SVG", help="draw the tables into this file")
    parser.add_argument("--sites", type=int, default=12, help="to learn by each method (%(default)s)")
    options = parser.parse_args()
    data = [[file.read_bytes() for file in sorted(site.gold)] for site in sites(options.data)]
    pages = sum(map(len, data))
    print(f"{len(data)} sites, {pages} pages; processor time; method {methods.DEFAULT} where none is named")
    parsing, cleaning = by_page_size(data)
    table("milliseconds by kilobytes of a page", {"parsing": parsing, "cleaning": cleaning})
    learning = by_pages(data)
    table("seconds to learn a site, by its pages", {"learning": learning})
    learning_many, cleaning_many = by_sites(data)
    table(f"milliseconds a page by sites of {SITE} pages", {"learning": learning_many, "cleaning": cleaning_many})
    learned = by_method(data, options.sites)
    print(f"\nseconds to learn a site from {SAMPLE} pages, by method")
    for name, seconds in sorted(learned.items(), key=lambda item: item[1]):
        print(f"{name:>20s} {seconds:12.2f}")
    if options.output:
        panels = [
            ("milliseconds a page", "kB of the page", {"parsing": parsing, "cleaning to text": cleaning}),
            ("seconds to learn a site", "pages of the site", {"learning": learning}),
            ("milliseconds a page of a job", "sites", {"learning": learning_many, "cleaning": cleaning_many}),
        ]
        draw(options.output, panels, learned)


if __name__ == "__main__":
    main()
