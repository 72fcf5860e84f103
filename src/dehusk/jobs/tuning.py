"""Tries values of a method's option on the pages of a site whose content is known, as Yi et al. chose a threshold.

The content is known by a CSS selector or by edits. Scores are in letters of text, and means over pages.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from dehusk.base.errors import SourceError, UsageError
from dehusk.base.options import SHARE
from dehusk.base.system import time_limit
from dehusk.base.tree import letters
from dehusk.core import Learning
from dehusk.marking.edits import Edit, PageEdits, Scope
from dehusk.methods import method
from dehusk.page import Page

STEPS = 20
"""A share is tried in this many steps from 0 to 1."""

Gold = Callable[[Page], Mapping[int, bool]]
"""Which texts of a page are content, by node. Texts that nobody judged are missing."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A value of the option with its scores: the share of the kept letters that is content, and the reverse."""

    value: Any
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def by_selector(selector: str) -> Gold:
    """Content is what the selector matches. Pages without a match are not judged."""
    try:
        Page("<p>x").select(selector)
    except ValueError as error:
        raise UsageError(f"{selector!r} is not a valid CSS selector: {error}") from error

    def judged(page: Page) -> dict[int, bool]:
        tree, content = page.tree, set[int]()
        for node in page.select(selector):
            number = page.numbers.get(node)
            content |= set(range(number, number + tree.size[number])) if number is not None else set()
        return {node: node in content for node, text in enumerate(tree.text) if text} if content else {}

    return judged


def by_edits(edits: Sequence[Edit]) -> Gold:
    """Texts at the places of edits of the whole site are content if they are kept. Other texts are not judged."""
    own = [edit for edit in edits if edit.scope is Scope.SITE]

    def judged(page: Page) -> dict[int, bool]:
        on_page = PageEdits(page, own)
        nearest = {node: on_page.nearest(node) for node, text in enumerate(page.tree.text) if text}
        return {node: edit.keep for node, edit in nearest.items() if edit}

    return judged


def values_of(name: str, option: str, typed: Sequence[str]) -> list[Any]:
    """The values to try: those typed, or steps from 0 to 1 for a share. Raises UsageError for what is not possible."""
    known = method(name)
    if typed:
        return [known.read(f"{option}={text}").values[option] for text in typed]
    known.check({option: known.options[option].default if option in known.options else None})
    if known.options[option].values is not SHARE:
        raise UsageError(f"{option} of {name} is {known.options[option].possible}; give the values to try")
    return [step / STEPS for step in range(STEPS + 1)]


def tune(
    pages: Sequence[Page],
    learning: Learning,
    option: str,
    values: Sequence[Any],
    gold: Gold,
    page_seconds: float = 0,
) -> Iterator[Tried]:
    """Learns with each value of the option, and scores the pages that the gold judges.

    Raises SlowError if a value takes more than `page_seconds` of processor time for each page; 0 for no limit.
    """
    seconds = page_seconds * len(pages)
    with time_limit(seconds):
        judged = [(page, texts) for page in pages if any((texts := gold(page)).values())]
    if not judged:
        raise SourceError("no page has known content: the selector or the edits match nothing that is kept")
    for value in values:
        with time_limit(seconds):
            template = replace(learning, options={**learning.options, option: value}).learn(pages)
            scores = [_score(page, template.mark(page).flags, texts) for page, texts in judged]
        yield Tried(value, *(fmean(column) for column in zip(*scores, strict=True)))


def _score(page: Page, gone: Sequence[int], texts: Mapping[int, bool]) -> tuple[float, float]:
    size = {node: letters(page.tree.text[node]) for node in texts}
    kept = sum(size[node] for node in texts if not gone[node])
    right = sum(size[node] for node, content in texts.items() if content and not gone[node])
    content = sum(size[node] for node, is_content in texts.items() if is_content)
    return right / kept if kept else 0.0, right / content if content else 0.0
