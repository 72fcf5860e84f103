"""Prints how the number of instructions grows with the size of hostile input: exponents as benchmarks/growth.py.

Usage: `python benchmarks/instructions.py formats breaks text`: a table of growth.py, a row and a column. A row of
sources or outputs has no column. Several cells are separated by commas. Needs valgrind, which counts. A count does not
depend on what else the machine does, nor on whether the data fits the caches of the processor: if the time of a cell
grows faster than its instructions, memory is the reason. What a run takes at any size falls out of the differences
between three sizes.
"""

import argparse
import gc
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import growth
from shapes import SHAPES

import dehusk
from dehusk.methods import METHODS
from dehusk.outputs import FORMATS as FORMATS_OF_FILES
from dehusk.page import Page

SIZES = {"formats": 40_000, "methods": 20_000, "sources": 300, "outputs": 1_000}
"""The first size, as in growth.py; it is doubled twice. Valgrind is fifty times as slow as the processor."""


def run(table: str, row: str, column: str, size: int, folder: Path) -> None:
    """Does once what a cell of growth.py measures."""
    if table == "formats":
        make = SHAPES[row]
        growth.FORMATS[column](dehusk.learn([make(4_000), make(5_000)]), Page(make(size)))
    elif table == "methods":
        growth.learned(column, growth.site(SHAPES[row], size))
    elif table == "sources":
        make_source, read = growth.sources_in(folder)[row]
        read(make_source(size))
    else:
        growth.written(growth.place(folder, row), row, growth.cleaned(dehusk.learn(["<p>x"]), size))


def counted(cell: tuple[str, str, str], size: int) -> int:
    """The instructions of a process that does it once."""
    words = [sys.executable, __file__, *cell, "--run", str(size)]
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    environ = {**os.environ, "PYTHONHASHSEED": "0"}
    told = subprocess.run([*valgrind, *words], capture_output=True, text=True, check=True, env=environ).stderr
    return int(re.findall(r"I\s+refs:\s+([\d,]+)", told)[0].replace(",", ""))


def main() -> int:
    """Prints a line for each cell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=SIZES)
    parser.add_argument("row")
    parser.add_argument("column", nargs="?", default="", help=f"of {', '.join([*growth.FORMATS, *METHODS])}")
    parser.add_argument("--run", type=int, metavar="SIZE", help="only do it, once")
    options = parser.parse_args()
    if options.run:
        gc.disable()
        with tempfile.TemporaryDirectory() as folder:
            run(options.table, options.row, options.column, options.run, Path(folder))
        return 0
    rows, columns = options.row.split(","), options.column.split(",")
    if options.table == "outputs" and options.row == "all":
        rows = list(FORMATS_OF_FILES)
    print("| table | row | column | exponent |\n|---|---|---|---|", flush=True)
    for row, column in ((row, column) for row in rows for column in columns):
        first = SIZES[options.table]
        small, middle, large = (counted((options.table, row, column), first * times) for times in (1, 2, 4))
        exponent = math.log2((large - middle) / (middle - small))
        print(f"| {options.table} | {row} | {column} | {exponent:.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
