"""What the metadata of a site's pages have in common: parts of titles, and the places of dates and bylines.

A place whose text has another date on each page is where the site writes dates, whatever its class names are. A single
page cannot show that.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from string import ascii_letters, digits
from typing import Any, Self

from dehusk.base import fields
from dehusk.base.shared import Shared
from dehusk.kernels.walking import folded
from dehusk.metadata import _wording as titles
from dehusk.metadata import dates
from dehusk.metadata._wording import MAY_MARK, is_byline, is_change, is_other
from dehusk.metadata.stated import plain
from dehusk.page import Page
from dehusk.page.elements import label_of

FEWEST_PAGES = 3
"""Minimum number of pages from which the place of dates and bylines is learned."""

MOST_OF = 0.6
"""Share of the pages that must have a date or a byline at a place."""

NAMED = 0.5
"""A part in this share of the titles is the name of the site; one in at least two titles, the name of a section."""

NODES_FROM_TITLE = 100
"""Maximum median distance of a date or byline from the title, in nodes. Those of comments and teasers are farther."""

LONGEST_LABEL = 80
"""A longer text is neither a date nor a byline."""

DEEPEST = 100
"""Maximum number of elements in a path."""

_KEPT = 40


@dataclass(frozen=True)
class Habits(Shared):
    """What the metadata of a site's pages have in common. Paths are CSS selectors from the body down."""

    names: tuple[str, ...] = ()
    """Parts that most titles have, and whole titles that most pages have: names of the site."""
    sections: tuple[str, ...] = ()
    """Parts that some titles have."""
    headings: tuple[str, ...] = ()
    """h1 headings on pages with different titles."""
    date: str = ""
    """The path of dates."""
    byline: str = ""
    """The path of bylines."""

    @cached_property
    def names_folded(self) -> frozenset[str]:
        """The names of the site, folded for comparison."""
        return frozenset(map(folded, self.names))

    @cached_property
    def parts_folded(self) -> frozenset[str]:
        """The names of the site and its sections, folded for comparison."""
        return self.names_folded.union(map(folded, self.sections))

    @cached_property
    def headings_folded(self) -> frozenset[str]:
        """The shared headings, folded for comparison."""
        return frozenset(map(folded, self.headings))

    def to_json(self) -> dict[str, Any]:
        """Returns readable JSON, without empty fields."""
        lists = {"names": self.names, "sections": self.sections, "headings": self.headings}
        shared: dict[str, Any] = {name: list(texts) for name, texts in lists.items() if texts}
        return shared | {name: path for name, path in (("date", self.date), ("byline", self.byline)) if path}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Reads the output of `to_json`."""
        names, sections, headings = (
            tuple(fields.texts({name: [], **data}, name)) for name in ("names", "sections", "headings")
        )
        date, byline = (fields.text({name: "", **data}, name) for name in ("date", "byline"))
        return cls(names, sections, headings, date, byline)


def learn(pages: Sequence[Page]) -> Habits:
    """Learns the habits of a site from its pages. A single page gives none."""
    if len(pages) < 2:
        return Habits()
    called = [titles.tidy(page.title) for page in pages]
    names, sections = _shared_parts(sorted(set(called)))
    names += tuple(
        title for title, count in sorted(Counter(called).items()) if title and count > max(1, NAMED * len(pages))
    )
    headings = _shared_headings(pages, called)
    if len(pages) < FEWEST_PAGES:
        return Habits(names, sections, headings)
    at = [_title_node(page, title) for page, title in zip(pages, called, strict=True)]
    near = [[] if title is None else list(_short_texts(page, title)) for page, title in zip(pages, at, strict=True)]
    date, byline = (_slot(pages, at, near, finder) for finder in (_dates_of, _bylines_of))
    return Habits(names, sections, headings, date, byline)


def _shared_parts(called: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the parts that most of the distinct titles share, and those that some share."""
    pages: Counter[str] = Counter()
    for title in called:
        split = titles.parts(title)
        pages.update({title[slice(*part)].strip() for part in split} - {""} if len(split) > 1 else ())
    shared = [part for part, count in sorted(pages.items(), key=lambda item: (-item[1], item[0])) if count > 1][:_KEPT]
    names = tuple(part for part in shared if pages[part] >= NAMED * len(called))
    return names, tuple(sorted(set(shared) - set(names)))


