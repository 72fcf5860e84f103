"""What a method gives: rules that mark pages, and the pages it could not use."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from dehusk.base.errors import PageWarning
from dehusk.page import Node, Page


def certain(_: object) -> float:
    """The confidence, or the fit, of a method that does not measure it."""
    return 1.0


@dataclass(frozen=True)
class Marks:
    """What a method says of a page: a flag for each node of its tree (1 is template), and the reason for it.

    A method that can name the topmost nodes that are template without a tree, which is much quicker, gives those, and
    the flags as a function: they are made when asked for. `confidence` is how sure it is of a node, `fit` how well the
    page matches what was learned, both from 0 to 1; None where the method cannot tell. `kind` is the kind of page
    (article, forum, ...) and how sure that is.
    """

    flagged: bytearray | Callable[[], bytearray]
    reason: Callable[[int], str]
    warnings: tuple[PageWarning, ...] = ()
    confidence: Callable[[int], float] = certain
    fit: float | None = None
    kind: tuple[str, float] | None = None
    topmost: list[Node] | None = None

    @cached_property
    def flags(self) -> bytearray:
        """A flag for each node of the page's tree."""
        return self.flagged if isinstance(self.flagged, bytearray) else self.flagged()


class Rules(Protocol):
    """What a method learned."""

    def mark(self, page: Page) -> Marks:
        """Which nodes of the page are template, and why."""

    def to_json(self) -> dict[str, Any]:
        """Everything `load` of the method needs, as JSON a person can read."""


@runtime_checkable
class FittingRules(Rules, Protocol):
    """Rules that can tell how well a page matches them, without marking it."""

    def fit(self, page: Page) -> float:
        """How well the page matches what was learned, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What a method returns: its rules, and the pages of the sample that it left out because they do not fit."""

    rules: Rules
    outliers: tuple[Page, ...] = ()
