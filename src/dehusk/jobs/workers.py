"""Cleaning over several processes: pages go out in batches and come back finished, in their order.

The processes are fresh interpreters, started like any other program. A fork would copy locks that threads of the caller
hold, and a spawn by `multiprocessing` would import the caller's main module again. Each has a process group of its own:
Ctrl-C at a terminal reaches only the parent, which then ends the others.

A batch is put into a temporary file that a worker has open too, and its result comes back in the same file. The pipe
between the two carries only the number of the file, so neither ever waits for the other to read. A worker already has
its next batch when it finishes one. While it cleans, a worker notes the number of its page. If it dies, that page is
skipped, and a new worker gets the rest.
"""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from json import dumps, loads
from multiprocessing.connection import Connection, Pipe, wait
from typing import TypeVar

from dehusk.errors import DehuskError, OutputError
from dehusk.files import unwritable
from dehusk.jobs.cleaning import BATCH_BYTES, Batch, How, Outcome, clean_page
from dehusk.page import Page
from dehusk.template import Template

DEPTH = 2
"""Batches that a worker has: one that it cleans, and the next."""

AHEAD = 3
"""Batches for each worker that may be under way or wait for an earlier one to be finished."""

TEMPLATES = 32
"""Templates that a worker keeps: of an archive of many sites, those used last."""

STRIKES = 5
"""If more workers than this end one after the other before they begin a page, something is wrong with all of them."""

_Value = TypeVar("_Value")
_NOWHERE = b"\xff" * 4


class Pool(AbstractContextManager["Pool"]):
    """Some workers, and the batches that are under way."""

    def __init__(self, jobs: int, how: How) -> None:
        self._jobs = jobs
        self._how = how
        self._line: deque[Batch] = deque()  # all, in order
        self._unsent: deque[Batch] = deque()
        self._templates = _Packed()
        self._strikes = 0
        self._workers: list[Worker] = []

    def __exit__(self, *exception: object) -> None:
        for worker in self._workers:
            worker.end()

    def add(self, batch: Batch) -> Iterator[Outcome]:
        """One more batch; gives what is finished, and waits for it when too much is under way."""
        self._line.append(batch)
        self._unsent.append(batch)
        self._send()
        self._receive(0)
        yield from self._finished()
        while self._crowded:
            self._receive(None)
            yield from self._finished()

    @property
    def _crowded(self) -> bool:
        """Whether enough is under way. If pages are very large, there are about as many batches as processes."""
        most = AHEAD * self._jobs
        large = sum(batch.size for batch in self._line) > 2 * most * BATCH_BYTES
        return len(self._line) >= (self._jobs + 1 if large else most)

    def rest(self) -> Iterator[Outcome]:
        """What is under way, to the end."""
        while self._line:
            self._receive(None)
            yield from self._finished()

    def _finished(self) -> Iterator[Outcome]:
        while self._line and not self._line[0].to_do:
            yield from self._line.popleft().results()

    def _send(self) -> None:
        """Hands out batches; a worker is started when there is one that nobody is free for."""
        while self._unsent:
            if len(self._workers) < self._jobs and all(worker.busy for worker in self._workers):
                self._workers.append(Worker(self._how))
            worker = max(self._workers, key=lambda one: one.room)
            if not worker.room:
                return
            batch = self._unsent.popleft()
            if batch.to_do:
                worker.send(batch, self._templates)

    def _receive(self, seconds: float | None) -> None:
        """Takes what comes back within this time; None waits until something does, if anything is under way."""
        busy = [worker for worker in self._workers if worker.busy]
        if not busy:
            return
        ready = wait([worker.connection for worker in self._workers], seconds)
        for worker in [one for one in self._workers if one.connection in ready]:
            if worker.receive():
                self._strikes = 0
            else:
                self._bury(worker)
        self._send()

    def _bury(self, worker: "Worker") -> None:
        """Gives the batches of a dead worker to another one, which continues after the page that killed it."""
        self._workers.remove(worker)
        batches, which, how = worker.end()
        if which is None:
            self._strikes += 1
        else:
            batches[0].skip(which, f"the process that cleaned it died ({how})")
        if self._strikes > STRIKES:
            raise DehuskError(f"the processes that clean pages end at once ({how}); try --jobs 1")
        self._unsent.extendleft(reversed(batches))