def _shared_headings(pages: Sequence[Page], called: Sequence[str]) -> tuple[str, ...]:
    by_text: dict[str, set[str]] = defaultdict(set)
    for page, title in zip(pages, called, strict=True):
        for heading in islice(page.headings("h1"), _KEPT):
            by_text[titles.tidy(heading.text)].add(title)
    return tuple(sorted(text for text, under in by_text.items() if text and len(under) > 1))[:_KEPT]


ShortText = tuple[int, str, str]
"""A node, its text, and the end of the text before it."""
Finder = Callable[[Page, Sequence[ShortText]], Iterator[tuple[int, str]]]
"""Yields the nodes of these short texts of a page that have a date or a byline, with its text."""


def _slot(
    pages: Sequence[Page], places: Sequence[int | None], near: Sequence[Sequence[ShortText]], finder: Finder
) -> str:
    """Returns the path near the title where most pages have a value, mostly different ones; "" if there is none."""
    values: dict[str, list[str]] = defaultdict(list)
    steps: dict[str, list[int]] = defaultdict(list)
    for page, title, texts_near in zip(pages, places, near, strict=True):
        if title is None:
            continue
        seen: set[str] = set()
        for node, value in finder(page, texts_near):
            path = _path(page, node)
            if path and path not in seen:
                seen.add(path)
                values[path].append(value)
                steps[path].append(abs(node - title))
    far = {path: sorted(counts)[len(counts) // 2] for path, counts in steps.items()}
    least = max(FEWEST_PAGES, MOST_OF * len(pages))
    fit = [path for path, texts in values.items() if len(texts) >= least and _differ(texts)]
    return min((path for path in fit if far[path] <= NODES_FROM_TITLE), key=lambda path: (far[path], path), default="")


def _title_node(page: Page, title: str) -> int | None:
    """Returns the node whose text is the title or its longest part; None if there is none."""
    parts = sorted((folded(title[slice(*part)]) for part in titles.parts(title)), key=len)
    wanted = {folded(title), parts[-1]} - {""}
    begins = {name[0] for name in wanted}
    others = {"", *(char for char in ascii_letters + digits if char.lower() not in begins)}
    every = enumerate(page.tree.text)
    return next((node for node, text in every if text[:1] not in others and folded(text) in wanted), None)


def _differ(values: Sequence[str]) -> bool:
    """Returns whether no value is on more than about half of the pages."""
    return max(Counter(values).values()) * 2 <= len(values) + 1


def _path(page: Page, node: int) -> str:
    """Returns the path of the element that a text is in; "" if it is deeper than DEEPEST."""
    tree, nodes = page.tree, page.nodes
    labels: list[str] = []
    while (node := tree.parent[node]) > 0:
        if len(labels) == DEEPEST:
            return ""
        labels.append(label_of(nodes[node]))
    return " > ".join(reversed(labels))


def _dates_of(_: Page, near: Sequence[ShortText]) -> Iterator[tuple[int, str]]:
    for node, text, before in near:
        if dates.MAY_BE.search(text) and (match := dates.search(text)):
            label = f"{before} {text[: match[0]]}"
            if not is_change(label) and not is_other(label):
                yield node, match[2][:10]


def _bylines_of(page: Page, near: Sequence[ShortText]) -> Iterator[tuple[int, str]]:
    nodes, parent = page.nodes, page.tree.parent
    marking = frozenset(page.select(MAY_MARK))
    for node, text, before in near:
        if is_byline(text, before, nodes[parent[node]], marking):
            yield node, text


def _short_texts(page: Page, title: int) -> Iterator[ShortText]:
    """Yields the short texts around a place."""
    before, first = "", max(0, title - 2 * NODES_FROM_TITLE)
    for node, raw in enumerate(page.tree.text[first : title + 2 * NODES_FROM_TITLE], first):
        if raw and (text := plain(raw)):
            if len(text) <= LONGEST_LABEL:
                yield node, text, before
            before = text[-LONGEST_LABEL:]
