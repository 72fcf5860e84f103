"""Measure what a table costs against cleaning to JSON rows: processor time a page, and to learn.

Usage: `python benchmarks/table.py FOLDER...`, each with the pages of a site. Prints milliseconds a page of both, and
their ratio: at most twice is wanted.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean

import dehusk
from dehusk.outputs._jsonl import JsonLine
from dehusk.outputs._records import RecordLine

ROUNDS = 3


def best(work: Callable[[], object]) -> float:
    """Returns the least processor time of some rounds, in seconds."""
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def measured(folder: Path) -> dict[str, float]:
    """Returns milliseconds a page: of rows, of records, and of learning with and without columns."""
    pages = [file.read_bytes() for file in sorted(folder.rglob("*.html"))]
    template = dehusk.learn(pages, columns=True)
    row, record = JsonLine(), RecordLine()
    times = {
        "rows": best(lambda: [row(template.clean(html), "") for html in pages]),
        "records": best(lambda: [record(template.clean(html), "") for html in pages]),
        "learn": best(lambda: dehusk.learn(pages)),
        "learn with columns": best(lambda: dehusk.learn(pages, columns=True)),
    }
    return {name: 1000 * seconds / len(pages) for name, seconds in times.items()}


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the times of each folder, and their means."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    every = []
    for folder in parser.parse_args(argv).folders:
        every.append(measured(folder))
        print(folder, json.dumps({name: round(ms, 2) for name, ms in every[-1].items()}))
    means = {name: fmean(times[name] for times in every) for name in every[0]}
    print(", ".join(f"{name} {ms:.2f} ms" for name, ms in means.items()))
    print(f"records cost {means['records'] / means['rows']:.2f} of rows")


if __name__ == "__main__":
    main()
