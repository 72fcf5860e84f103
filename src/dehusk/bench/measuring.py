"""Samples the groups of a data set and measures them in several processes."""

import hashlib
import pickle
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from dehusk.base.errors import Skipped
from dehusk.bench.evaluation.layouts import Data
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup
from dehusk.bench.texts import BenchSettings
from dehusk.jobs.workers import Crew, Task

Outcome = TypeVar("Outcome")

Progress = Callable[[str, int, int], object]
"""Called with the task, the number of groups done, and their total."""

QUICK = 4
"""With --quick all limits are divided by this."""

MOST_PAGES = 120
"""Maximum number of pages of a site without --all: as many as learning looks at."""


@dataclass(slots=True)
class Bench:
    """One run: the data, how much of it to use, and what was left out."""

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
    """Number of groups of each set that are not in the sample."""

    def limit(self, number: int) -> int | None:
        """The limit for this run: smaller with `quick`, None with `everything`."""
        return None if self.everything else max(2, number // QUICK) if self.quick else number

    def draw(self, most: int, wanted: Callable[[Entry], bool] = lambda _: True) -> list[Entry]:
        """A sample of entries of each set: those whose names have the smallest hashes, so it is always the same."""
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
        """Reads the groups of entries. Adds what cannot be read to `left_out`."""
        known = set(self.left_out)
        for item in self.data.read(entries):
            if isinstance(item, GoldGroup):
                yield item if self.everything else _trimmed(item)
            elif item not in known:
                self.left_out.append(item)

    def map(
        self, task: str, measure: Callable[[GoldGroup], Outcome], entries: Sequence[Entry]
    ) -> Iterator[tuple[Entry, Outcome]]:
        """Measures groups, in several processes if `jobs` > 1; yields the outcomes in the order of the groups."""
        self.progress(task, 0, len(entries))
        for done, measured in enumerate(self._mapped(measure, self.groups(entries)), 1):
            self.progress(task, min(done, len(entries)), len(entries))
            yield measured

    def _mapped(
        self, measure: Callable[[GoldGroup], Outcome], groups: Iterator[GoldGroup]
    ) -> Iterator[tuple[Entry, Outcome]]:
        if self.jobs == 1:
            yield from ((group.entry, measure(group)) for group in groups)
            return
        # No time limit for experiments. depth=1: no group waits in the queue of a process that is busy for long.
        with Crew(self.jobs, seconds=0, depth=1) as crew:
            for task in crew.run(_Measuring(group, measure) for group in groups):
                if isinstance(task.outcome, Exception):
                    raise task.outcome
                if isinstance(task.outcome, _Lost):
                    self.left_out.append(Skipped(task.group.entry.name, task.outcome.why))
                else:
                    yield task.group.entry, task.outcome


@dataclass(frozen=True, slots=True)
class _Lost:
    """The reason why a group has no outcome."""

    why: str


@dataclass(frozen=True, slots=True)
class _Measure:
    """Measures groups in a worker process. Returns exceptions, which the parent then raises."""

    measure: Callable[[GoldGroup], Any]

    def each(self, group: GoldGroup, _: object, /) -> Any:
        """The outcome of a group."""
        try:
            return self.measure(group)
        except MemoryError:
            return _Lost("takes too much memory")
        except Exception as error:  # noqa: BLE001  # see above
            error.add_note(traceback.format_exc())
            return _sendable(error)

    def finish(self) -> None:
        """Nothing to do: groups are independent."""

    def afterwards(self) -> Iterable[None]:
        """Nothing is left to do."""
        return ()


def _sendable(error: Exception) -> Exception:
    """The exception, or a RuntimeError with its traceback if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  # from ourselves
    except Exception:  # noqa: BLE001  # pickling may raise anything
        return RuntimeError("\n".join(error.__notes__))
    return error


class _Measuring(Task):
    """The task of measuring a group in a worker process."""

    def __init__(self, group: GoldGroup, measure: Callable[[GoldGroup], Any]) -> None:
        self.trade = _Measure(measure)
        self.group = group
        self.size = sum(len(page.html) for page in group.pages)
        self.outcome: Any = None
        self._done = False

    @property
    def is_open(self) -> bool:
        """Whether it has no outcome yet."""
        return not self._done

    def sent(self) -> Iterator[tuple[GoldGroup, None]]:
        """The group, as the only item to send."""
        return iter([(self.group, None)])

    def take(self, results: Sequence[Any]) -> None:
        """Stores the outcome."""
        self.outcome, self._done = results[0], True

    def rescue(self, results: Sequence[Any]) -> int:  # noqa: ARG002
        """Returns 0: a task of one group has no partial results."""
        return 0

    def drop(self, which: int, why: str) -> None:  # noqa: ARG002
        """Gives the group up, with the reason as its outcome."""
        self.take([_Lost(why)])


def _trimmed(group: GoldGroup) -> GoldGroup:
    """The group with at most MOST_PAGES pages, those with gold first."""
    pages = sorted(group.pages, key=lambda page: not page.has_gold)[:MOST_PAGES]
    return replace(group, pages=tuple(pages)) if len(pages) < len(group.pages) else group


def _order(entry: Entry) -> str:
    return hashlib.blake2b(entry.name.encode(), digest_size=8).hexdigest()
