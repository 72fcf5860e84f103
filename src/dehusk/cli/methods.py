"""dehusk methods: list the methods to learn a template with."""

import argparse

from dehusk.methods import DEFAULT, METHODS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def run(_: argparse.Namespace) -> int:
    """One method a paragraph."""
    for method in METHODS.values():
        print(f"{method.name}{' (default)' if method.name == DEFAULT else ''}: {method.finds}. {method.paper}.")
        print(f"    needs {method.needs}; {method.cost}")
    return 0
