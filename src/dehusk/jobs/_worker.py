"""A worker process, both sides: how the parent sends items and templates, and how the worker returns results.

The parent writes a task to a temporary file that both have open, and the worker writes the results to another. Messages
carry only the number of this pair of files, so neither side ever waits for the other to read. A worker has its next
task before it finishes one. It works on one item after the other, and records the number of the current item.
"""

import os
import pickle
import tempfile
from collections import OrderedDict, deque
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from json import dumps
from typing import Any, Protocol, TypeVar

from dehusk.base import fields, system
from dehusk.base.errors import OutputError
from dehusk.base.files import unwritable
from dehusk.base.processes import Answer, Process
from dehusk.templates.template import Template

TEMPLATES = 32
"""Maximum number of templates that a worker keeps, the most recently used."""

_Value = TypeVar("_Value")
_NOWHERE = b"\xff" * 4
_HEADER = 8  # bytes of the length before each piece of a file
_NO_SPACE = 74  # exit code of a worker that cannot write: EX_IOERR of sysexits.h


class Trade(Protocol):
    """What a worker does with the items of a task. Must be picklable."""

    def each(self, item: Any, template: Template | None, /) -> Any:
        """Returns the result of one item, which may need a template."""

    def finish(self) -> Any:
        """Returns one result for all items together."""

    def afterwards(self) -> Iterable[Any]:
        """Yields further results after `finish`, with the time limit of an item for each."""


@dataclass(frozen=True, slots=True)
class End:
    """How a worker ended: exit code, number of the current item (None if idle), results of its unfinished task."""

    code: int
    at: int | None
    results: list[Any]

    @property
    def is_disk_full(self) -> bool:
        """Whether the worker could not write its results."""
        return self.code == _NO_SPACE


class Worker:
    """The parent's handle to a worker."""

    def __init__(self, seconds: float, memory: int, depth: int) -> None:
        """`seconds` is the limit of processor time for an item, `depth` the maximum number of tasks sent ahead."""
        self._files = ExitStack()
        files = [self._files.enter_context(tempfile.TemporaryFile()) for _ in range(1 + 2 * depth)]  # noqa: SIM115
        self._at, *pairs = [file.fileno() for file in files]
        self._slots = list(zip(pairs[::2], pairs[1::2], strict=True))
        self._free = list(range(depth))
        self._sent: deque[int] = deque()
        self._knows: OrderedDict[int, None] = OrderedDict()
        self._process = Process(working, seconds, self._at, self._slots, memory=memory, files=[self._at, *pairs])
        self.connection = self._process.connection

    @property
    def room(self) -> int:
        """How many more tasks can be sent."""
        return len(self._free)

    def send(self, trade: Trade, items: Iterable[tuple[Any, Template | None]], templates: "PackedTemplates") -> None:
        """Sends the items of a task, with the templates that the worker does not have."""
        new: dict[int, bytes] = {}
        pieces = []
        for item, template in items:
            number = None
            if template is not None:
                number, packed = templates.of(template)
                if number not in self._knows:
                    new[number] = packed
                _use(self._knows, number, None)
            pieces.append(_framed((item, number)))
        _trim(self._knows)
        slot = self._free.pop()
        self._sent.append(slot)
        orders, results = self._slots[slot]
        try:
            os.ftruncate(results, 0)
            os.ftruncate(orders, 0)
            _put(orders, b"".join([_framed((trade, new, len(pieces))), *pieces]), 0)
        except OSError as error:
            raise OutputError(f"cannot write pages to the temporary disk: {unwritable(error)}") from error
        self._process.send(bytes([slot]))

    def receive(self) -> list[Any] | None:
        """Returns the results of the oldest task; None if the worker died."""
        if self._process.receive() is None:
            return None
        slot = self._sent.popleft()
        self._free.append(slot)
        return self._results(slot)

    def end(self) -> End:
        """Ends the process; returns how it ended."""
        code = self._process.end()
        with self._files:
            at = os.pread(self._at, len(_NOWHERE), 0)
            results = self._results(self._sent[0]) if self._sent else []
        return End(code, None if at in (b"", _NOWHERE) else int.from_bytes(at), results)

    def _results(self, slot: int) -> list[Any]:
        """Returns the results that the worker has written so far."""
        results: list[Any] = []
        offset = 0
        while (piece := _piece(self._slots[slot][1], offset)) is not None:
            results.append(pickle.loads(piece))  # noqa: S301  # from ourselves
            offset += _HEADER + len(piece)
        return results


