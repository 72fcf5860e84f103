"""Worker processes for jobs, the service and the bench.

Where the caller has a single thread, a worker is a fork of it: importing everything again costs half a second of
processor time. Otherwise it is a new interpreter: a fork would copy locks held by other threads, and a
`multiprocessing` spawn would import the caller's main module again. A worker has its own process group and ignores
SIGINT and SIGTERM: Ctrl-C in a terminal reaches only the parent, which then ends the workers. The operating system ends
a worker that exceeds its limit of processor time (if it has set one), or whose parent has ended. A worker that exceeds
its memory limit gets a MemoryError.
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
"""Bytes of memory that suffice for any page. 10 MB of HTML with only elements take 1.7 GB; other pages take little."""

Answer = Callable[[bytes], bytes]
"""A worker's function from a request to a response, both serialized."""


def memory_share(processes: int) -> int:
    """Memory limit for each process: an equal share of 3/4 of the memory, but at least enough for any page."""
    most = system.memory() * 3 // 4
    return min(most, max(PAGE_MEMORY, most // processes))


class Process:
    """The parent's handle to a worker process that answers requests."""

    def __init__(self, work: Callable[..., Answer], *given: object, memory: int, files: Sequence[int] = ()) -> None:
        """Starts the process, which calls `work(*given)` to get its answer function.

        `work` must be a module-level function. `memory` is the limit in bytes. The open file descriptors in `files` are
        inherited under the same numbers.
        """
        self.connection, theirs = Pipe()
        alive, self._alive = os.pipe()
        try:
            self._process = _started(memory, theirs.fileno(), alive, files)
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
        """Sends a request. If the process has ended, `receive` will report it."""
        with suppress(OSError):
            self.connection.send_bytes(question)

    def receive(self) -> bytes | None:
        """Waits for the response to the oldest open request; None if the process ended."""
        return _received(self.connection)

    def has_ended(self) -> bool:
        """Whether an idle process has ended, by itself or killed: it never sends anything without a request."""
        try:
            return self.connection.poll()
        except OSError:
            return True

    def kill(self) -> None:
        """Kills the process; a waiting `receive` returns None."""
        self._process.kill()

    def end(self) -> int:
        """Kills the process, releases its resources and returns its exit code."""
        self.kill()
        code = self._process.wait()
        self.connection.close()
        os.close(self._alive)
        return code


def _started(memory: int, parent: int, alive: int, files: Collection[int]) -> "_Fork | subprocess.Popen[bytes]":
    """Starts a worker: a fork, or a new interpreter where a fork is not safe or there is no memory for it."""
    if system.can_fork():
        with suppress(OSError):
            return _Fork(memory, parent, alive, files)
    return _fresh(memory, parent, alive, files)


def _fresh(memory: int, parent: int, alive: int, files: Collection[int]) -> subprocess.Popen[bytes]:
    """Starts a new interpreter as a worker."""
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
    """Starts a fork of this process as a worker, without its open files. Has the methods of Popen that are used."""

    def __init__(self, memory: int, parent: int, alive: int, files: Collection[int]) -> None:
        self._code: int | None = None
        self.pid = 0
        # The fork must not receive a signal before it has dropped the signal handlers of the parent.
        handled = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            try:
                self.pid = os.fork()
                if not self.pid:
                    _serve_as_fork(memory, parent, alive, files, handled)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, handled)  # a handler may raise here
        except BaseException:
            if self.pid:
                self.kill()
                self.wait()
            raise

    def kill(self) -> None:
        """Kills the process. Does nothing after `wait`: its id may then be that of another."""
        if self._code is None:
            with suppress(ProcessLookupError):  # the system has waited for it: signals of children are ignored
                os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Waits for the process; returns its exit code, or minus the number of the signal that ended it."""
        if self._code is None:
            try:
                self._code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            except ChildProcessError:  # the system has waited for it, and nobody knows the code
                self._code = 0
        return self._code


def _serve_as_fork(memory: int, parent: int, alive: int, files: Collection[int], blocked: Collection[int]) -> NoReturn:
    """Main function of a fork. Drops the files and signal handlers of the parent, and never returns."""
    try:
        gc.freeze()  # no finalizer of the parent's objects may run here and close a reused file descriptor
        os.setpgid(0, 0)
        system.close_files({parent, alive, *files})
        system.reopen_streams()
        system.forget_handlers()
        serve(memory + system.data_size(), parent, alive, blocked)  # the limit includes memory of the parent
        os._exit(0)
    except BaseException:  # noqa: BLE001  # see above
        os.write(2, traceback.format_exc().encode())  # sys.stderr may be a file of the parent
    finally:
        os._exit(1)


def serve(memory: int, parent: int, alive: int, blocked: Collection[int] | None = None) -> None:
    """Main function of a worker. `parent` is its end of the connection, `alive` a pipe open while the parent lives.

    A fork starts with all signals blocked; `blocked` are those to keep blocked.
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
            with suppress(OSError):  # the parent has ended
                connection.send_bytes(reply)


def _received(connection: Connection) -> bytes | None:
    """Returns the next message; None if the other side closed the connection."""
    try:
        return connection.recv_bytes()
    except (EOFError, OSError):
        return None
