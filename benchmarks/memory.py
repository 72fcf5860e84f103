"""Prints whether memory stays flat over a long job:  python benchmarks/memory.py DATA --size 5GB

DATA has the layout of bench.evaluation.datasets. An archive of its pages (see benchmarks/make_warc.py) is cleaned to
WET by the command line, with templates learned before. For each tenth of the time, prints the resident memory of the
job and all its processes: the median, the maximum, and the median relative to the first tenth. Needs /proc.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median

from make_warc import prepared, size

from dehusk.base.system import cores
from dehusk.bench.evaluation.tools import WALL, timed


def resident(root: int) -> float:
    """The resident memory of a process and its descendants in megabytes; shared memory counts for each of them."""
    parents: dict[int, int] = {}
    memory: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        except OSError:  # it has ended
            continue
        process = int(status.parent.name)
        parents[process] = int(fields["PPid"])
        memory[process] = int(fields.get("VmRSS", "0 kB").split()[0])
    ours = {root}
    while more := {process for process, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(memory.get(process, 0) for process in ours) / 1024


def watched(command: Sequence[str | Path]) -> list[float]:
    """Runs a job; returns its memory in megabytes, measured five times a second."""
    seen = []
    with subprocess.Popen(command) as job:
        while job.poll() is None:
            seen.append(resident(job.pid))
            time.sleep(0.2)
    if job.returncode:
        sys.exit("the job failed")
    return seen


def main() -> None:
    """Runs the job and prints its memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--size", type=size, default="5GB", help="of the archive (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=cores(), help="default: %(default)s")
    parser.add_argument("--format", default="wet", help="default: %(default)s")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        archive, husks, total, pages = prepared(Path(name), options.data, size=options.size)
        words = ["-t", husks, "-o", Path(name) / "out.gz", "--format", options.format, "-q"]
        command = [sys.executable, "-m", "dehusk", "clean", archive, *words, "--jobs", str(options.jobs)]
        seen, seconds = timed(partial(watched, command), clock=WALL)
    speed = f"{seconds:.0f} s, {pages / seconds:.0f} pages a second"
    print(f"{pages} pages, {total / 1e9:.1f} GB, {options.jobs} jobs, {speed}")
    print("tenth  median MB  most MB  median to the first")
    tenths = [seen[k * len(seen) // 10 : (k + 1) * len(seen) // 10] for k in range(10)]
    for number, tenth in enumerate(tenths, 1):
        ratio = median(tenth) / median(tenths[0])
        print(f"{number:5d} {median(tenth):10.0f} {max(tenth):8.0f} {ratio:20.2f}")


if __name__ == "__main__":
    main()
