"""A process that works on tasks, on both sides: how it gets the items and templates, and hands back the results.

A task is put into a temporary file that both sides have open, and its results come back in another. The messages
between them carry only the number of the files, so neither ever waits for the other to read. A worker already has its
next task when it finishes one. It reads, works on and hands back one item after the other, and notes which one it is
at.
"""

import os
import pickle
import tempfile
from collections import OrderedDict, deque
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from json import dumps, loads
from typing import Any, Protocol, TypeVar

from dehusk.base import system
from dehusk.base.errors import OutputError
from dehusk.base.files import unwritable
from dehusk.base.processes import Answer, Process
from dehusk.templates.template import Template

TEMPLATES = 32
"""Templates that a worker keeps: of an archive of many sites, those used last."""

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

    def afterwards(self) -> Iterable[Any]:
        """What becomes of one item after the other when all are finished; each has the time of an item."""


@dataclass(frozen=True, slots=True)
class End:
    """How a worker ended: its exit code, the item that it was at, and what it had finished of its task before."""

    code: int
    at: int | None
    results: list[Any]

    @property
    def is_disk_full(self) -> bool:
        """Whether it could not write."""
        return self.code == _NO_SPACE


class Worker:
    """A process that works on tasks, as its parent sees it."""

    def __init__(self, seconds: float, memory: int, depth: int) -> None:
        """`depth` is the number of tasks that it has at most, `seconds` the processor time of an item."""
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
        """How many tasks it can take."""
        return len(self._free)

    def send(self, trade: Trade, items: Iterable[tuple[Any, Template | None]], templates: "PackedTemplates") -> None:
        """Hands over the items of a task, with the templates that the worker does not have."""
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
            raise OutputError(f"cannot keep pages on the temporary disk: {unwritable(error)}") from error
        self._process.send(bytes([slot]))

    def receive(self) -> list[Any] | None:
        """The results of the task that was sent first; None if the worker died instead."""
        if self._process.receive() is None:
            return None
        slot = self._sent.popleft()
        self._free.append(slot)
        return self._results(slot)

    def end(self) -> End:
        """Ends the process."""
        code = self._process.end()
        with self._files:
            at = os.pread(self._at, len(_NOWHERE), 0)
            results = self._results(self._sent[0]) if self._sent else []
        return End(code, None if at in (b"", _NOWHERE) else int.from_bytes(at), results)

    def _results(self, slot: int) -> list[Any]:
        """What the worker has finished of a task."""
        results: list[Any] = []
        offset = 0
        while (piece := _piece(self._slots[slot][1], offset)) is not None:
            results.append(pickle.loads(piece))  # noqa: S301  # from ourselves
            offset += _HEADER + len(piece)
        return results


class PackedTemplates:
    """Templates as they are sent, those used last; each has a number."""

    def __init__(self) -> None:
        self._last = 0
        # By identity, with the template itself, so that no other takes its place in memory meanwhile.
        self._packed: OrderedDict[int, tuple[Template, int, bytes]] = OrderedDict()

    def of(self, template: Template) -> tuple[int, bytes]:
        """The number of a template, and the template as JSON."""
        packed = self._packed.get(id(template))
        if packed is None:
            self._last += 1
            packed = (template, self._last, dumps(template.to_json()).encode())
        _use(self._packed, id(template), packed)
        _trim(self._packed)
        return packed[1:]


def working(seconds: float, at: int, slots: list[tuple[int, int]]) -> Answer:
    """What a worker does when it is told the number of a task: the answer is that number."""
    known: OrderedDict[int, Template] = OrderedDict()

    def answer(slot: bytes) -> bytes:
        try:
            _work(seconds, known, at, *slots[slot[0]])
        except OSError:
            os._exit(_NO_SPACE)
        except Exception:  # noqa: BLE001  # such as too little memory: the parent tells what became of us
            os._exit(1)
        _trim(known)
        return slot

    return answer


def _work(seconds: float, known: OrderedDict[int, Template], at: int, orders: int, results: int) -> None:
    """Works on a task, and notes the number of its item all the time. The system ends us if one takes too long."""
    first = _piece(orders, 0) or b""
    trade, new, items = pickle.loads(first)  # noqa: S301  # from ourselves
    read, written = _HEADER + len(first), 0
    for number in range(items):
        _begin(at, number, seconds)
        piece = _piece(orders, read) or b""
        read += _HEADER + len(piece)
        item, wanted = pickle.loads(piece)  # noqa: S301  # from ourselves
        if wanted is not None:
            _use(known, wanted, known.get(wanted) or Template.from_json(loads(new[wanted])))
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
    """Notes which result is worked on, and starts its clock."""
    _put(at, number.to_bytes(4), 0)
    system.limit_time(seconds)


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


def _put(file: int, data: bytes, offset: int) -> int:
    """Writes all of the data to a place of a file; how much that is."""
    view, written = memoryview(data), 0
    while written < len(view):
        written += os.pwrite(file, view[written:], offset + written)
    return written


def _piece(file: int, offset: int) -> bytes | None:
    """The piece at a place of a file; None if it is not there, or not all of it."""
    header = _get(file, offset, _HEADER)
    size = int.from_bytes(header)
    data = _get(file, offset + _HEADER, size) if len(header) == _HEADER else b""
    return data if len(header) == _HEADER and len(data) == size else None


def _get(file: int, offset: int, size: int) -> bytes:
    """This many bytes at a place of a file, or those that there are."""
    pieces: list[bytes] = []
    while size and (piece := os.pread(file, size, offset)):
        pieces.append(piece)
        offset, size = offset + len(piece), size - len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
