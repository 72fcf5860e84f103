"""Prints whether a job that was killed and restarted gives the same output:  python benchmarks/kill.py DATA

DATA has the layout of bench.evaluation.datasets. An archive of its pages (see benchmarks/make_warc.py) is cleaned by
the command line, with templates learned before, to each format once without interruption. Then, repeatedly, the job is
killed (SIGKILL) at a random moment and restarted, and its output must be the same to the byte. The formats take turns.
Prints each moment, how many pages had been done, and the result; exits with 1 if an output differs.
"""

import argparse
import filecmp
import json
import math
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from make_warc import prepared, size

NAMES = ("out.wet.gz", "out.jsonl", "out.parquet", "out.warc.gz")


def command(archive: Path, husks: Path, out: Path) -> list[str]:
    """The command that writes a file, in the format of its name."""
    words = ("clean", archive, "-t", husks, "-o", out, "--format", out.name.split(".")[1], "-q")
    return [sys.executable, "-m", "dehusk", *map(str, words)]


def killed(words: list[str], moment: float, kept: Path) -> int | None:
    """Runs a job and kills it at a moment; returns the number of pages recorded as done, None if it had finished."""
    with subprocess.Popen(words) as job:
        try:
            job.wait(moment)
        except subprocess.TimeoutExpired:
            job.send_signal(signal.SIGKILL)
    if job.returncode != -signal.SIGKILL:
        return None if job.returncode == 0 else sys.exit("the job failed")
    note = kept / "progress.json"
    return int(json.loads(note.read_text())["items"]) if note.exists() else 0


def main() -> None:
    """Makes the archive, then kills and restarts jobs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--size", type=size, default="200MB", help="of the archive (default: %(default)s)")
    parser.add_argument("--times", type=int, default=20, help="to kill (default: %(default)s)")
    parser.add_argument("--seed", type=int, help="of the random moments (default: a new one, which is printed)")
    options = parser.parse_args()
    seed = random.randrange(1_000_000) if options.seed is None else options.seed
    chance = random.Random(seed)
    different = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archive, husks, total, pages = prepared(folder, options.data, size=options.size)
        print(f"{pages} pages, {total / 1e6:.0f} MB, --seed {seed}")
        seconds = {}
        for form in NAMES:
            started = time.perf_counter()
            subprocess.run(command(archive, husks, folder / "whole" / form), check=True)
            seconds[form] = time.perf_counter() - started
        print("format          of s  killed at  pages done  output")
        for number in range(options.times):
            out = folder / "killed" / NAMES[number % len(NAMES)]
            done = None
            while done is None:  # try again if the job finished before it was killed
                moment = chance.uniform(0, seconds[out.name])
                started = time.perf_counter()
                done = killed(command(archive, husks, out), moment, out.with_name(f"{out.name}.unfinished"))
                seconds[out.name] = min(seconds[out.name], time.perf_counter() - started if done is None else math.inf)
            subprocess.run(command(archive, husks, out), check=True)
            same = filecmp.cmp(out, folder / "whole" / out.name, shallow=False) and len(list(out.parent.iterdir())) == 1
            different += not same
            verdict = "the same" if same else "DIFFERENT"
            print(f"{out.name:12s} {seconds[out.name]:7.1f} {moment:10.1f} {done:11d} {verdict:>9}", flush=True)
            shutil.rmtree(out.parent)
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
