"""Work over several processes: pages go out in tasks and come back finished, in the order of the tasks.

Whatever kills a worker costs one page. If it dies, the page that it was at is tried once more, in case it was killed by
accident, and then skipped. What it had finished before is kept.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from multiprocessing.connection import wait
from typing import Any, TypeVar

from dehusk.base.errors import DehuskError, OutputError
from dehusk.base.processes import memory_share
from dehusk.base.system import cause_of_death, took_too_long
from dehusk.jobs._worker import End, PackedTemplates, Trade, Worker
from dehusk.templates.template import Template

PAGE_SECONDS = 60.0
"""Processor time that a page may take, in seconds. The largest take a few, with every method."""

BATCH_BYTES = 2_000_000
"""What goes to a process at once: enough that sending costs little, and not too much for the memory of many workers."""

DEPTH = 2
"""Tasks that a worker has: one that it works on, and the next."""

AHEAD = 3
"""Full tasks for each worker that may be under way or wait for an earlier one to be finished."""

STRIKES = 5
"""If more workers than this end one after the other, and not at a page, something is wrong with all of them."""


class Task(ABC):
    """Some items that one process works on, one after the other."""

    trade: Trade
    """What is done with the items."""
    size = 0
    """Bytes of all items."""
    load = 1.0
    """How much of what goes to a process at once it is."""
    _suspect: object = None

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

    def __init__(self, jobs: int, seconds: float = PAGE_SECONDS, memory: int | None = None, depth: int = DEPTH) -> None:
        """`seconds` is the processor time that a page may take; 0 for no limit.

        `memory` is what each process may take, in bytes; None for a share of what there is. `depth` is how many tasks a
        worker has at most.
        """
        self.seconds = seconds
        self._memory = memory or memory_share(jobs)
        self._jobs = jobs
        self._depth = depth
        self._line: deque[Task] = deque()  # all, in order
        self._unsent: deque[Task] = deque()
        self._templates = PackedTemplates()
        self._strikes = 0
        self._workers: dict[Worker, deque[Task]] = {}  # and what each works on

    @property
    def started(self) -> bool:
        """Whether there are processes."""
        return bool(self._workers)

    def __exit__(self, *exception: object) -> None:
        self._end()

    def _end(self) -> None:
        while self._workers:
            self._workers.popitem()[0].end()
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
        if sum(task.size for task in self._line) > 2 * most * BATCH_BYTES:
            return len(self._line) > self._jobs
        return sum(task.load for task in self._line) >= most

    def _finished(self) -> Iterator[Any]:
        while self._line and not self._line[0].is_open:
            yield self._line.popleft()

    def _send(self) -> None:
        """Hands out tasks; a worker is started when there is one that nobody is free for."""
        while self._unsent:
            if not self._unsent[0].is_open:
                self._unsent.popleft()
                continue
            if len(self._workers) < self._jobs and all(self._workers.values()):
                self._workers[Worker(self.seconds, self._memory, self._depth)] = deque()
            worker = max(self._workers, key=lambda worker: worker.room)
            if not worker.room:
                return
            task = self._unsent.popleft()
            self._workers[worker].append(task)
            worker.send(task.trade, task.sent(), self._templates)

    def _receive(self, seconds: float | None) -> None:
        """Takes what comes back within this time; None waits until something does, if anything is under way."""
        if not any(self._workers.values()):
            return
        ready = wait([worker.connection for worker in self._workers], seconds)
        for worker in [worker for worker in self._workers if worker.connection in ready]:
            results = worker.receive()
            if results is None:
                self._bury(list(self._workers.pop(worker)), worker.end())
            else:
                self._workers[worker].popleft().take(results)
                self._strikes = 0
        self._send()

    def _bury(self, tasks: Sequence[Task], end: End) -> None:
        """Gives the tasks of a dead worker to another one, which continues where it was."""
        if end.is_disk_full:
            raise OutputError("cannot keep pages on the temporary disk: no space left on device; free some space")
        cause = cause_of_death(end.code)
        rescued = tasks[0].rescue(end.results) if tasks else 0
        if end.at != len(end.results):
            self._strikes += 1
        elif tasks[0].is_open:
            late = took_too_long(end.code)
            why = f"took more than {self.seconds:g} s" if late else f"the process that worked on it died ({cause})"
            tasks[0].blame(end.at - rescued, why, sure=late)
        if self._strikes > STRIKES:
            raise DehuskError(f"the processes that do the work end at once ({cause}); is there memory for them?")
        self._unsent.extendleft(reversed(tasks))
