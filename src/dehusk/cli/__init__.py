"""The command line. Each command is one module; shared code is here and in `_common`, `_learning` and `_telling`."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

COMMANDS = {
    "demo": "write a small demo site, clean it, and say where to look",
    "clean": "strip the template from every page of a site",
    "learn": "learn the template of a site and save it to a file",
    "table": "write what differs between pages as a table",
    "links": "list the links of pages, each with the role of its part",
    "edit": "correct a template: what to keep and what to drop",
    "diff": "show what changed between two versions of a page",
    "watch": "show what changed on pages since the last visit",
    "check": "tell whether the templates of sites still hold for their pages",
    "show": "write a report that shows pages with the template tinted",
    "serve": "run the local service of the viewer and the browser extension",
    "extension": "show how to install the browser extension",
    "mcp": "serve clean, chunks, learn, table and diff to agents as MCP tools",
    "store": "list the templates in a store",
    "template": "find the template of one page through its links",
    "compare": "compare all methods on a site without gold",
    "tune": "choose the value of a method's option for a site",
    "bench": "rerun the papers' experiments and public benchmarks",
    "methods": "list the learning methods and their options",
    "doctor": "list versions, platform and extras, to report a problem",
}
EXAMPLES = """examples:
  dehusk demo
  dehusk clean page.html
  dehusk clean crawl/ -o text/
  dehusk COMMAND --help"""


class Parser(argparse.ArgumentParser):
    """An argument parser that reports errors in one line."""

    def error(self, message: str) -> NoReturn:
        """Prints the message and exits with code 2."""
        advice = "" if message.endswith("?") else f"; see {self.prog} --help"  # "?" ends "did you mean ...?"
        self.exit(2, f"dehusk: error: {message}{advice}\n")

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Prints the help. Overridden because argparse ignores write errors."""
        print(self.format_help(), end="", file=file)

    def check(self, words: Sequence[str]) -> None:
        """Exits with an error if a long option is unknown, and suggests a similar one."""
        known = [option for option in self._option_string_actions if option.startswith("--")]
        for word in words:
            name = word.partition("=")[0]
            if name == "--":
                return
            if name.startswith("--") and " " not in name and not any(option.startswith(name) for option in known):
                self.error(f"unknown option {name}{_did_you_mean(name, known)}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code.

    0: success; 1: failure; 2: wrong usage; 3: a site was redesigned; 130: interrupted.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    _open_standard()
    try:
        return _flushed(_guarded(words))
    except SystemExit as end:  # after --help, wrong usage or a signal
        sys.exit(_flushed(end.code if isinstance(end.code, int) else 0))


def examples(parser: argparse.ArgumentParser, *lines: str) -> None:
    """Ends the help of a command with examples."""
    parser.epilog = "\n  ".join(["examples:", *lines])


def _open_standard() -> None:
    """Opens standard streams that the caller has closed, so that no other file gets their descriptors.

    Writing to a closed standard output then fails, as on a full disk. Messages to a closed standard error are lost.
    """
    for number, way in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, way)  # gets the lowest free descriptor
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _guarded(words: Sequence[str]) -> int:
    """Runs a command and reports errors in one line; returns the exit code."""
    try:
        signal.signal(signal.SIGTERM, _stop)  # so that half-written files are removed
        return run(words)
    except KeyboardInterrupt as stop:
        print(f"dehusk: interrupted; {str(stop) or 'all files written so far are complete'}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our standard output is gone
        return 1
    except MemoryError:
        return _fail(
            "out of memory; raise the limit if there is one, use fewer --jobs, or learn from fewer pages with --sample"
        )
    except OSError as error:
        from dehusk.base.files import reason

        return _fail(f"{error.filename}: {reason(error)}" if error.filename else reason(error))


def _flushed(code: int) -> int:
    """Flushes standard output. Returns the exit code, or 1 instead of 0 if that fails.

    After a failure standard output is redirected to /dev/null: otherwise Python flushes again at exit and prints its
    own error.
    """
    if sys.stdout is None:
        return code
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if code == 0 and not isinstance(error, BrokenPipeError):
            from dehusk.base.files import unwritable

            _fail(f"cannot write to standard output: {unwritable(error)}")
        return code or 1
    return code


def run(words: Sequence[str]) -> int:
    """Runs a command and returns its exit code; reports wrong usage and errors of dehusk."""
    parser = Parser(
        prog="dehusk",
        description="Learn the template of a web site and strip it from its pages.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action="version", version=_version() if words and words[0].startswith("--v") else ""
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    parser.check(words[:1])
    if words and not words[0].startswith("-") and words[0] not in COMMANDS:
        known = ", ".join(COMMANDS)
        parser.error(f"unknown command {words[0]!r}; choose one of {known}{_did_you_mean(words[0], list(COMMANDS))}")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name in words[:1]:  # import only this command
            module = import_module(f"dehusk.cli._{name}")
            module.add_arguments(command)
            command.check(words[1:])
            command.set_defaults(run=module.run)
    options = parser.parse_args(words)

    from dehusk.base.errors import DehuskError, UsageError

    if isinstance(sys.stdout, TextIOWrapper):  # UTF-8 in any locale; file names may have surrogates
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code: int = options.run(options)
    except DehuskError as error:
        _fail(" ".join(str(error).split()))
        return 2 if isinstance(error, UsageError) else 1
    return code


def _fail(words: str) -> int:
    from dehusk.base.errors import shown

    print(f"dehusk: error: {shown(words)}", file=sys.stderr)
    return 1


def _stop(*_: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second signal would interrupt the cleanup
    sys.exit(128 + signal.SIGTERM)


def _did_you_mean(word: str, known: Sequence[str]) -> str:
    from dehusk.base.errors import did_you_mean

    return did_you_mean(word, known)


def _version() -> str:
    from importlib.metadata import version

    return f"dehusk {version('dehusk')}"
