"""How a store grows: time, memory and disk for many sites of a page or two.

    python benchmarks/store.py [SITES ...] [--method NAME]

For each number of sites, two archives with a page of each site are added one after the other, each number in a process
of its own; then the template of each site is looked up once.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from dehusk import Page, methods
from dehusk.jobs.store import Store, Stored

HTML = (
    "<nav><a href=/>Home</a> <a href=/blog>Blog</a></nav><main><h1>Site {0}, page {1}</h1><p>What page {1} of site {0} "
    "alone has to say, in some words and at some length.</p></main><footer>All rights kept by site {0}</footer>"
)


def pages(sites: int, archive: int) -> Iterator[Page]:
    """A page of each site."""
    return (Page(HTML.format(site, archive), url=f"http://site{site}.example/{archive}") for site in range(sites))


def measure(sites: int, method: str) -> None:
    """Prints a row."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sites.store"
        with Store(path, method=method) as store:
            started = time.perf_counter()
            for archive in range(2):
                store.add(pages(sites, archive))
            learned = time.perf_counter()
            stored = Stored(store)
            for page in pages(sites, 0):
                stored.of(page)
            found = time.perf_counter()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        size = path.stat().st_size
    print(
        f"{sites:,} sites: {(learned - started) / sites / 2 * 1000:.1f} ms to learn one, "
        f"{(found - learned) / sites * 1000:.2f} ms to look one up, {size / sites:.0f} bytes each, {memory} MB"
    )


def main() -> None:
    """Measures each number of sites in a process of its own, since memory is measured at its peak."""
    parser = argparse.ArgumentParser(description=__doc__)
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
