"""Measures one large site on a Spark cluster of processes:  python benchmarks/spark.py DATA [--pages 12000]

DATA has the layout of bench.evaluation.datasets. The site is made of real pages, each with a unique paragraph. Prints
pages per second of each core and the largest memory of a Python worker. With --month and --price, prints what that many
pages would cost at this rate. Needs Java, and the group `spark`.
"""

import argparse
import sys
import time
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from cost import varied

import spark_cluster
from dehusk.bench.evaluation.datasets import sites

JOB = Path(__file__).parents[1] / "examples" / "spark_job.py"
WORKERS = 2
FILES = 20


def write(data: Path, folder: Path, count: int) -> int:
    """Writes the pages as files of Parquet. Returns their bytes."""
    real = [file.read_bytes() for site in islice(sites(data), 5) for file in sorted(site.gold)]
    size, each = 0, -(-count // FILES)
    pages = enumerate(islice(cycle(real), count))
    for number in range(FILES):
        some = [(f"https://large.example/{n}", varied(html, f"Page {n}")) for n, html in islice(pages, each)]
        size += sum(len(html) for _, html in some)
        table = pa.table({"url": [url for url, _ in some], "html": [html for _, html in some]})
        pq.write_table(table, folder / f"{number}.parquet", row_group_size=100)
    return size


def measure(source: Path, folder: Path) -> tuple[float, int, str]:
    """Runs the job. Returns its seconds, the largest memory of a Python worker, and the line that it prints."""
    peaks: dict[int, int] = {}
    with spark_cluster.cluster(folder / "cluster", WORKERS) as cluster:

        def look() -> None:
            peaks.update(spark_cluster.python_peaks(cluster.processes()))

        start = time.monotonic()
        with spark_cluster.submitted(cluster, folder / "log", str(JOB), str(source), str(folder / "out")) as running:
            spark_cluster.until(lambda: running.poll() is not None, meanwhile=look)
        seconds = time.monotonic() - start
    log = (folder / "log").read_text("utf-8", "replace")
    told = [line for line in log.splitlines() if "pages read" in line]
    if running.returncode or not told:
        sys.exit(log[-3000:])
    return seconds, max(peaks.values()), told[0]


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description="Measures one large site on a Spark cluster of processes.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=12_000)
    parser.add_argument("--month", type=float, help="pages of a crawl to plan for")
    parser.add_argument("--price", type=float, default=0.04, help="of a core for an hour (%(default)s)")
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "in"
        source.mkdir()
        size = write(options.data, source, options.pages)
        seconds, peak, told = measure(source, folder)
    rate = options.pages / seconds / WORKERS
    print(f"{told}; {size / options.pages / 1000:.0f} kB a page; {WORKERS} workers of one core")
    print(f"{seconds:.0f} s: {rate:.0f} pages a second and core; largest Python worker {peak / 1e6:.0f} MB")
    if options.month:
        hours = options.month / rate / 3600
        print(
            f"{options.month:.3g} pages: {hours:,.0f} core hours, {hours * options.price:,.0f} at {options.price} each"
        )


if __name__ == "__main__":
    main()
