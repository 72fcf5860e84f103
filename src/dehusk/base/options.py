"""What a method, a source or an output can be told: declared beside it, for Python and the command line alike."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dehusk.base.errors import UsageError, did_you_mean
from dehusk.base.files import reason

NONE = "none"
"""What a person types for None."""


@dataclass(frozen=True, slots=True)
class Values:
    """What an option can be: in words, as a person types it, and as Python has it."""

    words: str
    """Such as "a number from 0 to 1"."""
    read: Callable[[Any], Any]
    """From what a person types to the value. Raises ValueError."""
    check: Callable[[Any], Any]
    """The value as it is used. Raises ValueError or TypeError where it is none, or a UsageError that says more."""
    names: Sequence[str] = ()
    """All of them, where they are a few names."""
    file: bool = False
    """Whether a person types the name of a file. Then `read` gets what is in it."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be told: its name in Python, which the command line spells `--url-column` for `url_column`."""

    help: str
    values: Values | None = None
    """What it can be; None where anything can be given."""
    many: bool = False
    """Whether it takes a list of such values; a person types them with commas."""
    unset: str = ""
    """What None stands for, where it can be None."""
    paper: str = ""
    """The paper's value, where it is known."""
    name: str = ""
    metavar: str = "NAME"
    """How the help of the command line calls the value."""
    default: Any = None
    """What it is if it is not given. An option that is False by default is a switch on the command line."""

    @property
    def type(self) -> Any:
        """Its type in Python, where nothing else says it: texts, a switch, or a text that may be missing."""
        return list[str] if self.many else bool if self.default is False else str | None

    @property
    def choices(self) -> Sequence[str]:
        """All that it can be, where that is a few names."""
        return self.values.names if self.values else ()

    @property
    def spelled(self) -> str:
        """Its name as a person types it."""
        return self.name.replace("_", "-")

    @property
    def is_file(self) -> bool:
        """Whether a person types the name of a file."""
        return self.values is not None and self.values.file

    @property
    def possible(self) -> str:
        """What it can be, in words."""
        words = self.values.words if self.values else "a value"
        return f"{words}, or {NONE} for {self.unset}" if self.unset else words

    @property
    def usual(self) -> str:
        """Its default, in words."""
        if self.default is None:
            return self.unset
        return {True: "yes", False: "no"}[self.default] if isinstance(self.default, bool) else str(self.default)

    def value(self, typed: str, *, files: bool = True) -> Any:
        """The value that a person typed, checked. Raises UsageError where it is none.

        `files` is whether that person may name a file of this machine.
        """
        if typed == NONE and self.unset:
            return None
        if self.values is None or (self.is_file and not files):
            raise UsageError(f"{self.spelled} cannot be given here")
        if self.values.file:
            return self._in_file(Path(typed), self.values)
        try:
            value = self.values.read(typed)
        except (ValueError, LookupError):
            raise self._wrong(typed) from None
        self.check(value, typed)
        return value

    def check(self, value: Any, typed: str | None = None) -> Any:
        """The value as it is used. Raises UsageError where it is none, with what is possible."""
        if self.values is None or (value is None and self.unset):
            return value
        try:
            return self.values.check(value)
        except (ValueError, TypeError):
            raise self._wrong(repr(value) if typed is None else typed) from None

    def _in_file(self, path: Path, values: Values) -> Any:
        try:
            value = values.read(path.read_bytes())
            values.check(value)
        except OSError as error:
            raise UsageError(f"cannot read {self.spelled} {path}: {reason(error)}") from error
        except (UsageError, ValueError, TypeError) as error:
            raise UsageError(f"{path}: {error if isinstance(error, UsageError) else f'not {values.words}'}") from error
        return value

    def _wrong(self, given: str) -> UsageError:
        advice = f"{'choose' if self.choices else 'give'} {self.possible}{did_you_mean(given, self.choices)}"
        return UsageError(f"{self.name}={given:.80}: {advice}")


def one_of(names: Iterable[str]) -> Values:
    """One of a few names."""
    known = tuple(names)
    return Values(f"one of {', '.join(known)}", str, _if(lambda value: value in known), known)


def whole(least: int) -> Values:
    """A whole number."""
    return Values(f"a whole number from {least} on", int, _if(lambda value: type(value) is int and value >= least))


def _if(holds: Callable[[Any], bool]) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if not holds(value):
            raise ValueError(value)
        return value

    return check


SHARE = Values("a number from 0 to 1", float, _if(lambda value: not isinstance(value, bool) and 0 <= value <= 1))
SWITCH = Values("yes or no", {"yes": True, "no": False}.__getitem__, _if(lambda value: isinstance(value, bool)))
