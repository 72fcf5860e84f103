"""What a method, a source or an output can be told: declared beside it, for Python and the command line alike."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from dehusk.base.errors import UsageError


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be told: its name in Python, which the command line spells `--url-column` for `url_column`."""

    help: str
    read: Callable[[str], Any] | None = None
    """From what a person types to the value; None if only a program can give it."""
    choices: Collection[str] = ()
    many: bool = False
    """Whether it takes a list of values; a person types them with commas."""
    name: str = ""
    metavar: str = "NAME"
    """How the help of the command line calls the value."""
    default: Any = None
    """What it is if it is not given. An option that is False by default is a switch on the command line."""

    @property
    def type(self) -> Any:
        """Its type in Python, where nothing else says it: texts, a switch, or a text that may be missing."""
        return list[str] if self.many else bool if self.default is False else str | None

    def value(self, typed: str) -> Any:
        """The value that a person typed. Raises UsageError where it is none."""
        if self.read is None and not self.choices:
            raise UsageError(f"{self.name} can be given in Python alone")
        return [self._one(part.strip()) for part in typed.split(",")] if self.many else self._one(typed)

    def _one(self, typed: str) -> Any:
        if self.choices and typed not in self.choices:
            raise UsageError(f"{self.name}={typed}: choose from {', '.join(self.choices)}")
        try:
            return self.read(typed) if self.read else typed
        except ValueError:
            raise UsageError(f"{self.name}={typed}: give {self.help}") from None
