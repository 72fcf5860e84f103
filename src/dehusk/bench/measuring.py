"""The work of a bench: which groups of a data set are taken, and how they are measured, in several processes."""

import hashlib
import os
import signal
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import TypeVar

from dehusk.base.errors import Skipped
from dehusk.bench.evaluation.layouts import Data
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup
from dehusk.bench.texts import BenchSettings

Outcome = TypeVar("Outcome")

Progress = Callable[[str, int, int], object]
"""Is told what is being done, how much of it is done, and of how much."""

QUICK = 4
"""With --quick every limit is this many times smaller."""

MOST_PAGES = 120
"""Pages of a site that are read, where not all are: as many as learning looks at."""

_AHEAD = 3  # groups that wait for a process, for each process


@dataclass(slots=True)
class Bench:
    """One run: the data, how much of it, and what was left out of it."""

    data: Data
    settings: BenchSettings = field(default_factory=BenchSettings)
    jobs: int = 1
    quick: bool = False
    everything: bool = False
    runs: int = 100
    seed: int = 0
    progress: Progress = lambda *_: None
    left_out: list[Skipped] = field(default_factory=list)
    not_drawn: Counter[str] = field(default_factory=Counter)
    """Groups of each set that the sample does not have."""

    def limit(self, number: int) -> int | None:
        """A limit as the run has it: none if all of the data is asked for."""
        return None if self.everything else max(2, number // QUICK) if self.quick else number

    def draw(self, most: int, wanted: Callable[[Entry], bool] = lambda _: True) -> list[Entry]:
        """Some entries of each set: those whose names have the smallest hashes, the same each time."""
        sets: dict[str, list[Entry]] = defaultdict(list)
        for entry in filter(wanted, self.data.entries):
            sets[entry.dataset].append(entry)
        chosen = []
        for dataset, entries in sets.items():
            few = sorted(entries, key=_order)[: self.limit(most)]
            self.not_drawn[dataset] = max(self.not_drawn[dataset], len(entries) - len(few))
            chosen += few
        return chosen

    def groups(self, entries: Iterable[Entry]) -> Iterator[GoldGroup]:
        """The groups of some entries. What of them cannot be read is noted."""
        known = set(self.left_out)
        for item in self.data.read(entries):
            if isinstance(item, GoldGroup):
                yield item if self.everything else _trimmed(item)
            elif item not in known:
                self.left_out.append(item)

    def map(
        self, what: str, measure: Callable[[GoldGroup], Outcome], entries: Sequence[Entry]
    ) -> Iterator[tuple[Entry, Outcome]]:
        """Measures groups, in several processes if there are several; the outcomes in the order of the groups."""
        self.progress(what, 0, len(entries))
        for done, found in enumerate(self._mapped(measure, self.groups(entries)), 1):
            self.progress(what, min(done, len(entries)), len(entries))
            yield found

    def _mapped(
        self, measure: Callable[[GoldGroup], Outcome], groups: Iterator[GoldGroup]
    ) -> Iterator[tuple[Entry, Outcome]]:
        if self.jobs == 1:
            yield from ((group.entry, measure(group)) for group in groups)
            return
        with ProcessPoolExecutor(self.jobs, get_context("spawn"), initializer=_follow_parent) as pool:
            waiting: deque[tuple[Entry, Future[Outcome]]] = deque()
            try:
                for group in groups:
                    waiting.append((group.entry, pool.submit(measure, group)))
                    if len(waiting) > _AHEAD * self.jobs:
                        entry, first = waiting.popleft()
                        yield entry, first.result()
                while waiting:
                    entry, first = waiting.popleft()
                    yield entry, first.result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


def _follow_parent() -> None:
    """Leaves interruptions to the parent, and ends when it is gone, even if it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _trimmed(group: GoldGroup) -> GoldGroup:
    """A group with no more pages than learning looks at, those with gold first."""
    pages = sorted(group.pages, key=lambda page: not page.has_gold)[:MOST_PAGES]
    return replace(group, pages=tuple(pages)) if len(pages) < len(group.pages) else group


def _order(entry: Entry) -> str:
    return hashlib.blake2b(entry.name.encode(), digest_size=8).hexdigest()
