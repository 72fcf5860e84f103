"""Options of methods: declared once, in the signature of `learn`, for Python and the command line alike.

def learn(pages: Sequence[Page], *, links: Annotated[int, Option("how many links ...", int)] = LINKS) -> Learned:
"""

import inspect
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, get_type_hints

from dehusk.errors import UsageError


@dataclass(frozen=True, slots=True)
class Option:
    """What a method's `learn` can be told. Its name and default are read from the signature."""

    help: str
    read: Callable[[str], Any] | None = None
    """From what a person types to the value; None if only a program can give it."""
    choices: Collection[str] = ()
    many: bool = False
    """Whether it takes a list of values; a person types them with commas."""
    name: str = ""
    default: Any = None

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


def options_of(learn: Callable[..., Any]) -> dict[str, Option]:
    """The options that a signature declares, by name, in its order."""
    hints = get_type_hints(learn, include_extras=True)
    found = {}
    for name, parameter in inspect.signature(learn).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY:
            declared = [one for one in getattr(hints[name], "__metadata__", ()) if isinstance(one, Option)]
            option = declared[0] if declared else Option("")
            found[name] = replace(option, name=name, default=parameter.default)
    return found


def switch(typed: str) -> bool:
    """Yes or no."""
    if typed not in {"yes", "no"}:
        raise ValueError(typed)
    return typed == "yes"


def share(typed: str) -> float:
    """A number from 0 to 1."""
    number = float(typed)
    if not 0 <= number <= 1:
        raise ValueError(typed)
    return number
