"""Distributes tasks over worker processes, and returns them finished in the same order.

If a worker dies, at most one page is lost. Its current page is tried once more, in case the page was not the cause, and
then skipped. Pages that the worker had finished are kept.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from multiprocessing.connection import wait
from typing import Any, TypeVar

from dehusk.base.errors import DehuskError, OutputError
from dehusk.base.processes import memory_share
from dehusk.base.system import can_fork, cause_of_death, has_workers, in_main_thread, took_too_long
from dehusk.jobs._worker import End, PackedTemplates, Trade, Worker
from dehusk.templates.template import Template

PAGE_SECONDS = 60.0
"""Maximum processor time for a page, in seconds. The largest pages take a few seconds with any method."""

BATCH_BYTES = 2_000_000
"""Size of a task: large enough that sending costs little, small enough for the memory of many workers."""

DEPTH = 2
"""Maximum number of tasks sent to a worker: the current one and the next."""

AHEAD = 3
"""Maximum number of full tasks per worker that are unfinished, or wait for an earlier task to finish."""

STRIKES = 5
"""Maximum number of workers in a row that die without a page as the cause; more raise an error."""


class Task(ABC):
    """Items that one process works on, one after the other."""

    trade: Trade
    """What is done with the items."""
    size = 0
    """Total bytes of the items."""
    load = 1.0
    """The size of the task as a share of a full one."""
    _suspect: object = None

    @property
    @abstractmethod
    def is_open(self) -> bool:
        """Whether the task is unfinished."""

    @abstractmethod
    def sent(self) -> Iterator[tuple[Any, Template | None]]:
        """Yields the unfinished items, each with the template that it needs."""

    @abstractmethod
    def take(self, results: Sequence[Any]) -> None:
        """Stores the results of the worker: see `Trade`."""

    @abstractmethod
    def rescue(self, results: Sequence[Any]) -> int:
        """Stores usable results of a worker that died; returns the number of items that are finished by them."""

    @abstractmethod
    def drop(self, which: int, why: str) -> None:
        """Gives up one of the unfinished items. The number after the last item stands for `Trade.finish`."""

    def blame(self, which: int, why: str, *, sure: bool) -> None:
        """Records that a worker died at an item. The item is given up if it is surely the cause, or the second time."""
        key = list(self.sent())[which : which + 1]
        if sure or key == self._suspect:
            self.drop(which, why)
        self._suspect = key


_Task = TypeVar("_Task", bound=Task)


class Crew(AbstractContextManager["Crew"]):
    """Worker processes, which are started when needed, and their unfinished tasks."""

    def __init__(self, jobs: int, seconds: float = PAGE_SECONDS, memory: int | None = None, depth: int = DEPTH) -> None:
        """`seconds` is the maximum processor time for a page; 0 means no limit.

        `memory` is the limit for each process in bytes; None means an equal share of the memory. `depth` is the maximum
        number of tasks that are sent to a worker.
        """
        self.seconds = seconds
        self._memory = memory or memory_share(jobs)
        self._jobs = jobs
        self._depth = depth
        self._line: deque[Task] = deque()  # all unfinished or waiting tasks, in order
        self._unsent: deque[Task] = deque()
        self._templates = PackedTemplates()
        self._strikes = 0
        self._workers: dict[Worker, deque[Task]] = {}  # with the tasks sent to each

    @property
    def can_start(self) -> bool:
        """Whether the system has worker processes. Where it has none, all is done in this process."""
        return has_workers()

    @property
    def started(self) -> bool:
        """Whether processes have been started."""
        return bool(self._workers)

    @property
    def at_once(self) -> bool:
        """Whether also a few small pages go to processes: a fork costs little, and only a process has a sure limit.

        Where a process is a new interpreter, which costs half a second, small pages stay in this one, with
        `system.time_limit`. That needs the main thread.
        """
        return bool(self.seconds) and (can_fork() or not in_main_thread())

    def __exit__(self, *exception: object) -> None:
        self._end()

    def _end(self) -> None:
        while self._workers:
            self._workers.popitem()[0].end()
        self._line.clear()
        self._unsent.clear()

    def run(self, tasks: Iterable[_Task]) -> Iterator[_Task]:
        """Yields finished tasks in order. Stops reading tasks while too many are unfinished."""
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
            if self._line:  # the caller stopped early
                self._end()

    @property
    def _crowded(self) -> bool:
        """Whether enough tasks are unfinished. If pages are very large, about one per process is enough."""
        most = AHEAD * self._jobs
        if sum(task.size for task in self._line) > 2 * most * BATCH_BYTES:
            return len(self._line) > self._jobs
        return sum(task.load for task in self._line) >= most

    def _finished(self) -> Iterator[Any]:
        while self._line and not self._line[0].is_open:
            yield self._line.popleft()

    def _send(self) -> None:
        """Sends tasks to workers. Starts another worker if all are busy."""
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
        """Receives results that arrive within `seconds`; None waits for one. Returns if no tasks are unfinished."""
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
        """Handles the death of a worker: stores its results, and queues its tasks again."""
        if end.is_disk_full:
            raise OutputError("cannot write pages to the temporary disk: no space left on device; free some space")
        cause = cause_of_death(end.code)
        rescued = tasks[0].rescue(end.results) if tasks else 0
        if end.at != len(end.results):
            self._strikes += 1
        elif tasks[0].is_open:
            late = took_too_long(end.code)
            why = f"took more than {self.seconds:g} s" if late else f"the process that worked on it died ({cause})"
            tasks[0].blame(end.at - rescued, why, sure=late)
        if self._strikes > STRIKES:
            raise DehuskError(f"worker processes die at once ({cause}); is there enough memory?")
        self._unsent.extendleft(reversed(tasks))
