"""Prints which sites `dehusk check` calls redesigned:  python experiments/redesigns.py DATA

DATA has the layout of bench.evaluation.datasets. Each news site of Big9 has pages of two years, which are a redesign:
its template is learned from one year and checked with the other, both ways. Every site with ten pages or more is
halved: its template is learned from pages with even numbers and checked with the others, which are no redesign.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import dehusk
from dehusk.bench.evaluation.datasets import Site, sites
from dehusk.page import Page
from dehusk.templates.drift import SiteState, State, state_of

LEAST = 10
MOST = 60


def main() -> None:
    """Prints a line for each site that is not told right, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    options = parser.parse_args()
    every = list(sites(options.data))
    for name, wanted, states in (("redesigned", True, redesigned(every)), ("halves", False, halves(every))):
        counts: Counter[str] = Counter()
        for state in states:
            counts[state.state] += 1
            if (state.state is State.REDESIGNED) != wanted:
                print(f"  {state}")
        print(f"{name}: {counts.total()} checks, {', '.join(f'{count} {said}' for said, count in counts.items())}")


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
