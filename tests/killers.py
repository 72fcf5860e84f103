"""An encoder for tests that kills its process on some pages; worker processes can import it from here."""

import os
import resource
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.page import Page
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.template import Template

if TYPE_CHECKING:  # imported late, because every killed process would import it again
    import pytest

    from dehusk.bench.evaluation.layouts._gold import GoldGroup


@dataclass(frozen=True, slots=True)
class Deadly:
    """Encodes a page as its text, unless the text says how to die."""

    def __call__(self, cleaned: Cleaned, site: str, /) -> object:  # noqa: ARG002  # part of the protocol
        """The text, unless it says how to die."""
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
    """Waits in a single call that no signal handler of Python can interrupt."""
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
    """Returns the name of a group of pages, or kills the process if it is the given one."""
    return str(_ACTS[deadly]("")) if pages.entry.name == name else pages.entry.name


class Unwelcome:
    """An object that cannot be sent to a process."""

    def __call__(self, cleaned: Cleaned, site: str, /) -> str:
        """Never called."""
        return cleaned.text + site

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return os._exit, (4,)


class Stuck:
    """An object that a process cannot send back."""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        os._exit(4)


class Poison(bytes):
    """HTML that kills the process it is sent to."""

    __slots__ = ()

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return os._exit, (4,)


class Riddle(bytes):
    """HTML that keeps the process busy it is sent to."""

    __slots__ = ()

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return _think, ("",)


class Fatal:
    """A setting that kills any process that reads it."""

    def __bool__(self) -> bool:  # noqa: PLE0304  # never returns
        os._exit(4)


class Vexing:
    """A setting that raises an error when it is read."""

    def __bool__(self) -> bool:  # never returns
        raise ValueError("whatever")


def never_ends(patch: "pytest.MonkeyPatch", name: str) -> None:
    """Lets marking take forever for pages whose name ends like this."""
    mark = Template.mark

    def marked(template: Template, page: Page) -> object:
        if page.name.endswith(name):
            _think("")
        return mark(template, page)

    patch.setattr(Template, "mark", marked)
