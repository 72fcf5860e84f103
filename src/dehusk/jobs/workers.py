"""Work over several processes: pages go out in tasks and come back finished, in the order of the tasks.

The processes are fresh interpreters, started like any other program. A fork would copy locks that threads of the caller
hold, and a spawn by `multiprocessing` would import the caller's main module again. Each has a process group of its own:
Ctrl-C at a terminal reaches only the parent, which then ends the others.

A task is put into a temporary file that a worker has open too, and its results come back in another. The pipe between
the two carries only the number of the file, so neither ever waits for the other to read. A worker already has its next
task when it finishes one.

Whatever kills a worker costs one page. A worker reads, works on and hands back one page after the other, and notes
which one it is at. If it dies, that page is tried once more, in case it was killed by accident, and then skipped.
The system itself ends a worker whose page takes too much processor time, or whose parent is gone.
"""

import fcntl
import os
import pickle
import resource
import select
import signal
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from json import dumps, loads
from multiprocessing.connection import Connection, Pipe, wait
from typing import IO, Any, Protocol, TypeVar

from dehusk.base.errors import DehuskError, OutputError
from dehusk.base.files import unwritable
from dehusk.templates.template import Template

PAGE_SECONDS = 60.0
"""Processor time that a page may take, in seconds. The largest take a few, with every method."""

LEAST_MEMORY = 2_000_000_000
"""Bytes of memory that a process may take, at least. 10 MB of nothing but elements take 1.7 GB, other pages little."""

BATCH_BYTES = 2_000_000
"""What goes to a process at once: enough that sending costs little, and not too much for the memory of many workers."""

DEPTH = 2
"""Tasks that a worker has: one that it works on, and the next."""

AHEAD = 3
"""Tasks for each worker that may be under way or wait for an earlier one to be finished."""

TEMPLATES = 32
"""Templates that a worker keeps: of an archive of many sites, those used last."""

STRIKES = 5
"""If more workers than this end one after the other, and not at a page, something is wrong with all of them."""

_Value = TypeVar("_Value")
_NOWHERE = b"\xff" * 4
_HEADER = 8  # bytes before each piece of a file that say how long it is
_NO_SPACE = 74  # how a worker ends that cannot write: "input/output error" of sysexits.h


class Trade(Protocol):
    """What a worker does with the items of a task. Can be pickled."""

    def each(self, item: Any, template: Template | None, /) -> Any:
        """What becomes of one item, with the template that was sent with it."""

    def finish(self) -> Any:
        """What becomes of all of them together."""


class Task(ABC):
    """Some items that one process works on, one after the other."""

    size = 0
    """Bytes of all items."""

    def __init__(self) -> None:
        self._suspect: object = None

    @property
    @abstractmethod
    def trade(self) -> Trade:
        """What is done with the items."""

    @property
    @abstractmethod
    def is_open(self) -> bool:
        """Whether there is still something to do."""

    @abstractmethod
    def sent(self) -> Iterator[tuple[Any, Template | None]]:
        """The items that are to do, each with the template that it needs."""

    @abstractmethod
    def take(self, results: Sequence[Any]) -> None:
        """What became of each item, and of all together."""

    @abstractmethod
    def rescue(self, results: Sequence[Any]) -> int:
        """Takes what a process did before it died, if that is of use; the number of items that are done by it."""

    @abstractmethod
    def drop(self, which: int, why: str) -> None:
        """Gives up one of the items that are to do; the one after the last stands for all together."""

    def blame(self, which: int, why: str, *, sure: bool) -> None:
        """A process died at an item. It is given up if that was its fault for sure, or if it is the second time."""
        key = list(self.sent())[which : which + 1]
        if sure or key == self._suspect:
            self.drop(which, why)
        self._suspect = key


_Task = TypeVar("_Task", bound=Task)


