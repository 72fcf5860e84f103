"""Prints which sites `dehusk check` calls redesigned:  python experiments/redesigns.py DATA

DATA has the layout of bench.evaluation.datasets. Each news site of Big9 has pages of two years, which are a redesign:
its template is learned from one year and checked with the other, both ways. Every site with ten pages or more is
halved: its template is learned from pages with even numbers and checked with the others, which are no redesign.

Then columns of tables: on each product site, how many of those that both halves have at the same place have the same
name; and on the first site of each kind and some more, ten in all, how many are found again after a redesign that is
simulated: every class is renamed, every block gets a wrapper, and the blocks of the main part are reversed. Needs lxml.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any
from zlib import crc32

import dehusk
from dehusk.bench.evaluation.datasets import Site, sites
from dehusk.page import Page
from dehusk.templates.drift import SiteState, State, state_of

SIMULATED = 10
MAIN = 0.6
WRAPPED = ("div", "table", "ul", "ol", "dl", "p", "section", "article")
BLOCKS = (*WRAPPED, "span", "a", "li", "td", "th", "tr", "h1", "h2", "h3", "h4", "dt", "dd", "b", "strong", "em", "img")
LEAST = 10
MOST = 60


def main() -> None:
    """Prints a line for each site that is not told right, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--columns", action="store_true", help="only columns")
    options = parser.parse_args()
    every = list(sites(options.data))
    print_columns(every)
    if options.columns:
        return
    for name, wanted, states in (("redesigned", True, redesigned(every)), ("halves", False, halves(every))):
        counts: Counter[str] = Counter()
        for state in states:
            counts[state.state] += 1
            if (state.state is State.REDESIGNED) != wanted:
                print(f"  {state}")
        print(f"{name}: {counts.total()} checks, {', '.join(f'{count} {said}' for said, count in counts.items())}")


def print_columns(every: list[Site]) -> None:
    """Prints how stable columns are on product sites."""
    products = [site for site in every if site.kind.startswith("products")]
    same = [agreement(pages_of(site)) for site in products]
    shares = [named / both for both, named in same if both]
    print(
        f"columns of both halves at the same place: {sum(both for both, _ in same)}, with the same name "
        f"{sum(named for _, named in same) / sum(both for both, _ in same):.3f}, lowest site {min(shares):.3f}"
    )
    total = found = 0
    for site in products[:: len(products) // SIMULATED][:SIMULATED]:
        pages = pages_of(site)
        template = dehusk.learn(pages, columns=True)
        new = [Page(redesigned_page(page), name=page.name) for page in pages]
        state = state_of(template, new, site.name, dehusk.learn(new, columns=True))
        known = sum(len(table.columns) for family in template.families for table in family.tables.tables)
        lost = [column for family in state.families for column in family.columns]
        again = sum(bool(column.new_place) for column in lost)
        total, found = total + known, found + known - len(lost) + again
        print(f"  {state}: {known - len(lost) + again} of {known} columns")
    print(f"columns after a simulated redesign: {found} of {total} there or found again, {found / total:.3f}")


def agreement(pages: list[Page]) -> tuple[int, int]:
    """Returns how many columns both halves of a site have at the same place, and how many of them have one name.

    Places whose values have labels may have several columns.
    """
    first, second = (names_by_place(dehusk.learn(half, columns=True)) for half in (pages[::2], pages[1::2]))
    both = [(first[place], second[place]) for place in first.keys() & second.keys()]
    return sum(min(len(one), len(other)) for one, other in both), sum(len(one & other) for one, other in both)


def names_by_place(template: dehusk.Template) -> dict[str, set[str]]:
    """Returns the names of the columns at each place."""
    names: dict[str, set[str]] = defaultdict(set)
    for family in template.families:
        for table in family.tables.tables:
            for column in table.columns:
                names[column.place].add(column.name)
    return names


def redesigned_page(page: Page) -> bytes:
    """Returns a page with every class renamed, a wrapper around each block, and its main blocks reversed."""
    lxml = import_module("lxml.html")
    data = page.html if isinstance(page.html, bytes) else page.html.encode()
    root = lxml.document_fromstring(data)
    body = root.find("body")
    main = body
    while inner := [
        child for child in main if isinstance(child.tag, str) and len(text_of(child)) > MAIN * len(text_of(main))
    ]:
        main = inner[0]
    main[:] = list(reversed(main))
    for element in list(body.iter(*BLOCKS)):
        if element.get("class"):
            element.set("class", " ".join(f"n{crc32(name.encode()):x}" for name in element.get("class").split()))
        above = element.getparent()
        if above is not None and element.tag in WRAPPED and above.tag not in ("table", "tr", "ul", "ol", "dl"):
            wrapper = lxml.Element("div", {"class": "wrapper"})
            wrapper.tail, element.tail = element.tail, None
            above.replace(element, wrapper)
            wrapper.append(element)
    made: bytes = lxml.tostring(root, encoding="utf-8")
    return made


def text_of(element: Any) -> str:
    """Returns the text of an element."""
    text: str = element.text_content()
    return text


def pages_of(site: Site) -> list[Page]:
    """Returns the pages of a site."""
    return [Page(file.read_bytes(), name=file.name) for file in sorted(site.gold)][:MOST]


def redesigned(every: list[Site]) -> Iterator[SiteState]:
    """Yields the states of the news sites that have two years."""
    news = [site for site in every if site.kind == "news-big9"]
    for _, years in groupby(news, key=lambda site: site.name.rpartition("-")[0]):
        both = list(years)
        for old, new in (both, both[::-1]) if len(both) > 1 else ():
            yield state_of(dehusk.learn(pages_of(old)), pages_of(new), f"{old.name} and {new.name}")


def halves(every: list[Site]) -> Iterator[SiteState]:
    """Yields the states of the second halves of sites."""
    for site in every:
        pages = pages_of(site)
        if len(pages) >= LEAST:
            yield state_of(dehusk.learn(pages[::2]), pages[1::2], f"{site.kind} {site.name}")


if __name__ == "__main__":
    main()
