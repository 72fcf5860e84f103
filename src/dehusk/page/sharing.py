"""Sharing of pages between threads: whoever uses the document of a page holds its lock, and other threads wait.

A page removes nodes from its document while it is written, so a second thread would read a document without them. An
object that reads pages has a `lock`: that of its page, or of several together. It is taken before any other lock:
`functools.cached_property` of Python 3.11 has a lock of its own, and a thread that waits for a page while it holds that
one would block the thread that has the page. So what is made once from a page is an `own_property`.
"""

from collections.abc import Callable, Iterable
from functools import cached_property, wraps
from threading import RLock
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Protocol, Self, TypeVar, overload

Lock = Any
"""A lock that a thread may take again while it has it; threading has no public name for its type."""

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")
_Value = TypeVar("_Value")


class _Locked(Protocol):
    lock: Lock


_Self = TypeVar("_Self", bound=_Locked)


def new_lock() -> Lock:
    """Returns the lock of a page."""
    return RLock()


class Locks:
    """The locks of several pages, taken in one order for all threads, so that no two wait for each other."""

    def __init__(self, pages: Iterable[_Locked]) -> None:
        self._locks = sorted({id(page.lock): page.lock for page in pages}.items())

    def __enter__(self) -> Self:
        for _, lock in self._locks:
            lock.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for _, lock in reversed(self._locks):
            lock.release()


def alone(method: Callable[Concatenate[_Self, _Given], _Result]) -> Callable[Concatenate[_Self, _Given], _Result]:
    """Decorates a method that reads a page: it runs in one thread at a time."""

    @wraps(method)
    def held(self: _Self, /, *args: _Given.args, **options: _Given.kwargs) -> _Result:
        with self.lock:
            return method(self, *args, **options)

    return held


class own_property(cached_property[_Value]):  # noqa: N801  # used as a decorator, like its base
    """A property that is computed once, by one thread, under the lock of its page. Later reads take no lock."""

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> _Value: ...
    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        if instance is None:
            return self
        with instance.lock:
            made = instance.__dict__
            name = self.attrname
            if name not in made:
                made[name] = self.func(instance)
            return made[name]