class Crew(AbstractContextManager["Crew"]):
    """Some workers, started when they are needed, and the tasks that are under way."""

    def __init__(self, jobs: int, seconds: float = PAGE_SECONDS, memory: int | None = None) -> None:
        """`seconds` is the processor time that a page may take; 0 for no limit.

        `memory` is what each process may take, in bytes; None for a share of what the machine has.
        """
        self.seconds = seconds
        self._memory = memory or _share(jobs)
        self._jobs = jobs
        self._line: deque[Task] = deque()  # all, in order
        self._unsent: deque[Task] = deque()
        self._templates = _Packed()
        self._strikes = 0
        self._workers: list[Worker] = []

    @property
    def started(self) -> bool:
        """Whether there are processes."""
        return bool(self._workers)

    def __exit__(self, *exception: object) -> None:
        self._end()

    def _end(self) -> None:
        while self._workers:
            self._workers.pop().end()
        self._line.clear()
        self._unsent.clear()

    def run(self, tasks: Iterable[_Task]) -> Iterator[_Task]:
        """The tasks when they are finished, in order. Waits for them when too much is under way."""
        try:
            for task in tasks:
                self._line.append(task)
                self._unsent.append(task)
                self._send()
                self._receive(0)
                yield from self._finished()
                while self._crowded:
                    self._receive(None)
                    yield from self._finished()
            while self._line:
                self._receive(None)
                yield from self._finished()
        finally:
            if self._line:  # nobody wants the rest
                self._end()

    @property
    def _crowded(self) -> bool:
        """Whether enough is under way. If pages are very large, there are about as many tasks as processes."""
        most = AHEAD * self._jobs
        large = sum(task.size for task in self._line) > 2 * most * BATCH_BYTES
        return len(self._line) >= (self._jobs + 1 if large else most)

    def _finished(self) -> Iterator[Any]:
        while self._line and not self._line[0].is_open:
            yield self._line.popleft()

    def _send(self) -> None:
        """Hands out tasks; a worker is started when there is one that nobody is free for."""
        while self._unsent:
            if len(self._workers) < self._jobs and all(worker.tasks for worker in self._workers):
                self._workers.append(Worker(self.seconds, self._memory))
            worker = max(self._workers, key=lambda one: one.room)
            if not worker.room:
                return
            task = self._unsent.popleft()
            if task.is_open:
                worker.send(task, self._templates)

    def _receive(self, seconds: float | None) -> None:
        """Takes what comes back within this time; None waits until something does, if anything is under way."""
        if not any(worker.tasks for worker in self._workers):
            return
        ready = wait([worker.connection for worker in self._workers], seconds)
        for worker in [one for one in self._workers if one.connection in ready]:
            if worker.receive():
                self._strikes = 0
            else:
                self._bury(worker)
        self._send()

    def _bury(self, worker: "Worker") -> None:
        """Gives the tasks of a dead worker to another one, which continues where it was."""
        self._workers.remove(worker)
        tasks, end = list(worker.tasks), worker.end()
        if end.code == _NO_SPACE:
            raise OutputError("cannot keep pages on the temporary disk: no space left on device; free some space")
        rescued = tasks[0].rescue(end.results) if tasks else 0
        if end.at == len(end.results) and tasks[0].is_open:
            late = end.code == -signal.SIGPROF
            why = f"took more than {self.seconds:g} s" if late else f"the process that worked on it died ({end.how})"
            tasks[0].blame(end.at - rescued, why, sure=late)
        else:
            self._strikes += 1
        if self._strikes > STRIKES:
            raise DehuskError(f"the processes that do the work end at once ({end.how}); is there memory for them?")
        self._unsent.extendleft(reversed(tasks))


@dataclass(frozen=True, slots=True)
class End:
    """How a worker ended: its exit code, the item that it was at, and what it had finished of its task before."""

    code: int
    at: int | None
    results: list[Any]

    @property
    def how(self) -> str:
        """The exit code in words."""
        code = self.code
        return signal.strsignal(-code) or f"signal {-code}" if code < 0 else f"exit code {code}"


