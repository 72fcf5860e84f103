"""Prints and draws how cost grows:  python benchmarks/cost.py DATA [-o docs/cost.svg]

DATA has the layout of bench.evaluation.datasets: real sites of docs, manuals, news, products. Four tables, all of
processor time, which other work on the machine disturbs least: cleaning by the size of the page, learning by the pages
of the site, a whole job by the number of sites, and learning by method. With -o they are drawn as well, which needs
matplotlib (`pip install --group bench`). Sites larger than the real ones, and more of them, are made of the real pages
with a paragraph of its own added to each.
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
"""Pages of a site in a job, and of a real site to measure."""
GROWN = (2, 4, 8, 16, 24, 48, 120, 240, 480)
"""Pages of a site to learn."""
MANY = (4, 16, 64, 256)
"""Sites in a job."""

Points = Mapping[float, float]
"""What is measured at each place of an axis."""


def varied(html: bytes, note: str) -> bytes:
    """The page with a paragraph of its own."""
    return html.replace(b"</body>", f"<p>{note}</p></body>".encode(), 1)


def text(template: dehusk.Template, page: Page | bytes) -> str:
    """The page's content."""
    return template.clean(page).text


def by_page_size(data: Sequence[Sequence[bytes]]) -> tuple[Points, Points]:
    """Milliseconds to parse and to clean a page, by its kilobytes to the nearest power of two: medians over pages."""
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
    """Seconds to learn a site, by its pages: the median of some sites that have the sample in real pages."""
    large = [pages for pages in data if len(pages) >= SAMPLE][::4]
    taken = {}
    for size in GROWN:
        made = ([varied(one[number % len(one)], str(number)) for number in range(size)] for one in large)
        taken[float(size)] = median(timed(partial(dehusk.learn, pages)).seconds for pages in made)
    return taken


def by_sites(data: Sequence[Sequence[bytes]]) -> tuple[Points, Points]:
    """Milliseconds a page for learning and for cleaning, by the number of sites in one job, all made from four."""
    four = data[:: len(data) // 4][:4]

    def crawl(many: int) -> Iterator[Page]:
        for number in range(SITE):  # pages of a site do not come together
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
    """Seconds to learn a site from the sample, by method: medians over some sites."""
    large = [pages[:SAMPLE] for pages in data if len(pages) >= SAMPLE]
    large = large[:: max(1, len(large) // most)]
    return {
        name: median(timed(partial(dehusk.learn, pages, method=name)).seconds for pages in large)
        for name in methods.METHODS
    }


def draw(place: Path, panels: Sequence[tuple[str, str, Mapping[str, Points]]], learned: Mapping[str, float]) -> None:
    """The tables as lines, both axes by factors, and bars for the methods. The same figures give the same file."""
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
    """Prints a row for each place."""
    print(f"\n{title}")
    first = next(iter(columns.values()))
    print(" ".join(f"{name:>12s}" for name in ("", *columns)))
    for place in first:
        print(" ".join([f"{place:12g}", *(f"{points[place]:12.2f}" for points in columns.values())]))


def main() -> None:
    """Measures, prints and draws."""
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
