"""What all targets need: an error for a broken guarantee, JSON with odd values, and a place for files."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path

_ODD: tuple[object, ...] = (
    *(None, True, False, -1, 0, 1, 2**31, 2**63, 10**400, 0.5, -1.5, 1e308, float("nan"), float("inf")),
    *("", "x", "\0", "\ud800", "x" * 5000, [], {}, [[]], [None], {"": None}, [0, 1], ["a", 1.0]),
)

SCRATCH = "DEHUSK_FUZZ_FOLDER"


class Broken(Exception):  # noqa: N818  # the guarantee is broken
    """A guarantee does not hold."""


def holds(promise: str, true: object) -> None:
    """Raises if a guarantee does not hold."""
    if not true:
        raise Broken(promise)


def changed(whole: object, edits: bytes) -> object:
    """JSON with some values replaced by odd ones. Each two bytes of `edits` are a place and a value."""
    for place, value in zip(edits[::2], edits[1::2], strict=False):
        whole = _replaced(whole, place, _ODD[value % len(_ODD)])
    return whole


def _replaced(whole: object, place: int, value: object) -> object:
    """A copy of JSON with one value replaced, at any place."""
    places: list[tuple[dict[str, object] | list[object], str | int]] = []
    todo = [whole]
    while todo:
        one = todo.pop()
        if isinstance(one, dict):
            places += [(one, key) for key in one]
            todo += one.values()
        elif isinstance(one, list):
            places += [(one, number) for number in range(len(one))]
            todo += one
    if not places:
        return value
    holder, key = places[place * len(places) // 256]
    holder[key] = deepcopy(value)  # type: ignore[index]  # the key is one of this holder
    return whole


def memory() -> str | None:
    """The folder for temporary files: in memory if possible. `run.py` gives each target its own, and deletes it."""
    place = os.environ.get(SCRATCH) or "/dev/shm"  # noqa: S108  # a folder of the system
    return place if Path(place).is_dir() else None


@contextmanager
def scratch() -> Iterator[None]:
    """A folder for the temporary files of a process that ends without deleting them, as fuzzed ones do."""
    with tempfile.TemporaryDirectory(dir=memory()) as name:
        os.environ[SCRATCH] = name
        try:
            yield
        finally:
            del os.environ[SCRATCH]
