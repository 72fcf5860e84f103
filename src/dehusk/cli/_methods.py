"""dehusk methods: list the learning methods, or the options of one."""

import argparse

from dehusk.cli import examples
from dehusk.methods import DEFAULT, METHODS, Method, method


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk methods`."""
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="list the options of this method (default: all methods)"
    )
    examples(
        parser,
        "dehusk methods style-tree",
        "dehusk clean crawl/ -o text/ --method style-tree:threshold=0.5,epsilon=0.1",
    )


def run(options: argparse.Namespace) -> int:
    """Prints a paragraph for each method, or one method with its options."""
    if options.name is None:
        for listed in METHODS.values():
            _tell(listed)
        return 0
    chosen = method(options.name)
    _tell(chosen)
    for option in chosen.options.values():
        paper = f"; in the paper {option.paper}" if option.paper else ""
        print(f"  {option.spelled}: {option.help}: {option.possible} (default: {option.usual}{paper})")
    if not chosen.options:
        print("    has no options")
    return 0


def _tell(chosen: Method) -> None:
    print(f"{chosen.name}{' (default)' if chosen.name == DEFAULT else ''}: {chosen.finds}. {chosen.paper}.")
    print(f"    needs {chosen.needs}; {chosen.cost}")
