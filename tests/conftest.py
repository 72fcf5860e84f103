"""Shared fixtures."""

import importlib.util
import os
import random
import signal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

import dehusk.kernels

# A busy machine is no failure; in CI the same examples are drawn each time, at home new ones.
settings.register_profile("dehusk", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("dehusk")

SHARED = Path(__file__).parents[2] / "shared" / "data"

SEED = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, help="of what tests draw at random; printed where a test fails")


def pytest_configure(config: pytest.Config) -> None:
    given = getattr(config, "workerinput", {}).get("seed", config.getoption("--seed"))
    config.stash[SEED] = random.randrange(1_000_000) if given is None else given
    # Whoever starts the tests in the background may have turned Ctrl-C off, for them and for all that they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Processes that share the tests draw with the same seed."""
    node.workerinput["seed"] = node.config.stash[SEED]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Each test draws the same with the same seed, alone or among others."""
    random.seed(f"{item.config.stash[SEED]} {item.nodeid}")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are numbered: packed ones differ each time, and processes that share the tests know them by name."""
    return argname if isinstance(val, bytes) else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if terminalreporter.stats.keys() & {"failed", "error"}:
        terminalreporter.write_line(f"To draw the same at random again: --seed {config.stash[SEED]}")


def _plain(name: str) -> ModuleType:
    """A kernel as plain Python, whether or not a compiled one stands beside it."""
    source = Path(dehusk.kernels.__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"plain_{name}", source)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kernel_versions(name: str) -> list[Any]:
    """The versions of a kernel there are here: plain Python always, compiled where it was built."""
    installed = importlib.import_module(f"dehusk.kernels.{name}")
    versions = [pytest.param(_plain(name), id="plain")]
    if not str(installed.__file__).endswith(".py"):
        versions.append(pytest.param(installed, id="compiled"))
    return versions
