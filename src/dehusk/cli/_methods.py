"""dehusk methods: list the methods to learn a template with."""

import argparse

from dehusk.cli._common import examples
from dehusk.methods import DEFAULT, METHODS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No options."""
    examples(parser, "dehusk methods", "dehusk clean crawl/ -o text/ --method rtdm")


def run(_: argparse.Namespace) -> int:
    """One paragraph for each method."""
    for method in METHODS.values():
        print(f"{method.name}{' (default)' if method.name == DEFAULT else ''}: {method.finds}. {method.paper}.")
        print(f"    needs {method.needs}; {method.cost}")
    return 0