class Worker:
    """A process that cleans batches, as its parent sees it."""

    def __init__(self, how: How) -> None:
        self.connection, theirs = Pipe()
        self._files = [tempfile.TemporaryFile() for _ in range(DEPTH + 1)]  # noqa: SIM115  # closed by end()
        self._at, *slots = self._files
        self._free = list(range(len(slots)))
        self._slots = slots
        self._batches: deque[Batch] = deque()
        self._knows: OrderedDict[int, None] = OrderedDict()
        with theirs:
            shared = [theirs.fileno(), *(file.fileno() for file in self._files)]
            code = f"import sys; sys.path[:] = {sys.path!r}; from dehusk.jobs.workers import serve; serve(*{shared})"
            self._process = subprocess.Popen(  # noqa: S603  # ourselves
                [sys.executable, "-P", "-c", code],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=shared,
                process_group=0,
            )
        with suppress(OSError):  # as in send
            self.connection.send_bytes(pickle.dumps(how))

    @property
    def room(self) -> int:
        """How many batches it can take."""
        return len(self._free)

    @property
    def busy(self) -> bool:
        """Whether it has something to do."""
        return bool(self._batches)

    def send(self, batch: Batch, templates: "_Packed") -> None:
        """Hands over a batch, with the templates that the worker does not have."""
        new: dict[int, bytes] = {}
        pages = []
        for page, site, template in batch.sent():
            number, packed = templates.of(template)
            if number not in self._knows:
                new[number] = packed
            _use(self._knows, number, None)
            pages.append(((page.html, page.url, page.name, page.encoding, dict(page.origin)), site, number))
        _trim(self._knows)
        slot = self._free.pop()
        self._batches.append(batch)
        try:
            _put(self._slots[slot].fileno(), pickle.dumps((pages, new)))
        except OSError as error:
            raise OutputError(f"cannot keep pages on the temporary disk: {unwritable(error)}") from error
        with suppress(OSError):  # if it died, that shows when its answer is waited for
            self.connection.send_bytes(bytes([slot]))

    def receive(self) -> bool:
        """Takes the result of the batch that was sent first. False if the worker died instead."""
        try:
            (slot,) = self.connection.recv_bytes()
        except (EOFError, OSError):
            return False
        self._batches.popleft().take(pickle.loads(_get(self._slots[slot].fileno())))  # noqa: S301  # from ourselves
        self._free.append(slot)
        return True

    def end(self) -> tuple[list[Batch], int | None, str]:
        """Ends the process. Gives its unfinished batches, the page it was at in the first, and how it ended."""
        self.connection.close()
        self._process.kill()
        code = self._process.wait()
        at = os.pread(self._at.fileno(), 4, 0)
        for file in self._files:
            file.close()
        how = signal.strsignal(-code) or f"signal {-code}" if code < 0 else f"exit code {code}"
        return list(self._batches), None if at in (b"", _NOWHERE) else int.from_bytes(at), how


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


def serve(parent: int, at: int, *slots: int) -> None:
    """What a worker does, given its end of the pipe and the files that it shares with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection = Connection(parent)
    how: How = pickle.loads(connection.recv_bytes())  # noqa: S301  # from ourselves
    known: OrderedDict[int, Template] = OrderedDict()
    while True:
        try:
            (slot,) = connection.recv_bytes()
        except (EOFError, OSError):  # the parent has finished, or is gone
            return
        pages, new = pickle.loads(_get(slots[slot]))  # noqa: S301  # from ourselves
        results = []
        for number, ((html, url, name, encoding, origin), site, template) in enumerate(pages):
            os.pwrite(at, number.to_bytes(4), 0)
            _use(known, template, known.get(template) or Template.from_json(loads(new[template])))
            page = Page(html, url=url, name=name, encoding=encoding, origin=origin)
            results.append(clean_page(page, site, known[template], how))
        os.pwrite(at, _NOWHERE, 0)
        _trim(known)
        _put(slots[slot], pickle.dumps(results))
        try:
            connection.send_bytes(bytes([slot]))
        except OSError:
            return


def _use(recent: OrderedDict[int, _Value], key: int, value: _Value) -> None:
    """Puts a value last. Parent and worker do this in the same order, so that both know what the worker has."""
    recent[key] = value
    recent.move_to_end(key)


def _trim(recent: OrderedDict[int, _Value]) -> None:
    """Drops what was used longest ago."""
    while len(recent) > TEMPLATES:
        recent.popitem(last=False)


def _put(file: int, data: bytes) -> None:
    """Writes all of a file."""
    os.ftruncate(file, 0)
    view, place = memoryview(data), 0
    while place < len(view):
        place += os.pwrite(file, view[place:], place)


def _get(file: int) -> bytes:
    """Reads all of a file."""
    pieces, place, size = [], 0, os.fstat(file).st_size
    while place < size:
        pieces.append(os.pread(file, size - place, place))
        place += len(pieces[-1])
    return b"".join(pieces)
