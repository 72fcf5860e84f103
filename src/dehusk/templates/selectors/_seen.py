"""Pages of a site as selectors see them: the names of their elements, what of them goes, where their fields stand."""

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
    """A page: its tree, what goes, the names of each element that are of the site, and elements by their names."""

    page: Page
    tree: Tree
    gone: bytearray
    topmost: list[int]
    steps: Sequence[Step]
    by_name: dict[str, set[int]]
    metadata: Metadata
    before: list[int]
    """Letters before each node."""
    kept_before: list[int]
    """Letters before each node that stay."""

    def letters(self, node: int) -> int:
        """How many letters are at and below a node."""
        return self.before[node + self.tree.size[node]] - self.before[node]

    def kept(self, node: int) -> int:
        """How many of them stay."""
        return self.kept_before[node + self.tree.size[node]] - self.kept_before[node]

    def text(self, node: int) -> str:
        """All text at and below a node."""
        return " ".join(filter(None, self.tree.text[node : node + self.tree.size[node]]))

    def place(self, node: int) -> Place:
        """The place of an element on any page of the site. Where it has an id, that is enough of a name."""
        steps = (self.steps[above] for above in [node, *self.tree.ancestors(node)][::-1])
        return tuple(Step(step.tag, step.id) if step.id else step for step in steps)

    def at(self, place: Place) -> Iterator[int]:
        """The elements at the end of some steps, wherever these begin, in page order."""
        names = [self.by_name.get(name, set()) for name in _names(place[-1])]
        for node in sorted(set.intersection(*names)):
            above = [node, *self.tree.ancestors(node)][: len(place)]
            if len(above) == len(place) and all(
                _fits(self.steps[number], step) for number, step in zip(above, reversed(place), strict=True)
            ):
                yield node


def seen(template: Template, page: Page) -> SeenPage:
    """A page as the template cleans it."""
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
"""Letters of an element that can be a title, a byline or a date, and nothing else."""

RIGHT_ON = 0.5
"""An XPath must find what is right on this share of the pages that have it."""

LONGER = 3
"""A byline is no longer than so many times the names in it: a list of keywords may have them, too."""

TRIED = 8
"""How many places with the most right values are looked at."""

_TELLING = HEADINGS | {"address", "time"}
_DOCUMENT_TITLE = "//head/title"

Right = Callable[[SeenPage, str], bool]


def title(pages: Sequence[SeenPage]) -> tuple[str, ...]:
    """Headings that are the title; what the document is called where there is none."""
    told = [page for page in pages if page.metadata.title]
    return (*_shown(told, lambda page, text: _plain(text) == _plain(page.metadata.title or "")), _DOCUMENT_TITLE)


def author(pages: Sequence[SeenPage]) -> tuple[str, ...]:
    """Meta tags or elements that name the authors."""
    told = [page for page in pages if page.metadata.authors]

    def right(page: SeenPage, text: str) -> bool:
        names = page.metadata.authors
        return len(text) <= LONGER * sum(map(len, names)) and all(_plain(name) in _plain(text) for name in names)

    return _stated(told, right) or _shown(told, right)


def date(pages: Sequence[SeenPage]) -> tuple[str, ...]:
    """Meta tags or elements that give the day of publication."""
    told = [page for page in pages if page.metadata.date]

    def right(page: SeenPage, text: str) -> bool:
        day = dates.iso(text)
        return day is not None and dates.may_be_same(day, page.metadata.date or "")

    return _stated(told, right) or _shown(told, right)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _stated(pages: Sequence[SeenPage], right: Right) -> tuple[str, ...]:
    """The meta tag that is right most often."""
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
    """The element that is right most often where it is the first of its place."""
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
    """The elements with little text, and some of it directly in them."""
    parents = {page.tree.parent[node] for node, text in enumerate(page.tree.text) if text}
    return (node for node in parents if node > 0 and page.letters(node) <= SHORT_FIELD)


def _first_is_right(page: SeenPage, place: Place, right: Right) -> int:
    """1 where the first element of a place is right, 0 where there is none, -1 where it is something else."""
    first = next(page.at(place), None)
    if first is None:
        return 0
    return 1 if page.letters(first) <= SHORT_FIELD and right(page, page.text(first)) else -1
