"""Prints how fast dehusk and other tools convert a crawl's archive to text:  python benchmarks/crawl.py DATA

DATA has the layout of bench.evaluation.datasets. Makes an archive of its pages that resembles a crawl: many hosts, one
to five pages each. `dehusk clean in.warc.gz -o out.wet.gz` learns and cleans it. The other tools, which learn nothing,
read the same archive, extract the content of each page and write the same kind of file. Each runs in one process, as
does dehusk with `--jobs 1`. Prints pages per second of wall time.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter

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
    parser.add_argument("--jobs", type=int, default=1, help="processes of dehusk (%(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder, "in.warc.gz")
        pages, hosts = write(archive, islice(crawled(options.data), options.pages))
        print(f"{pages} pages of {hosts} hosts, {archive.stat().st_size / 1e6:.0f} MB packed")
        took: dict[str, float] = {}
        started = perf_counter()
        by_us(archive, Path(folder, "dehusk.wet.gz"), options.jobs)
        took["dehusk"] = perf_counter() - started
        for name, extract in installed({name: EXTRACTORS[name] for name in OTHERS}).items():
            started = perf_counter()
            by_tool(archive, Path(folder, f"{name}.wet.gz"), extract)
            took[name] = perf_counter() - started
        print("tool                        pages/s   times trafilatura's")
        for name, seconds in took.items():
            ratio = f"{took['trafilatura'] / seconds:.1f}" if "trafilatura" in took else "-"
            print(f"{name:26s} {pages / seconds:8.1f}   {ratio}")


if __name__ == "__main__":
    main()
