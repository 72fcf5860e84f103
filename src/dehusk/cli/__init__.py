"""The command line. Each command is one file; what they share is here and in `common`."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

COMMANDS = {
    "clean": "strip the template from every page of a site",
    "learn": "learn the template of a site and keep it in a file",
    "show": "look at it: a report with the template tinted",
    "store": "list what a store of templates holds",
    "template": "find the template of one page through its links",
    "methods": "list the methods to learn a template with",
}


class Parser(argparse.ArgumentParser):
    """A parser that answers misuse with its usage on one line and the error on the next."""

    def error(self, message: str) -> NoReturn:
        """Exits with 2."""
        usage = " ".join(self.format_usage().split())
        self.exit(2, f"{usage}\ndehusk: error: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. 0: pages were cleaned; 1: nothing could be; 2: misuse; 130: interrupted."""
    try:
        signal.signal(signal.SIGTERM, _stop)  # so that half-written files are taken away
        try:
            return _run(list(sys.argv[1:] if arguments is None else arguments))
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except KeyboardInterrupt as stop:
        print(f"dehusk: interrupted; {str(stop) or 'what was written is complete'}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # whoever read our standard output has had enough
        _drop_output()
        return 1
    except MemoryError:
        return _fail("out of memory; learn from fewer pages with --sample")
    except OSError as error:
        _drop_output()
        return _fail(" ".join(str(error).split()))


def _run(words: list[str]) -> int:
    parser = Parser(prog="dehusk", description="Learn the template of a web site and strip it from its pages.")
    parser.add_argument("--version", action="version", version=_version() if words[:1] == ["--version"] else "")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        if name in words[:1]:  # only the command that is asked for is imported
            module = import_module(f"dehusk.cli.{name}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    options = parser.parse_args(words)

    from dehusk.errors import DehuskError, UsageError

    if isinstance(sys.stdout, TextIOWrapper):  # whatever the locale; a file name may hold what is no Unicode
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code: int = options.run(options)
    except DehuskError as error:
        _drop_output()
        _fail(" ".join(str(error).split()))
        return 2 if isinstance(error, UsageError) else 1
    return code


def _fail(words: str) -> int:
    print(f"dehusk: error: {words}", file=sys.stderr)
    return 1


def _drop_output() -> None:
    """Sends what is left in the buffer of standard output nowhere if it cannot be written.

    Python would try again when it ends, and complain a second time.
    """
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _stop(*_: object) -> NoReturn:
    sys.exit(128 + signal.SIGTERM)


def _version() -> str:
    from importlib.metadata import version

    return f"dehusk {version('dehusk')}"
