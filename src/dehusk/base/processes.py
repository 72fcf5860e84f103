"""Processes that work for this one, under one set of rules for jobs, the service and the bench.

Where the caller has a single thread, they are forks of it: to import all again takes half a second of processor time.
Otherwise they are fresh interpreters, started like any other program: a fork would copy locks that other threads hold,
and a spawn by `multiprocessing` would import the caller's main module again. Each has a process group of its own, and
ignores requests to stop: Ctrl-C at a terminal reaches only the parent, which then ends the others. The system itself
ends a process that takes too much processor time, if it asked for that, or whose parent is gone. A process that takes
too much memory gets a MemoryError.
"""

import gc
import os
import pickle
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from typing import NoReturn

from dehusk.base import system

PAGE_MEMORY = 2_000_000_000
"""Bytes of memory that are enough for any page. 10 MB of nothing but elements take 1.7 GB, other pages little."""

Answer = Callable[[bytes], bytes]
"""What a process does with a question."""


def memory_share(processes: int) -> int:
    """What each of some processes may take: a share of three quarters of the memory, or what any page needs."""
    most = system.memory() * 3 // 4
    return min(most, max(PAGE_MEMORY, most // processes))


class Process:
    """A process that answers questions, as its parent sees it."""

    def __init__(self, work: Callable[..., Answer], *given: object, memory: int, files: Sequence[int] = ()) -> None:
        """`work` is called in the process with what is `given`, and makes what answers. It is a function of a module.

        The process may take this many bytes of `memory`. The open `files` have the same numbers there.
        """
        self.connection, theirs = Pipe()
        alive, self._alive = os.pipe()
        start = _Fork if system.can_fork() else _fresh
        try:
            self._process = start(memory, theirs.fileno(), alive, files)
        except BaseException:
            self.connection.close()
            os.close(self._alive)
            raise
        finally:
            theirs.close()
            os.close(alive)
        self.pid = self._process.pid
        self.send(pickle.dumps((work, given)))

    def send(self, question: bytes) -> None:
        """Asks a question. If the process has ended, that shows when its answer is waited for."""
        with suppress(OSError):
            self.connection.send_bytes(question)

    def receive(self) -> bytes | None:
        """Waits for the answer to the question that was asked first; None if the process ended instead."""
        return _received(self.connection)

    def kill(self) -> None:
        """Ends the process at once. Whoever waits for an answer gets none."""
        self._process.kill()

    def end(self) -> int:
        """Ends the process, and lets go of all that belongs to it; its exit code."""
        self.kill()
        code = self._process.wait()
        self.connection.close()
        os.close(self._alive)
        return code


def _fresh(memory: int, parent: int, alive: int, files: Collection[int]) -> subprocess.Popen[bytes]:
    """An interpreter of its own that serves its parent."""
    code = f"import sys; sys.path[:] = {sys.path!r}; from dehusk.base.processes import serve; "
    return subprocess.Popen(  # noqa: S603  # ourselves
        [sys.executable, "-P", "-c", code + f"serve({memory}, {parent}, {alive})"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=None if sys.stderr else subprocess.DEVNULL,
        pass_fds=[parent, alive, *files],
        process_group=0,
    )


class _Fork:
    """A copy of this process that serves it, and has none of its open files. Has the methods of Popen that we need."""

    def __init__(self, memory: int, parent: int, alive: int, files: Collection[int]) -> None:
        # No signal may reach the copy before it has left the handlers of the parent.
        handled = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            self.pid = os.fork()
            if not self.pid:
                _serve_as_fork(memory, parent, alive, files, handled)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, handled)

    def kill(self) -> None:
        """Ends it. One that has ended is still there until it is waited for."""
        os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Waits for the end; the exit code, or the signal as a negative number."""
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def _serve_as_fork(memory: int, parent: int, alive: int, files: Collection[int], blocked: Collection[int]) -> NoReturn:
    """What a fork does: it drops what it has of its parent, and serves it. It never returns to what the parent does."""
    try:
        gc.freeze()  # nothing of the parent is finalized here: the number of a closed file may be that of another
        os.setpgid(0, 0)
        system.close_files({parent, alive, *files})
        system.forget_handlers()
        serve(memory + system.data_size(), parent, alive, blocked)  # what the parent has counts as well
        os._exit(0)
    except BaseException:  # noqa: BLE001  # see above
        os.write(2, traceback.format_exc().encode())  # what Python calls standard error may be a file of the parent
    finally:
        os._exit(1)


def serve(memory: int, parent: int, alive: int, blocked: Collection[int] | None = None) -> None:
    """What a process does, given its end of the connection, and a pipe that is open while the parent lives.

    `blocked` are the signals that stay blocked, where all are until now.
    """
    system.limit_memory(memory)
    system.serve_parent(alive)
    if blocked is not None:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    connection = Connection(parent)
    first = _received(connection)
    if first is not None:
        work, given = pickle.loads(first)  # noqa: S301  # from ourselves
        answer: Answer = work(*given)
        while (question := _received(connection)) is not None:
            reply = answer(question)
            with suppress(OSError):  # nobody is there any more
                connection.send_bytes(reply)


def _received(connection: Connection) -> bytes | None:
    """The next message; None if the other side has finished, or is gone."""
    try:
        return connection.recv_bytes()
    except (EOFError, OSError):
        return None
