"""Measures dehusk on a Spark cluster of processes of this machine:  python benchmarks/spark.py DATA [--price 0.05]

First memory: one site of 3,000 and of 12,000 pages (the demo site, each page with a paragraph of its own) goes through
`examples/spark_job.py`, and the peaks of its processes are printed: they must not grow with the site. Then rates: two
crawls of different size with the pages of DATA, which has the layout of bench.evaluation.datasets (many hosts, one to
five pages each). Processor time is that of all processes: driver, master, workers, executors, and Python. The
difference between both crawls leaves out what starting costs. At the end, a plan for a month of Common Crawl from these
rates; with `--price`, what a core hour costs you, also its costs. Needs Java and `make .venv/spark`.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterable
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import pyarrow as pa
import pyarrow.parquet as pq
from crawl import CLUSTER, MONTH, crawled

import demo_site
import spark_cluster

JOB = Path(__file__).parents[1] / "examples" / "spark_job.py"
SITES = (3000, 12_000)
"""Pages of one site whose memory is compared."""
CRAWLS = (1000, 4000)
"""Pages of the crawls whose times are compared."""
TICKS = os.sysconf("SC_CLK_TCK")
SETTINGS = {
    "spark.sql.files.maxPartitionBytes": "4m",
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC",  # those of the tests compile less
    "spark.executor.extraJavaOptions": "-XX:+UseSerialGC",
}

Row = tuple[str, bytes]


class Ran(NamedTuple):
    """What a job took: processor seconds of all processes, megabytes of the largest Python worker and executor."""

    processor: float
    python: float
    executor: float


def site() -> Iterable[Row]:
    """The pages of one site without end. A paragraph makes each page unique."""
    for number, (name, html) in enumerate(cycle(demo_site.pages().items())):
        own = f"<p>The log of day {number} says that {number * 7919 % 10_007} gulls came by.</p></main>"
        yield f"https://site.example/{number}/{name}", html.replace("</main>", own, 1).encode()


def write(file: Path, rows: Iterable[Row]) -> None:
    """Writes a table of pages, in parts of 200."""
    urls, pages = zip(*rows, strict=True)
    pq.write_table(pa.table({"url": list(urls), "html": list(pages)}), file, row_group_size=200)


class Watch:
    """Processor time and peak memory of processes, as far as they live when it looks."""

    def __init__(self) -> None:
        self.seconds: dict[int, float] = {}
        self.python: dict[int, int] = {}
        self.executors: dict[int, int] = {}

    def look(self, processes: Iterable[int]) -> None:
        """Looks at living processes."""
        known = list(processes)
        self.python |= spark_cluster.peaks(known, b"pyspark.daemon")
        self.executors |= spark_cluster.peaks(known, b"CoarseGrainedExecutorBackend")
        for process in known:
            try:
                stat = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            self.seconds[process] = (int(stat[11]) + int(stat[12])) / TICKS


def run(folder: Path, rows: Iterable[Row]) -> Ran:
    """Cleans pages on a new cluster of two workers with a core each."""
    source, watch = folder / "in.parquet", Watch()
    write(source, rows)
    words = [word for name, value in SETTINGS.items() for word in ("--conf", f"{name}={value}")]
    with spark_cluster.cluster(folder / "cluster") as cluster:
        job = [*words, str(JOB), str(source), str(folder / "out.parquet")]
        with spark_cluster.submitted(cluster, folder / "log", *job) as running:
            while running.poll() is None:
                watch.look([*cluster.processes(), running.pid, *spark_cluster.below(running.pid)])
                time.sleep(0.2)
    if running.returncode:
        sys.exit((folder / "log").read_text()[-3000:])
    python, executor = (max(peaks.values()) / 1e6 for peaks in (watch.python, watch.executors))
    return Ran(sum(watch.seconds.values()), python, executor)


def on_new_cluster(rows: Iterable[Row]) -> Ran:
    """Cleans pages in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        return run(Path(folder), rows)


def main() -> None:
    """Prints memory, rates and the plan."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--price", type=float, help="what an hour of a core costs you, in any currency")
    options = parser.parse_args()
    print("one site, pages   MB of the largest Python worker   of the largest executor (heap of 512 MB)")
    for size in SITES:
        ran = on_new_cluster(islice(site(), size))
        print(f"{size:15,} {ran.python:33.0f} {ran.executor:25.0f}", flush=True)
    print("\na crawl, pages   processor seconds   MB of the largest Python worker")
    runs = []
    for size in CRAWLS:
        ran = on_new_cluster(islice(crawled(options.data), size))
        runs.append(ran.processor)
        print(f"{size:14,} {ran.processor:19.0f} {ran.python:33.0f}", flush=True)
    rate = (CRAWLS[1] - CRAWLS[0]) / (runs[1] - runs[0])
    hours = MONTH / rate / 3600
    print(f"\n{rate:.0f} pages for each second of processor time, after the start")
    print(f"a month of {MONTH:,.0f} pages: {hours:,.0f} core hours, {hours / CLUSTER:.1f} hours on {CLUSTER} cores")
    if options.price is not None:
        print(f"at {options.price:g} for a core hour: {hours * options.price:,.0f}")


if __name__ == "__main__":
    main()
