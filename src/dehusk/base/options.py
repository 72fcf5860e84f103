"""Options of methods, sources and outputs. Each is declared once, for Python and for the command line."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dehusk.base.errors import UsageError, did_you_mean
from dehusk.base.files import reason

NONE = "none"
"""How None is spelled on the command line."""


@dataclass(frozen=True, slots=True)
class Values:
    """The type of an option: how to describe, parse and validate its values."""

    words: str
    """Description, for example "a number from 0 to 1"."""
    read: Callable[[Any], Any]
    """Parses a command-line argument. Raises ValueError or LookupError."""
    check: Callable[[Any], Any]
    """Validates and returns a value. Raises ValueError or TypeError, or UsageError for a more specific message."""
    names: Sequence[str] = ()
    """All allowed values, if the option is an enumeration."""
    file: bool = False
    """Whether the argument is a file name. If so, `read` gets the content of the file."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option. `name` is its Python name: `url_column` is `--url-column` on the command line."""

    help: str
    values: Values | None = None
    """Its type; None if any value is allowed."""
    many: bool = False
    """Whether it takes a list of values, separated by commas on the command line."""
    unset: str = ""
    """What None means, if None is allowed."""
    paper: str = ""
    """The value used in the paper, if known."""
    name: str = ""
    metavar: str = "NAME"
    """Placeholder for the value in the command-line help."""
    default: Any = None
    """The default value. On the command line, False is a flag `--name`, True a flag `--no-name`."""

    @property
    def type(self) -> Any:
        """Its Python type, derived from `many` and `default`: list of str, bool, or str or None."""
        return list[str] if self.many else bool if isinstance(self.default, bool) else str | None

    @property
    def choices(self) -> Sequence[str]:
        """All allowed values, if it is an enumeration; else empty."""
        return self.values.names if self.values else ()

    @property
    def spelled(self) -> str:
        """Its name on the command line, without the dashes in front."""
        return self.name.replace("_", "-")

    @property
    def is_file(self) -> bool:
        """Whether the command-line argument is a file name."""
        return self.values is not None and self.values.file

    @property
    def possible(self) -> str:
        """Description of the allowed values."""
        words = self.values.words if self.values else "a value"
        return f"{words}, or {NONE} for {self.unset}" if self.unset else words

    @property
    def usual(self) -> str:
        """Description of the default value."""
        if self.default is None:
            return self.unset
        return {True: "yes", False: "no"}[self.default] if isinstance(self.default, bool) else str(self.default)

    def value(self, typed: str, *, files: bool = True) -> Any:
        """Parses and validates a command-line argument; raises UsageError if it is invalid.

        `files` tells whether the argument may name a local file.
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
        """Validates and returns a value; raises UsageError with the allowed values."""
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
    """The type of an enumeration."""
    known = tuple(names)
    return Values(f"one of {', '.join(known)}", str, _if(lambda value: value in known), known)


def whole(least: int) -> Values:
    """The type of integers from `least` up."""
    return Values(f"a whole number, {least} or more", int, _if(lambda value: type(value) is int and value >= least))


def _if(holds: Callable[[Any], bool]) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if not holds(value):
            raise ValueError(value)
        return value

    return check


SHARE = Values("a number from 0 to 1", float, _if(lambda value: not isinstance(value, bool) and 0 <= value <= 1))
SWITCH = Values("yes or no", {"yes": True, "no": False}.__getitem__, _if(lambda value: isinstance(value, bool)))
