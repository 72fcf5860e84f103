"""Fixtures for tests of jobs."""

import sys
import threading

import pytest

from dehusk.base import system


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are forks unless a test has threads. Those of pytest-xdist and Parquet hold no lock that a worker needs.

    With them each worker would be a new interpreter, which costs half a second of processor time.
    tests/base/test_processes.py has both.
    """
    monkeypatch.setattr(system, "can_fork", lambda: sys.platform == "linux" and threading.active_count() == 1)
