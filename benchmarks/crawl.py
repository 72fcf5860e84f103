"""Prints how fast dehusk and other tools convert a crawl's archive to text:  python benchmarks/crawl.py DATA

DATA has the layout of bench.evaluation.datasets. Makes an archive of its pages that resembles a crawl: many hosts, one
to five pages each. `dehusk clean in.warc.gz -o out.wet.gz` learns and cleans it. The other tools, which learn nothing,
read the same archive, extract the content of each page and write the same kind of file. Each runs in one process, as
does dehusk with `--jobs 1`. Prints pages per second of wall time and of processor time, and what a month of Common
Crawl would take at that rate: in core hours, in days on one machine, in hours on a cluster. Days and hours are the core
hours divided by the cores; what else a cluster does, such as moving pages between machines, is not measured. Also
prints the memory of the largest process of dehusk.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecordType
from make_warc import STARTED

from dehusk.base.files import written_whole_bytes
from dehusk.bench.evaluation.datasets import single_pages, sites
from dehusk.bench.evaluation.tools import EXTRACTORS, Tool, installed
from dehusk.outputs.warc import as_header, derived_id, record

PAGES = 2000
SHAPE = (1, 1, 2, 1, 5)
"""Numbers of pages of the hosts, in a cycle: two on average, and most hosts have one."""
OTHERS = ("resiliparse", "trafilatura")
MONTH = 3e9
"""About the number of pages in a month of Common Crawl."""
MACHINE, CLUSTER = 64, 1000
"""Cores of a large machine, and of a cluster, such as one of Spark."""


class Took(NamedTuple):
    """Seconds of wall time and of processor time, with those of child processes."""

    wall: float
    processor: float


def took(work: Callable[[], object]) -> Took:
    """Does some work and measures it."""
    wall, before = perf_counter(), os.times()
    work()
    after = os.times()
    return Took(perf_counter() - wall, sum(after[:4]) - sum(before[:4]))


def crawled(data: Path) -> Iterator[tuple[str, bytes]]:
    """URLs and pages without end, host by host. A comment makes each page unique."""
    several = cycle([[file.read_bytes() for file in sorted(site.gold)[: max(SHAPE)]] for site in sites(data)])
    single = cycle([[page.html.encode("utf-8", "replace")] for page in islice(single_pages(data), None, None, 4)])
    for number, wanted in enumerate(cycle(SHAPE)):
        for page, html in enumerate(next(single if wanted == 1 else several)[:wanted]):
            yield f"http://host-{number}.example/{page}", html + b"<!-- %d -->" % number


def write(out: Path, pages: Iterable[tuple[str, bytes]]) -> tuple[int, int]:
    """Writes an archive; returns the numbers of pages and hosts."""
    urls: list[str] = []
    with written_whole_bytes(out) as file:
        for url, html in pages:
            fields = {
                "WARC-Type": "response",
                "WARC-Target-URI": as_header(url),
                "WARC-Date": (STARTED + timedelta(seconds=len(urls))).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "WARC-Record-ID": derived_id(url),
                "Content-Type": "application/http; msgtype=response",
            }
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
            file.write(record(fields, block, packed=True, level=1))
            urls.append(url)
    return len(urls), len({url.rpartition("/")[0] for url in urls})


def by_tool(archive: Path, out: Path, extract: Tool) -> None:
    """Reads an archive and writes the content of each page; empty if the tool fails."""
    with written_whole_bytes(out) as file:
        for one in ArchiveIterator(str(archive), record_types=WarcRecordType.response):
            url = one.headers["WARC-Target-URI"]
            try:
                text = str(extract(one.reader.read()) or "")
            except Exception:  # noqa: BLE001
                text = ""
            fields = {"WARC-Type": "conversion", "WARC-Target-URI": url, "Content-Type": "text/plain"}
            file.write(record(fields, text.encode("utf-8", "replace"), packed=True, level=6))


def by_us(archive: Path, out: Path, jobs: int) -> None:
    """Cleans an archive with the command line, which learns first."""
    words = [sys.executable, "-m", "dehusk", "clean", str(archive), "-o", str(out), "--jobs", str(jobs), "-q"]
    subprocess.run(words, check=True)


def main() -> None:
    """Prints a table of pages per second and ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=PAGES, help="of the archive (%(default)s)")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1], help="processes of dehusk, one run for each (1)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder, "in.warc.gz")
        pages, hosts = write(archive, islice(crawled(options.data), options.pages))
        print(f"{pages} pages of {hosts} hosts, {archive.stat().st_size / 1e6:.0f} MB packed")
        runs: dict[str, Took] = {}
        for jobs in options.jobs:
            runs[f"dehusk --jobs {jobs}"] = took(partial(by_us, archive, Path(folder, f"dehusk{jobs}.wet.gz"), jobs))
        largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        print(f"the largest process of dehusk took {largest} MB")
        others = installed({name: EXTRACTORS[name] for name in OTHERS})
        for name, extract in others.items():
            runs[name] = took(partial(by_tool, archive, Path(folder, f"{name}.wet.gz"), extract))
        for name in OTHERS:
            if name not in others:
                print(f"{name} is not installed, and is not measured.")
        print(f"a month of {MONTH:,.0f} pages: core hours, days on {MACHINE} cores, hours on {CLUSTER} cores")
        print("tool                  pages/s  of processor   core hours      days     hours   times trafilatura's")
        for name, run in runs.items():
            ratio = f"{runs['trafilatura'].processor / run.processor:.1f}" if "trafilatura" in runs else "-"
            hours = MONTH * run.processor / pages / 3600
            rates = f"{pages / run.wall:8.1f} {pages / run.processor:13.1f}"
            print(f"{name:20s} {rates} {hours:12,.0f} {hours / MACHINE / 24:9.1f} {hours / CLUSTER:9.1f}   {ratio}")


if __name__ == "__main__":
    main()