class PackedTemplates:
    """A cache of templates in the form that is sent; each has a number."""

    def __init__(self) -> None:
        self._last = 0
        # By id(), which stays unique because the template itself is kept.
        self._packed: OrderedDict[int, tuple[Template, int, bytes]] = OrderedDict()

    def of(self, template: Template) -> tuple[int, bytes]:
        """Returns the number of a template, and the template as JSON."""
        packed = self._packed.get(id(template))
        if packed is None:
            self._last += 1
            packed = (template, self._last, dumps(template.to_json()).encode())
        _use(self._packed, id(template), packed)
        _trim(self._packed)
        return packed[1:]


def working(seconds: float, at: int, slots: list[tuple[int, int]]) -> Answer:
    """Returns the answer function of a worker: it works on the task with the given number, and returns the number."""
    known: OrderedDict[int, Template] = OrderedDict()

    def answer(slot: bytes) -> bytes:
        try:
            _work(seconds, known, at, *slots[slot[0]])
        except OSError:
            os._exit(_NO_SPACE)
        except Exception:  # noqa: BLE001  # such as MemoryError: the parent reports it
            os._exit(1)
        _trim(known)
        return slot

    return answer


def _work(seconds: float, known: OrderedDict[int, Template], at: int, orders: int, results: int) -> None:
    """Works on a task and records the current item. The operating system kills the worker if an item takes too long."""
    first = _piece(orders, 0) or b""
    trade, new, items = pickle.loads(first)  # noqa: S301  # from ourselves
    read, written = _HEADER + len(first), 0
    for number in range(items):
        _begin(at, number, seconds)
        piece = _piece(orders, read) or b""
        read += _HEADER + len(piece)
        item, wanted = pickle.loads(piece)  # noqa: S301  # from ourselves
        if wanted is not None:
            _use(known, wanted, known.get(wanted) or Template.from_json(fields.parsed(new[wanted])))
        result = _framed(trade.each(item, None if wanted is None else known[wanted]))
        written += _put(results, result, written)
    _begin(at, items, seconds * items)
    written += _put(results, _framed(trade.finish()), written)
    _begin(at, items + 1, seconds)
    for number, value in enumerate(trade.afterwards(), items + 2):
        written += _put(results, _framed(value), written)
        _begin(at, number, seconds)
    system.limit_time(0)
    _put(at, _NOWHERE, 0)


def _begin(at: int, number: int, seconds: float) -> None:
    """Records the number of the current result, and starts its time limit."""
    _put(at, number.to_bytes(4), 0)
    system.limit_time(seconds)


def _use(recent: OrderedDict[int, _Value], key: int, value: _Value) -> None:
    """Marks a value as most recently used. Parent and worker do this in the same order, so both know what is cached."""
    recent[key] = value
    recent.move_to_end(key)


def _trim(recent: OrderedDict[int, _Value]) -> None:
    """Drops the least recently used values."""
    while len(recent) > TEMPLATES:
        recent.popitem(last=False)


def _framed(value: object) -> bytes:
    """Returns a value as a piece of a file: its length, then the pickled value."""
    data = pickle.dumps(value)
    return len(data).to_bytes(_HEADER) + data


def _put(file: int, data: bytes, offset: int) -> int:
    """Writes the data to a file at an offset; returns the number of bytes."""
    view, written = memoryview(data), 0
    while written < len(view):
        written += os.pwrite(file, view[written:], offset + written)
    return written


def _piece(file: int, offset: int) -> bytes | None:
    """Returns the piece of a file at an offset; None if it is missing or incomplete."""
    header = _get(file, offset, _HEADER)
    size = int.from_bytes(header)
    data = _get(file, offset + _HEADER, size) if len(header) == _HEADER else b""
    return data if len(header) == _HEADER and len(data) == size else None


def _get(file: int, offset: int, size: int) -> bytes:
    """Reads up to `size` bytes of a file at an offset; fewer only at the end of the file."""
    pieces: list[bytes] = []
    while size and (piece := os.pread(file, size, offset)):
        pieces.append(piece)
        offset, size = offset + len(piece), size - len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
