"""Prints how well pages that share a template are grouped:  python experiments/families.py DATA

DATA has the layout of bench.evaluation.datasets. Mixes the pages of three random sites and groups them; purity is the
share of grouped pages that are from the most frequent site of their family. The sites are split into two halves,
without splitting brands and generators: the thresholds in families.py were chosen on half A, and half B checks them.
Then, for every site alone: how many families it has, and which sites have more than one. Then the cost of routing.
Last, how well pages fit a template learned from half of a site's pages: the other half, and pages of other sites.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import mean

from dehusk.bench.evaluation import datasets
from dehusk.bench.evaluation.datasets import Site, brand
from dehusk.bench.evaluation.tools import timed
from dehusk.core import learn
from dehusk.page import Page
from dehusk.templates import families
from dehusk.templates.sampling import sample_of

MIXTURES = 60
PAGES = 20
FEW = 12
OTHERS = 8

# Manuals of one generator look alike. If both halves had some, half B would not be an independent check.
GENERATED = dict.fromkeys(("cmake-html", "ghc-users_guide", "python-scrapy-html", "python3.11-html"), "sphinx")


@dataclass(frozen=True, slots=True)
class Mixed:
    """The result of grouping a mixture."""

    purity: float
    families_per_site: float
    left_over: float


def load(chosen: Iterable[Site]) -> dict[str, list[Page]]:
    """Some pages of each site, those with the smallest content hashes."""
    pages = {site.path: (Page(file.read_bytes(), name=file.name) for file in site.gold) for site in chosen}
    return {path: list(sample_of(own, PAGES, memory=None).pages) for path, own in pages.items()}


def look(site: str) -> str:
    """A key that is equal for sites that look alike: one brand, blogs of one host, manuals of one generator."""
    name = site.partition("/")[2]
    return GENERATED.get(name) or brand(name).rpartition(".")[2]


def halves(sites: Sequence[str], seed: int) -> tuple[list[str], list[str]]:
    """Splits the sites into two halves; sites that look alike are in the same half."""
    looks = sorted({look(site) for site in sites})
    random.Random(seed).shuffle(looks)  # reproducible
    first = set(looks[::2])
    return [site for site in sites if look(site) in first], [site for site in sites if look(site) not in first]


def mixed(sites: dict[str, list[Page]]) -> Mixed:
    """Mixes and groups the pages of these sites."""
    owners = [site for site, pages in sites.items() for _ in pages]
    found = families.group([page for pages in sites.values() for page in pages])
    grouped = sum(map(len, found))
    pure = sum(max(Counter(owners[number] for number in family).values()) for family in found)
    return Mixed(pure / grouped if grouped else 0.0, len(found) / len(sites), 1 - grouped / len(owners))


def fits(sites: dict[str, list[Page]], seed: int) -> None:
    """Prints how many pages of a site do not fit its template, and how many of other sites do, by regions and texts."""
    drawn = random.Random(seed)  # reproducible
    large = {site: pages for site, pages in sites.items() if len(pages) >= FEW}
    own: list[tuple[float, float]] = []
    other: list[tuple[float, float]] = []
    for site, pages in large.items():
        template = learn(pages[::2], method="evidence")
        strange = [
            large[name][0] for name in drawn.sample(sorted(large), min(OTHERS, len(large))) if look(name) != look(site)
        ]
        for page in pages[1::2] + strange:
            texts = max(family.signature.fit(page) for family in template.families)
            (other if page in strange else own).append((template.fit(page), texts))
    for number, name in enumerate(("regions", "texts")):
        missed, taken = (mean(fit[number] < families.FITS for fit in found) for found in (own, other))
        print(
            f"templates of half the pages of {len(large)} sites, by {name}: {missed:.1%} of {len(own)} pages of the"
            f" other half do not fit, {1 - taken:.1%} of {len(other)} pages of other sites do"
        )


def route(known: Sequence[families.Signature], pages: Sequence[Page]) -> None:
    """Routes each page to its family."""
    for page in pages:
        families.route(known, page)


def main() -> None:
    """Prints a line for each half, the families of single sites, the cost of routing, and the fits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--mixtures", type=int, default=MIXTURES, help="number of mixtures for each half")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th site (%(default)s)")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    sites = load(islice(datasets.sites(options.data), None, None, options.every))
    nodes, parsed = timed(lambda: sum(len(page.tree) for pages in sites.values() for page in pages))
    print(f"{len(sites)} sites, at most {PAGES} pages of each, {nodes} nodes")

    for name, half in zip("AB", halves(list(sites), options.seed), strict=True):
        drawn = random.Random(options.seed)  # reproducible
        results = [
            mixed({site: sites[site] for site in drawn.sample(half, min(3, len(half)))})
            for _ in range(options.mixtures)
        ]
        print(
            f"half {name}: {len(half)} sites, {len(results)} mixtures of 3:"
            f" purity {mean(result.purity for result in results):.4f}"
            f" (least {min(result.purity for result in results):.3f}),"
            f" families a site {mean(result.families_per_site for result in results):.2f}"
            f" (most {max(result.families_per_site for result in results):.2f}),"
            f" pages in none {mean(result.left_over for result in results):.3f}"
        )

    alone = {site: families.group(pages) for site, pages in sites.items()}
    print("families of a site alone:", dict(sorted(Counter(map(len, alone.values())).items())))
    for site, found in alone.items():
        left = len(sites[site]) - sum(map(len, found))
        if len(found) != 1 or left:
            print(f"  {site}: {' + '.join(str(len(family)) for family in found)} pages, {left} in none")

    routing = 0.0
    for site, found in alone.items():
        known = [families.signature(sites[site][number] for number in family) for family in found]
        routing += timed(partial(route, known, sites[site])).seconds
    print(f"routing a page costs {routing / parsed:.3f} of parsing it and building its tree")
    fits(sites, options.seed)


if __name__ == "__main__":
    main()
