"""Prints whether a job that was killed and restarted gives the same output:  python benchmarks/kill.py DATA

DATA has the layout of bench.evaluation.datasets. An archive of its pages (see benchmarks/make_warc.py) is cleaned by
the command line, with templates learned before, to each format once without interruption, and so are its tables, which
are learned each time. Then, repeatedly, the job is killed (SIGKILL) at a random moment and restarted, and its output
must be the same to the byte. The formats take turns. A moment is a number of bytes on the disk. Prints each of them
and the result; exits with 1 if an output differs.
"""

import argparse
import hashlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from make_warc import prepared, size

from dehusk.outputs import CHOICES

TABLES = "tables"
NAMES = [*(f"out{form.suffixes[-1]}" if form.one_file else form.name for form in CHOICES.values()), TABLES]
"""An output of each format: a folder has the name of its format."""


def command(archive: Path, husks: Path, out: Path) -> list[str]:
    """The command that writes an output, in the format of its name."""
    if out.name == TABLES:
        words: tuple[object, ...] = ("table", archive, "-o", out, "-q")
    else:
        words = (
            "clean",
            archive,
            "-t",
            husks,
            "-o",
            out,
            *(("--format", out.name) if out.name in CHOICES else ()),
            "-q",
        )
    return [sys.executable, "-m", "dehusk", *map(str, words)]


def contents(out: Path) -> dict[str, bytes]:
    """The files of an output by name, hidden ones too, as hashes; a single file is "."."""
    files = [file for file in out.rglob("*") if file.is_file()] if out.is_dir() else [out]
    return {str(file.relative_to(out)): hashlib.blake2b(file.read_bytes()).digest() for file in files}


def on_disk(folder: Path) -> int:
    """The bytes of all files in a folder, unfinished ones too."""
    total = 0
    for file in folder.rglob("*"):
        with suppress(OSError):  # it was renamed in this moment
            total += file.stat().st_size if file.is_file() else 0
    return total


def killed(words: list[str], moment: int, folder: Path) -> int | None:
    """Runs a job and kills it when so many bytes are in a folder; returns how many there were, None if it had finished.

    Bytes and not seconds: on a busy machine, a job may have done nothing at any second.
    """
    with subprocess.Popen(words) as job:
        while job.poll() is None and on_disk(folder) < moment:
            time.sleep(0.001)
        job.send_signal(signal.SIGKILL)
    if job.returncode != -signal.SIGKILL:
        return None if job.returncode == 0 else sys.exit("the job failed")
    return on_disk(folder)


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
        for form in NAMES:
            subprocess.run(command(archive, husks, folder / "whole" / form), check=True)
        print("output           bytes  killed at  result")
        for number in range(options.times):
            whole, out = folder / "whole" / NAMES[number % len(NAMES)], folder / "killed" / NAMES[number % len(NAMES)]
            most = whole.stat().st_size if whole.is_file() else on_disk(whole)
            there = None
            while there is None:  # try again if the job finished before it was killed
                shutil.rmtree(out.parent, ignore_errors=True)
                there = killed(command(archive, husks, out), chance.randrange(most), out.parent)
            subprocess.run(command(archive, husks, out), check=True)
            same = contents(out) == contents(folder / "whole" / out.name) and len(list(out.parent.iterdir())) == 1
            different += not same
            verdict = "the same" if same else "DIFFERENT"
            print(f"{out.name:12s} {most:9d} {there:10d}  {verdict}", flush=True)
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
