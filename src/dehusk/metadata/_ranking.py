"""Ranks the headings of a page by how much they are like its stated titles."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from dehusk.base.shared import Shared
from dehusk.kernels.walking import folded
from dehusk.metadata import _wording as titles
from dehusk.page import Heading, Node, Page
from dehusk.page.elements import is_within

HEADINGS = 100
"""How many headings are compared with the titles of the page."""

LESS = 0.99
"""Maximum likeness of a heading that is not equal to a title or to some of its parts."""


@dataclass(frozen=True, slots=True)
class RankedHeading:
    """A heading, and how much it is like the titles of the page, from 0 to 1. `gone` tells whether it is template."""

    node: Node
    tag: str
    text: str
    like: float
    gone: bool

    def order(self) -> tuple[float, bool, bool]:
        """Sort key. The heading with the largest key is the title."""
        return self.like, not self.gone, self.tag == "h1"


@dataclass(frozen=True)
class Naming(Shared):
    """What is known about the title of a page before its headings are read.

    `called` are the stated titles, `names` those of the site, `barred` all folded texts that are not a title unless a
    stated title is equal. `without_site` removes the name of the site from a heading.
    """

    called: Sequence[str]
    barred: Collection[str]
    names: Collection[str]
    without_site: Callable[[str], str]

    @cached_property
    def same(self) -> dict[str, float]:
        """The titles and their parts: see `same`."""
        return same(self.called)

    def rank(self, heading: Heading, gone: frozenset[Node]) -> Iterator[RankedHeading]:
        """Yields a heading with its likeness, if it may be the title."""
        text = self.without_site(titles.tidy(heading.text))
        name, is_gone = folded(text), is_within(heading.node, gone)
        if titles.is_code(text):
            return
        if name and name in self.same and name not in self.names:
            yield RankedHeading(heading.node, heading.tag, text, self.same[name], is_gone)
        elif name not in self.barred and not (is_gone and heading.tag != "h1"):
            like = max((titles.alike(text, title) for title in self.called), default=0.0)
            yield RankedHeading(heading.node, heading.tag, text, min(like, LESS), is_gone)


def same(called: Iterable[str]) -> dict[str, float]:
    """Returns the titles of a page and the runs of their parts, folded: a heading equal to one of them is the title.

    Each has its likeness: above LESS, and 1 for a whole title.
    """
    likeness: dict[str, float] = {}
    for title in called:
        for run in titles.runs(title):
            name = folded(run)
            likeness[name] = max(likeness.get(name, 0.0), LESS + (1 - LESS) * len(run) / len(title))
    return likeness


def ranked(page: Page, first: Iterable[Heading], naming: Naming, gone: frozenset[Node]) -> list[RankedHeading]:
    """Returns the headings that may be the title: h1 (`first`), or equal to one of the page's titles."""
    found = [one for heading in first for one in naming.rank(heading, gone)]
    if any(heading.like > LESS for heading in found):
        return found
    whole = {*naming.same, folded(titles.tidy(page.title))}
    begins = {name[:1] for name in whole}
    for heading in islice(page.headings("h2", "h3"), HEADINGS):
        begin = heading.text.lstrip()[:1].casefold()[:1]
        if naming.called and begin.isalnum() and begin not in begins:  # true for most; saves folding the text
            continue
        if not naming.called or folded(titles.tidy(heading.text)) in whole:
            found += naming.rank(heading, gone)
    return found
