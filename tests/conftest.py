"""Shared fixtures."""

import importlib.util
import os
import random
import signal
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

import dehusk.kernels

# No deadlines, because the machine may be busy. CI draws the same examples each time, local runs draw new ones.
settings.register_profile("dehusk", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("dehusk")

SHARED = Path(__file__).parents[2] / "shared" / "data"

SEED = pytest.StashKey[int]()

LONGEST = (
    "tests/browser/test_extension.py",
    "tests/jobs/test_faults.py",
    "tests/browser/test_viewer.py",
    "tests/test_layers.py",
    "tests/browser/test_served.py",
    "tests/test_real_roles.py",
    "tests/docs/test_code.py",
    "tests/test_real_sites.py",
    "tests/jobs/test_workers.py",
    "tests/browser/test_accessibility.py",
    "tests/server/test_running_clients.py",
    "tests/cli/test_cli.py",
    "tests/server/test_running.py",
    "tests/browser/test_firefox.py",
    "tests/jobs/test_unfinished.py",
    "tests/jobs/test_job.py",
)
"""The slowest files. They start first, so that no process still runs one of them when the others are done."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, help="of what tests draw at random; printed where a test fails")


def pytest_configure(config: pytest.Config) -> None:
    given = getattr(config, "workerinput", {}).get("seed", config.getoption("--seed"))
    config.stash[SEED] = random.randrange(1_000_000) if given is None else given
    # A background job may ignore Ctrl-C, and so would every process that the tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # No test needs data to survive a power cut, so fsync is skipped. A closed file still raises an error.
    os.fsync = os.fstat  # type: ignore[assignment]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """All processes that run tests use the same seed."""
    node.workerinput["seed"] = node.config.stash[SEED]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """More processes than cores, because many tests wait for browsers, services or clocks."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + (cores + 1) // 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    first = {file: place for place, file in enumerate(LONGEST)}
    items.sort(key=lambda item: first.get(item.nodeid.partition("::")[0], len(LONGEST)))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Each test draws the same values with the same seed, alone or with others."""
    random.seed(f"{item.config.stash[SEED]} {item.nodeid}")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Test ids number byte strings: compressed ones differ in each run, but all processes must agree on the ids."""
    return argname if isinstance(val, bytes) else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    skipped = Counter(str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", ()))
    for reason, number in sorted(skipped.items()):
        terminalreporter.write_line(f"{number} skipped: {reason.removeprefix('Skipped: ')}")
    if terminalreporter.stats.keys() & {"failed", "error"}:
        terminalreporter.write_line(f"To draw the same at random again: --seed {config.stash[SEED]}")


def _plain(name: str) -> ModuleType:
    """Imports a kernel as plain Python, even if a compiled version exists."""
    source = Path(dehusk.kernels.__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"plain_{name}", source)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kernel_versions(name: str) -> list[Any]:
    """The available versions of a kernel: plain Python, and compiled if it was built."""
    installed = importlib.import_module(f"dehusk.kernels.{name}")
    versions = [pytest.param(_plain(name), id="plain")]
    if not str(installed.__file__).endswith(".py"):
        versions.append(pytest.param(installed, id="compiled"))
    return versions
