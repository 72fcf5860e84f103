"""Prints the cost of RTDM-TD on large and difficult pages:  python benchmarks/mapping.py

Maps pairs of pages that differ in every text, so that shortcuts for identical subtrees do not help: tables of 20,000
nodes, and lists of 10,000 items. Prints the seconds of a mapping, and the peak memory of the process.
"""

import argparse
import resource
from collections.abc import Callable
from functools import partial

import dehusk.kernels.mapping
from dehusk.base.tree import Classes
from dehusk.bench.evaluation.tools import timed
from dehusk.methods.rtdm import map_trees
from dehusk.page import Page


def table(rows: int, columns: int, salt: str) -> str:
    """A page with one table, every cell different from the other page's."""
    cells = "".join("<tr>" + "".join(f"<td>{salt}{row}.{column}" for column in range(columns)) for row in range(rows))
    return f"<h1>Same</h1><table>{cells}</table><p>Same"


def items(count: int, salt: str, *, linked: bool) -> str:
    """A page with one list, every item different from the other page's."""
    inside = "<a href=/>{0}</a> and {0}" if linked else "{0}"
    return "<h1>Same</h1><ul>" + "".join("<li>" + inside.format(f"{salt}{k}") for k in range(count)) + "</ul>"


def half_shared(salt: str) -> str:
    """A page with one table; every second cell is the same on both pages."""
    cells = "".join(
        "<tr>" + "".join(f"<td>{'same' if column % 2 else salt}{row}" for column in range(4)) for row in range(2200)
    )
    return f"<table>{cells}</table>"


CASES: dict[str, Callable[[str], str]] = {
    "20,000 nodes, rows of 4 cells": lambda salt: table(2200, 4, salt),
    "20,000 nodes, rows of 1 cell": lambda salt: table(6600, 1, salt),
    "20,000 nodes, half of the cells shared": half_shared,
    "lists of 10,000 plain items": lambda salt: items(10_000, salt, linked=False),
    "lists of 10,000 items with a link": lambda salt: items(10_000, salt, linked=True),
}


def main() -> None:
    """Prints a line for each case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    compiled = not str(dehusk.kernels.mapping.__file__).endswith(".py")
    print(f"kernels: {'compiled' if compiled else 'plain Python'}")
    for name, make in CASES.items():
        classes = Classes()
        first, second = (classes.number(Page(make(salt)).tree) for salt in "xy")
        mates, seconds = timed(partial(map_trees, first, second))
        common = sum(mate >= 0 for mate in mates)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{name:40s} {len(first):6d} nodes {common:6d} mapped {seconds:6.2f} s {memory:5d} MB peak so far")


if __name__ == "__main__":
    main()
