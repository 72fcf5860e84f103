"""Everything that differs between operating systems: locks, resource limits, signals, cores and memory.

No other module calls these system functions, so fallbacks for systems without them are all here.
"""

import logging
import os
import select
import signal
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import NoReturn

from dehusk.base.errors import SlowError, UsageError

_AGAIN = 0.5  # seconds of processor time
_ASSUMED = 4 << 30  # bytes of memory, where the system does not say: few machines that run Python have less


def lock(descriptor: int, *, wait: bool = False, shared: bool = False) -> bool:
    """Locks an open file or folder until it is closed. Returns False if another process has the lock.

    With `wait`, waits for the other process instead. Several processes can hold a `shared` lock at once. On systems and
    file systems without locks it returns True.
    """
    try:
        import fcntl

        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return True
    return True


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory(root: Path = Path("/")) -> int:
    """Bytes of memory available to this process: that of the machine, or the limit of its container if lower."""
    known = hasattr(os, "sysconf")  # not on Windows
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if known else _ASSUMED
    return min([machine, *_container_limits(root)])


def _container_limits(root: Path) -> Iterator[int]:
    """The memory limits of the control groups of this process, version 1 or 2 (see cgroups(7))."""
    with suppress(OSError, ValueError):  # no control groups, or an unknown version
        for line in (root / "proc/self/cgroup").read_text("utf-8", "replace").splitlines():
            _, controllers, group = line.split(":", 2)
            if controllers == "":
                folder, name = root / "sys/fs/cgroup", "memory.max"
            elif "memory" in controllers.split(","):
                folder, name = root / "sys/fs/cgroup/memory", "memory.limit_in_bytes"
            else:
                continue
            # Limits of parent groups apply too. In a container the path may be the host's, while files are at the root.
            for path in (PurePosixPath(group), *PurePosixPath(group).parents):
                with suppress(OSError, ValueError):  # "max", or not visible in this container
                    if (limit := int((folder / path.relative_to("/") / name).read_text("ascii"))) > 0:
                        yield limit


def limit_memory(most: int) -> None:
    """Limits the memory of this process to `most` bytes, or to its current limit if that is lower.

    Limits the data segment (RLIMIT_DATA), not the address space: libraries map much memory that they never use.
    """
    with suppress(ImportError, ValueError, OSError):  # the system has no such limit
        import resource

        limits = [limit for limit in resource.getrlimit(resource.RLIMIT_DATA) if limit != resource.RLIM_INFINITY]
        least = min([most, *limits])
        resource.setrlimit(resource.RLIMIT_DATA, (least, least))


def data_size() -> int:
    """Bytes of this process that `limit_memory` counts; 0 where that is not known."""
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/self/status").read_text("ascii", "replace").splitlines()
        return 1024 * int(next(line for line in lines if line.startswith("VmData:")).split()[1])
    return 0


def has_workers() -> bool:
    """Whether the system has what worker processes need (see `serve_parent`): Windows has not."""
    try:
        import fcntl  # noqa: F401
    except ImportError:
        return False
    return True


def can_fork() -> bool:
    """Whether a copy of this process can go on: it has one thread, so no other can hold a lock. Linux alone tells."""
    with suppress(OSError):
        return has_workers() and sys.platform == "linux" and len(list(Path("/proc/self/task").iterdir())) == 1
    return False


def close_files(kept: Collection[int]) -> None:
    """Closes all files of this process but those kept and standard error; standard input and output are empty."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, *(() if sys.stderr else (2,))):
        os.dup2(nothing, number)
    for number in [int(file.name) for file in Path("/proc/self/fd").iterdir()]:
        if number > 2 and number not in kept:
            with suppress(OSError):  # the folder that was just listed
                os.close(number)


def reopen_streams() -> None:
    """Replaces the standard streams of a fork, and drops its log handlers: those of its parent may be closed files."""
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, closefd=False, encoding="utf-8", errors="backslashreplace")  # noqa: SIM115
        for number, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    logging.getLogger().handlers.clear()


def forget_handlers() -> None:
    """Leaves signals to the system, as in a program that was just started."""
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)


def limit_time(seconds: float) -> None:
    """Ends this process after this many more seconds of processor time, even in compiled code; 0 for no limit."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def in_main_thread() -> bool:
    """Whether the caller is in the main thread, which alone gets signals."""
    return threading.current_thread() is threading.main_thread()


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises SlowError if the block takes more than this many seconds of processor time; 0 for no limit.

    Interrupts Python code and regular expressions at once, and compiled code when it returns to Python. Must be called
    in the main thread, and not inside of another limit. Windows has no such timer: there it does nothing.
    """
    if not seconds or not hasattr(signal, "setitimer"):
        yield
        return
    if not in_main_thread():
        raise UsageError("time_limit works in the main thread only; use dehusk.Job(..., page_seconds=) elsewhere")

    def interrupt(*_: object) -> NoReturn:
        raise SlowError(f"took more than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, interrupt)
    try:
        # Again and again: Python ignores an exception in a finalizer.
        signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def took_too_long(code: int) -> bool:
    """Whether the exit code is that of a process ended by `limit_time`."""
    return code == -signal.SIGPROF


def cause_of_death(code: int) -> str:
    """Describes an exit code: the name of the signal, or the code."""
    return signal.strsignal(-code) or f"signal {-code}" if code < 0 else f"exit code {code}"


def serve_parent(alive: int) -> None:
    """Makes this process ignore stop signals, and end when the parent ends (the other end of pipe `alive` is closed).

    On Linux SIGIO then ends the process at once. Elsewhere a Python handler ends it, after the current call to compiled
    code has returned.
    """
    import fcntl

    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGIO, signal.SIG_DFL if sys.platform == "linux" else lambda *_: os._exit(1))
    fcntl.fcntl(alive, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(alive, fcntl.F_SETFL, fcntl.fcntl(alive, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([alive], [], [], 0)[0]:  # it was already closed
        os._exit(1)
