"""Prints whether a job that was killed and restarted gives the same output:  python benchmarks/kill.py DATA

DATA has the layout of bench.evaluation.datasets. An archive of its pages (see benchmarks/make_warc.py) is cleaned by
the command line, with templates learned before, to each format once without interruption. Then, repeatedly, the job is
killed (SIGKILL) at a random moment and restarted, and its output must be the same to the byte. The formats take turns.
Prints each moment, how many pages had been done, and the result; exits with 1 if an output differs.
"""

import argparse
import hashlib
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from make_warc import prepared, size

from dehusk.outputs import FORMATS

NAMES = [f"out{form.suffixes[-1]}" if form.one_file else form.name for form in FORMATS.values()]
"""An output of each format: a folder has the name of its format."""


def command(archive: Path, husks: Path, out: Path) -> list[str]:
    """The command that writes an output, in the format of its name."""
    form = ("--format", out.name) if out.name in FORMATS else ()
    words = ("clean", archive, "-t", husks, "-o", out, *form, "-q")
    return [sys.executable, "-m", "dehusk", *map(str, words)]


def contents(out: Path) -> dict[str, bytes]:
    """The files of an output by name, hidden ones too, as hashes; a single file is "."."""
    files = [file for file in out.rglob("*") if file.is_file()] if out.is_dir() else [out]
    return {str(file.relative_to(out)): hashlib.blake2b(file.read_bytes()).digest() for file in files}


def done(out: Path) -> int:
    """The number of pages recorded as done: in the note of a single file, or as files in a folder."""
    note = out.with_name(f"{out.name}.unfinished") / "progress.json"
    if out.is_dir():
        return sum(not name.rpartition("/")[2].startswith(".") for name in contents(out))
    return int(json.loads(note.read_text())["items"]) if note.exists() else 0


def killed(words: list[str], moment: float, out: Path) -> int | None:
    """Runs a job and kills it at a moment; returns the number of pages recorded as done, None if it had finished."""
    with subprocess.Popen(words) as job:
        try:
            job.wait(moment)
        except subprocess.TimeoutExpired:
            job.send_signal(signal.SIGKILL)
    if job.returncode != -signal.SIGKILL:
        return None if job.returncode == 0 else sys.exit("the job failed")
    return done(out)


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
            pages_done = None
            while pages_done is None:  # try again if the job finished before it was killed
                moment = chance.uniform(0, seconds[out.name])
                started = time.perf_counter()
                pages_done = killed(command(archive, husks, out), moment, out)
                if pages_done is None:
                    seconds[out.name] = min(seconds[out.name], time.perf_counter() - started)
            subprocess.run(command(archive, husks, out), check=True)
            same = contents(out) == contents(folder / "whole" / out.name) and len(list(out.parent.iterdir())) == 1
            different += not same
            verdict = "the same" if same else "DIFFERENT"
            print(f"{out.name:12s} {seconds[out.name]:7.1f} {moment:10.1f} {pages_done:11d} {verdict:>9}", flush=True)
            shutil.rmtree(out.parent)
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
