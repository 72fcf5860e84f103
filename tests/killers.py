"""An encoder for tests that dies of some pages, in a place that worker processes can import."""

import os
import resource
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.templates.cleaned import Cleaned

if TYPE_CHECKING:  # every process that dies here would import it first
    from dehusk.bench.evaluation.layouts._gold import GoldGroup


@dataclass(frozen=True, slots=True)
class Deadly:
    """Makes a page its text, unless that says how to die."""

    def __call__(self, cleaned: Cleaned, site: str, /) -> object:  # noqa: ARG002  # every site is deadly
        """The text, if we live."""
        for words, act in _ACTS.items():
            if words in cleaned.text:
                return act(cleaned.text.split()[-1])
        return cleaned.text


def _complain(_: str) -> None:
    raise ValueError("no more")


def _think(_: str) -> None:
    while True:
        pass


def _count(last: str) -> None:
    """In one call that no signal of Python's own ends."""
    if last.startswith("/"):
        Path(last).touch()
    sum(range(10**15))


def _stumble(last: str) -> str:
    if not Path(last).exists():
        Path(last).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "we go on"


_ACTS: dict[str, Callable[[str], object]] = {
    "leave at once": lambda _: os._exit(3),
    "fall over": lambda _: os.kill(os.getpid(), signal.SIGSEGV),
    "be killed": lambda _: os.kill(os.getpid(), signal.SIGKILL),
    "complain": _complain,
    "think for ever": _think,
    "count for ever": _count,
    "stumble": _stumble,
    "come back": lambda _: Stuck(),
    "remember all": lambda _: len(bytearray(3_000_000_000)),
    "write no more": lambda _: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
}


def measured(deadly: str, name: str, pages: "GoldGroup") -> str:
    """The name of a group of pages, unless it is the one to die of."""
    return str(_ACTS[deadly]("")) if pages.entry.name == name else pages.entry.name


class Unwelcome:
    """Something that no process can be started with."""

    def __call__(self, cleaned: Cleaned, site: str, /) -> str:
        """Never comes to it."""
        return cleaned.text + site

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return os._exit, (4,)


class Stuck:
    """Something that no process can hand back."""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        os._exit(4)


class Poison(bytes):
    """HTML that kills the process that it is sent to."""

    __slots__ = ()

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return os._exit, (4,)


class Riddle(bytes):
    """HTML that keeps the process busy that it is sent to."""

    __slots__ = ()

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return _think, ("",)


class Fatal:
    """A setting that kills whoever looks at it."""

    def __bool__(self) -> bool:  # noqa: PLE0304  # we do not live to return
        os._exit(4)


class Vexing:
    """A setting that fails whoever looks at it."""

    def __bool__(self) -> bool:  # we do not return
        raise ValueError("whatever")
