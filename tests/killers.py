"""An encoder for tests that dies of some pages, in a place that worker processes can import."""

import os
import signal
from dataclasses import dataclass

from dehusk.cleaned import Cleaned


@dataclass(frozen=True, slots=True)
class Deadly:
    """Makes a page its text, unless that says how to die."""

    def __call__(self, cleaned: Cleaned, site: str, /) -> str:  # noqa: ARG002  # every site is deadly
        """The text, if we live."""
        if "leave at once" in cleaned.text:
            os._exit(3)
        if "fall over" in cleaned.text:
            os.kill(os.getpid(), signal.SIGSEGV)
        if "be killed" in cleaned.text:
            os.kill(os.getpid(), signal.SIGKILL)
        if "complain" in cleaned.text:
            raise ValueError("no more")
        return cleaned.text


class Unwelcome:
    """Something that no process can be started with."""

    def __call__(self, cleaned: Cleaned, site: str, /) -> str:
        """Never comes to it."""
        return cleaned.text + site

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return os._exit, (4,)
