"""dehusk doctor: what is installed, and where it runs. For reports of problems."""

import argparse
import platform
import re
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version

from dehusk import kernels
from dehusk.base import system
from dehusk.cli import examples

_REQUIREMENT = re.compile(r"([\w.-]+)[^;]*(?:;(.*))?")
_EXTRA = re.compile(r"extra *== *[\"']([\w-]+)[\"']")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the examples of `dehusk doctor`, which has no options."""
    examples(parser, "dehusk doctor", "dehusk doctor > doctor.txt")


def run(_: argparse.Namespace) -> int:
    """Prints a line for each fact. It names no file, user or host, so that all of it can be published."""
    for name, value in _facts():
        print(f"{name:12} {value}")
    return 0


def _facts() -> Iterator[tuple[str, str]]:
    yield "dehusk", version("dehusk")
    threads = ", free-threaded" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    yield "Python", f"{platform.python_version()} ({platform.python_implementation()}{threads})"
    libc = " ".join(platform.libc_ver())
    yield "platform", " ".join(filter(None, (platform.system(), platform.release(), platform.machine(), libc)))
    yield "machine", f"{system.cores()} cores, {system.memory() / 2**30:.1f} GB of memory"
    yield "kernels", "compiled" if kernels.compiled() else "not compiled: several times slower"
    yield "processes", "forked" if system.can_fork() else "new interpreters" if system.has_workers() else "one only"
    yield "encoding", f"files {sys.getfilesystemencoding()}, output {sys.stdout.encoding}"
    for extra, names in _required().items():
        yield (f"[{extra}]" if extra else "requires"), ", ".join(map(_installed, names))


def _required() -> dict[str, dict[str, None]]:
    """The packages that dehusk requires ("") and those of each extra, each once."""
    found: dict[str, dict[str, None]] = {}
    for line in requires("dehusk") or ():
        if parts := _REQUIREMENT.match(line):
            extra = _EXTRA.search(parts[2] or "")
            found.setdefault(extra[1] if extra else "", {})[parts[1]] = None
    return found


def _installed(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} missing"
