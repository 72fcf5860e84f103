"""Items: units that a page repeats, such as results, offers, reviews, or the posts of a thread."""

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from dehusk.base import fields
from dehusk.base.tree import letters
from dehusk.tables import columns
from dehusk.tables.columns import NOTHING, Column, Columns
from dehusk.tables.lines import LINK, Line, Read

COVERED = 0.3
"""Items have at least this share of the text of their pages, in the mean."""

REPEATED = 0.5
"""Minimum share of the pages that have two items or more."""

RICH = 3
"""An item with this many places, or more, that most items have is a whole unit, not a paragraph of one."""

MOST_OF = 0.6
TRIED = 12
"""How many kinds of units, those with most text, are compared."""

PROSE = 40
"""A line with at least this many characters is part of the body of an item."""

BODY = 0.95
"""The body is the innermost place that has this share of the long lines of an item, in the mean."""

MOST_OTHERS = 50
"""How many items of a page may be in other elements than the rest."""

HEADS = 0.8
"""If this share of the rows with a body have a row without one above them, it is the head of the item."""

TEXT_NAME = "text"


@dataclass(frozen=True, slots=True)
class Items:
    """The items of a family: the place of the unit, the columns of an item, and the place of its body in the unit."""

    place: str
    columns: Columns
    body: str

    def rows(self, page: Read) -> list[dict[str, Any]]:
        """Returns a row for each item of a page: its columns, and the text of its body."""
        return [self._row(item) for item in items_of(page, self.place, self.body)]

    def _row(self, item: Read) -> dict[str, Any]:
        row = self.columns.record(_around(item, self.body))
        return row | ({TEXT_NAME: text_at(item, self.body)} if self.body else {})

    @property
    def described(self) -> tuple[Column, ...]:
        """The columns of an item, without the body."""
        return self.columns.columns

    def to_json(self) -> dict[str, Any]:
        """Returns readable JSON."""
        return {"place": self.place, "body": self.body, **self.columns.to_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the output of `to_json`."""
        return cls(fields.text(data, "place"), Columns.from_json(data), fields.text(data, "body"))


def learn(pages: Sequence[Read]) -> Items | None:
    """Learns the items of a family from some of its pages; None if the pages repeat nothing."""
    place = _unit(pages)
    if not place:
        return None
    body = _body([item for page in pages for item in units(page, place)])
    items = [item for page in pages for item in items_of(page, place, body)]
    learned = columns.learn([_around(item, body) for item in items], titled=False) or NOTHING
    return Items(place, learned, body) if body or learned.columns else None


def units(page: Read, place: str) -> Iterator[Read]:
    """Yields the items of a page, outermost first: an item inside another is part of it."""
    end = 0
    for node in page.elements:
        if node >= end and page.path(node) == place:
            end = node + page.tree.size[node]
            yield page.within_node(node)


def items_of(page: Read, place: str, body: str) -> list[Read]:
    """Returns the items of a page: those at the place of the unit, and others that have a body like theirs.

    The first post of a thread is often in another element than the answers.
    """
    found = _with_heads(page, list(units(page, place)), body)
    tail = body.rpartition(LINK)[2]
    if "." not in tail:
        return found
    inside = {node for item in found for node in range(item.first, item.end)}
    bodies = [node for node in page.elements if node not in inside and page.path(node).endswith(LINK + tail)]
    if len(bodies) > MOST_OTHERS:
        return found
    roots = sorted(item.first for item in found)
    depth = place.count(LINK) - 1
    for node in bodies:
        others = sorted(other for other in (*roots, *bodies) if other != node)
        root = _root(page, node, depth, others)
        if not _any_in(page, root, roots):
            insort(roots, root)
            found.append(page.within_node(root))
    return sorted(found, key=lambda item: item.first)


def _with_heads(page: Read, found: list[Read], body: str) -> list[Read]:
    """Returns the units of a page that have a body, each with the row above it if such a row is above most of them.

    Units without a body, if there are many, are such rows themselves. The template often has them.
    """
    with_body = [item for item in found if body and _lines_at(item, body)]
    units_at = {item.first for item in with_body}
    if not with_body or page.tree.tag[with_body[0].first] != "tr":
        return found
    above = page.siblings_before([item.first for item in with_body])
    heads = {unit: row for unit, row in above.items() if row not in units_at}
    if len(heads) < HEADS * len(with_body):
        return found
    return [page.within_node(item.first, heads.get(item.first)) for item in with_body]


def _root(page: Read, body: int, depth: int, others: Sequence[int]) -> int:
    """Returns the outermost element around a body, down from the depth of units, that has no other body in it."""
    root = body
    while True:
        above = page.tree.parent[root]
        if page.path(above).count(LINK) < depth or _any_in(page, above, others):
            return root
        root = above


def _any_in(page: Read, node: int, ordered: Sequence[int]) -> bool:
    """Whether an element has one of some nodes in it. They are in order: a page may have as many as nodes."""
    at = bisect_left(ordered, node)
    return at < len(ordered) and ordered[at] < node + page.tree.size[node]


def _unit(pages: Sequence[Read]) -> str:
    """Returns the place of the unit that holds most of the text of the pages, and has most places of its own."""
    shares: dict[str, float] = defaultdict(float)
    repeated: Counter[str] = Counter()
    for page in pages:
        counts, sizes, whole = _sizes(page)
        repeated.update(place for place, count in counts.items() if count > 1)
        for place in counts:
            shares[place] += sizes[place] / (whole or 1) / len(pages)
    fit = [place for place, share in shares.items() if share >= COVERED and repeated[place] >= REPEATED * len(pages)]
    fit.sort(key=lambda place: (-shares[place], place))
    return max(fit[:TRIED], key=lambda place: shares[place] * _richness(pages, place), default="")


def _sizes(page: Read) -> tuple[Counter[str], Counter[str], int]:
    """Returns how many elements are at each place that a page repeats, their letters, and those of the page."""
    tree = page.tree
    before = [0]
    for node in range(len(tree)):
        before.append(before[-1] + (letters(tree.text[node]) if page.keeps(node) else 0))
    alike = Counter(page.path(node) for node in page.elements)
    counts: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for node in page.elements:
        place = page.path(node)
        if alike[place] > 1:
            counts[place] += 1
            sizes[place] += before[node + tree.size[node]] - before[node]
    return counts, sizes, before[-1]


def _richness(pages: Sequence[Read], place: str) -> float:
    """Returns how much the items at a place have in common: the places that most of them have, up to RICH."""
    counted: Counter[str] = Counter()
    number = 0
    for page in pages:
        for item in units(page, place):
            number += 1
            counted.update({item.exact(line.first) for line in item.lines})
    return min(RICH, sum(count >= MOST_OF * number for count in counted.values())) / RICH


def _body(items: Sequence[Read]) -> str:
    """Returns the innermost place in the unit that has most of the long lines; "" if items have no long lines.

    It ends with an element that has a class, if there is one: paragraphs may have lists and quotes beside them.
    """
    shares: dict[str, float] = defaultdict(float)
    with_prose = 0
    for item in items:
        sizes: Counter[str] = Counter()
        for line in item.lines:
            size = sum(len(item.tree.text[node]) for node in line.pieces)
            if size >= PROSE:
                steps = item.path(line.block).split(LINK)
                sizes.update({LINK.join(steps[:length]): size for length in range(1, len(steps) + 1)})
        if sizes:
            with_prose += 1
            for place, size in sizes.items():
                shares[place] += size / max(sizes.values())
    if not with_prose:
        return ""
    fit = [place for place, share in shares.items() if share >= BODY * with_prose]
    steps = max(fit, key=lambda place: (place.count(LINK), shares[place], place), default="").split(LINK)
    named = max((at for at, step in enumerate(steps) if at and "." in step), default=0)
    return LINK.join(steps[: named + 1] if named else steps)


def _around(item: Read, body: str) -> Read:
    """Returns an item without its body, but with what the template has of it: names and dates are often part of it."""
    whole = item.whole()
    inside = {line.first for line in _lines_at(whole, body)} if body else set()
    return whole.leaving([line for line in whole.lines if line.first not in inside])


def _lines_at(item: Read, place: str) -> list[Line]:
    """Returns the lines at a place of an item, or below it; else those below an element like the last of the place."""
    paths = [item.path(line.block) + LINK for line in item.lines]
    lines = [line for line, path in zip(item.lines, paths, strict=True) if path.startswith(place + LINK)]
    tail = LINK + place.rpartition(LINK)[2] + LINK
    return lines or [line for line, path in zip(item.lines, paths, strict=True) if tail in path and "." in tail]


def text_at(item: Read, place: str) -> str | None:
    """Returns the text at a place of an item, a line of it on each line; None if there is none."""
    lines = (" ".join(item.tree.text[node] for node in line.pieces) for line in _lines_at(item, place))
    return "\n".join(lines) or None
