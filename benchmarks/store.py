"""Prints how a store grows: time, memory and disk space for many sites of two pages.

    python benchmarks/store.py [SITES ...] [--method NAME]

For each number of sites, in a separate process: adds two archives, each with a page of every site, then looks up the
template of each site once.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from dehusk import Page, methods
from dehusk.bench.evaluation.tools import WALL, timed
from dehusk.jobs.store import Store, Stored

HTML = (
    "<nav><a href=/>Home</a> <a href=/blog>Blog</a></nav><main><h1>Site {0}, page {1}</h1><p>What page {1} of site {0} "
    "alone has to say, in some words and at some length.</p></main><footer>All rights kept by site {0}</footer>"
)


def pages(sites: int, archive: int) -> Iterator[Page]:
    """A page of each site."""
    return (Page(HTML.format(site, archive), url=f"http://site{site}.example/{archive}") for site in range(sites))


def fill(store: Store, sites: int) -> None:
    """Learns the sites from two archives."""
    for archive in range(2):
        store.add(pages(sites, archive))


def look_up(store: Store, sites: int) -> None:
    """Finds the template of each site once."""
    stored = Stored(store)
    for page in pages(sites, 0):
        stored.of(page)


def measure(sites: int, method: str) -> None:
    """Prints a row."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sites.store"
        with Store(path, method=method) as store:
            learning = timed(partial(fill, store, sites), clock=WALL).seconds
            finding = timed(partial(look_up, store, sites), clock=WALL).seconds
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        size = path.stat().st_size
    print(
        f"{sites:,} sites: {learning / sites / 2 * 1000:.1f} ms to learn one, "
        f"{finding / sites * 1000:.2f} ms to look one up, {size / sites:.0f} bytes each, {memory} MB"
    )


def main() -> None:
    """Measures each number of sites in a separate process, since peak memory is measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", nargs="*", type=int, default=[1000, 10_000])
    parser.add_argument("--method", default=methods.DEFAULT)
    options = parser.parse_args()
    if len(options.sites) == 1:
        measure(options.sites[0], options.method)
        return
    for sites in options.sites:
        subprocess.run([sys.executable, __file__, str(sites), "--method", options.method], check=True)


if __name__ == "__main__":
    main()
