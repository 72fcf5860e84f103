"""Prints how many pages per second several processes clean:  python benchmarks/jobs.py DATA

DATA has the layout of bench.evaluation.datasets. An archive of its pages (see benchmarks/make_warc.py) is cleaned to
WET by the command line, with templates learned before, by one process and by several in turns. The best round of each
counts. The outputs must be the same.
"""

import argparse
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from make_warc import prepared

from dehusk.base.system import cores
from dehusk.bench.evaluation.tools import WALL, timed

COMMAND = [sys.executable, "-m", "dehusk"]


def main() -> None:
    """Makes the archive, cleans it, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=20_000, help="default: %(default)s")
    parser.add_argument("--jobs", type=int, nargs="+", default=sorted({1, 2, cores()}), help="default: %(default)s")
    parser.add_argument("--rounds", type=int, default=2, help="default: %(default)s")
    parser.add_argument("--format", default="wet", help="default: %(default)s")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archive, husks, size, pages = prepared(folder, options.data, pages=options.pages)
        times: dict[int, list[float]] = {jobs: [] for jobs in options.jobs}
        outputs = set()
        for _ in range(options.rounds):
            for jobs, seconds in times.items():
                out = folder / "out.gz"
                words = ["-t", husks, "-o", out, "--format", options.format, "--jobs", str(jobs), "-q"]
                command = partial(subprocess.run, [*COMMAND, "clean", archive, *words], check=True)
                seconds.append(timed(command, clock=WALL).seconds)
                outputs.add(out.read_bytes())
    if len(outputs) > 1:
        sys.exit("the outputs differ")
    print(f"{pages} pages, {size / pages / 1000:.0f} kB each, to {options.format}; the same output each time")
    print("jobs  pages a second   to one")
    best = {jobs: pages / min(seconds) for jobs, seconds in times.items()}
    for jobs, speed in best.items():
        print(f"{jobs:4d} {speed:15.0f} {speed / best[min(best)]:8.2f}")


if __name__ == "__main__":
    main()
