"""Prints how the number of instructions grows with the size of hostile input: exponents as benchmarks/growth.py.

Usage: `python benchmarks/instructions.py formats breaks text`: a table of growth.py, a row and a column. A row of
sources or outputs has no column. Several rows and columns are separated by semicolons. Needs valgrind, which counts. A
count does not depend on what else the machine does, nor on whether the data fits the caches of the processor: if the
time of a cell grows faster than its instructions, memory is the reason. One process prepares all cells, and does each
size in a fork of itself; what it has done before is the count of a fork that does nothing.
"""

import argparse
import gc
import math
import os
import re
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

import growth
from shapes import SHAPES

import dehusk
from dehusk.methods import METHODS
from dehusk.outputs import FORMATS as FORMATS_OF_FILES
from dehusk.page import Page

SIZES = {"formats": 40_000, "methods": 20_000, "sources": 300, "outputs": 1_000}
"""The first size, as in growth.py; it is doubled twice. Valgrind is fifty times as slow as the processor."""

TIMES = (0, 1, 2, 4)
"""What is counted of a cell, in first sizes; nothing is the count of all that came before."""

_COUNT = re.compile(r"==(\d+)== I\s+refs:\s+([\d,]+)")


def run(table: str, row: str, column: str, size: int, folder: Path) -> None:
    """Does once what a cell of growth.py measures."""
    if table == "formats":
        make = SHAPES[row]
        growth.FORMATS[column](dehusk.learn([make(4_000), make(5_000)]), Page(make(size)))
    elif table == "methods":
        pages = growth.site(SHAPES[row], size)
        if column == growth.TABLES:
            growth.tabled(pages)
        else:
            growth.learned(column, pages)
    elif table == "sources":
        make_source, read = growth.sources_in(folder)[row]
        read(make_source(size))
    else:
        growth.written(growth.place(folder, row), row, growth.cleaned(dehusk.learn(["<p>x"]), size))


def run_all(table: str, cells: list[tuple[str, str]], first: int) -> None:
    """Does each cell at each size, in a process of its own, whose number is printed. A small size comes before, unseen.

    So what is made at the first use, such as imports, is not counted.
    """
    with tempfile.TemporaryDirectory() as folder:
        for row, column in cells:
            run(table, row, column, first // 10, Path(folder))
            for times in TIMES:
                child = os.fork()
                if not child:
                    if times:
                        run(table, row, column, times * first, Path(folder))
                    os._exit(0)
                os.waitpid(child, 0)
                print(child, flush=True)


def main() -> int:
    """Prints a line for each cell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=SIZES)
    parser.add_argument("row")
    columns = [*growth.FORMATS, *METHODS, growth.TABLES]
    parser.add_argument("column", nargs="?", default="", help=f"of {', '.join(columns)}")
    parser.add_argument("--first", type=int, metavar="SIZE", help="the first size")
    parser.add_argument("--run", action="store_true", help="only do it, without counting")
    options = parser.parse_args()
    first = options.first or SIZES[options.table]
    rows = options.row.split(";")
    if options.table == "outputs" and options.row == "all":
        rows = list(FORMATS_OF_FILES)
    cells = list(product(rows, options.column.split(";")))
    if options.run:
        gc.disable()
        run_all(options.table, cells, first)
        return 0
    words = [sys.executable, __file__, options.table, ";".join(rows), options.column, "--run", f"--first={first}"]
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = subprocess.run(
        [*valgrind, *words], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": "0"}
    )
    counts = {process: int(count.replace(",", "")) for process, count in _COUNT.findall(done.stderr)}
    counted = [counts[process] for process in done.stdout.split()]
    print("| table | row | column | millions | exponents |\n|---|---|---|---|---|", flush=True)
    for number, (row, column) in enumerate(cells):
        nothing, *sizes = counted[number * len(TIMES) : (number + 1) * len(TIMES)]
        small, middle, large = (count - nothing for count in sizes)
        exponents = f"{math.log2(middle / small):.2f}, {math.log2(large / middle):.2f}"
        print(f"| {options.table} | {row} | {column} | {large / 10**6:.0f} | {exponents} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