class Worker:
    """A process that works on tasks, as its parent sees it."""

    def __init__(self, seconds: float, memory: int) -> None:
        self.connection, theirs = Pipe()
        alive, self._alive = os.pipe()
        self._at, *self._files = [_temporary() for _ in range(1 + 2 * DEPTH)]
        self._free = list(range(DEPTH))
        self.tasks: deque[Task] = deque()
        self._slots: deque[int] = deque()
        self._knows: OrderedDict[int, None] = OrderedDict()
        shared = [theirs.fileno(), alive, self._at.fileno(), *(file.fileno() for file in self._files)]
        code = f"import sys; sys.path[:] = {sys.path!r}; from dehusk.jobs.workers import serve; "
        try:
            self._process = subprocess.Popen(  # noqa: S603  # ourselves
                [sys.executable, "-P", "-c", code + f"serve({seconds!r}, {memory}, *{shared})"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=shared,
                process_group=0,
            )
        finally:
            theirs.close()
            os.close(alive)

    @property
    def room(self) -> int:
        """How many tasks it can take."""
        return len(self._free)

    def send(self, task: Task, templates: "_Packed") -> None:
        """Hands over a task, with the templates that the worker does not have."""
        new: dict[int, bytes] = {}
        items = []
        for item, template in task.sent():
            number = None
            if template is not None:
                number, packed = templates.of(template)
                if number not in self._knows:
                    new[number] = packed
                _use(self._knows, number, None)
            items.append(_framed((item, number)))
        _trim(self._knows)
        slot = self._free.pop()
        self._slots.append(slot)
        self.tasks.append(task)
        orders, results = self._files[2 * slot : 2 * slot + 2]
        try:
            os.ftruncate(results.fileno(), 0)
            os.ftruncate(orders.fileno(), 0)
            _put(orders.fileno(), b"".join([_framed((task.trade, new, len(items))), *items]), 0)
        except OSError as error:
            raise OutputError(f"cannot keep pages on the temporary disk: {unwritable(error)}") from error
        with suppress(OSError):  # if it died, that shows when its answer is waited for
            self.connection.send_bytes(bytes([slot]))

    def receive(self) -> bool:
        """Takes the results of the task that was sent first. False if the worker died instead."""
        try:
            self.connection.recv_bytes()
        except (EOFError, OSError):
            return False
        slot = self._slots.popleft()
        self.tasks.popleft().take(self._results(slot))
        self._free.append(slot)
        return True

    def end(self) -> End:
        """Ends the process."""
        self.connection.close()
        self._process.kill()
        code = self._process.wait()
        os.close(self._alive)
        at = os.pread(self._at.fileno(), 4, 0)
        results = self._results(self._slots[0]) if self._slots else []
        for file in (self._at, *self._files):
            file.close()
        return End(code, None if at in (b"", _NOWHERE) else int.from_bytes(at), results)

    def _results(self, slot: int) -> list[Any]:
        """What the worker has finished of a task."""
        found: list[Any] = []
        place = 0
        while (piece := _piece(self._files[2 * slot + 1].fileno(), place)) is not None:
            found.append(pickle.loads(piece))  # noqa: S301  # from ourselves
            place += _HEADER + len(piece)
        return found


class _Packed:
    """Templates as they are sent, those used last; each has a number."""

    def __init__(self) -> None:
        self._last = 0
        # By identity, with the template itself, so that no other takes its place in memory meanwhile.
        self._packed: OrderedDict[int, tuple[Template, int, bytes]] = OrderedDict()

    def of(self, template: Template) -> tuple[int, bytes]:
        """The number of a template, and the template as JSON."""
        found = self._packed.get(id(template))
        if found is None:
            self._last += 1
            found = (template, self._last, dumps(template.to_json()).encode())
        _use(self._packed, id(template), found)
        _trim(self._packed)
        return found[1:]


def _share(jobs: int) -> int:
    """What each of some processes may take of three quarters of the machine's memory."""
    return max(LEAST_MEMORY, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4 // jobs)


def serve(seconds: float, memory: int, parent: int, alive: int, at: int, *files: int) -> None:
    """What a worker does, given its end of the pipe, a pipe that is open while the parent lives, and shared files."""
    with suppress(ValueError, OSError):  # it has less already, or a system without such a limit
        # Of all that is mapped, this counts what can be written to: libraries map much that they never use.
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    _end_with_parent(alive)
    connection = Connection(parent)
    known: OrderedDict[int, Template] = OrderedDict()
    with suppress(EOFError, OSError):  # the parent has finished, or is gone
        while True:
            answer = connection.recv_bytes()
            try:
                _work(seconds, known, at, *files[2 * answer[0] : 2 * answer[0] + 2])
            except OSError:
                os._exit(_NO_SPACE)
            except Exception:  # noqa: BLE001  # such as too little memory: the parent tells what became of us
                os._exit(1)
            _trim(known)
            connection.send_bytes(answer)


def _work(seconds: float, known: OrderedDict[int, Template], at: int, orders: int, results: int) -> None:
    """Works on a task, and notes the number of its item all the time. The system ends us if one takes too long."""
    first = _piece(orders, 0) or b""
    trade, new, items = pickle.loads(first)  # noqa: S301  # from ourselves
    read, written = _HEADER + len(first), 0
    for number in range(items):
        _put(at, number.to_bytes(4), 0)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        piece = _piece(orders, read) or b""
        read += _HEADER + len(piece)
        item, wanted = pickle.loads(piece)  # noqa: S301  # from ourselves
        if wanted is not None:
            _use(known, wanted, known.get(wanted) or Template.from_json(loads(new[wanted])))
        result = _framed(trade.each(item, None if wanted is None else known[wanted]))
        written += _put(results, result, written)
    _put(at, items.to_bytes(4), 0)
    signal.setitimer(signal.ITIMER_PROF, seconds * items)
    _put(results, _framed(trade.finish()), written)
    signal.setitimer(signal.ITIMER_PROF, 0)
    _put(at, _NOWHERE, 0)


def _end_with_parent(alive: int) -> None:
    """Ends this process when the other end of a pipe is closed, whatever it is doing.

    On Linux the signal about it ends a process by itself; elsewhere it waits for the end of a call to compiled code.
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL if sys.platform == "linux" else lambda *_: os._exit(1))
    fcntl.fcntl(alive, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(alive, fcntl.F_SETFL, fcntl.fcntl(alive, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([alive], [], [], 0)[0]:  # it was closed before
        os._exit(1)


def _temporary() -> IO[bytes]:
    """A file that is gone when it is closed."""
    return tempfile.TemporaryFile()


def _use(recent: OrderedDict[int, _Value], key: int, value: _Value) -> None:
    """Puts a value last. Parent and worker do this in the same order, so that both know what the worker has."""
    recent[key] = value
    recent.move_to_end(key)


def _trim(recent: OrderedDict[int, _Value]) -> None:
    """Drops what was used longest ago."""
    while len(recent) > TEMPLATES:
        recent.popitem(last=False)


def _framed(value: object) -> bytes:
    """A value as a piece of a file, after its length."""
    data = pickle.dumps(value)
    return len(data).to_bytes(_HEADER) + data


def _put(file: int, data: bytes, place: int) -> int:
    """Writes all of the data to a place of a file; how much that is."""
    view, written = memoryview(data), 0
    while written < len(view):
        written += os.pwrite(file, view[written:], place + written)
    return written


def _piece(file: int, place: int) -> bytes | None:
    """The piece at a place of a file; None if it is not there, or not all of it."""
    header = _get(file, place, _HEADER)
    size = int.from_bytes(header)
    data = _get(file, place + _HEADER, size) if len(header) == _HEADER else b""
    return data if len(header) == _HEADER and len(data) == size else None


def _get(file: int, place: int, size: int) -> bytes:
    """This many bytes at a place of a file, or those that there are."""
    pieces: list[bytes] = []
    while size and (piece := os.pread(file, size, place)):
        pieces.append(piece)
        place, size = place + len(piece), size - len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
