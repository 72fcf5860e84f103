"""Locks, limits and processors; only `base/system.py` uses these features of the system."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from dehusk.base import system
from dehusk.base.errors import SlowError, UsageError

WITHOUT = """
import sys

class Refuses:
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "resource"):
            raise ImportError(f"no {name} on this system")

sys.meta_path.insert(0, Refuses())
import os, signal, subprocess
del os.sysconf, os.sched_getaffinity, os.fork, signal.setitimer, signal.SIGPROF, signal.pthread_sigmask
import dehusk
from pathlib import Path

class NoProcess(subprocess.Popen):
    def __init__(self, *words, **options):
        raise OSError("started a process")

subprocess.Popen = NoProcess

pages = [f"<nav>Menu of the harbour</nav><p>Boat {k} has left for the sea, with {k} people.</p>" for k in range(4)]
template = dehusk.learn(pages, method="rtdm")
template.save(Path(sys.argv[1]))
print(dehusk.load(Path(sys.argv[1])).clean(pages[2]).text.strip())
print(dehusk.clean(pages[2]).text.strip())
from dehusk.jobs.job import Job
print(Job(Path(sys.argv[2]), Path(sys.argv[3])).run().cleaned)
"""
"""What Windows lacks is hidden: modules, functions and signals."""


def test_a_system_without_locks_limits_and_timers_learns_and_cleans_in_one_process(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(3):
        far = "<p>And on to the islands behind the islands.</p>" * 20_000  # elsewhere, a worker cleans a megabyte
        (tmp_path / "in" / f"{number}.html").write_text(f"<p>Boat {number} has left for the sea and the islands.{far}")
    places = [str(tmp_path / name) for name in ("site.husk", "in", "out")]
    done = subprocess.run([sys.executable, "-c", WITHOUT, *places], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert (lines[0], "Boat 2 has left" in lines[1], lines[-1]) == (
        "Boat 2 has left for the sea, with 2 people.",
        True,
        "3",
    )


def test_a_lock_is_exclusive_or_shared(tmp_path: Path) -> None:
    first, second, third = (os.open(tmp_path, os.O_RDONLY) for _ in range(3))
    assert (system.lock(first), system.lock(second), system.lock(second, shared=True)) == (True, False, False)
    os.close(first)
    assert system.lock(second, wait=True, shared=True)
    assert (system.lock(third, shared=True), system.lock(third)) == (True, False)
    os.close(second)
    os.close(third)


def test_the_processors_that_we_may_use_are_counted() -> None:
    assert 1 <= system.cores() <= (os.cpu_count() or 1)


def container(root: Path, groups: str, limits: dict[str, str]) -> Path:
    """A fake file system for a process in some control groups."""
    for name, text in {"proc/self/cgroup": groups, **limits}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.mark.parametrize(
    ("groups", "limits", "least"),
    [
        ("0::/\n", {"sys/fs/cgroup/memory.max": "1000\n"}, 1000),
        ("0::/a/b\n", {"sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "2000\n"}, 2000),
        ("0::/seen/from/the/host\n", {"sys/fs/cgroup/memory.max": "3000\n"}, 3000),
        ("5:cpu:/\n4:memory:/a\n0::/\n", {"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "4000\n"}, 4000),
        ("4:cpu,memory:/a\n", {"sys/fs/cgroup/memory/memory.limit_in_bytes": "5000\n"}, 5000),
        ("0::/\nno control group\n", {"sys/fs/cgroup/memory.max": "6000\n"}, 6000),
        ("0::/a\n", {"sys/fs/cgroup/a/memory.max": "0\n", "sys/fs/cgroup/memory.max": "7000\n"}, 7000),
    ],
)
def test_the_memory_of_a_container_is_limited_by_its_control_group(
    tmp_path: Path, groups: str, limits: dict[str, str], least: int
) -> None:
    assert system.memory(container(tmp_path, groups, limits)) == least


def test_without_a_container_the_memory_is_that_of_the_machine(tmp_path: Path) -> None:
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    unlimited = {"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}
    assert system.memory(tmp_path) == machine
    assert system.memory(container(tmp_path, "4:memory:/\n0::/\n", unlimited)) == machine
    assert system.memory() <= machine


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold to the limit")
@pytest.mark.parametrize(("soft", "kept"), [("resource.RLIM_INFINITY", 900_000_000), ("500_000_000", 500_000_000)])
def test_a_limit_that_the_user_set_is_never_raised(soft: str, kept: int) -> None:
    words = (
        f"import resource; resource.setrlimit(resource.RLIMIT_DATA, ({soft}, resource.RLIM_INFINITY)); "
        "from dehusk.base import system; system.limit_memory(900_000_000); "
        "print(*resource.getrlimit(resource.RLIMIT_DATA))"
    )
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(kept), str(kept)]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell")
def test_a_process_is_forked_only_while_it_has_one_thread() -> None:
    words = (
        "import threading; from dehusk.base.system import can_fork; print(can_fork()); end = threading.Event(); "
        "thread = threading.Thread(target=end.wait); thread.start(); print(can_fork()); end.set(); thread.join()"
    )
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


@pytest.mark.parametrize("work", [lambda: [None for _ in iter(int, 1)], lambda: re.fullmatch("(x+)+y", "x" * 60)])
def test_a_time_limit_interrupts_python_and_regular_expressions(work: Callable[[], object]) -> None:
    before = signal.getsignal(signal.SIGPROF)
    with pytest.raises(SlowError, match=r"took more than 0\.2 s"), system.time_limit(0.2):
        work()
    assert signal.getsignal(signal.SIGPROF) is before
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


def test_a_time_limit_that_is_met_or_zero_changes_nothing() -> None:
    for seconds in (0, 60):
        with system.time_limit(seconds):
            assert sum(range(1000)) == 499_500
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


def test_a_time_limit_in_another_thread_is_refused() -> None:
    errors: list[Exception] = []

    def limited() -> None:
        try:
            with system.time_limit(1):
                pass
        except UsageError as error:
            errors.append(error)

    thread = threading.Thread(target=limited)
    thread.start()
    thread.join()
    assert "main thread" in str(errors[0])
