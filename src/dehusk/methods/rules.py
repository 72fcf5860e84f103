"""The result of a method: rules that mark pages, and the pages that it left out."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from dehusk.base.errors import PageWarning
from dehusk.base.shared import Shared
from dehusk.page import Node, Page


def certain(_: object) -> float:
    """Default confidence, for methods that do not measure it."""
    return 1.0


@dataclass(frozen=True)
class Marks(Shared):
    """The marks of a method on a page: a flag for each node of its tree (1 is template), and reasons.

    A method that finds the topmost template nodes without a tree, which is much faster, sets `topmost`, and the flags
    to a function that computes them on demand. `confidence` is how sure the method is of a node, `fit` how well the
    page matches the template, both from 0 to 1; `fit` is None if the method does not measure it. `kind` is the kind of
    page (article, forum, ...) and its probability, `quality` the F1 that can be expected. With `once`, what is left
    twice on a page is removed once.
    """

    flagged: bytearray | Callable[[], bytearray]
    reason: Callable[[int], str]
    warnings: tuple[PageWarning, ...] = ()
    confidence: Callable[[int], float] = certain
    fit: float | None = None
    kind: tuple[str, float] | None = None
    topmost: list[Node] | None = None
    quality: float | None = None
    once: bool = False

    @cached_property
    def flags(self) -> bytearray:
        """The flags, computed if necessary."""
        return self.flagged if isinstance(self.flagged, bytearray) else self.flagged()


class Rules(Protocol):
    """The rules that a method learned."""

    def mark(self, page: Page) -> Marks:
        """Marks the nodes of the page that are template, with reasons."""

    def to_json(self) -> dict[str, Any]:
        """Returns all data that the method's `load` needs, as readable JSON."""


@runtime_checkable
class FittingRules(Rules, Protocol):
    """Rules that can measure how well a page matches them without marking it."""

    def fit(self, page: Page) -> float:
        """Returns how well the page matches the template, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The rules, and the pages of the sample that were left out because they do not fit."""

    rules: Rules
    outliers: tuple[Page, ...] = ()
