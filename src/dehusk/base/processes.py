"""Worker processes for jobs, the service and the bench.

Each worker is a new interpreter. A fork would copy locks held by threads of the caller, and a `multiprocessing` spawn
would import the caller's main module again. A worker has its own process group and ignores SIGINT and SIGTERM: Ctrl-C
in a terminal reaches only the parent, which then ends the workers. The operating system ends a worker that exceeds its
limit of processor time (if it has set one), or whose parent is gone. A worker that exceeds its memory limit gets a
MemoryError.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe

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
        code = f"import sys; sys.path[:] = {sys.path!r}; from dehusk.base.processes import serve; "
        try:
            self._process = subprocess.Popen(  # noqa: S603  # ourselves
                [sys.executable, "-P", "-c", code + f"serve({memory}, {theirs.fileno()}, {alive})"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=None if sys.stderr else subprocess.DEVNULL,
                pass_fds=[theirs.fileno(), alive, *files],
                process_group=0,
            )
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


def serve(memory: int, parent: int, alive: int) -> None:
    """Main function of a worker. `parent` is its end of the connection, `alive` a pipe open while the parent lives."""
    system.limit_memory(memory)
    system.serve_parent(alive)
    connection = Connection(parent)
    first = _received(connection)
    if first is not None:
        work, given = pickle.loads(first)  # noqa: S301  # from ourselves
        answer: Answer = work(*given)
        while (question := _received(connection)) is not None:
            reply = answer(question)
            with suppress(OSError):  # the parent is gone
                connection.send_bytes(reply)


def _received(connection: Connection) -> bytes | None:
    """The next message; None if the other side closed the connection."""
    try:
        return connection.recv_bytes()
    except (EOFError, OSError):
        return None
