"""Pages of a site prepared for choosing selectors: names of elements, removed nodes, and places of fields."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter

from dehusk.base.tags import HEADINGS
from dehusk.base.tree import TEXT, Tree, letters
from dehusk.metadata import Metadata, dates
from dehusk.page import Meta, Page
from dehusk.page.places import Naming, Place, Step
from dehusk.templates.selectors._writing import quoted, xpath
from dehusk.templates.template import Template


@dataclass(frozen=True, slots=True)
class SeenPage:
    """A cleaned page: its tree, removed nodes, the lasting names of each element, and the elements by name."""

    page: Page
    tree: Tree
    gone: bytearray
    topmost: list[int]
    steps: Sequence[Step]
    by_name: dict[str, set[int]]
    metadata: Metadata
    before: list[int]
    """Number of letters before each node."""
    kept_before: list[int]
    """Number of kept letters before each node."""

    def letters(self, node: int) -> int:
        """Returns the number of letters at and below a node."""
        return self.before[node + self.tree.size[node]] - self.before[node]

    def kept(self, node: int) -> int:
        """Returns the number of kept letters at and below a node."""
        return self.kept_before[node + self.tree.size[node]] - self.kept_before[node]

    def text(self, node: int) -> str:
        """Returns all text at and below a node."""
        return " ".join(filter(None, self.tree.text[node : node + self.tree.size[node]]))

    def place(self, node: int) -> Place:
        """Returns the place of an element on any page of the site. For steps with an id, classes are left out."""
        steps = (self.steps[above] for above in [node, *self.tree.ancestors(node)][::-1])
        return tuple(Step(step.tag, step.id) if step.id else step for step in steps)

    def at(self, place: Place) -> Iterator[int]:
        """Yields the elements that match some steps, which may begin anywhere, in page order."""
        names = [self.by_name.get(name, set()) for name in _names(place[-1])]
        for node in sorted(set.intersection(*names)):
            above = [node, *self.tree.ancestors(node)][: len(place)]
            if len(above) == len(place) and all(
                _fits(self.steps[number], step) for number, step in zip(above, reversed(place), strict=True)
            ):
                yield node


def seen(template: Template, page: Page) -> SeenPage:
    """Cleans a page and prepares it for choosing selectors."""
    cleaned = template.clean(page)
    marking, tree = cleaned.marking, page.tree
    naming = Naming(tree)
    steps = [Step(TEXT) if tag == TEXT else naming.lasting(node) for node, tag in enumerate(tree.tag)]
    by_name: dict[str, set[int]] = {}
    for node, step in enumerate(steps):
        for name in _names(step):
            by_name.setdefault(name, set()).add(node)
    sizes = list(map(letters, tree.text))
    stay = (size * (not gone) for size, gone in zip(sizes, marking.flags, strict=True))
    sums = [0, *accumulate(sizes)], [0, *accumulate(stay)]
    return SeenPage(page, tree, marking.flags, marking.topmost, steps, by_name, cleaned.metadata, *sums)


def _names(step: Step) -> list[str]:
    return [step.tag, *([f"#{step.id}"] if step.id else []), *(f".{name}" for name in step.classes)]


def _fits(has: Step, wanted: Step) -> bool:
    if has.tag != wanted.tag or wanted.id not in (None, has.id):
        return False
    return all(name in has.classes for name in wanted.classes)


SHORT_FIELD = 120
"""Maximum number of letters of an element that is a title, a byline or a date."""

RIGHT_ON = 0.5
"""An XPath must find the right value on this share of the pages that have one."""

LONGER = 3
"""A byline is at most this many times as long as its names. Longer texts with the names may be keywords."""

TRIED = 8
"""How many places, those with most right values, are tried."""

_TELLING = HEADINGS | {"address", "time"}
_DOCUMENT_TITLE = "//head/title"

Right = Callable[[SeenPage, str], bool]


def title(pages: Sequence[SeenPage]) -> tuple[str, ...]:
    """Returns XPaths of the title: a heading, if there is one, and the title element."""
    told = [page for page in pages if page.metadata.title]
    return (*_shown(told, lambda page, text: _plain(text) == _plain(page.metadata.title or "")), _DOCUMENT_TITLE)


def author(pages: Sequence[SeenPage]) -> tuple[str, ...]:
    """Returns an XPath of the authors, in a meta tag or an element."""
    told = [page for page in pages if page.metadata.authors]

    def right(page: SeenPage, text: str) -> bool:
        names = page.metadata.authors
        return len(text) <= LONGER * sum(map(len, names)) and all(_plain(name) in _plain(text) for name in names)

    return _stated(told, right) or _shown(told, right)


def date(pages: Sequence[SeenPage]) -> tuple[str, ...]:
    """Returns an XPath of the date of publication, in a meta tag or an element."""
    told = [page for page in pages if page.metadata.date]

    def right(page: SeenPage, text: str) -> bool:
        day = dates.iso(text)
        return day is not None and dates.may_be_same(day, page.metadata.date or "")

    return _stated(told, right) or _shown(told, right)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _stated(pages: Sequence[SeenPage], right: Right) -> tuple[str, ...]:
    """Returns an XPath of the meta tag that is right most often."""
    right_on: Counter[tuple[str, str]] = Counter()
    for page in pages:
        right_on.update({(attribute, name) for attribute, name, value in _metas(page) if right(page, value)})
    for (attribute, name), count in right_on.most_common(1):
        if count >= max(1, RIGHT_ON * len(pages)):
            return (f"//meta[@{attribute}={quoted(name)}]/@content",)
    return ()


def _metas(page: SeenPage) -> Iterator[tuple[str, str, str]]:
    for content, *names in page.page.metas():
        for attribute, name in zip(Meta._fields[1:], names, strict=True):
            if name and content is not None:
                yield attribute, name, content


def _shown(pages: Sequence[SeenPage], right: Right) -> tuple[str, ...]:
    """Returns an XPath of the place whose first element is right most often."""
    right_on: Counter[Place] = Counter()
    for page in pages:
        right_on.update({page.place(node) for node in _short(page) if right(page, page.text(node))})
    least = max(1, RIGHT_ON * len(pages))
    scored = [
        (count, -length, place[-length:])
        for place, _ in right_on.most_common(TRIED)
        for length in range(1, len(place) + 1)
        if _is_named(place[-length]) or length == len(place)
        if (count := sum(_first_is_right(page, place[-length:], right) for page in pages)) >= least
    ]
    return (xpath(max(scored, key=itemgetter(0, 1))[2]),) if scored else ()


def _is_named(step: Step) -> bool:
    return bool(step.id or step.classes or step.tag in _TELLING)


def _short(page: SeenPage) -> Iterator[int]:
    """Yields the elements with little text, some of it directly in them."""
    parents = {page.tree.parent[node] for node, text in enumerate(page.tree.text) if text}
    return (node for node in parents if node > 0 and page.letters(node) <= SHORT_FIELD)


def _first_is_right(page: SeenPage, place: Place, right: Right) -> int:
    """Returns 1 if the first element at a place is right, -1 if it is wrong, 0 if there is none."""
    first = next(page.at(place), None)
    if first is None:
        return 0
    return 1 if page.letters(first) <= SHORT_FIELD and right(page, page.text(first)) else -1
