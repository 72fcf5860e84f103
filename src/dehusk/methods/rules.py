"""What a method gives: rules that mark pages, and the pages it could not use."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from dehusk.base.errors import PageWarning
from dehusk.page import Node, Page


def certain(_: int) -> float:
    """The confidence of a method that does not measure it."""
    return 1.0


@dataclass(frozen=True, slots=True)
class Marks:
    """What a method says of a page: a flag for each node of its tree (1 is template), and the reason for it.

    `confidence` is how sure it is of a node, `fit` how well the page matches what was learned, both from 0 to 1; None
    where the method cannot tell. `kind` is the kind of page (article, forum, ...) and how sure that is.
    """

    flags: bytearray
    reason: Callable[[int], str]
    warnings: tuple[PageWarning, ...] = ()
    confidence: Callable[[int], float] = certain
    fit: float | None = None
    kind: tuple[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Topmost:
    """The topmost nodes of a page that are template, in order, and how well the page matches, from 0 to 1."""

    nodes: list[Node]
    fit: float
    warnings: tuple[PageWarning, ...] = ()
    kind: tuple[str, float] | None = None


class Rules(Protocol):
    """What a method learned."""

    def mark(self, page: Page) -> Marks:
        """Which nodes of the page are template, and why."""

    def to_json(self) -> dict[str, Any]:
        """Everything `load` of the method needs, as JSON a person can read."""


@runtime_checkable
class QuickRules(Rules, Protocol):
    """Rules that can also say what goes without a tree of the page, which is much quicker."""

    def topmost(self, page: Page) -> Topmost | None:
        """The nodes whose flags `mark` sets, those without one above them; None where that takes marking."""

    def fit(self, page: Page) -> float:
        """How well the page matches what was learned, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What a method returns: its rules, and the pages of the sample that it left out because they do not fit."""

    rules: Rules
    outliers: tuple[Page, ...] = ()
