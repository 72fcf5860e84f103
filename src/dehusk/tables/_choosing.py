"""Chooses the columns of a family among the places of values on its pages."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from dehusk.tables._labels import folded
from dehusk.tables._values import Grain, Value

MOST_COLUMNS = 80
"""Maximum number of columns of a table."""

MOST_COMPARED = 600
"""How many places are compared with each other: those that tell most."""

SAME = 0.75
"""A place without a label is no column if this share of its pages have the same text there."""

USUAL = 0.5
"""Minimum share of the pages that have a place among equal siblings, or a label before the same text on all pages."""

FEWEST, FEWEST_UNNAMED = 0.1, 0.2
"""Minimum share of the pages that have a column with a label, and without one."""

COVERED = 0.9
"""A place is no column if other columns have this share of its values."""

STEADY = 0.8
"""If this share of the pages have equally many values at a place, each is a column; else they are a list."""

MOST_STEADY = 8

CONSTANT, CONSTANT_LINK, ALWAYS = 0.8, 0.97, 1.1
"""A text under a heading that is the same on this share of its pages is part of the template.

The second figure is for links beside their label. Other texts beside a label may always be the same, if most pages
have them.
"""

MIXED = 0.95
"""The lines of a block are mixed if no place in it has more than this share of them."""

ALIKE = 0.5
"""A list on the page and a stated one are the same if they share this part of their values, in the mean."""

EQUAL = 0.9
"""Columns are one if their values are equal on this share of the pages that have both."""

NAMED, STATED, VARIED = 0.5, 0.6, 0.3
"""What a label, a property and different values add to the worth of a column; being on all pages adds 1."""

_WORD = re.compile(r"[^\W_]+")
PARAGRAPH = 80
"""Texts that are longer than this, in the mean, are paragraphs of one text, not values that stand side by side."""

ONE_PLACE = 1.3
"""A label whose values are at more places than this on a page, in the mean, names each of these places."""

PIECES = "~"
"""The end of keys of pieces of lines."""

Key = tuple[str, ...]
At = tuple[int, int, bool]


@dataclass(slots=True)
class Candidate:
    """Values that may be a column: those at a place, or after a label."""

    key: Key
    others: list[Key] = field(default_factory=list)
    """Keys that have the same values, or have them on other pages."""
    better: list[Key] = field(default_factory=list)
    """Keys whose values are taken first."""
    values: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    nodes: list[At] = field(default_factory=list)
    labels: Counter[str] = field(default_factory=Counter)
    exacts: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    places: Counter[str] = field(default_factory=Counter)
    words: dict[int, frozenset[str]] = field(default_factory=dict)
    stated: str = ""
    naming: int = 0
    links: int = 0
    near: bool = False
    order: float = 0.0

    def add(self, page: int, value: Value, text: str) -> None:
        """Adds a value of a page."""
        self.values[page].append(text)
        self.stated = value.stated
        self.nodes.append((page, value.node, self.key[1].endswith(PIECES)))
        self.labels[value.label] += 1
        self.exacts[page].append(value.exact)
        self.places[value.place] += 1
        self.naming += value.naming
        self.links += value.linked
        self.near = self.near or value.near
        self.order += value.share

    def join(self, other: "Candidate") -> None:
        """Adds another candidate, for pages without a value."""
        self.stated = self.stated or other.stated
        self.others += [other.key, *other.others]
        for page in sorted(other.values.keys() - self.values.keys()):
            self.values[page] = other.values[page]

    def replace(self, other: "Candidate") -> None:
        """Takes the values of another candidate, and keeps its own for other pages."""
        self.stated = other.stated
        self.better.append(other.key)
        self.values |= other.values

    @property
    def keys(self) -> tuple[Key, ...]:
        """All keys, the best first."""
        return (*self.better, self.key, *self.others)

    @property
    def support(self) -> int:
        """The number of pages that have a value."""
        return len(self.values)

    @property
    def label(self) -> str:
        """What people see before its values; "" if nothing names them."""
        return self.labels.most_common(1)[0][0] if self.key[0] == "label" else ""

    @property
    def position(self) -> float:
        """Where it stands on a page, from 0 to 1."""
        return self.order / len(self.nodes)

    def whole(self, page: int) -> list[str]:
        """Returns the words of all its values on a page together."""
        return _WORD.findall(" ".join(self.values[page]).casefold())

    @property
    def linked(self) -> bool:
        """Whether all its values are links."""
        return self.links == len(self.nodes)

    def folded(self, page: int) -> frozenset[str]:
        """Returns the words of its values on a page, for comparison."""
        if page not in self.words:
            self.words[page] = frozenset(" ".join(_WORD.findall(text.casefold())) for text in self.values[page])
        return self.words[page]

    def top(self) -> float:
        """The share of its pages that have the most frequent value."""
        counted = Counter(frozenset(texts) for texts in self.values.values())  # however often a page says it
        return max(counted.values()) / self.support

    def is_list(self) -> bool:
        """Whether some pages have several values."""
        return any(len(texts) > 1 for texts in self.values.values())

    def is_steady(self) -> bool:
        """Whether most pages have the same number of values."""
        ((count, pages),) = Counter(map(len, self.values.values())).most_common(1)
        if not 1 < count <= MOST_STEADY or pages < STEADY * self.support:
            return False
        return not self.is_prose()

    def is_prose(self) -> bool:
        """Whether its values are long."""
        return fmean(len(text) for texts in self.values.values() for text in texts) > PARAGRAPH


def words(text: str) -> frozenset[str]:
    """Returns the words of a text, for comparison."""
    return frozenset(_WORD.findall(text.casefold()))


def keys_of(value: Value) -> Iterator[tuple[Key, str]]:
    """Yields the keys of the candidates that a value belongs to, each with its text there.

    Lines and pieces of lines are different candidates. A line of one piece is both.
    """
    if value.stated:
        yield ("stated", value.place), value.text
        return
    if value.block:
        yield ("block", value.block), value.written
    for grain in _GRAINS[value.grain]:
        if value.label and not value.naming:
            name = folded(value.label)
            yield ("label", name + grain), value.text
            yield ("label", name + grain, value.place), value.text
        yield ("place", value.place + grain), value.written
        yield ("exact", value.exact + grain), value.written


_GRAINS = {Grain.LINE: ("",), Grain.PIECE: (PIECES,), Grain.BOTH: ("", PIECES)}


def candidates(pages: Sequence[Iterable[Value]]) -> dict[Key, Candidate]:
    """Returns all candidates of some pages."""
    known: dict[Key, Candidate] = {}
    for number, values in enumerate(pages):
        for value in values:
            for key, text in keys_of(value):
                if key not in known:
                    known[key] = Candidate(key)
                known[key].add(number, value, text)
    return known


def choose(pages: Sequence[Iterable[Value]]) -> list[Candidate]:
    """Returns the columns of a family, the best first."""
    known = candidates(pages)
    accepted: list[Candidate] = []
    taken: set[At] = set()
    for candidate in _in_order(known, len(pages)):
        if candidate.stated:
            accepted.append(candidate)
        elif sum(at in taken for at in candidate.nodes) < COVERED * len(candidate.nodes):
            accepted.append(candidate)
            taken.update(candidate.nodes)
    if len(accepted) > MOST_COMPARED:
        best = {id(one) for one in sorted(accepted, key=lambda one: -_worth(one, len(pages)))[:MOST_COMPARED]}
        accepted = [one for one in accepted if id(one) in best]
    merged = _merged(accepted)
    merged.sort(key=lambda one: (-_worth(one, len(pages)), one.position, one.key))
    return merged[:MOST_COLUMNS]


def _worth(candidate: Candidate, count: int) -> float:
    """Returns how much a column tells: on how many pages, with a label, with different values."""
    distinct = len({tuple(texts) for texts in candidate.values.values()}) / candidate.support
    named = NAMED * bool(candidate.label) + STATED * bool(candidate.stated)
    return candidate.support / count + named + VARIED * distinct


def _merged(accepted: Sequence[Candidate]) -> list[Candidate]:
    """Joins columns that say the same: equal values on the pages that have both, or the same label on other pages."""
    merged: list[Candidate] = []
    for one in accepted:
        same = next((other for other in merged if _is_same(other, one)), None)
        if same is not None:
            same.join(one)
            continue
        alike = next((other for other in merged if _is_alike(other, one)), None)
        if alike is not None:
            alike.replace(one)
        else:
            merged.append(one)
    return merged


def _is_same(one: Candidate, other: Candidate) -> bool:
    common = one.values.keys() & other.values.keys()
    if not common:
        return bool(one.label) and _stem(one) == _stem(other)
    if len(common) < 0.5 * min(one.support, other.support):
        return False
    different = 0
    for page in common:
        different += not _says_same(one, other, page)
        if different > (1 - EQUAL) * len(common):
            return False
    return one.top() < 1


def _says_same(one: Candidate, other: Candidate, page: int) -> bool:
    """Whether two candidates have the same values on a page, or the same text in one piece and in several."""
    if one.folded(page) == other.folded(page):
        return True
    if not other.stated or len(one.values[page]) == len(other.values[page]):
        return False
    return one.whole(page) == other.whole(page)


def _is_alike(shown: Candidate, stated: Candidate) -> bool:
    """Whether a list on the page is what the page states for machines, perhaps with notes and headings in between."""
    common = shown.values.keys() & stated.values.keys()
    if not stated.stated or shown.stated or not common or not (shown.is_list() and stated.is_list()):
        return False
    shares = [_share(shown.folded(page), stated.folded(page)) for page in common]
    return len(common) >= len(stated.values) and fmean(shares) >= ALIKE


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)


def _stem(candidate: Candidate) -> str:
    """Returns the label without the ending of a plural: pages with one value say "Genre", others "Genres"."""
    return folded(candidate.label).removesuffix("s") + PIECES * candidate.key[1].endswith(PIECES)


def _in_order(known: dict[Key, Candidate], count: int) -> Iterator[Candidate]:
    """Yields the candidates that may be columns: labels, then places, then places among equal siblings."""
    fit = [candidate for candidate in known.values() if _may_be_column(candidate, count)]
    fit.sort(key=lambda candidate: (-candidate.support, candidate.position, candidate.key))
    spread = _spread(known)
    labelled = [one for one in fit if one.key[0] == "label" and _is_label(one, spread)]
    yield from labelled
    named = {at for one in labelled for at in one.nodes}
    places = [one for one in fit if one.key[0] == "place" or (one.key[0] == "block" and _is_mixed(one, known))]
    single = [one for one in places if not one.is_list()]
    lists = [one for one in places if one.is_list() and not _is_named(one, named) and _is_like_list(one)]
    exact = [one for one in fit if one.key[0] == "exact" and one.support >= USUAL * count and not one.is_prose()]
    yield from single
    yield from lists
    yield from exact
    yield from (one for one in fit if one.key[0] == "stated")


def _may_be_column(candidate: Candidate, count: int) -> bool:
    if candidate.support < 2:
        return False
    if candidate.key[0] == "label":
        usual = candidate.near and candidate.support >= USUAL * count
        most = CONSTANT if not usual else CONSTANT_LINK if candidate.linked else ALWAYS
        return candidate.support >= FEWEST * count and candidate.top() < most
    if candidate.support < FEWEST_UNNAMED * count or candidate.top() >= SAME:
        return False
    return candidate.naming < len(candidate.nodes) / 2


def _spread(known: dict[Key, Candidate]) -> dict[str, float]:
    """Returns for each label the mean number of places of its values on a page."""
    each: Counter[str] = Counter()
    for key, candidate in known.items():
        if key[0] == "label" and len(key) == 3:
            each[key[1]] += candidate.support
    return {name: count / known["label", name].support for name, count in each.items()}


def _is_label(candidate: Candidate, spread: dict[str, float]) -> bool:
    alone = spread[candidate.key[1]] <= ONE_PLACE
    return alone == (len(candidate.key) == 2)


def _is_mixed(block: Candidate, known: Mapping[Key, Candidate]) -> bool:
    """Whether the lines of a block are at several places, such as in a link on some pages only."""
    most = max(len(known["place", place].nodes) for place in block.places)
    return most < MIXED * len(block.nodes)


def _is_named(candidate: Candidate, named: set[At]) -> bool:
    return sum(at in named for at in candidate.nodes) >= len(candidate.nodes) / 2


def _is_like_list(candidate: Candidate) -> bool:
    return not candidate.is_steady()
