"""What a method gives: rules that mark pages, and the pages it could not use."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from dehusk.page import Page


@dataclass(frozen=True, slots=True)
class Marks:
    """What a method says of a page: a flag a node of its tree (1 is template), and the reason for a node that is."""

    flags: bytearray
    reason: Callable[[int], str]
    warnings: tuple[str, ...] = ()


class Rules(Protocol):
    """What a method learned."""

    def mark(self, page: Page) -> Marks:
        """Which nodes of the page are template, and why."""

    def to_json(self) -> dict[str, Any]:
        """Everything `load` of the method needs, as JSON a person can read."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What a method returns: its rules, and the pages of the sample that it left out because they do not fit."""

    rules: Rules
    outliers: tuple[Page, ...] = ()
