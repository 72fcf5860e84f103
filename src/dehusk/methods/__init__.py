"""The methods, and the only place that lists them.

A method is one file with a `learn(pages, **options)` that gives a `Learned`, and a `load(data)` that gives its rules.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dehusk.errors import UsageError

if TYPE_CHECKING:
    from dehusk.page import Page
    from dehusk.template import Learned, Rules

DEFAULT = "rtdm"


@dataclass(frozen=True, slots=True)
class Method:
    """A method by name; its file is imported when it is used."""

    name: str
    module: str
    paper: str
    finds: str
    needs: str
    cost: str

    @property
    def learn(self) -> "Callable[..., Learned]":
        """From a sample of pages to the rules that tell template from content."""
        learn: Callable[[Sequence[Page]], Learned] = import_module(f"dehusk.methods.{self.module}").learn
        return learn

    @property
    def load(self) -> "Callable[[dict[str, Any]], Rules]":
        """From the JSON of its rules to the rules."""
        load: Callable[[dict[str, Any]], Rules] = import_module(f"dehusk.methods.{self.module}").load
        return load


METHODS = {
    method.name: method
    for method in (
        Method(
            "rtdm",
            "rtdm",
            "Vieira et al. 2006",
            finds="the largest tree that all sampled pages share, exactly",
            needs="two pages or more of one template; two dozen are enough",
            cost="quadratic in the worst case, near linear on real pages",
        ),
    )
}


def method(name: str) -> Method:
    """The method of this name."""
    if name not in METHODS:
        raise UsageError(f"unknown method {name!r}: choose one of {', '.join(METHODS)}")
    return METHODS[name]
